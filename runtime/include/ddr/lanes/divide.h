/* divide.h: division of ints in lanes.  Processors have no instruction for vectors, and compilers
 * would divide lane by lane.  Division by a uniform int is a product with its inverse; any other
 * division is one of doubles.  Included by math.h.
 *
 * Source: [Granlund, Montgomery 1994, Division by invariant integers using multiplication, §5].
 * With N bits, 2^(l-1) < |d| <= 2^l, and m = 1 + floor(2^(N+l-1) / |d|) below 2^N, the quotient of
 * n is floor(m n / 2^(N+l-1)), and one more for negative n; then it gets the sign of d.  What
 * depends on d alone is left to the compiler: a literal costs nothing, another a division per loop.
 */
#pragma once

#include "ddr/lanes/lanes.h"
#if !defined(DDR_DOUBLE)
#include "ddr/lanes/wide.h"
#endif

/* --- varying divisors ------------------------------------------------------------------------- */

#if defined(DDR_LONG_INT)
DDR_VFN ddr_vint ddr_vidiv(ddr_vint a, ddr_vint b) {
  DDR_EACH_LANE(lane) a[lane] = ddr_idiv(a[lane], b[lane]);
  return a;
}
DDR_VFN ddr_vint ddr_vimod(ddr_vint a, ddr_vint b) {
  DDR_EACH_LANE(lane) a[lane] = ddr_imod(a[lane], b[lane]);
  return a;
}
#else
/* Exact: a quotient that is not an int is further from the next int than the rounding error of a
 * double; or of a float, if the dividend has no more digits than floats have. */
#if defined(DDR_DOUBLE)
DDR_VFN ddr_vint ddr_viquotient_wide(ddr_vint a, ddr_vint b) {
  return __builtin_convertvector(ddr_vreal_of_ints(a) / ddr_vreal_of_ints(b), ddr_vint);
}
#else
#if DDR_REGISTER_SIZE == 16 && defined(__SSE2__) && !defined(__clang__)
/* gcc would take halves of 8 bytes apart. */
DDR_VFN ddr_vwide ddr_vhalf_quotient(ddr_vint a, ddr_vint b) {
  return __builtin_ia32_cvtdq2pd(a) / __builtin_ia32_cvtdq2pd(b);
}
DDR_VFN ddr_vint ddr_viquotient_wide(ddr_vint a, ddr_vint b) {
  const ddr_vint a_upper = __builtin_shufflevector(a, a, 2, 3, 2, 3);
  const ddr_vint b_upper = __builtin_shufflevector(b, b, 2, 3, 2, 3);
  return __builtin_shufflevector(__builtin_ia32_cvttpd2dq(ddr_vhalf_quotient(a, b)),
                                 __builtin_ia32_cvttpd2dq(ddr_vhalf_quotient(a_upper, b_upper)), 0,
                                 1, 4, 5);
}
#else
#define DDR_WIDE_HALF(a, lanes) ddr_vwide_of_ints(__builtin_shufflevector(a, a, lanes))

DDR_VFN ddr_vint ddr_viquotient_wide(ddr_vint a, ddr_vint b) {
  const ddr_vwide lower = DDR_WIDE_HALF(a, DDR_LOWER_LANES) / DDR_WIDE_HALF(b, DDR_LOWER_LANES);
  const ddr_vwide upper = DDR_WIDE_HALF(a, DDR_UPPER_LANES) / DDR_WIDE_HALF(b, DDR_UPPER_LANES);
  const ddr_vhalf_ints low = __builtin_convertvector(lower, ddr_vhalf_ints);
  const ddr_vhalf_ints high = __builtin_convertvector(upper, ddr_vhalf_ints);
  return (ddr_vint)ddr_vof_halves((ddr_vhalf)low, (ddr_vhalf)high);
}
#endif

#endif

#if defined(__FAST_MATH__) || defined(__RECIPROCAL_MATH__)
DDR_VFN ddr_vuint ddr_vimagnitude(ddr_vint a) {
  const ddr_vint sign = a >> 31; /* -1 or 0 */
  return (ddr_vuint)(a ^ sign) - (ddr_vuint)sign;
}

/* With such options of the C compiler, a quotient may be a product with the inverse, off in the
 * last bit, and an int off by 1.  The remainder tells. */
DDR_VFN ddr_vint ddr_viquotient(ddr_vint a, ddr_vint b) {
  const ddr_vint q = ddr_viquotient_wide(a, b), rest = ddr_visub(a, ddr_vimul(q, b));
  const ddr_vint outward = ((a ^ b) >> 31) | 1; /* the sign of a / b */
  const ddr_vint is_far = (ddr_vint)((rest ^ a) < 0) & (ddr_vint)(rest != 0);
  const ddr_vint is_near = (ddr_vint)(ddr_vimagnitude(rest) >= ddr_vimagnitude(b)) & ~is_far;
  return q - (is_far & outward) + (is_near & outward);
}
#elif defined(DDR_DOUBLE)
DDR_VFN ddr_vint ddr_viquotient(ddr_vint a, ddr_vint b) { return ddr_viquotient_wide(a, b); }
#else
DDR_VFN ddr_vint ddr_viquotient(ddr_vint a, ddr_vint b) {
  const ddr_vint most = ddr_vint_all((1 << 24) - 1);
  if (__builtin_expect(ddr_vany((a > most) | (a < -most)), 0)) return ddr_viquotient_wide(a, b);
  return __builtin_convertvector(ddr_vreal_of_ints(a) / ddr_vreal_of_ints(b), ddr_vint);
}
#endif

/* A mask of the divisors 0 and -1, whose quotients do not exist or may overflow: they are replaced
 * by 1. */
DDR_VFN ddr_vint ddr_vis_apart(ddr_vint b) { return (ddr_vint)((ddr_vuint)b + 1 <= 1); }

DDR_VFN ddr_vint ddr_vidiv(ddr_vint a, ddr_vint b) {
  const ddr_vint is_apart = ddr_vis_apart(b), q = ddr_viquotient(a, (b & ~is_apart) - is_apart);
  return (ddr_vimul(a, b) & is_apart) | (q & ~is_apart);
}
DDR_VFN ddr_vint ddr_vimod(ddr_vint a, ddr_vint b) {
  const ddr_vint is_apart = ddr_vis_apart(b), q = ddr_viquotient(a, (b & ~is_apart) - is_apart);
  return ddr_visub(a, ddr_vimul(q, b)) & ~is_apart;
}
#endif

/* --- uniform divisors ------------------------------------------------------------------------- */

#if defined(DDR_LONG_INT)
enum { DDR_INT_BITS = 64 };
#define DDR_VINT_SIZE (DDR_LANES * 8)
#else
enum { DDR_INT_BITS = 32 };
#define DDR_VINT_SIZE (DDR_LANES * 4)
#endif

#if defined(__x86_64__) && DDR_REGISTER_SIZE == 64 && DDR_VINT_SIZE >= 64
#define DDR_PIECE_SIZE 64
#elif defined(__AVX2__) && DDR_VINT_SIZE >= 32
#define DDR_PIECE_SIZE 32
#else
#define DDR_PIECE_SIZE 16
#endif
enum { DDR_N_PIECES = DDR_VINT_SIZE / DDR_PIECE_SIZE };

/* The part of a vector of ints that one register holds, as ints and as units of 64 bits. Compilers
 * split larger vectors lane by lane. */
typedef ddr_int ddr_piece __attribute__((vector_size(DDR_PIECE_SIZE)));
typedef ddr_uint ddr_upiece __attribute__((vector_size(DDR_PIECE_SIZE)));
typedef uint64_t ddr_units __attribute__((vector_size(DDR_PIECE_SIZE)));
typedef int32_t ddr_words __attribute__((vector_size(DDR_PIECE_SIZE)));

/* Pieces are accessed in place: a copy of the whole vector would go through memory. */
typedef ddr_piece ddr_piece_of __attribute__((may_alias));
#define DDR_EACH_PIECE(i) _Pragma("GCC unroll 2") for (int i = 0; i < DDR_N_PIECES; i++)

#define DDR_LOW_WORD UINT64_C(0xffffffff)

/* Products of the lower words of all units.  gcc finds the instruction only by its builtin. */
DDR_VFN ddr_units ddr_low_product(ddr_units a, ddr_units b) {
#if defined(__clang__) || !defined(__x86_64__)
  return (a & DDR_LOW_WORD) * (b & DDR_LOW_WORD);
#elif DDR_PIECE_SIZE == 64
  typedef long long product __attribute__((vector_size(64)));
  return (ddr_units)__builtin_ia32_pmuludq512_mask((ddr_words)a, (ddr_words)b, (product){0}, 0xff);
#elif DDR_PIECE_SIZE == 32
  return (ddr_units)__builtin_ia32_pmuludq256((ddr_words)a, (ddr_words)b);
#else
  return (ddr_units)__builtin_ia32_pmuludq128((ddr_words)a, (ddr_words)b);
#endif
}

/* Upper halves of products of unsigned ints. */
#if defined(DDR_LONG_INT)
DDR_VFN ddr_piece ddr_high_product(ddr_units a, ddr_uint m) {
  const ddr_units low = (m & DDR_LOW_WORD) - (ddr_units){0}, high = (m >> 32) - (ddr_units){0};
  const ddr_units a_high = a >> 32;
  const ddr_units sum = ddr_low_product(a_high, low) + (ddr_low_product(a, low) >> 32);
  const ddr_units rest = ddr_low_product(a, high) + (sum & DDR_LOW_WORD);
  return (ddr_piece)(ddr_low_product(a_high, high) + (sum >> 32) + (rest >> 32));
}
#else
DDR_VFN ddr_piece ddr_high_product(ddr_units a, ddr_uint m) {
  const ddr_units factor = m - (ddr_units){0};
  const ddr_units even = ddr_low_product(a, factor), odd = ddr_low_product(a >> 32, factor);
  return (ddr_piece)((even >> 32) | (odd & ~DDR_LOW_WORD));
}
#endif

typedef struct ddr_inverse {
  ddr_uint factor; /* m of the head */
  int log;         /* l */
} ddr_inverse;

/* The inverse of a number above 1. */
DDR_VFN ddr_inverse ddr_inverse_of(ddr_uint size) {
  ddr_inverse inverse;
#if defined(DDR_LONG_INT)
  __extension__ typedef unsigned __int128 twice;
  inverse.log = 64 - __builtin_clzll(size - 1);
#else
  typedef uint64_t twice;
  inverse.log = 32 - __builtin_clz(size - 1);
#endif
  inverse.factor = (ddr_uint)(((twice)1 << (DDR_INT_BITS + inverse.log - 1)) / size) + 1;
  return inverse;
}

/* Whether d is a constant power of two, so that a shift divides by it. */
#define DDR_IS_POWER(d, size) (__builtin_constant_p(d) && ((size) & ((size)-1)) == 0)

/* a + 2^log - 1 for negative a, else a: a shift, which rounds down, then gives what division
 * towards 0 gives. */
DDR_VFN ddr_upiece ddr_piece_up(ddr_piece a, int log) {
  const ddr_upiece ones = (ddr_upiece)(log == 1 ? a : a >> (DDR_INT_BITS - 1)); /* negative: -1 */
  return (ddr_upiece)a + (ones >> (DDR_INT_BITS - log));
}

DDR_VFN ddr_upiece ddr_piece_quotient(ddr_piece a, ddr_int d) {
  if (d >= -1 && d <= 1) return (ddr_upiece)a * (ddr_uint)d;
  const ddr_uint size = (ddr_uint)ddr_iabs(d);
  const ddr_inverse inverse = ddr_inverse_of(size);
  const ddr_upiece is_negative = (ddr_upiece)(a >> (DDR_INT_BITS - 1)); /* -1 or 0 */
  ddr_upiece q;
  if (DDR_IS_POWER(d, size)) {
    q = (ddr_upiece)((ddr_piece)ddr_piece_up(a, inverse.log) >> inverse.log);
  } else {
    const ddr_upiece product = (ddr_upiece)ddr_high_product((ddr_units)a, inverse.factor);
    const ddr_upiece high = product - (is_negative & inverse.factor);
    q = (ddr_upiece)((ddr_piece)high >> (inverse.log - 1)) - is_negative;
  }
  return d < 0 ? -q : q;
}

DDR_VFN ddr_upiece ddr_piece_multiple(ddr_piece a, ddr_int d) {
  const ddr_uint size = (ddr_uint)ddr_iabs(d);
  if (size > 1 && DDR_IS_POWER(d, size)) return ddr_piece_up(a, ddr_inverse_of(size).log) & -size;
  return ddr_piece_quotient(a, d) * (ddr_uint)d;
}

/* Registers of two 64-bit ints are not faster than single ints. */
#if defined(DDR_LONG_INT) && DDR_PIECE_SIZE == 16
DDR_VFN ddr_vint ddr_vidiv_by(ddr_vint a, ddr_int d) { return ddr_vidiv(a, ddr_vint_all(d)); }
DDR_VFN ddr_vint ddr_vimod_by(ddr_vint a, ddr_int d) { return ddr_vimod(a, ddr_vint_all(d)); }
#else
/* As ddr_idiv. */
DDR_VFN ddr_vint ddr_vidiv_by(ddr_vint a, ddr_int d) {
  ddr_piece_of *pieces = (ddr_piece_of *)&a;
  DDR_EACH_PIECE(i) pieces[i] = (ddr_piece)ddr_piece_quotient(pieces[i], d);
  return a;
}

/* As ddr_imod: n%0 is 0. */
DDR_VFN ddr_vint ddr_vimod_by(ddr_vint a, ddr_int d) {
  ddr_piece_of *pieces = (ddr_piece_of *)&a;
  if (d == 0) return (ddr_vint){0};
  DDR_EACH_PIECE(i) {
    const ddr_piece piece = pieces[i];
    pieces[i] = (ddr_piece)((ddr_upiece)piece - ddr_piece_multiple(piece, d));
  }
  return a;
}
#endif

/* lanes.h: arithmetic for many strands at once, one in each lane of a vector register.
 *
 * A varying value is a vector of DDR_LANES reals or ints.  A varying truth value is a mask: a
 * vector as wide as one of reals, whose lanes are 0 or -1.  DDR_LANES is the number of reals in the
 * widest registers of the processor; it is decided here, when the C compiler runs, and not by
 * diderotc. Every function does in each lane what its namesake of scalar.h does (ddr_vmin:
 * ddr_min).  Inactive lanes compute, too; nothing here traps.
 *
 * These are GNU C vectors, with builtins where compilers do not find an instruction otherwise. Read
 * next: math.h, slices.h, gang.h.
 */
#pragma once

#include "ddr/fma.h"
#include "ddr/lanes/named.h"
#include "ddr/register.h"
#include "ddr/seq.h"
#include "ddr/tap.h"

/* At least 4 lanes, so that every machine runs the same code. */
#if !defined(DDR_DOUBLE)
#define DDR_LANES (DDR_REGISTER_SIZE / 4)
typedef int32_t ddr_mask_lane;
#elif DDR_REGISTER_SIZE > 32
#define DDR_LANES (DDR_REGISTER_SIZE / 8)
typedef int64_t ddr_mask_lane;
#else
#define DDR_LANES 4
typedef int64_t ddr_mask_lane;
#endif

typedef ddr_real ddr_vreal __attribute__((vector_size(DDR_LANES * sizeof(ddr_real))));
typedef ddr_int ddr_vint __attribute__((vector_size(DDR_LANES * sizeof(ddr_int))));
typedef ddr_uint ddr_vuint __attribute__((vector_size(DDR_LANES * sizeof(ddr_int))));
typedef ddr_mask_lane ddr_vmask __attribute__((vector_size(DDR_LANES * sizeof(ddr_mask_lane))));

/* Inlined: vectors stay in registers, and it does not matter how a call would pass them. No lane
 * traps; with checks by UBSan, compilation would take ten times as long. */
#define DDR_VFN static inline DDR_INLINED __attribute__((unused, no_sanitize("undefined")))

#if defined(__clang__)
#define DDR_EACH_LANE(lane)                                                                        \
  _Pragma("clang loop unroll(full)") for (int lane = 0; lane < DDR_LANES; lane++)
#define DDR_EVERY_LANE(lane) DDR_EACH_LANE(lane)
#else
#define DDR_EACH_LANE(lane) for (int lane = 0; lane < DDR_LANES; lane++)
/* Fills a vector lane by lane, unrolled, in registers: a vector that is read just after its lanes
 * were stored to memory has to wait. */
#define DDR_EVERY_LANE(lane) _Pragma("GCC unroll 16") for (int lane = 0; lane < DDR_LANES; lane++)
#endif

/* --- uniform values in all lanes -------------------------------------------------------------- */

DDR_VFN ddr_vreal ddr_vreal_all(ddr_real x) { return x - (ddr_vreal){0}; }
DDR_VFN ddr_vint ddr_vint_all(ddr_int x) { return x - (ddr_vint){0}; }
DDR_VFN ddr_vmask ddr_vbool_all(bool x) { return (x ? (ddr_mask_lane)-1 : 0) - (ddr_vmask){0}; }

/* --- masks ------------------------------------------------------------------------------------ */

/* Gathers a real, int or truth value from a struct per lane: `first` points to that of struct 0;
 * structs are `size` bytes apart. An initialiser with all lanes stays in registers, unlike a loop.
 *
 * First from consecutive structs. */
#if DDR_LANES == 16
#define DDR_EACH_IN_ROW(get)                                                                       \
  get(0), get(1), get(2), get(3), get(4), get(5), get(6), get(7), get(8), get(9), get(10),         \
      get(11), get(12), get(13), get(14), get(15)
#elif DDR_LANES == 8
#define DDR_EACH_IN_ROW(get) get(0), get(1), get(2), get(3), get(4), get(5), get(6), get(7)
#else
#define DDR_EACH_IN_ROW(get) get(0), get(1), get(2), get(3)
#endif
#if defined(__clang__) /* volatile: clang would use gather instructions, which are much slower */
#define DDR_IN_ROW(type, i) (*(const volatile type *)((const char *)first + (i)*size))
#else
#define DDR_IN_ROW(type, i) (*(const type *)((const char *)first + (i)*size))
#endif
#define DDR_REAL_IN_ROW(i) DDR_IN_ROW(ddr_real, i)
#define DDR_INT_IN_ROW(i) DDR_IN_ROW(ddr_int, i)
#define DDR_BOOL_IN_ROW(i) -(ddr_mask_lane)DDR_IN_ROW(bool, i)
DDR_VFN ddr_vreal ddr_vreal_row(const ddr_real *first, size_t size) {
  return (ddr_vreal){DDR_EACH_IN_ROW(DDR_REAL_IN_ROW)};
}
DDR_VFN ddr_vint ddr_vint_row(const ddr_int *first, size_t size) {
  return (ddr_vint){DDR_EACH_IN_ROW(DDR_INT_IN_ROW)};
}
DDR_VFN ddr_vmask ddr_vbool_row(const bool *first, size_t size) {
  return (ddr_vmask){DDR_EACH_IN_ROW(DDR_BOOL_IN_ROW)};
}

/* The same from structs number at[lane]; hits are numbers of 32 bits. */
#define DDR_REAL_AT(i) DDR_IN_ROW(ddr_real, (size_t)at[i])
#define DDR_INT_AT(i) DDR_IN_ROW(ddr_int, (size_t)at[i])
#define DDR_BOOL_AT(i) -(ddr_mask_lane)DDR_IN_ROW(bool, (size_t)at[i])
#define DDR_SAMPLE_AT(i) DDR_IN_ROW(ddr_real_at, (size_t)at[i]) /* at any byte */
#define DDR_V_OF(name, type, vector, number, get)                                                  \
  DDR_VFN vector name(const type *first, size_t size, const number *at) {                          \
    return (vector){DDR_EACH_IN_ROW(get)};                                                         \
  }
DDR_V_OF(ddr_vreal_of_hits, ddr_real, ddr_vreal, uint32_t, DDR_REAL_AT)
DDR_V_OF(ddr_vint_of_hits, ddr_int, ddr_vint, uint32_t, DDR_INT_AT)
DDR_V_OF(ddr_vbool_of_hits, bool, ddr_vmask, uint32_t, DDR_BOOL_AT)
DDR_V_OF(ddr_vreal_of, ddr_real, ddr_vreal, int64_t, DDR_REAL_AT)
DDR_V_OF(ddr_vint_of, ddr_int, ddr_vint, int64_t, DDR_INT_AT)
DDR_V_OF(ddr_vbool_of, bool, ddr_vmask, int64_t, DDR_BOOL_AT)
DDR_V_OF(ddr_vreal_of_samples, ddr_real, ddr_vreal, int64_t, DDR_SAMPLE_AT)
#undef DDR_V_OF
#undef DDR_REAL_AT
#undef DDR_INT_AT
#undef DDR_BOOL_AT
#undef DDR_SAMPLE_AT
#undef DDR_EACH_IN_ROW
#undef DDR_IN_ROW
#undef DDR_REAL_IN_ROW
#undef DDR_INT_IN_ROW
#undef DDR_BOOL_IN_ROW

/* A mask as bits, with lane 0 in the lowest bit; by one instruction if there is one. */
typedef uint32_t ddr_lane_set;
#define DDR_ALL_LANES ((ddr_lane_set)((1u << DDR_LANES) - 1))

DDR_VFN ddr_lane_set ddr_vlanes(ddr_vmask m) {
#if DDR_REGISTER_SIZE == 64 && defined(DDR_DOUBLE)
  return __builtin_ia32_cvtq2mask512((long long __attribute__((vector_size(64))))m);
#elif DDR_REGISTER_SIZE == 64
  return __builtin_ia32_cvtd2mask512(m);
#elif DDR_REGISTER_SIZE == 32 && defined(DDR_DOUBLE)
  return (ddr_lane_set)__builtin_ia32_movmskpd256((double __attribute__((vector_size(32))))m);
#elif DDR_REGISTER_SIZE == 32
  return (ddr_lane_set)__builtin_ia32_movmskps256((float __attribute__((vector_size(32))))m);
#elif defined(__SSE__) && !defined(DDR_DOUBLE)
  return (ddr_lane_set)__builtin_ia32_movmskps((float __attribute__((vector_size(16))))m);
#else
  ddr_lane_set set = 0;
  DDR_EACH_LANE(lane) set |= (ddr_lane_set)(m[lane] & 1) << lane;
  return set;
#endif
}

DDR_VFN ddr_vmask ddr_vmask_of(ddr_lane_set set) {
#if DDR_LANES == 16
  const ddr_vmask bit = {1,      2,      4,       8,       1 << 4,  1 << 5,  1 << 6,  1 << 7,
                         1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
#elif DDR_LANES == 8
  const ddr_vmask bit = {1, 2, 4, 8, 1 << 4, 1 << 5, 1 << 6, 1 << 7};
#else
  const ddr_vmask bit = {1, 2, 4, 8};
#endif
  return (bit & (ddr_mask_lane)set) != 0;
}

/* Removes the lowest lane from a set that is not empty, and returns it. */
DDR_VFN int ddr_next_lane(ddr_lane_set *set) {
  const int lane = __builtin_ctz(*set);
  *set &= *set - 1;
  return lane;
}

/* Whether any lane is active. */
DDR_VFN bool ddr_vany(ddr_vmask m) {
#if DDR_REGISTER_SIZE > 16 || (defined(__SSE__) && !defined(DDR_DOUBLE))
  return ddr_vlanes(m) != 0;
#else
  ddr_mask_lane any = 0;
  DDR_EACH_LANE(lane) any |= m[lane];
  return any != 0;
#endif
}

/* The number of active lanes. */
DDR_VFN int ddr_vcount(ddr_vmask m) {
#ifdef __POPCNT__
  return __builtin_popcount(ddr_vlanes(m));
#else
  ddr_mask_lane count = 0;
  DDR_EACH_LANE(lane) count -= m[lane];
  return (int)count;
#endif
}

DDR_VFN ddr_vmask ddr_vbeq(ddr_vmask a, ddr_vmask b) { return ~(a ^ b); }

/* a in the lanes of the mask, b in the others; all of one type. With registers of 64 bytes, gcc
 * turns the first form into a masked move, or a masked operation for a; the other one takes it two
 * dependent operations. */
#if DDR_REGISTER_SIZE == 64 && !defined(__clang__)
#define DDR_BLEND(m, a, b) (((a) & ((m) < 0)) ^ ((b) & ~((m) < 0)))
#else
#define DDR_BLEND(m, a, b) (((a) & (m)) | ((b) & ~(m)))
#endif
DDR_VFN ddr_vreal ddr_vselect_real(ddr_vmask m, ddr_vreal a, ddr_vreal b) {
  return (ddr_vreal)DDR_BLEND(m, (ddr_vmask)a, (ddr_vmask)b);
}
DDR_VFN ddr_vint ddr_vselect_int(ddr_vmask m, ddr_vint a, ddr_vint b) {
#if !defined(DDR_DOUBLE) && !defined(DDR_LONG_INT)
  return DDR_BLEND(m, a, b);
#else
  const ddr_vint wide = __builtin_convertvector(m, ddr_vint);
  return (a & wide) | (b & ~wide);
#endif
}
DDR_VFN ddr_vmask ddr_vselect_bool(ddr_vmask m, ddr_vmask a, ddr_vmask b) {
  return (a & m) | (b & ~m);
}

/* --- ints ------------------------------------------------------------------------------------- */

#define DDR_VINT_WRAPS(name, op)                                                                   \
  DDR_VFN ddr_vint name(ddr_vint a, ddr_vint b) { return (ddr_vint)((ddr_vuint)a op(ddr_vuint) b); }
/* Compares two registers of ints, for one register of masks. gcc would compare a vector larger than
 * a register lane by lane, and clang 14 fails at some of them ("physreg copy") for AVX2. */
#if defined(DDR_LONG_INT) && !defined(DDR_DOUBLE) && DDR_LANES > 4
#if DDR_LANES == 16
#define DDR_EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#else
#define DDR_EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14
#endif
typedef ddr_int ddr_vint_half __attribute__((vector_size(sizeof(ddr_vmask))));
typedef union ddr_vint_halves {
  ddr_vint all;
  ddr_vint_half half[2];
} ddr_vint_halves;
#define DDR_VINT_COMPARES(name, op)                                                                \
  DDR_VFN ddr_vmask name(ddr_vint left, ddr_vint right) {                                          \
    const ddr_vint_halves a = {left}, b = {right};                                                 \
    const ddr_vmask lower = (ddr_vmask)(a.half[0] op b.half[0]);                                   \
    return __builtin_shufflevector(lower, (ddr_vmask)(a.half[1] op b.half[1]), DDR_EVEN_LANES);    \
  }
#else
#define DDR_VINT_COMPARES(name, op)                                                                \
  DDR_VFN ddr_vmask name(ddr_vint a, ddr_vint b) {                                                 \
    return __builtin_convertvector(a op b, ddr_vmask);                                             \
  }
#endif
/* clang-format off */
DDR_VINT_WRAPS(ddr_viadd, +)     DDR_VINT_WRAPS(ddr_visub, -)     DDR_VINT_WRAPS(ddr_vimul, *)
DDR_VINT_COMPARES(ddr_vilt, <)   DDR_VINT_COMPARES(ddr_vile, <=)
DDR_VINT_COMPARES(ddr_vieq, ==)  DDR_VINT_COMPARES(ddr_vine, !=)
DDR_VINT_COMPARES(ddr_vige, >=)  DDR_VINT_COMPARES(ddr_vigt, >)
#undef DDR_VINT_WRAPS
#undef DDR_VINT_COMPARES

DDR_VFN ddr_vint ddr_vineg(ddr_vint a) { return (ddr_vint)((ddr_vuint){0} - (ddr_vuint)a); }
/* clang-format on */

/* clang finds its instruction for this form, and splits the form below into lanes. */
#if defined(__clang__)
DDR_VFN ddr_vint ddr_vimin(ddr_vint a, ddr_vint b) { return ddr_vselect_int(ddr_vilt(a, b), a, b); }
DDR_VFN ddr_vint ddr_vimax(ddr_vint a, ddr_vint b) { return ddr_vselect_int(ddr_vilt(a, b), b, a); }
#elif defined(DDR_NAMED_INTS)
DDR_VFN ddr_vint ddr_vimin(ddr_vint a, ddr_vint b) { return DDR_NAMED_IMIN(a, b); }
DDR_VFN ddr_vint ddr_vimax(ddr_vint a, ddr_vint b) { return DDR_NAMED_IMAX(a, b); }
#endif

/* Lane by lane: compilers turn it into one instruction if there is one. */
#define DDR_V_EACH1(type, name, each)                                                              \
  DDR_VFN type name(type a) {                                                                      \
    type r = {0};                                                                                  \
    DDR_EACH_LANE(lane) r[lane] = each(a[lane]);                                                   \
    return r;                                                                                      \
  }
#define DDR_V_EACH2(type, name, each)                                                              \
  DDR_VFN type name(type a, type b) {                                                              \
    type r = {0};                                                                                  \
    DDR_EACH_LANE(lane) r[lane] = each(a[lane], b[lane]);                                          \
    return r;                                                                                      \
  }
/* clang-format off */
DDR_V_EACH1(ddr_vint, ddr_viabs, ddr_iabs)
#if !defined(__clang__) && !defined(DDR_NAMED_INTS)
DDR_V_EACH2(ddr_vint, ddr_vimin, ddr_imin)  DDR_V_EACH2(ddr_vint, ddr_vimax, ddr_imax)
#endif

/* --- reals ------------------------------------------------------------------------------------ */

DDR_VFN ddr_vreal ddr_vreal_of_ints(ddr_vint a) { return __builtin_convertvector(a, ddr_vreal); }
/* clang-format on */

/* a*b + c, rounded once; each operand is a vector or a uniform real. */
#define DDR_VECTOR(x) ((x) - (ddr_vreal){0})
#if DDR_REGISTER_SIZE == 64
#define ddr_vfma(a, b, c) DDR_FMA64(DDR_VECTOR(a), DDR_VECTOR(b), DDR_VECTOR(c))
#elif DDR_REGISTER_SIZE == 32 || defined(DDR_DOUBLE)
#define ddr_vfma(a, b, c) DDR_FMA32(DDR_VECTOR(a), DDR_VECTOR(b), DDR_VECTOR(c))
#else
#define ddr_vfma(a, b, c) DDR_FMA16(DDR_VECTOR(a), DDR_VECTOR(b), DDR_VECTOR(c))
#endif

DDR_VFN ddr_vreal ddr_vfabs(ddr_vreal x) {
  const ddr_mask_lane but_the_sign =
      (ddr_mask_lane)(((uint64_t)1 << (8 * sizeof(ddr_real) - 1)) - 1);
  return (ddr_vreal)((ddr_vmask)x & but_the_sign);
}

#if defined(DDR_NAMED_REALS)
DDR_VFN ddr_vreal ddr_vsqrt(ddr_vreal x) { return DDR_NAMED_SQRT(x); }
DDR_VFN ddr_vreal ddr_vfloor(ddr_vreal x) { return DDR_NAMED_ROUND(x, 1); }
DDR_VFN ddr_vreal ddr_vceil(ddr_vreal x) { return DDR_NAMED_ROUND(x, 2); }
DDR_VFN ddr_vreal ddr_vtrunc(ddr_vreal x) { return DDR_NAMED_ROUND(x, 3); }
/* These instructions give their second operand if one is NaN, or both are zeros. */
DDR_VFN ddr_vreal ddr_vmin(ddr_vreal a, ddr_vreal b) { return DDR_NAMED_MIN(b, a); }
DDR_VFN ddr_vreal ddr_vmax(ddr_vreal a, ddr_vreal b) { return DDR_NAMED_MAX(b, a); }
#else
/* clang-format off */
DDR_V_EACH1(ddr_vreal, ddr_vsqrt, ddr_sqrt)    DDR_V_EACH1(ddr_vreal, ddr_vfloor, ddr_floor)
DDR_V_EACH1(ddr_vreal, ddr_vceil, ddr_ceil)    DDR_V_EACH1(ddr_vreal, ddr_vtrunc, ddr_trunc)
DDR_V_EACH2(ddr_vreal, ddr_vmin, ddr_min)      DDR_V_EACH2(ddr_vreal, ddr_vmax, ddr_max)
/* clang-format on */
#endif
DDR_V_EACH1(ddr_vreal, ddr_vround, ddr_round)
#undef DDR_V_EACH1
#undef DDR_V_EACH2

DDR_VFN ddr_vreal ddr_vsign(ddr_vreal x) {
  const ddr_vreal one = ddr_vreal_all(1), zero = {0};
  return ddr_vselect_real(x > 0, one, ddr_vselect_real(x < 0, -one, zero));
}

DDR_VFN ddr_vreal ddr_vclamp(ddr_vreal lo, ddr_vreal hi, ddr_vreal x) {
  return ddr_vselect_real(x <= lo, lo, ddr_vselect_real(hi <= x, hi, x));
}

DDR_VFN ddr_vreal ddr_vpowi(ddr_vreal x, ddr_vint n) {
  const ddr_vint zero = {0};
  const ddr_vmask is_negative = ddr_vilt(n, zero);
  ddr_vuint count = (ddr_vuint)ddr_vselect_int(is_negative, ddr_vineg(n), n);
  ddr_vreal power = ddr_vreal_all(1), square = x;
  while (ddr_vany(ddr_vine((ddr_vint)count, zero))) {
    const ddr_vmask is_odd = ddr_vine((ddr_vint)(count & 1), zero);
    power = ddr_vselect_real(is_odd, power * square, power);
    square *= square;
    count >>= 1;
  }
  return ddr_vselect_real(is_negative, 1 / power, power);
}

DDR_VFN ddr_vreal ddr_vpowi_by(ddr_vreal x, ddr_int n) {
  ddr_uint count = (ddr_uint)ddr_iabs(n);
  ddr_vreal power = ddr_vreal_all(1);
  for (; count != 0; count >>= 1, x *= x)
    if (count & 1) power *= x;
  return n < 0 ? 1 / power : power;
}

/* --- taps ------------------------------------------------------------------------------------- */

/* Truncates to int by an instruction that gives the least int if the result is no int; a conversion
 * in C is undefined then. */
#if defined(DDR_DOUBLE) || defined(DDR_LONG_INT)
#elif DDR_REGISTER_SIZE == 64
#define DDR_VTRUNCATED(x) __builtin_ia32_cvttps2dq512_mask(x, (ddr_vint){0}, DDR_ALL_16, 4)
#elif DDR_REGISTER_SIZE == 32
#define DDR_VTRUNCATED(x) __builtin_ia32_cvttps2dq256(x)
#elif defined(__SSE2__)
#define DDR_VTRUNCATED(x) __builtin_ia32_cvttps2dq(x)
#endif

/* The common case: in all lanes the first tap is within range, and needs no clamping. That takes
 * one test, a branch that is predicted well. */
DDR_VFN bool ddr_vcorner_at_once(ddr_vreal first, ddr_int last, ddr_vint *corner) {
#if defined(DDR_VTRUNCATED)
  *corner = DDR_VTRUNCATED(first);
  return !ddr_vany((ddr_vuint)*corner > (ddr_uint)last);
#else
  if (ddr_vany((first < 0) | (first >= (ddr_real)last) | (first != first))) return false;
  *corner = __builtin_convertvector(first, ddr_vint);
  return true;
#endif
}

/* Otherwise first taps are clamped as reals, so that they fit into an int, and then as ints, as a
 * real may round `last`. */
DDR_VFN ddr_vint ddr_vcorner(ddr_vreal floor_index, ddr_int len, ddr_int half_support) {
  const ddr_int n_taps = 2 * half_support;
  const ddr_int last = len > n_taps ? len - n_taps : 0;
  const ddr_vreal first = floor_index + (ddr_real)(1 - half_support);
  ddr_vint corner;
  if (__builtin_expect(ddr_vcorner_at_once(first, last, &corner), 1)) return corner;
  const ddr_vreal not_below = ddr_vmax(ddr_vreal_all(0), first); /* 0 for NaN */
  const ddr_vreal near = ddr_vmin(not_below, ddr_vreal_all((ddr_real)last));
  return ddr_vimin(ddr_vint_all(last), __builtin_convertvector(near, ddr_vint));
}

/* Compares reals: only at the end of axes with more samples than a real can count this may err. */
DDR_VFN ddr_vmask ddr_vsupport_within(ddr_vreal floor_index, ddr_int len, ddr_int half_support) {
  const ddr_vreal first = floor_index + (ddr_real)(1 - half_support);
  return (first >= 0) & (first <= (ddr_real)(len - 2 * half_support));
}

/* The first tap, not clamped to the axis; 0 if not finite. */
DDR_VFN ddr_vint ddr_vtap(ddr_vreal floor_index, ddr_int half_support) {
  const ddr_vreal far = ddr_vreal_all(DDR_INT_LIMIT / 2), zero = {0};
  const ddr_vmask is_finite = floor_index - floor_index == 0;
  const ddr_vreal near = ddr_vselect_real(is_finite, ddr_vclamp(-far, far, floor_index), zero);
  const ddr_vint first = __builtin_convertvector(near, ddr_vint) + (1 - half_support);
  return ddr_vselect_int(is_finite, first, (ddr_vint){0});
}

/* --- sequences -------------------------------------------------------------------------------- */

/* Scalar number k of each lane's element of one sequence, with n scalars per element. Indices are
 * clamped as a vector; the loads are scalar. */
#define DDR_VSEQ(type, word, scalar)                                                               \
  DDR_VFN type ddr_vseq_##word(ddr_seq seq, ddr_vint idx, int n, int k) {                          \
    if (seq.length == 0) return (type){0};                                                         \
    const scalar *first = (const scalar *)(const void *)ddr_seq_elements(seq.buffer) + k;          \
    const ddr_vint last = ddr_vint_all((ddr_int)(seq.length - 1));                                 \
    const ddr_vint near = ddr_vimin(ddr_vimax(idx, (ddr_vint){0}), last);                          \
    int64_t at[DDR_LANES];                                                                         \
    DDR_EACH_LANE(lane) at[lane] = near[lane];                                                     \
    return ddr_v##word##_of(first, (size_t)n * sizeof *first, at);                                 \
  }
DDR_VSEQ(ddr_vreal, real, ddr_real)
DDR_VSEQ(ddr_vint, int, ddr_int)
DDR_VSEQ(ddr_vmask, bool, bool)
#undef DDR_VSEQ

/* How far each lane's element lies behind the first of n, which are `step` scalars apart. */
DDR_VFN ddr_vint ddr_vseq_place(ddr_vint idx, int n, int step) {
  return ddr_vimin(ddr_vimax(idx, (ddr_vint){0}), ddr_vint_all(n - 1)) * step;
}

/* Each lane's element of a short sequence of its own, by a clamped index: element k is the vector
 * places[k * step]. */
#define DDR_VPLACE(type, word)                                                                     \
  DDR_VFN type ddr_vplace_##word(const type *places, int step, int n, ddr_vint idx) {              \
    type element = places[(n - 1) * step];                                                         \
    for (int k = n - 2; k >= 0; k--)                                                               \
      element = ddr_vselect_##word(ddr_vile(idx, ddr_vint_all(k)), places[k * step], element);     \
    return element;                                                                                \
  }
DDR_VPLACE(ddr_vreal, real)
DDR_VPLACE(ddr_vint, int)
DDR_VPLACE(ddr_vmask, bool)
#undef DDR_VPLACE

/* The same for a uniform sequence: element k is the scalar elements[k * step]. If there is an
 * instruction for it, one or two registers that hold all elements are permuted, unless they are
 * apart and many: filling would take longer than loading a scalar for each lane. The second
 * register has the last elements, some of which are in the first one, too. */
#if defined(DDR_NAMED_AT)
enum { DDR_MOST_APART = 4 };
#define DDR_FILL(type, name, first, n_there, lane_of)                                              \
  type name = {0};                                                                                 \
  for (int k = 0; k < (n_there); k++) name[k] = lane_of(elements[((first) + k) * step])
#define DDR_PERMUTE(type, lane_of, select)                                                         \
  if (n <= DDR_MOST_APART || (step == 1 && n <= DDR_LANES)) {                                      \
    DDR_FILL(type, all, 0, n, lane_of);                                                            \
    return (type)DDR_NAMED_AT((ddr_vint)all, near);                                                \
  }                                                                                                \
  if (step == 1 && n <= 2 * DDR_LANES) {                                                           \
    DDR_FILL(type, low, 0, DDR_LANES, lane_of);                                                    \
    DDR_FILL(type, high, n - DDR_LANES, DDR_LANES, lane_of);                                       \
    const type in_low = (type)DDR_NAMED_AT((ddr_vint)low, near);                                   \
    const type in_high = (type)DDR_NAMED_AT((ddr_vint)high, near - (n - DDR_LANES));               \
    return select(ddr_vilt(near, ddr_vint_all(DDR_LANES)), in_low, in_high);                       \
  }
#else
#define DDR_PERMUTE(type, lane_of, select)
#endif
#define DDR_VAMONG(type, word, scalar, lane_of, of_all, select)                                    \
  DDR_VFN type ddr_vamong_##word(const scalar *elements, int step, int n, ddr_vint idx) {          \
    const ddr_vint near = ddr_vimin(ddr_vimax(idx, (ddr_vint){0}), ddr_vint_all(n - 1));           \
    int64_t at[DDR_LANES];                                                                         \
    DDR_PERMUTE(type, lane_of, select)                                                             \
    DDR_EACH_LANE(lane) at[lane] = near[lane];                                                     \
    return of_all(elements, (size_t)step * sizeof *elements, at);                                  \
  }
#define DDR_NUMBER(x) (x)
#define DDR_TRUTH(x) -(ddr_mask_lane)(x)
DDR_VAMONG(ddr_vreal, real, ddr_real, DDR_NUMBER, ddr_vreal_of, ddr_vselect_real)
DDR_VAMONG(ddr_vint, int, ddr_int, DDR_NUMBER, ddr_vint_of, ddr_vselect_int)
DDR_VAMONG(ddr_vmask, bool, bool, DDR_TRUTH, ddr_vbool_of, ddr_vselect_bool)
#undef DDR_VAMONG
#undef DDR_PERMUTE
#undef DDR_FILL
#undef DDR_NUMBER
#undef DDR_TRUTH

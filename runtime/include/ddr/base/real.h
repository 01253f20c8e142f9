/* real.h: the program's real and integer types, and their arithmetic.
 *
 * Generated code defines DDR_DOUBLE (real is double) and DDR_LONG_INT (int is 64 bits) before it
 * includes this header; without them real is float and int is 32 bits.  Every function is total: no
 * argument traps, integers wrap, and NaN behaves as the comment at each function says.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: scalar.h.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "ddr/base/gpu.h"

#if defined(DDR_GPU)
#define DDR_FN static __host__ __device__ inline
#define DDR_FN_SELDOM static __host__ __device__
#define DDR_FN_RARE static __host__ __device__ __noinline__
#elif defined(__GNUC__)
#define DDR_FN static inline __attribute__((unused))
#if defined(__OPTIMIZE__)
#define DDR_FN_SELDOM static __attribute__((unused, noinline))     /* called in many places */
#define DDR_FN_RARE static __attribute__((unused, noinline, cold)) /* hardly ever called */
#else /* gcc inlines nothing, and compiles what is not `inline` even where nothing calls it */
#define DDR_FN_SELDOM DDR_FN
#define DDR_FN_RARE DDR_FN
#endif
#else
#define DDR_FN static inline
#define DDR_FN_SELDOM static
#define DDR_FN_RARE static
#endif

/* With inline: always, but for code that is not optimised, which is compiled in less time with
 * calls. */
#if defined(DDR_GPU) || defined(__OPTIMIZE__)
#define DDR_INLINED __attribute__((always_inline))
#else
#define DDR_INLINED
#endif

#if defined(DDR_DOUBLE)
typedef double ddr_real;
#define DDR_R(literal) literal
#define DDR_LIBM(name) name
#else
typedef float ddr_real;
#define DDR_R(literal) literal##f
#define DDR_LIBM(name) name##f
#endif

/* Code for devices in single precision, which uses no doubles, or its emulation (tests/shim). */
#if !defined(DDR_DOUBLE) && (defined(DDR_GPU) || defined(DDR_SHIM))
#define DDR_DEVICE_FLOAT
#endif

#if defined(DDR_LONG_INT)
typedef int64_t ddr_int;
typedef uint64_t ddr_uint;
#define DDR_INT_MIN INT64_MIN
#define DDR_INT_MAX INT64_MAX
#define DDR_INT_LIMIT DDR_R(9223372036854775808.0) /* first real beyond DDR_INT_MAX */
#else
typedef int32_t ddr_int;
typedef uint32_t ddr_uint;
#define DDR_INT_MIN INT32_MIN
#define DDR_INT_MAX INT32_MAX
#define DDR_INT_LIMIT DDR_R(2147483648.0)
#endif

/* --- integers: two's complement, wrapping; division by zero gives 0 --------------------------- */

DDR_FN ddr_int ddr_iadd(ddr_int a, ddr_int b) { return (ddr_int)((ddr_uint)a + (ddr_uint)b); }
DDR_FN ddr_int ddr_isub(ddr_int a, ddr_int b) { return (ddr_int)((ddr_uint)a - (ddr_uint)b); }
DDR_FN ddr_int ddr_imul(ddr_int a, ddr_int b) { return (ddr_int)((ddr_uint)a * (ddr_uint)b); }
DDR_FN ddr_int ddr_ineg(ddr_int a) { return (ddr_int)(0u - (ddr_uint)a); }
DDR_FN ddr_int ddr_iabs(ddr_int a) { return a < 0 ? ddr_ineg(a) : a; }
DDR_FN ddr_int ddr_imin(ddr_int a, ddr_int b) { return b < a ? b : a; }
DDR_FN ddr_int ddr_imax(ddr_int a, ddr_int b) { return a < b ? b : a; }

/* Quotient truncated toward zero; a/0 = 0, and the one overflowing quotient wraps to itself. */
DDR_FN ddr_int ddr_idiv(ddr_int a, ddr_int b) {
  if (b == 0) return 0;
  return b == -1 ? ddr_ineg(a) : a / b;
}

/* Remainder with the sign of the dividend; a%0 = 0. */
DDR_FN ddr_int ddr_imod(ddr_int a, ddr_int b) { return b == 0 || b == -1 ? 0 : a % b; }

/* --- reals ------------------------------------------------------------------------------------ */

/* The larger; max(NaN,b) = NaN, max(a,NaN) = a, the first of two equals. */
DDR_FN ddr_real ddr_max(ddr_real a, ddr_real b) { return a < b ? b : a; }

/* The smaller; min(NaN,b) = NaN, min(a,NaN) = a, the first of two equals. */
DDR_FN ddr_real ddr_min(ddr_real a, ddr_real b) { return b < a ? b : a; }

/* Whether the machine has an instruction for ddr_fma. */
#if defined(DDR_GPU_CODE) || defined(__FMA__) || defined(__aarch64__)
#define DDR_HAS_FMA
#endif

/* Without that instruction, floats are fused in doubles, which hold their products exactly. */
#if defined(__x86_64__) && !defined(__FMA__) && !defined(DDR_DOUBLE) && !defined(DDR_GPU)
#define DDR_FMA_BY_DOUBLES
#endif

#if defined(DDR_FMA_BY_DOUBLES)
/* Rounds the sum in double to odd: if it is not exact, its last bit becomes 1. Then the second
 * rounding, to float, gives the float nearest to the exact sum [Boldo, Melquiond 2008]. */
DDR_FN_RARE float ddr_fma_to_odd(float a, float b, float c) {
  const double product = (double)a * (double)b, wide = (double)c, sum = product + wide;
  const double added = sum - product, error = (product - (sum - added)) + (wide - added);
  union {
    double real;
    int64_t bits;
  } odd = {sum};
  const bool is_inexact = error > 0 || error < 0;
  if (is_inexact && !(odd.bits & 1)) odd.bits += (error > 0) == (sum > 0) ? 1 : -1;
  return (float)odd.real;
}
#endif

/* a*b + c, rounded once (fma.h). A sum in double may simply be rounded to float, unless it lies in
 * the middle of two floats or the result is subnormal. */
DDR_FN ddr_real ddr_fma(ddr_real a, ddr_real b, ddr_real c) {
#if defined(DDR_FMA_BY_DOUBLES)
  union {
    double real;
    int64_t bits;
  } sum = {(double)a * (double)b + (double)c};
  const bool is_middle = (sum.bits & 0x1fffffff) == 0x10000000;
  const bool is_small = sum.real < 0x1p-125 && sum.real > -0x1p-125 && sum.real != 0;
  return is_middle || is_small ? ddr_fma_to_odd(a, b, c) : (float)sum.real;
#else
  return DDR_LIBM(fma)(a, b, c);
#endif
}

/* Clamp to [lo, hi]; a NaN x stays NaN. */
DDR_FN ddr_real ddr_clamp(ddr_real lo, ddr_real hi, ddr_real x) {
  if (x <= lo) return lo;
  return hi <= x ? hi : x;
}

/* -1, 0 or 1; 0 for either zero and for NaN. */
DDR_FN ddr_real ddr_sign(ddr_real x) { return (ddr_real)((x > 0) - (x < 0)); }

/* x to an integer power by repeated squaring; 0^0 = 1. */
DDR_FN ddr_real ddr_powi(ddr_real x, ddr_int n) {
  ddr_uint count = n < 0 ? 0u - (ddr_uint)n : (ddr_uint)n;
  ddr_real power = 1, square = x;
  for (; count != 0; count >>= 1) {
    if (count & 1u) power *= square;
    square *= square;
  }
  return n < 0 ? 1 / power : power;
}

/* C conversion made total: truncates, saturates beyond the range of int, NaN gives 0. */
DDR_FN ddr_int ddr_int_from_real(ddr_real x) {
  if (x >= DDR_INT_LIMIT) return DDR_INT_MAX;
  if (x < -DDR_INT_LIMIT) return DDR_INT_MIN;
  return x == x ? (ddr_int)x : 0;
}

/* The C functions at the precision of the program. */
#define DDR_MATH1(name)                                                                            \
  DDR_FN ddr_real ddr_##name(ddr_real x) { return DDR_LIBM(name)(x); }
/* clang-format off */
DDR_MATH1(sqrt)  DDR_MATH1(cbrt)  DDR_MATH1(fabs)
DDR_MATH1(erf)   DDR_MATH1(erfc)
DDR_MATH1(floor) DDR_MATH1(ceil)  DDR_MATH1(trunc) DDR_MATH1(round)
#undef DDR_MATH1

/* The remainder, exact, with the sign of x. C libraries find it bit by bit of the quotient; a small
 * quotient is nearer to no int above it than a double rounds, and doubles hold the product of two
 * floats. The call is in a function of its own, since clang would make it for all arguments: it
 * takes fmod for an instruction that costs little, and chooses among results later. */
#if !defined(DDR_DOUBLE) && !defined(DDR_DEVICE_FLOAT)
DDR_FN_RARE ddr_real ddr_fmod_far(ddr_real x, ddr_real y) { return fmodf(x, y); }
DDR_FN ddr_real ddr_fmod(ddr_real x, ddr_real y) {
  const double a = fabs((double)x), b = fabs((double)y), n = a / b;
  if (!(n < 0x1p24 && b < HUGE_VAL)) return ddr_fmod_far(x, y);
  return copysignf((float)(a - (double)(int32_t)n * b), x);
}
#elif defined(DDR_DOUBLE) && defined(DDR_HAS_FMA) && !defined(DDR_GPU)
/* The quotient may be rounded up to the next int. */
DDR_FN_RARE ddr_real ddr_fmod_far(ddr_real x, ddr_real y) { return fmod(x, y); }
DDR_FN ddr_real ddr_fmod(ddr_real x, ddr_real y) {
  const double a = fabs(x), b = fabs(y), n = trunc(a / b);
  double r = fma(-n, b, a);
  if (r < 0) r += b;
  return n < 0x1p51 && r < b ? copysign(r, x) : ddr_fmod_far(x, y);
}
#else
DDR_FN ddr_real ddr_fmod(ddr_real x, ddr_real y) {
  return DDR_LIBM(fmod)(x, y);
}
#endif
/* clang-format on */

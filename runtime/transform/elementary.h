/* elementary.h: functions for the expressions of kernels.def, for reals of both precisions.
 *
 * Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include "runtime/element/complex.h"

#define W(x) ((uint64_t)(x)) /* wraps */

/* For two reals: NaN if either is one; -0 is less than +0: so is the sum of zeros that differ the
 * greater one.  Without branches, for vectors. */
#define DDR_REAL_FNS(real)                                                                         \
  DDR_FN real greater_##real(real x, real y) {                                                     \
    const real larger = x > y ? x : y;                                                             \
    const bool are_zeros = (x == 0) & (y == 0), is_nan = (x != x) | (y != y);                      \
    return (are_zeros | is_nan) ? x + y : larger;                                                  \
  }                                                                                                \
  DDR_FN real lesser_##real(real x, real y) {                                                      \
    const real smaller = x < y ? x : y;                                                            \
    const bool are_zeros = (x == 0) & (y == 0), is_nan = (x != x) | (y != y);                      \
    const real of_numbers = are_zeros ? -(-x - y) : smaller;                                       \
    return is_nan ? x + y : of_numbers;                                                            \
  }                                                                                                \
  DDR_FN real sign_of_##real(real x) {                                                             \
    if (x == 0 || x != x) return x + 0; /* +0 for both zeros */                                    \
    return x > 0 ? 1 : -1;                                                                         \
  }
DDR_REAL_FNS(float)
DDR_REAL_FNS(double)
#undef DDR_REAL_FNS

#if defined(__cplusplus)
#define MADE(type, re, im) (type{re, im})
DDR_FN float greater(float x, float y) { return greater_float(x, y); }
DDR_FN double greater(double x, double y) { return greater_double(x, y); }
DDR_FN float lesser(float x, float y) { return lesser_float(x, y); }
DDR_FN double lesser(double x, double y) { return lesser_double(x, y); }
DDR_FN float sign_of(float x) { return sign_of_float(x); }
DDR_FN double sign_of(double x) { return sign_of_double(x); }
#else
#define MADE(type, re, im) ((type){re, im})
#define OF_REAL(name, x) _Generic((x), float : name##_float, double : name##_double)
#define greater(x, y) OF_REAL(greater, x)(x, y)
#define lesser(x, y) OF_REAL(lesser, x)(x, y)
#define sign_of(x) OF_REAL(sign_of, x)(x)
#endif

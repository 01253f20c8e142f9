/* complex.h: arithmetic of complex numbers, said step by step so that it has the same bits
 * everywhere: each step is rounded, no NaN or infinity is recovered.
 *
 * Build with contraction off.  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include <math.h>

#include "ddr/scalar.h"
#include "runtime/layout/element.h"

/* --- modulus: NaN if a part is, else infinite if a part is ------------------------------------ */

DDR_FN float ddr_modulus_float(ddr_complex_float z) {
  const double re = (double)z.re, im = (double)z.im;
  if (re != re || im != im) return NAN;
  return (float)sqrt(re * re + im * im);
}

/* Error below 1 ulp; neither overflows nor underflows on the way. */
DDR_FN double ddr_modulus_double(ddr_complex_double z) {
  double a = fabs(z.re), b = fabs(z.im);
  if (a != a || b != b) return (double)NAN;
  if (isinf(a) || isinf(b)) return (double)INFINITY;
  if (a < b) {
    const double larger = b;
    b = a;
    a = larger;
  }
  if (a == 0) return 0;
  int exponent;
  a = frexp(a, &exponent);
  b = ldexp(b, -exponent);
  return ldexp(sqrt(fma(a, a, b * b)), exponent);
}

/* --- the same text for both precisions -------------------------------------------------------- */

#define DDR_COMPLEX_FNS(part, complex, frexp_fn, ldexp_fn, fabs_fn)                                \
  DDR_FN complex ddr_complex_##part##_of(part re, part im) {                                       \
    const complex z = {re, im};                                                                    \
    return z;                                                                                      \
  }                                                                                                \
  DDR_FN complex ddr_add_##part(complex x, complex y) {                                            \
    return ddr_complex_##part##_of(x.re + y.re, x.im + y.im);                                      \
  }                                                                                                \
  DDR_FN complex ddr_sub_##part(complex x, complex y) {                                            \
    return ddr_complex_##part##_of(x.re - y.re, x.im - y.im);                                      \
  }                                                                                                \
  DDR_FN complex ddr_mul_##part(complex x, complex y) {                                            \
    const part re = x.re * y.re - x.im * y.im, im = x.re * y.im + x.im * y.re;                     \
    return ddr_complex_##part##_of(re, im);                                                        \
  }                                                                                                \
  /* The divisor is scaled by a power of two, so that its square does not overflow. */             \
  DDR_FN complex ddr_div_##part(complex x, complex y) {                                            \
    int exponent;                                                                                  \
    (void)frexp_fn(fabs_fn(y.re) < fabs_fn(y.im) ? y.im : y.re, &exponent);                        \
    const part c = ldexp_fn(y.re, -exponent), d = ldexp_fn(y.im, -exponent);                       \
    const part square = c * c + d * d;                                                             \
    const part re = (x.re * c + x.im * d) / square, im = (x.im * c - x.re * d) / square;           \
    return ddr_complex_##part##_of(ldexp_fn(re, -exponent), ldexp_fn(im, -exponent));              \
  }
DDR_COMPLEX_FNS(float, ddr_complex_float, frexpf, ldexpf, fabsf)
DDR_COMPLEX_FNS(double, ddr_complex_double, frexp, ldexp, fabs)
#undef DDR_COMPLEX_FNS

/* --- spellings for both ----------------------------------------------------------------------- */

#if defined(__cplusplus)
#define DDR_FOR_BOTH(name, function)                                                               \
  DDR_FN ddr_complex_float name(ddr_complex_float x, ddr_complex_float y) {                        \
    return function##_float(x, y);                                                                 \
  }                                                                                                \
  DDR_FN ddr_complex_double name(ddr_complex_double x, ddr_complex_double y) {                     \
    return function##_double(x, y);                                                                \
  }
DDR_FOR_BOTH(ddr_complex_add, ddr_add)
DDR_FOR_BOTH(ddr_complex_sub, ddr_sub)
DDR_FOR_BOTH(ddr_complex_mul, ddr_mul)
DDR_FOR_BOTH(ddr_complex_div, ddr_div)
#undef DDR_FOR_BOTH
DDR_FN float ddr_modulus(ddr_complex_float z) { return ddr_modulus_float(z); }
DDR_FN double ddr_modulus(ddr_complex_double z) { return ddr_modulus_double(z); }
#else
#define DDR_OF_COMPLEX(name, z)                                                                    \
  _Generic((z), ddr_complex_float : name##_float, ddr_complex_double : name##_double)
#define ddr_modulus(z) DDR_OF_COMPLEX(ddr_modulus, z)(z)
#define ddr_complex_add(x, y) DDR_OF_COMPLEX(ddr_add, x)(x, y)
#define ddr_complex_sub(x, y) DDR_OF_COMPLEX(ddr_sub, x)(x, y)
#define ddr_complex_mul(x, y) DDR_OF_COMPLEX(ddr_mul, x)(x, y)
#define ddr_complex_div(x, y) DDR_OF_COMPLEX(ddr_div, x)(x, y)
#endif

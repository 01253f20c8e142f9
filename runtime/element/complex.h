/* complex.h: arithmetic of complex numbers, said step by step so that it has the same bits
 * everywhere: each step is rounded, no NaN or infinity is recovered.
 *
 * Build with contraction off.  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "ddr/scalar.h"
#include "runtime/layout/element.h"

/* --- powers of two, without branches, for vectors --------------------------------------------- */

#define DDR_BITS_FNS(part, word)                                                                   \
  DDR_FN word ddr_bits_of_##part(part x) {                                                         \
    word bits;                                                                                     \
    memcpy(&bits, &x, sizeof bits);                                                                \
    return bits;                                                                                   \
  }                                                                                                \
  DDR_FN part ddr_##part##_of_bits(word bits) {                                                    \
    part x;                                                                                        \
    memcpy(&x, &bits, sizeof x);                                                                   \
    return x;                                                                                      \
  }
DDR_BITS_FNS(float, uint32_t)
DDR_BITS_FNS(double, uint64_t)
#undef DDR_BITS_FNS

/* -x.  For differences of products beside sums of products: gcc 12 would make vectors of both and
 * fuse them, whatever -ffp-contract says. */
DDR_FN float ddr_negative_float(float x) {
  return ddr_float_of_bits(ddr_bits_of_float(x) ^ UINT32_C(0x80000000));
}

DDR_FN double ddr_negative_double(double x) {
  return ddr_double_of_bits(ddr_bits_of_double(x) ^ UINT64_C(0x8000000000000000));
}

/* 2^-e for x = f 2^e > 0 with f from 1/2 to 1; not for subnormal numbers.  For 0, infinity and NaN,
 * which have no such e: a number whose product with x is NaN. */
DDR_FN float ddr_inverse_power_of_float(float x) {
  const uint32_t exponent = ddr_bits_of_float(x) >> 23;
  return ddr_float_of_bits((UINT32_C(255) - exponent) << 23) * 0.25F;
}

DDR_FN double ddr_inverse_power_of_double(double x) {
  const uint64_t exponent = ddr_bits_of_double(x) >> 52;
  return ddr_double_of_bits((UINT64_C(2047) - exponent) << 52) * 0.25;
}

/* 2^e itself. */
DDR_FN double ddr_power_of_double(double x) {
  return ddr_double_of_bits(((ddr_bits_of_double(x) >> 52) + 1) << 52);
}

/* Small numbers are first multiplied by this. */
DDR_FN float ddr_raise_of_float(float x) { return x < 0x1p-100F ? 0x1p40F : 1; }
DDR_FN double ddr_raise_of_double(double x) { return x < 0x1p-900 ? 0x1p200 : 1; }

/* --- modulus: NaN if a part is, else infinite if a part is ------------------------------------ */

DDR_FN float ddr_modulus_float(ddr_complex_float z) {
  const double re = (double)z.re, im = (double)z.im;
  return (float)sqrt(re * re + im * im);
}

/* Error below 1 ulp; neither overflows nor underflows on the way: the parts are multiplied by 2^-e,
 * where e is the exponent of the larger one, the result by 2^e. */
DDR_FN double ddr_modulus_double(ddr_complex_double z) {
  const double re = fabs(z.re), im = fabs(z.im);
  const double larger = re < im ? im : re, smaller = re < im ? re : im;
  const double lower = larger > 0x1p900 ? 0x1p-200 : ddr_raise_of_double(larger);
  const double raise = larger > 0x1p900 ? 0x1p200 : larger < 0x1p-900 ? 0x1p-200 : 1;
  const double brought = larger * lower;
  const double safe = brought > 0 ? brought : 1;
  const double down = ddr_inverse_power_of_double(safe);
  const double a = brought * down, b = smaller * lower * down;
  const double modulus = sqrt(fma(a, a, b * b)) * ddr_power_of_double(safe) * raise;
  const double finite = larger <= DBL_MAX ? modulus : (double)INFINITY;
  return re != re || im != im ? (double)NAN : finite;
}

/* --- the same text for both precisions -------------------------------------------------------- */

#define DDR_COMPLEX_FNS(part, complex, fabs_fn)                                                    \
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
    const part re = x.re * y.re + ddr_negative_##part(x.im * y.im);                                \
    const part im = x.re * y.im + x.im * y.re;                                                     \
    return ddr_complex_##part##_of(re, im);                                                        \
  }                                                                                                \
  /* The divisor is scaled by a power of two, so that its square does not overflow. */             \
  DDR_FN complex ddr_div_##part(complex x, complex y) {                                            \
    const part re_size = fabs_fn(y.re), im_size = fabs_fn(y.im);                                   \
    const part larger = re_size < im_size ? im_size : re_size;                                     \
    const part raise = ddr_raise_of_##part(larger);                                                \
    const part down = ddr_inverse_power_of_##part(larger * raise);                                 \
    const part c = y.re * raise * down, d = y.im * raise * down;                                   \
    const part square = c * c + d * d;                                                             \
    const part re = (x.re * c + x.im * d) / square;                                                \
    const part im = (x.im * c + ddr_negative_##part(x.re * d)) / square;                           \
    return ddr_complex_##part##_of(re * down * raise, im * down * raise);                          \
  }
DDR_COMPLEX_FNS(float, ddr_complex_float, fabsf)
DDR_COMPLEX_FNS(double, ddr_complex_double, fabs)
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

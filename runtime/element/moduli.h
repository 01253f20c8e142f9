/* moduli.h: moduli of many complex doubles without the scale that complex.h gives each.
 *
 * Where each part is 0 or from 2^-255 to 2^255, no square overflows or loses digits, scaled or not,
 * so the bits are the same without.  That is so for nearly every block of numbers.
 */
#pragma once

#include "runtime/element/complex.h"

/* Of n parts. */
static inline bool ddr_need_no_scale(const double *parts, int64_t n) {
  const uint64_t least = ddr_bits_of_double(0x1p-255), most = ddr_bits_of_double(0x1p255);
  uint64_t least_beyond = UINT64_MAX, greatest = 0; /* of 0, one less wraps */
  for (int64_t k = 0; k < n; k++) {
    const uint64_t size = ddr_bits_of_double(fabs(parts[k]));
    greatest = size > greatest ? size : greatest;
    least_beyond = size - 1 < least_beyond ? size - 1 : least_beyond;
  }
  return greatest <= most && least_beyond >= least - 1;
}

/* The square of a modulus that needs no scale, of which it is the root. */
static inline double ddr_unscaled_square(ddr_complex_double z) {
  const double re = fabs(z.re), im = fabs(z.im);
  const double larger = re < im ? im : re, smaller = re < im ? re : im;
  return fma(larger, larger, smaller * smaller);
}

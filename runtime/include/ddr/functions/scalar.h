/* scalar.h: the functions of math.h for one number; included by ddr/scalar.h. */
#pragma once

#include <string.h>

#include "ddr/base/real.h"
#include "ddr/functions/angle_far.h"
#include "ddr/functions/numbers.h"

DDR_FN ddr_bits ddr_bits_of(ddr_real x) {
  ddr_bits bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

DDR_FN ddr_real ddr_real_of_bits(ddr_bits bits) {
  ddr_real x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

DDR_FN ddr_real ddr_all(ddr_real x) { return x; }
DDR_FN ddr_real ddr_fused(ddr_real a, ddr_real b, ddr_real c) { return ddr_fma(a, b, c); }
DDR_FN int ddr_any(int mask) { return mask; }
DDR_FN int ddr_inverted(int mask) { return !mask; }
DDR_FN ddr_real ddr_select_real(int mask, ddr_real a, ddr_real b) { return mask ? a : b; }

/* If x is large, replaces the reduced angle, which is right for smaller numbers only. */
DDR_FN void ddr_take_far(ddr_real x, int is_far, ddr_real *high, ddr_real *low,
                         ddr_bits *quarters) {
  if (!is_far) return;
  const ddr_far angle = ddr_far_angle((double)x);
  *high = (ddr_real)angle.high;
  *low = (ddr_real)((angle.high - (double)*high) + angle.low);
  *quarters = angle.quarters;
}

DDR_FN double ddr_all_wide(double x) { return x; }
DDR_FN int ddr_any_wide(int mask) { return mask; }
DDR_FN double ddr_select_wide(int mask, double a, double b) { return mask ? a : b; }
DDR_FN double ddr_magnitude_wide(double x) { return fabs(x); }
DDR_FN double ddr_sqrt_wide(double x) { return sqrt(x); }

#if !defined(DDR_DOUBLE)
DDR_FN uint64_t ddr_bits_of_wide(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

DDR_FN double ddr_wide_of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

DDR_FN double ddr_lower(float x) { return (double)x; }
DDR_FN double ddr_upper(float x) { return (double)x; }
DDR_FN float ddr_joined(double lower, double upper) { return (void)upper, (float)lower; }
DDR_FN double ddr_rounded_wide(double x) { return (double)(float)x; }
#endif

#include "ddr/functions/one.h"

#include "ddr/functions/all.h"

/* math.h: the functions of C's math.h in every lane, with the same bits as those of functions/ for
 * one number.  Functions that are not in functions/ are called lane by lane.
 */
#pragma once

#include "ddr/lanes/divide.h"
#include "ddr/lanes/lanes.h"
#include "ddr/lanes/wide.h"

typedef ddr_bits ddr_vbits __attribute__((vector_size(DDR_LANES * sizeof(ddr_bits))));

DDR_VFN ddr_vbits ddr_vbits_of(ddr_vreal x) { return (ddr_vbits)x; }
DDR_VFN ddr_vreal ddr_vreal_of_bits(ddr_vbits bits) { return (ddr_vreal)bits; }
DDR_VFN ddr_vreal ddr_vall(ddr_real x) { return ddr_vreal_all(x); }
DDR_VFN ddr_vreal ddr_vfused(ddr_vreal a, ddr_vreal b, ddr_vreal c) { return ddr_vfma(a, b, c); }
DDR_VFN ddr_vmask ddr_vinverted(ddr_vmask mask) { return ~mask; }

/* Like ddr_take_far, lane by lane. */
DDR_FN_RARE void ddr_vtake_far(ddr_vreal x, ddr_vmask is_far, ddr_vreal *high, ddr_vreal *low,
                               ddr_vbits *quarters) {
  for (int lane = 0; lane < DDR_LANES; lane++) {
    ddr_real lane_high = (*high)[lane], lane_low = (*low)[lane];
    ddr_bits lane_quarters = (*quarters)[lane];
    ddr_take_far(x[lane], is_far[lane] != 0, &lane_high, &lane_low, &lane_quarters);
    (*high)[lane] = lane_high, (*low)[lane] = lane_low, (*quarters)[lane] = lane_quarters;
  }
}

#include "ddr/functions/many.h"

#include "ddr/functions/all.h"

/* pow for a uniform y, whose case is decided once. */
#if defined(DDR_DOUBLE)
DDR_VFN ddr_vreal ddr_vpow_few_by(ddr_vreal x, ddr_real y) { return (void)y, x * x; }
#else
/* Unrolled: if y is a literal, no test of its bits remains. */
DDR_VFN ddr_vreal ddr_vpow_few_by(ddr_vreal x, ddr_real y) {
  ddr_vwide lower = ddr_vlower(x), upper = ddr_vupper(x);
  ddr_vwide power_lower = ddr_vall_wide(1), power_upper = power_lower;
  _Pragma("GCC unroll 7") for (int count = (int)ddr_fabs(y); count != 0; count >>= 1) {
    if (count & 1) power_lower *= lower, power_upper *= upper;
    lower *= lower, upper *= upper;
  }
  return y < 0 ? ddr_vjoined(1 / power_lower, 1 / power_upper)
               : ddr_vjoined(power_lower, power_upper);
}
#endif
DDR_VFN ddr_vreal ddr_vpow_by(ddr_vreal x, ddr_real y) {
  if (y == DDR_R(0.5)) return ddr_vpow_half(x);
  return ddr_is_few(y) ? ddr_vpow_few_by(x, y) : ddr_vpow_any(x, ddr_vreal_all(y));
}

/* The other cases: infinities, NaN, division by zero, quotients with too many digits. */
DDR_FN_RARE void ddr_vfmod_others(ddr_vreal x, ddr_vreal y, ddr_vmask is_known, ddr_vreal *r) {
  for (int lane = 0; lane < DDR_LANES; lane++)
    if (!is_known[lane]) (*r)[lane] = ddr_fmod(x[lane], y[lane]);
}

/* A remainder has no more digits than its operands, so it is exact. If the truncated quotient has
 * few digits, a division gives it with an error of 1 at most, which is then corrected. */
DDR_VFN ddr_vreal ddr_vfmod(ddr_vreal x, ddr_vreal y) {
  const ddr_real most = DDR_BY_PRECISION(0x1p22, 0x1p51);
  const ddr_vreal a = ddr_vfabs(x), b = ddr_vfabs(y), n = ddr_vtrunc(a / b);
  ddr_vreal r = ddr_vfma(-n, b, a);
  r = ddr_vselect_real(r < 0, r + b, r);
  r = ddr_vselect_real(r >= b, r - b, r);
  const ddr_vmask is_known = (n < most) & (r < b);
  const ddr_vreal minus_zero = ddr_vreal_all(DDR_R(-0.0));
  r = (ddr_vreal)((ddr_vmask)r | ((ddr_vmask)x & (ddr_vmask)minus_zero));
  if (ddr_vany(~is_known)) ddr_vfmod_others(x, y, is_known, &r);
  return r;
}

#define DDR_VMATH1(name)                                                                           \
  DDR_VFN ddr_vreal ddr_v##name(ddr_vreal a) {                                                     \
    ddr_vreal r = {0};                                                                             \
    for (int lane = 0; lane < DDR_LANES; lane++) r[lane] = ddr_##name(a[lane]);                    \
    return r;                                                                                      \
  }
DDR_VMATH1(erf)
DDR_VMATH1(erfc)
#undef DDR_VMATH1

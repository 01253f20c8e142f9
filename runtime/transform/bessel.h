/* bessel.h: two functions of the modified Bessel functions of the first kind, as the likelihood of
 * magnitude images with Rician noise needs them: with datum m, model value A and noise s it is
 *
 *   log(m/s^2) - (m^2 + A^2)/(2 s^2) + log I0(m A/s^2),   in A: (m (I1/I0)(m A/s^2) - A)/s^2
 *
 * All reals.  log I0 is even, infinite at infinities; I1/I0 is odd, within [-1, 1], and keeps the
 * sign of zeros.  NaN stays NaN.  Errors relative to the result, also near 0: double at most 4 ulp,
 * float 1 ulp.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

double ddr_bessel_log_0(double x); /* log I0(x) */
double ddr_bessel_1_0(double x);   /* I1(x) / I0(x) */

/* Formed in double, rounded once. */
float ddr_bessel_log_0_float(float x);
float ddr_bessel_1_0_float(float x);

#ifdef __cplusplus
}
#endif

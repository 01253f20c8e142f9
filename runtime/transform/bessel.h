/* bessel.h: two functions of the modified Bessel functions of the first kind, as the likelihood of
 * magnitude images with Rician noise needs them: with datum m, model value A and noise s it is
 *
 *   log(m/s^2) - (m^2 + A^2)/(2 s^2) + log I0(m A/s^2),   in A: (m (I1/I0)(m A/s^2) - A)/s^2
 *
 * All reals.  log I0 is even, infinite at infinities; I1/I0 is odd, within [-1, 1], and keeps the
 * sign of zeros.  NaN stays NaN.  Errors relative to the result, also near 0: double at most 4 ulp,
 * rounded to float 1 ulp.  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include "ddr/scalar.h"

/* For |x| up to 24 the power series of I0 and the continued fraction of I1/I0, beyond it
 * the asymptotic series up to their smallest terms.  I0 itself is never formed where it is large.
 *
 *   I0 = sum over k of q^k / k!^2,  q = x^2/4
 *   I1/I0 = (x/2) / (1 + (q/(1 2)) / (1 + (q/(2 3)) / (1 + ...)))
 *   I0 ~ e^x / sqrt(2 pi x) sum a_k x^-k,  a_k = a_{k-1} (2k-1)^2 / (8k)
 *   I1 ~ e^x / sqrt(2 pi x) sum b_k x^-k,  b_k = b_{k-1} ((2k-1)^2 - 4) / (8k)
 *
 * Source: [Abramowitz and Stegun 1964] 9.6.10, 9.1.73, 9.7.1.  The low-order polynomials of 9.8,
 * which are in wide use, are good for seven digits only.
 */
#define DDR_BESSEL_SERIES_END 24.0
#define DDR_HALF_LOG_2PI 0.91893853320467274178
enum { DDR_BESSEL_LAST_LEVELS = 8 };

/* I0(x) - 1 in nested form, so that the smallest terms are added first. */
DDR_FN double ddr_bessel_series_tail(double x) {
  const double half = x / 2, q = half * half, q_error = fma(half, half, -q);
  double nested = 1;
  for (int k = 12 + 2 * (int)x; k > 1; k--) nested = 1 + q / (k * k) * nested;
  return fma(q, nested, q_error * nested);
}

/* If I1/I0 is near 1, errors of the last levels are not damped, so those levels carry their errors
 * along: the value of a level is nested + error. */
DDR_FN double ddr_bessel_continued_fraction(double x) {
  const double half = x / 2, q = half * half, q_error = fma(half, half, -q);
  double nested = 1, error = 0;
  int k = 12 + 2 * (int)x;
  for (; k > DDR_BESSEL_LAST_LEVELS; k--) nested = 1 + q / (k * (k + 1)) / nested;
  for (; k > 0; k--) {
    const double m = k * (k + 1), c = q / m, c_error = (fma(-c, m, q) + q_error) / m;
    const double d = c / nested, d_error = (fma(-d, nested, c) + c_error - d * error) / nested;
    const double next = 1 + d, d_part = next - 1;
    error = (1 - (next - d_part)) + (d - d_part) + d_error;
    nested = next;
  }
  return half / (nested + error);
}

/* sum a_k x^-k - 1 for mu = 0, sum b_k x^-k - 1 for mu = 4.  36 terms are enough from 24 on, where
 * the smallest term is that with k = 48. */
DDR_FN double ddr_bessel_asymptotic_tail(double x, double mu) {
  double nested = 1;
  for (int k = 36; k > 1; k--) {
    const double odd = 2 * k - 1;
    nested = 1 + (odd * odd - mu) / (8 * k * x) * nested;
  }
  return (1 - mu) / (8 * x) * nested;
}

/* log I0(x) */
DDR_FN double ddr_bessel_log_0(double x) {
  const double size = fabs(x);
  if (size <= DDR_BESSEL_SERIES_END) return log1p(ddr_bessel_series_tail(size));
  if (isinf(size) || size != size) return size;
  return size - (log(size) / 2 + DDR_HALF_LOG_2PI) + log1p(ddr_bessel_asymptotic_tail(size, 0));
}

/* I1(x) / I0(x) */
DDR_FN double ddr_bessel_1_0(double x) {
  const double size = fabs(x);
  if (size <= DDR_BESSEL_SERIES_END) return copysign(ddr_bessel_continued_fraction(size), x);
  if (isinf(size)) return copysign(1.0, x);
  if (size != size) return x;
  const double tail = ddr_bessel_asymptotic_tail(size, 0);
  return copysign(1 - (tail - ddr_bessel_asymptotic_tail(size, 4)) / (1 + tail), x);
}

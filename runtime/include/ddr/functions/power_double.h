/* power_double.h: the power of a positive double, as exp(y log x) with half as many digits again
 * between the two; included by power.h. */
#include "ddr/base/real.h"
#if defined(DDR_X) && defined(DDR_DOUBLE)

/* log(1+f) = 2/3 s (3 + s^2 + s^4 P(s^2)) in two parts. 3 + s^2 is exact in two parts; the first
 * part of the result is a product of two heads. */
DDR_XFN DDR_X(two) DDR_X(log_fine)(DDR_XREAL f) {
  DDR_X(two) above, part, log;
  above.high = f, above.low = DDR_X(all)(0);
  const DDR_X(two) s = DDR_X(quotient)(above, DDR_X(sum_ordered)(DDR_X(all)(2), f));
  const DDR_XREAL s_head = DDR_X(head)(s.high), s_rest = (s.high - s_head) + s.low;
  const DDR_XREAL z_head = s_head * s_head, z_rest = s_rest * (s_head + s.high),
                  z = z_head + z_rest;
  const DDR_XREAL rest = z_rest + z * z * DDR_LOG_FINE_POLY(z);
  const DDR_XREAL t_head = DDR_X(head)((3 + z_head) + rest),
                  t_rest = rest - ((t_head - 3) - z_head);
  const DDR_XREAL main = s_head * t_head, minor = s_rest * t_head + t_rest * s.high;
  part.high = DDR_X(head)(main + minor), part.low = minor - (part.high - main);
  log.high = part.high * DDR_TWO_THIRDS_HEAD;
  log.low =
      part.high * DDR_TWO_THIRDS_REST + part.low * (DDR_TWO_THIRDS_HEAD + DDR_TWO_THIRDS_REST);
  return log;
}

/* The logarithm of a positive number, in two parts, the first of which is a head. */
DDR_XFN DDR_X(two) DDR_X(log_of_positive)(DDR_XREAL x) {
  const DDR_X(scaled) parts = DDR_X(scale)(x);
  const DDR_X(two) near = DDR_X(log_fine)(parts.f);
  const DDR_XREAL powers = parts.k * DDR_LN_2_HIGH, rest = near.low + parts.k * DDR_LN_2_LOW;
  DDR_X(two) log;
  log.high = DDR_X(head)((powers + near.high) + rest);
  log.low = rest - ((log.high - powers) - near.high);
  return log;
}

/* x^y for finite x > 0. y is clamped so that its product with the logarithm does not overflow. That
 * changes no result, because no logarithm but 0 is smaller than the last digit of 1. */
DDR_XFN DDR_XREAL DDR_X(pow_positive)(DDR_XREAL x, DDR_XREAL y) {
  const DDR_XREAL most = DDR_X(all)(0x1p65);
  const DDR_XREAL cut = DDR_X(select_real)(y > most, most, DDR_X(select_real)(y < -most, -most, y));
  const DDR_X(two) log = DDR_X(log_of_positive)(x);
  const DDR_XREAL y_head = DDR_X(head)(cut);
  const DDR_XREAL main = y_head * log.high, minor = cut * log.low + (cut - y_head) * log.high;
  const DDR_XREAL all = main + minor, bounded = DDR_X(exp_bounded)(all);
  const DDR_XREAL k = DDR_X(whole)(bounded * DDR_LOG2_E);
  const DDR_XREAL minor_or_none = DDR_X(select_real)(bounded == all, minor, DDR_X(all)(0));
  const DDR_XREAL major = DDR_X(add_exact)(-k, DDR_X(all)(DDR_LN_2_HIGH),
                                           DDR_X(select_real)(bounded == all, main, bounded));
  return DDR_X(exp_scaled)(DDR_X(sum)(major, minor_or_none - k * DDR_LN_2_LOW), k);
}

/* x^y for y = 2, the only y for which products are rounded once. */
DDR_XFN DDR_XREAL DDR_X(pow_few)(DDR_XREAL x, DDR_XREAL y) { return (void)y, x * x; }
#endif

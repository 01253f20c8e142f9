/* exponential.h: exp, log, log2 and log10; included by all.h. Arguments are reduced by powers of 2
 * [Cody and Waite 1980]. The logarithm of 1 + f is a polynomial in s = f / (2 + f). */
#include "ddr/base/real.h"
#if defined(DDR_X)

/* exp(r) 2^k. The multiplications by powers of 2 are exact unless the result is subnormal. k may be
 * outside the range of exponents: it is applied in two halves. */
DDR_XFN DDR_XREAL DDR_X(exp_scaled)(DDR_X(two) r, DDR_XREAL k) {
  const DDR_X(two) one = DDR_X(sum_ordered)(DDR_X(all)(1), r.high);
  const DDR_XREAL rest = r.low + r.high * r.high * DDR_EXP_POLY(r.high);
  const ddr_bits bias = DDR_EXPONENT_BIAS;
  const DDR_XBITS both = DDR_X(bits_of)(k + DDR_ROUNDER) - DDR_ROUNDER_BITS + 2 * bias;
  const DDR_XBITS half = both >> 1, others = both - half;
  return (one.high + (one.low + rest)) * DDR_X(real_of_bits)(half << DDR_MANTISSA_BITS) *
         DDR_X(real_of_bits)(others << DDR_MANTISSA_BITS);
}

/* x, clamped to the range outside which exp gives 0 or infinity. */
DDR_XFN DDR_XREAL DDR_X(exp_bounded)(DDR_XREAL x) {
  const DDR_XREAL lo = DDR_X(all)(DDR_BY_PRECISION(-104.0, -746.0));
  const DDR_XREAL hi = DDR_X(all)(DDR_BY_PRECISION(89.0, 710.0));
  return DDR_X(select_real)(x < lo, lo, DDR_X(select_real)(x > hi, hi, x));
}

DDR_XFN DDR_XREAL DDR_X(exp)(DDR_XREAL x) {
  const DDR_XREAL bounded = DDR_X(exp_bounded)(x);
  const DDR_XREAL k = DDR_X(whole)(bounded * DDR_LOG2_E);
  const DDR_XREAL high = DDR_X(add_exact)(-k, DDR_X(all)(DDR_LN_2_HIGH), bounded);
  return DDR_X(exp_scaled)(DDR_X(sum_ordered)(high, -k * DDR_LN_2_LOW), k);
}

/* A positive number as x = 2^k (1 + f), with 1 + f from sqrt(1/2) to sqrt(2). */
typedef struct DDR_X(scaled) {
  DDR_XREAL k, f;
} DDR_X(scaled);

DDR_XFN DDR_X(scaled) DDR_X(scale)(DDR_XREAL x) {
  const DDR_XMASK is_tiny = x < DDR_SMALLEST_NORMAL;
  const DDR_XREAL up = DDR_X(select_real)(is_tiny, x * (2 * DDR_DIGIT_LIMIT), x);
  const DDR_XBITS bits = DDR_X(bits_of)(up), above = bits - DDR_SQRT_HALF_BITS;
  const DDR_XBITS biased = (above + DDR_ONE_BITS) >> DDR_MANTISSA_BITS;
  const ddr_real least = DDR_DIGIT_LIMIT + DDR_EXPONENT_BIAS; /* `counted` of exponent 0 */
  const DDR_XREAL none =
      DDR_X(select_real)(is_tiny, DDR_X(all)(least + (DDR_MANTISSA_BITS + 1)), DDR_X(all)(least));
  const DDR_XREAL counted = DDR_X(real_of_bits)(biased | DDR_DIGIT_LIMIT_BITS);
  DDR_X(scaled) parts;
  parts.k = counted - none;
  parts.f = DDR_X(real_of_bits)(bits - (above & ~DDR_MANTISSA_MASK)) - 1;
  return parts;
}

/* The rest of log(1+f) = f - f^2/2 + log_rest(f). */
DDR_XFN DDR_XREAL DDR_X(log_rest)(DDR_XREAL f, DDR_XREAL half_square) {
  const DDR_XREAL s = f / (2 + f), z = s * s;
  return s * (half_square + z * DDR_LOG_POLY(z));
}

/* Replaces `log` for arguments that are not positive and finite: -infinity for 0, NaN for negative
 * numbers and NaN, infinity for infinity. */
DDR_XFN DDR_XREAL DDR_X(log_total)(DDR_XREAL x, DDR_XREAL log) {
  const DDR_XREAL infinite = DDR_X(all)((ddr_real)INFINITY), none = DDR_X(all)((ddr_real)NAN);
  const DDR_XREAL of_other = DDR_X(select_real)(x == 0, -infinite, none);
  return DDR_X(select_real)(x > 0, DDR_X(select_real)(x < infinite, log, x), of_other);
}

DDR_XFN DDR_XREAL DDR_X(log)(DDR_XREAL x) {
  const DDR_X(scaled) parts = DDR_X(scale)(x);
  const DDR_XREAL k = parts.k, f = parts.f, half_square = f * f * DDR_R(0.5);
  const DDR_XREAL rest = DDR_X(log_rest)(f, half_square) + k * DDR_LN_2_LOW;
  const DDR_XREAL high = DDR_X(all)(DDR_LN_2_HIGH);
  return DDR_X(log_total)(x, DDR_X(add_exact)(k, high, f - (half_square - rest)));
}

/* log(1+f) in two parts, the first of which is a head. */
DDR_XFN DDR_X(two) DDR_X(log_near)(DDR_XREAL f) {
  const DDR_XREAL half_square = f * f * DDR_R(0.5);
  DDR_X(two) log;
  log.high = DDR_X(head)(f - half_square);
  log.low = ((f - log.high) - half_square) + DDR_X(log_rest)(f, half_square);
  return log;
}

/* to + log * factor + little, with log and factor in two parts; |to| is larger than the product, or
 * 0. */
DDR_XFN DDR_XREAL DDR_X(log_times)(DDR_XREAL to, DDR_X(two) log, DDR_X(two) factor,
                                   DDR_XREAL little) {
  const DDR_X(two) sum = DDR_X(sum_ordered)(to, log.high * factor.high);
  const DDR_XREAL rest = (log.low + log.high) * factor.low + log.low * factor.high;
  return sum.high + (sum.low + (rest + little));
}

DDR_XFN DDR_XREAL DDR_X(log2)(DDR_XREAL x) {
  const DDR_X(scaled) parts = DDR_X(scale)(x);
  const DDR_X(two) factor = DDR_X(all_two)(DDR_LOG2_E_HEAD, DDR_LOG2_E_REST);
  const DDR_X(two) log = DDR_X(log_near)(parts.f);
  return DDR_X(log_total)(x, DDR_X(log_times)(parts.k, log, factor, DDR_X(all)(0)));
}

DDR_XFN DDR_XREAL DDR_X(log10)(DDR_XREAL x) {
  const DDR_X(scaled) parts = DDR_X(scale)(x);
  const DDR_X(two) factor = DDR_X(all_two)(DDR_LOG10_E_HEAD, DDR_LOG10_E_REST);
  const DDR_XREAL to = parts.k * DDR_LOG10_2_HIGH, little = parts.k * DDR_LOG10_2_LOW;
  return DDR_X(log_total)(x, DDR_X(log_times)(to, DDR_X(log_near)(parts.f), factor, little));
}
#endif

/* base.h: what the functions of math.h are made of, for one number and for a number in every lane.
 *
 * This and what functions/all.h names after it is included twice: for ddr_exp and its like, and,
 * by lanes/math.h, for ddr_vexp.  Before it are defined DDR_X(name), the prefix of all names;
 * DDR_XREAL, DDR_XBITS and DDR_XMASK, what an argument is, its bits, and a comparison's result;
 * DDR_XWIDE, doubles for DDR_XREAL; DDR_XEITHER(mask, a, b), one of two sums; DDR_XFN, how
 * functions begin.  Results are made only of single IEEE operations: the bits are the same for any
 * number of lanes, compiler and processor, where products are not fused with sums
 * (-ffp-contract=off).
 */
#include "ddr/base/real.h"
#if defined(DDR_X)

/* The sum of both, the second less than a unit in the last place of the first. */
typedef struct DDR_X(two) {
  DDR_XREAL high, low;
} DDR_X(two);

DDR_XFN DDR_X(two) DDR_X(all_two)(ddr_real high, ddr_real low) {
  DDR_X(two) both;
  both.high = DDR_X(all)(high), both.low = DDR_X(all)(low);
  return both;
}

DDR_XFN DDR_X(two) DDR_X(select_two)(DDR_XMASK mask, DDR_X(two) a, DDR_X(two) b) {
  a.high = DDR_X(select_real)(mask, a.high, b.high);
  a.low = DDR_X(select_real)(mask, a.low, b.low);
  return a;
}

/* The upper half of the digits: a product of two heads is exact. */
DDR_XFN DDR_XREAL DDR_X(head)(DDR_XREAL x) {
  return DDR_X(real_of_bits)(DDR_X(bits_of)(x) & DDR_HEAD_BITS);
}

DDR_XFN DDR_XREAL DDR_X(magnitude)(DDR_XREAL x) {
  return DDR_X(real_of_bits)(DDR_X(bits_of)(x) & ~DDR_SIGN_BIT);
}

/* Not below 0, with the sign of another. */
DDR_XFN DDR_XREAL DDR_X(signed_as)(DDR_XREAL x, DDR_XREAL sign) {
  return DDR_X(real_of_bits)(DDR_X(bits_of)(x) | (DDR_X(bits_of)(sign) & DDR_SIGN_BIT));
}

/* To a whole number, ties to even; for less than DDR_DIGIT_LIMIT / 2. */
DDR_XFN DDR_XREAL DDR_X(whole)(DDR_XREAL x) { return (x + DDR_ROUNDER) - DDR_ROUNDER; }

/* 2 to the power of a whole number, for which it is normal. */
DDR_XFN DDR_XREAL DDR_X(power_of_2)(DDR_XREAL n) {
  return DDR_X(real_of_bits)((DDR_X(bits_of)(n + DDR_ROUNDER) + DDR_EXPONENT_BIAS)
                             << DDR_MANTISSA_BITS);
}

/* a + b, exactly: |a| >= |b|, or a is 0. */
DDR_XFN DDR_X(two) DDR_X(sum_ordered)(DDR_XREAL a, DDR_XREAL b) {
  DDR_X(two) sum;
  sum.high = a + b;
  sum.low = (a - sum.high) + b;
  return sum;
}

/* a + b, exactly [Knuth]. */
DDR_XFN DDR_X(two) DDR_X(sum)(DDR_XREAL a, DDR_XREAL b) {
  DDR_X(two) sum;
  sum.high = a + b;
  const DDR_XREAL b_part = sum.high - a, a_part = sum.high - b_part;
  sum.low = (a - a_part) + (b - b_part);
  return sum;
}

/* a/b to half as many digits again. */
DDR_XFN DDR_X(two) DDR_X(quotient)(DDR_X(two) a, DDR_X(two) b) {
  const DDR_XREAL inverse = 1 / b.high, q = a.high * inverse;
  const DDR_XREAL q_head = DDR_X(head)(q), q_rest = q - q_head;
  const DDR_XREAL b_head = DDR_X(head)(b.high), b_rest = b.high - b_head;
  const DDR_XREAL over = ((a.high - q_head * b_head) - q_head * b_rest) - q_rest * b_head;
  DDR_X(two) both;
  both.high = q;
  both.low = ((over - q_rest * b_rest) + (a.low - q * b.low)) * inverse;
  return both;
}
#endif

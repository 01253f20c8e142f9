/* base.h: building blocks of the functions of C's math.h, for one number and for all lanes.
 *
 * The files of functions/all.h are included twice: for ddr_exp and the like, and, by lanes/math.h,
 * for ddr_vexp.  The includer defines
 *   DDR_X(name)                      adds a prefix to a name
 *   DDR_XREAL, DDR_XBITS, DDR_XMASK  the types of an argument, its bits, the result of a comparison
 *   DDR_XWIDE                        the type of doubles for DDR_XREAL
 *   DDR_XEITHER(mask, a, b)          selects one of two sums
 *   DDR_XFN                          qualifiers of functions
 * Results consist of single IEEE operations only, and the C compiler fuses none of them
 * (-ffp-contract=off): the bits are the same for any number of lanes, compiler and processor.
 *
 * Only exact products are fused here, which changes no bit (add_exact, left_over).  If all products
 * were fused, functions in vectors of 32 and 64 bytes would take 5 to 30 % less time for floats and
 * 12 to 40 % for doubles, and fusing exact ones already gains a part of that.  But processors
 * without an instruction for it would take 2 to 7 times as long for floats, and more for doubles.
 */
#include "ddr/base/real.h"
#if defined(DDR_X)

/* A number as a sum of two, of which the second is less than a unit in the last place of the first.
 */
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

/* x with the upper half of its digits: the product of two such heads is exact. */
DDR_XFN DDR_XREAL DDR_X(head)(DDR_XREAL x) {
  return DDR_X(real_of_bits)(DDR_X(bits_of)(x) & DDR_HEAD_BITS);
}

DDR_XFN DDR_XREAL DDR_X(magnitude)(DDR_XREAL x) {
  return DDR_X(real_of_bits)(DDR_X(bits_of)(x) & ~DDR_SIGN_BIT);
}

/* x >= 0 with the sign of another number. */
DDR_XFN DDR_XREAL DDR_X(signed_as)(DDR_XREAL x, DDR_XREAL sign) {
  return DDR_X(real_of_bits)(DDR_X(bits_of)(x) | (DDR_X(bits_of)(sign) & DDR_SIGN_BIT));
}

/* Rounds to an integer, ties to even; for |x| less than DDR_DIGIT_LIMIT / 2. */
DDR_XFN DDR_XREAL DDR_X(whole)(DDR_XREAL x) { return (x + DDR_ROUNDER) - DDR_ROUNDER; }

/* a*b + c for an exact product: fused or not, the bits are the same. */
DDR_XFN DDR_XREAL DDR_X(add_exact)(DDR_XREAL a, DDR_XREAL b, DDR_XREAL c) {
#if defined(DDR_HAS_FMA)
  return DDR_X(fused)(a, b, c);
#else
  return a * b + c;
#endif
}

/* a + b, exactly, for |a| >= |b| or a = 0. */
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

/* a - q*b, rounded once, for q next to a/b. Without fused multiply-add it is computed from products
 * of heads and rests: all differences but the last are exact, and so are the products. That of the
 * rests of doubles may have one digit too many, and is split. */
DDR_XFN DDR_XREAL DDR_X(left_over)(DDR_XREAL a, DDR_XREAL q, DDR_XREAL b) {
#if defined(DDR_HAS_FMA)
  return DDR_X(fused)(-q, b, a);
#else
  const DDR_XREAL q_head = DDR_X(head)(q), q_rest = q - q_head;
  const DDR_XREAL b_head = DDR_X(head)(b), b_rest = b - b_head;
  const DDR_XREAL over = ((a - q_head * b_head) - q_head * b_rest) - q_rest * b_head;
#if defined(DDR_DOUBLE)
  const DDR_XREAL rest_head = DDR_X(head)(b_rest);
  return (over - q_rest * rest_head) - q_rest * (b_rest - rest_head);
#else
  return over - q_rest * b_rest;
#endif
#endif
}

/* a/b with half as many digits again. */
DDR_XFN DDR_X(two) DDR_X(quotient)(DDR_X(two) a, DDR_X(two) b) {
  const DDR_XREAL inverse = 1 / b.high, q = a.high * inverse;
  const DDR_XREAL over = DDR_X(left_over)(a.high, q, b.high);
  DDR_X(two) both;
  both.high = q;
  both.low = (over + (a.low - q * b.low)) * inverse;
  return both;
}
#endif

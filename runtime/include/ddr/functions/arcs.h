/* arcs.h: asin, acos, atan and atan2; included by all.h. A result is a multiple of pi/4 plus or
 * minus the arctangent of a number up to tan(pi/8), or the arcsine of one up to 1/2. */
#include "ddr/base/real.h"
#if defined(DDR_X)

/* base + arc, for a base that is larger or 0. */
DDR_XFN DDR_XREAL DDR_X(arc_sum)(DDR_X(two) base, DDR_X(two) arc) {
  const DDR_X(two) sum = DDR_X(sum_ordered)(base.high, arc.high);
  return sum.high + (sum.low + (arc.low + base.low));
}

DDR_XFN DDR_X(two) DDR_X(negated)(DDR_XMASK mask, DDR_X(two) a) {
  a.high = DDR_X(select_real)(mask, -a.high, a.high);
  a.low = DDR_X(select_real)(mask, -a.low, a.low);
  return a;
}

/* The angle of (x, y), y >= 0, neither both 0 nor infinite, from 0 to pi. */
DDR_XFN DDR_XREAL DDR_X(angle_to)(DDR_XREAL x, DDR_XREAL y) {
  const DDR_XREAL size = DDR_X(magnitude)(x);
  const DDR_XMASK is_steep = y > size * DDR_R(2.4142135),
                  is_diagonal = (y > size * DDR_R(0.41421357)) & DDR_X(inverted)(is_steep);
  DDR_X(two) above, below, base = DDR_X(all_two)(0, 0);
  above.high = DDR_X(select_real)(is_steep, -size, y), above.low = base.low;
  below.high = DDR_X(select_real)(is_steep, y, size), below.low = base.low;
  above = DDR_X(select_two)(is_diagonal, DDR_X(sum)(y, -size), above);
  below = DDR_X(select_two)(is_diagonal, DDR_X(sum)(y, size), below);
  DDR_X(two) arc = DDR_X(quotient)(above, below);
  const DDR_XREAL t = arc.high, z = t * t;
  arc.low = t * z * DDR_ATAN_POLY(z) + (arc.low - arc.low * z);
  const DDR_XMASK is_left = x < 0;
  const DDR_X(two) diagonal =
      DDR_X(select_two)(is_left, DDR_X(all_two)(DDR_THREE_QUARTERS_PI, DDR_THREE_QUARTERS_PI_LOW),
                        DDR_X(all_two)(DDR_QUARTER_PI, DDR_QUARTER_PI_LOW));
  base = DDR_X(select_two)(is_left, DDR_X(all_two)(DDR_PI, DDR_PI_LOW), base);
  base = DDR_X(select_two)(is_diagonal, diagonal, base);
  base = DDR_X(select_two)(is_steep, DDR_X(all_two)(DDR_HALF_PI, DDR_HALF_PI_LOW), base);
  return DDR_X(arc_sum)(base, DDR_X(negated)(is_left, arc));
}

DDR_XFN DDR_XREAL DDR_X(atan)(DDR_XREAL x) {
  const DDR_XREAL size = DDR_X(magnitude)(x), most = DDR_X(all)(DDR_BY_PRECISION(0x1p30, 0x1p60));
  const DDR_XREAL cut = DDR_X(select_real)(size > most, most, size);
  return DDR_X(signed_as)(DDR_X(angle_to)(DDR_X(all)(1), cut), x);
}

/* A factor for both arguments, after which no product overflows or loses digits, except for
 * quotients that are subnormal. */
DDR_XFN DDR_XREAL DDR_X(atan2_scale)(DDR_XREAL larger) {
  const DDR_XREAL up = DDR_X(all)(DDR_BY_PRECISION(0x1p80, 0x1p600)), one = DDR_X(all)(1);
  const DDR_XREAL down = DDR_X(all)(DDR_BY_PRECISION(0x1p-40, 0x1p-300));
  const DDR_XMASK is_large = larger > DDR_BY_PRECISION(0x1p70, 0x1p500);
  const DDR_XMASK is_small = larger < DDR_BY_PRECISION(0x1p30, 0x1p200);
  return DDR_X(select_real)(is_large, down, DDR_X(select_real)(is_small, up, one));
}

/* If any argument is infinite: 1 for an infinite argument, 0 for a finite one. Else `size`. */
DDR_XFN DDR_XREAL DDR_X(beside_infinite)(DDR_XMASK is_any_infinite, DDR_XREAL size) {
  const DDR_XREAL left =
      DDR_X(select_real)(size == (ddr_real)INFINITY, DDR_X(all)(1), DDR_X(all)(0));
  const DDR_XMASK is_number = size == size; /* NOLINT(misc-redundant-expression): NaN is not */
  return DDR_X(select_real)(is_any_infinite & is_number, left, size);
}

DDR_XFN DDR_XREAL DDR_X(atan2)(DDR_XREAL y, DDR_XREAL x) {
  const DDR_XREAL x_size = DDR_X(magnitude)(x), y_size = DDR_X(magnitude)(y);
  const DDR_XREAL larger = DDR_X(select_real)(x_size < y_size, y_size, x_size);
  const DDR_XMASK is_infinite = (x_size == (ddr_real)INFINITY) | (y_size == (ddr_real)INFINITY);
  const DDR_XREAL scale = DDR_X(atan2_scale)(larger);
  const DDR_XREAL up = DDR_X(beside_infinite)(is_infinite, y_size) * scale;
  const DDR_XREAL some = DDR_X(select_real)(larger == 0, DDR_X(all)(1),
                                            DDR_X(beside_infinite)(is_infinite, x_size) * scale);
  const DDR_XREAL along =
      DDR_X(real_of_bits)(DDR_X(bits_of)(some) | (DDR_X(bits_of)(x) & DDR_SIGN_BIT));
  return DDR_X(signed_as)(DDR_X(angle_to)(along, up), y);
}

/* The arcsine of `size` up to 1/2; above, its distance from pi/2, which is twice the arcsine of
 * sqrt((1 - size) / 2). */
typedef struct DDR_X(arc_sine) {
  DDR_X(two) arc;
  DDR_XMASK is_rest; /* arc is the distance from pi/2 */
} DDR_X(arc_sine);

DDR_XFN DDR_X(arc_sine) DDR_X(asin_near)(DDR_XREAL size) {
  DDR_X(arc_sine) result;
  result.is_rest = size > DDR_R(0.5);
  const DDR_XREAL w = (1 - size) * DDR_R(0.5), root = DDR_X(sqrt)(w), head = DDR_X(head)(root);
  const DDR_XREAL both = DDR_X(select_real)(root == 0, DDR_X(all)(1), root + head);
  const DDR_XREAL low = DDR_X(add_exact)(-head, head, w) / both + (head - root);
  const DDR_XREAL z = DDR_X(select_real)(result.is_rest, w, size * size);
  const DDR_XREAL x = DDR_X(select_real)(result.is_rest, root + root, size);
  result.arc.high = x;
  result.arc.low =
      x * z * DDR_ASIN_POLY(z) + DDR_X(select_real)(result.is_rest, low + low, DDR_X(all)(0));
  return result;
}

DDR_XFN DDR_XREAL DDR_X(asin)(DDR_XREAL x) {
  const DDR_X(arc_sine) near = DDR_X(asin_near)(DDR_X(magnitude)(x));
  const DDR_X(two) base = DDR_X(select_two)(
      near.is_rest, DDR_X(all_two)(DDR_HALF_PI, DDR_HALF_PI_LOW), DDR_X(all_two)(0, 0));
  return DDR_X(signed_as)(DDR_X(arc_sum)(base, DDR_X(negated)(near.is_rest, near.arc)), x);
}

DDR_XFN DDR_XREAL DDR_X(acos)(DDR_XREAL x) {
  const DDR_X(arc_sine) near = DDR_X(asin_near)(DDR_X(magnitude)(x));
  const DDR_XMASK is_left = x < 0;
  const DDR_X(two) end =
      DDR_X(select_two)(is_left, DDR_X(all_two)(DDR_PI, DDR_PI_LOW), DDR_X(all_two)(0, 0));
  const DDR_X(two) base =
      DDR_X(select_two)(near.is_rest, end, DDR_X(all_two)(DDR_HALF_PI, DDR_HALF_PI_LOW));
  return DDR_X(arc_sum)(base, DDR_X(negated)(near.is_rest ^ DDR_X(inverted)(is_left), near.arc));
}
#endif

/* trigonometry.h: sine, cosine and tangent; included by all.h. Arguments are reduced to an eighth
 * of a circle around 0 by multiples of pi/2, in parts, of which all products but the last are exact
 * [Cody and Waite 1980]; large ones by angle_far.h. */
#include "ddr/base/real.h"
#if defined(DDR_X)

/* The reduced angle high + low; the last two bits of `quarters` have the number of quarter circles
 * that were taken off. */
typedef struct DDR_X(angle) {
  DDR_XREAL high, low;
  DDR_XBITS quarters;
} DDR_X(angle);

#if defined(DDR_DOUBLE)
DDR_XFN DDR_X(angle) DDR_X(angle_near)(DDR_XREAL x) {
  const DDR_XREAL counted = x * 0x1.45f306dc9c883p-1 + DDR_ROUNDER, k = counted - DDR_ROUNDER;
  const DDR_XREAL first = DDR_X(add_exact)(-k, DDR_X(all)(0x1.921fb544p0), x);
  const DDR_X(two) second = DDR_X(sum)(first, -k * 0x1.0b4611a6p-34);
  const DDR_X(two) third = DDR_X(sum)(second.high, -k * 0x1.3198a2ep-69);
  const DDR_XREAL last = (second.low + third.low) - k * 0x1.b839a252049c1p-104;
  const DDR_X(two) rest = DDR_X(sum)(third.high, last);
  DDR_X(angle) angle;
  angle.high = rest.high, angle.low = rest.low;
  angle.quarters = DDR_X(bits_of)(counted);
  return angle;
}
#else /* floats are reduced in double, which is faster than in parts of floats */
typedef struct DDR_X(wide_angle) {
  DDR_XWIDE rest, quarters;
} DDR_X(wide_angle);

DDR_XFN DDR_X(wide_angle) DDR_X(angle_wide)(DDR_XWIDE x) {
  DDR_X(wide_angle) angle;
  angle.quarters = (x * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52;
  angle.rest = (x - angle.quarters * 0x1.921fb544p0) - angle.quarters * 0x1.0b4611a626331p-34;
  return angle;
}

/* For one number, only the lower half is used. */
DDR_XFN DDR_X(angle) DDR_X(angle_near)(DDR_XREAL x) {
  const DDR_X(wide_angle) a = DDR_X(angle_wide)(DDR_X(lower)(x));
  const DDR_X(wide_angle) b = DDR_X(angle_wide)(DDR_X(upper)(x));
  DDR_X(angle) angle;
  angle.high = DDR_X(joined)(a.rest, b.rest);
  angle.low =
      DDR_X(joined)(a.rest - DDR_X(rounded_wide)(a.rest), b.rest - DDR_X(rounded_wide)(b.rest));
  angle.quarters = DDR_X(bits_of)(DDR_X(joined)(a.quarters, b.quarters) + DDR_ROUNDER);
  return angle;
}
#endif

/* The reduced angle of any x; NaN for infinities. */
DDR_XFN DDR_X(angle) DDR_X(angle_of)(DDR_XREAL x) {
  DDR_X(angle) angle = DDR_X(angle_near)(x);
  const DDR_XREAL size = DDR_X(magnitude)(x);
  const DDR_XMASK is_far = (size > DDR_R(0x1p20)) & (size < (ddr_real)INFINITY);
  if (DDR_X(any)(is_far)) {
    DDR_X(angle) far_angle = angle; /* a copy, so that `angle` itself can stay in registers */
    DDR_X(take_far)(x, is_far, &far_angle.high, &far_angle.low, &far_angle.quarters);
    angle = far_angle;
  }
  return angle;
}

/* The sine of an angle up to an eighth of a circle. */
DDR_XFN DDR_X(two) DDR_X(sin_near)(DDR_X(angle) angle) {
  const DDR_XREAL r = angle.high, z = r * r;
  DDR_X(two) sine;
  sine.high = r;
  sine.low = r * z * DDR_SIN_POLY(z) + (angle.low - angle.low * (z * DDR_R(0.5)));
  return sine;
}

DDR_XFN DDR_X(two) DDR_X(cos_near)(DDR_X(angle) angle) {
  const DDR_XREAL r = angle.high, z = r * r, head = DDR_X(head)(r);
  const DDR_X(two) first = DDR_X(sum_ordered)(DDR_X(all)(1), head * head * DDR_R(-0.5));
  const DDR_XREAL rest = (r - head) * (r + head) * DDR_R(0.5) + r * angle.low;
  DDR_X(two) cosine;
  cosine.high = first.high;
  cosine.low = first.low + (z * z * DDR_COS_POLY(z) - rest);
  return cosine;
}

DDR_XFN DDR_XREAL DDR_X(sin_of)(DDR_X(angle) angle) {
  const DDR_XMASK is_odd = (angle.quarters & 1) != 0;
  const DDR_X(two) size = DDR_XEITHER(is_odd, DDR_X(cos_near)(angle), DDR_X(sin_near)(angle));
  const DDR_XBITS flips = (angle.quarters & 2) << DDR_SIGN_SHIFT;
  return DDR_X(real_of_bits)(DDR_X(bits_of)(size.high + size.low) ^ flips);
}

DDR_XFN DDR_XREAL DDR_X(sin)(DDR_XREAL x) {
  const DDR_XREAL sine = DDR_X(sin_of)(DDR_X(angle_of)(x));
  return DDR_X(select_real)(x == 0, x, sine); /* keeps the sign of a zero */
}

DDR_XFN DDR_XREAL DDR_X(cos)(DDR_XREAL x) {
  DDR_X(angle) angle = DDR_X(angle_of)(x);
  angle.quarters += 1;
  return DDR_X(sin_of)(angle);
}

DDR_XFN DDR_XREAL DDR_X(tan)(DDR_XREAL x) {
  const DDR_X(angle) angle = DDR_X(angle_of)(x);
  DDR_X(two) sine = DDR_X(sin_near)(angle), cosine = DDR_X(cos_near)(angle);
  sine = DDR_X(sum_ordered)(sine.high, sine.low);
  cosine = DDR_X(sum_ordered)(cosine.high, cosine.low);
  const DDR_XMASK is_odd = (angle.quarters & 1) != 0;
  const DDR_X(two) above = DDR_X(select_two)(is_odd, cosine, sine);
  const DDR_X(two) tangent = DDR_X(quotient)(above, DDR_X(select_two)(is_odd, sine, cosine));
  const DDR_XREAL size = DDR_X(select_real)(x == 0, x, tangent.high + tangent.low);
  return DDR_X(select_real)(is_odd, -size, size);
}
#endif

/* power_float.h: the power of a positive float, as 2^(y log2 x) in double, half of whose digits
 * suffice; included by power.h. */
#include "ddr/base/real.h"
#if defined(DDR_X) && !defined(DDR_DOUBLE)

/* log2((1+s) / (1-s)) / s of s^2, to 2^-40 of it; and (2^r - 1) / r, to 2^-34 of 2^r. */
#define DDR_LOG2_POLY(z)                                                                           \
  DDR_POLY6(z, 2.8853900817774183, 0.9617966944070155, 0.5770778864221751, 0.4122136023321316,     \
            0.31975771000527276, 0.2847309656134699)
#define DDR_EXP2_POLY(r)                                                                           \
  DDR_POLY7(r, 0.6931471805416228, 0.2402265107630309, 0.055504109626976876, 0.009618036837769956, \
            0.001333343067548338, 0.00015467135612417664, 1.531497407228571e-05)

/* log2 of a positive number x = 2^k (1+f), with 1+f from sqrt(1/2) to sqrt(2); s = f / (2+f). */
DDR_XFN DDR_XWIDE DDR_X(log2_wide)(DDR_XWIDE x) {
  const DDR_XWIDE_BITS bits = DDR_X(bits_of_wide)(x), above = bits - UINT64_C(0x3fe6a09e667f3bcd);
  const DDR_XWIDE_BITS biased = (above + UINT64_C(0x3ff0000000000000)) >> 52; /* k + 1023 */
  const DDR_XWIDE k = DDR_X(wide_of_bits)(biased | UINT64_C(0x4330000000000000)) - (0x1p52 + 1023);
  const DDR_XWIDE m = DDR_X(wide_of_bits)(bits - (above & UINT64_C(0xfff0000000000000)));
  const DDR_XWIDE s = (m - 1) / (m + 1), z = s * s;
  return k + s * DDR_LOG2_POLY(z);
}

/* 2^x for |x| up to 1000. */
DDR_XFN DDR_XWIDE DDR_X(exp2_wide)(DDR_XWIDE x) {
  const DDR_XWIDE counted = x + 0x1.8p52, r = x - (counted - 0x1.8p52);
  const DDR_XWIDE part = 1 + r * DDR_EXP2_POLY(r);
  return DDR_X(wide_of_bits)(DDR_X(bits_of_wide)(part) + (DDR_X(bits_of_wide)(counted) << 52));
}

/* x^y for finite x > 0. y log2 x is clamped to exponents just beyond those of floats. */
DDR_XFN DDR_XWIDE DDR_X(pow_wide)(DDR_XWIDE x, DDR_XWIDE y) {
  const DDR_XWIDE power = y * DDR_X(log2_wide)(x), most = DDR_X(all_wide)(200);
  const DDR_XWIDE above = DDR_X(select_wide)(power < -most, -most, power);
  return DDR_X(exp2_wide)(DDR_X(select_wide)(power > most, most, above));
}
DDR_XBY_WIDE(pow_positive, pow_wide)

/* x^y for integers y with |y| <= 64, by repeated squaring: what overflows or vanishes in double
 * does so in float. */
DDR_XFN DDR_XWIDE DDR_X(pow_few_wide)(DDR_XWIDE x, DDR_XWIDE y) {
  const DDR_XWIDE y_size = DDR_X(select_wide)(y < 0, -y, y);
  DDR_XWIDE_BITS count = DDR_X(bits_of_wide)(y_size + 0x1p52) & 127;
  DDR_XWIDE power = DDR_X(all_wide)(1);
  for (; DDR_X(any_wide)(count != 0); count >>= 1) {
    power = DDR_X(select_wide)((count & 1) != 0, power * x, power);
    x *= x;
  }
  return DDR_X(select_wide)(y < 0, 1 / power, power);
}
DDR_XBY_WIDE(pow_few, pow_few_wide)
#endif

/* angle_far.h: reduction of large angles, from 2^20 on, one at a time: x is multiplied by those
 * bits of 2/pi whose products are less than a whole circle [Payne and Hanek 1983].
 */
#include "ddr/base/real.h"
#if !defined(DDR_ANGLE_FAR)
#define DDR_ANGLE_FAR

#include <string.h>

/* The reduced angle high + low, within an eighth of a circle around 0, and the number of quarter
 * circles that were taken off, modulo 4. The two sums are not members side by side: gcc 12.2 would
 * compute them as one vector, and fuse their products although it is told not to (PR 107647). */
typedef struct ddr_far {
  double high;
  uint32_t quarters;
  double low;
} ddr_far;

/* The upper 64 bits of a product. */
DDR_FN uint64_t ddr_product_above(uint64_t a, uint64_t b) {
  const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), rest = a0 * b1 + (middle & 0xffffffffu);
  return a1 * b1 + (middle >> 32) + (rest >> 32);
}

/* 64 bits of 2/pi, from bit `at` on. Bits 0 to 63 are before the binary point. */
DDR_FN uint64_t ddr_two_over_pi(uint32_t at) {
  static const uint64_t words[] = {0,
                                   UINT64_C(0xa2f9836e4e441529),
                                   UINT64_C(0xfc2757d1f534ddc0),
                                   UINT64_C(0xdb6295993c439041),
                                   UINT64_C(0xfe5163abdebbc561),
                                   UINT64_C(0xb7246e3a424dd2e0),
                                   UINT64_C(0x06492eea09d1921c),
                                   UINT64_C(0xfe1deb1cb129a73e),
                                   UINT64_C(0xe88235f52ebb4484),
                                   UINT64_C(0xe99c7026b45f7e41),
                                   UINT64_C(0x3991d639835339f4),
                                   UINT64_C(0x9c845f8bbdf9283b),
                                   UINT64_C(0x1ff897ffde05980f),
                                   UINT64_C(0xef2f118b5a0a6d1f),
                                   UINT64_C(0x6d367ecf27cb09b7),
                                   UINT64_C(0x4f463f669e5fea2d),
                                   UINT64_C(0x7527bac7ebe5f17b),
                                   UINT64_C(0x3d0739f78a5292ea),
                                   UINT64_C(0x6bfb5fb11f8d5d08),
                                   UINT64_C(0x56033046fc7b6bab),
                                   UINT64_C(0xf0cfbc209af4361d)};
  const uint32_t shift = at % 64;
  return words[at / 64] << shift | words[at / 64 + 1] >> 1 >> (63 - shift);
}

/* The angle of a fraction of a quarter circle, given times 2^128. The product of its upper 26 bits
 * and those of pi/2 is exact. */
DDR_FN ddr_far ddr_far_of_part(uint64_t upper, uint64_t lower) {
  uint64_t n_zeros = 0;
  for (; n_zeros < 128 && upper >> 63 == 0; n_zeros++) {
    upper = upper << 1 | lower >> 63;
    lower <<= 1;
  }
  const uint64_t scale_bits = (1023 - 64 - n_zeros) << 52;
  double scale;
  memcpy(&scale, &scale_bits, sizeof scale);
  const double first = (double)(upper >> 38), rest = (double)(upper & 0x3fffffffffu);
  const double unit = 0x1p38, main = first * unit * 0x1.921fb58p0;
  const double minor = first * unit * -0x1.dde973dcb3b3ap-27 + rest * 0x1.921fb54442d18p0;
  const double high = main + minor;
  ddr_far angle;
  angle.high = high * scale;
  angle.low = ((main - high) + minor) * scale;
  angle.quarters = 0;
  return angle;
}

/* Reduces a finite x with |x| >= 2^20, which is an integer m times 2^e. Bits of 2/pi that are worth
 * 4/2^e or more only give whole circles, and are left out. In the product of m with the next 192
 * bits, two bits are the quarters. */
DDR_FN_RARE ddr_far ddr_far_angle(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
  const uint32_t first = (uint32_t)(bits >> 52 & 0x7ff) - 1075u - 2u + 64u;
  const uint64_t w0 = ddr_two_over_pi(first), w1 = ddr_two_over_pi(first + 64);
  const uint64_t w2 = ddr_two_over_pi(first + 128);
  const uint64_t low = m * w2, middle = m * w1 + ddr_product_above(m, w2);
  const uint64_t high = m * w0 + ddr_product_above(m, w1) + (middle < m * w1);
  const uint64_t upper = high << 2 | middle >> 62, lower = middle << 2 | low >> 62;
  const bool is_upper = upper >> 63 != 0; /* nearer to the next quarter */
  ddr_far angle =
      is_upper ? ddr_far_of_part(~upper + (lower == 0), 0 - lower) : ddr_far_of_part(upper, lower);
  const bool is_negative = (bits >> 63 != 0) != is_upper;
  angle.quarters = (uint32_t)(high >> 62) + is_upper;
  if (bits >> 63 != 0) angle.quarters = 0u - angle.quarters;
  if (is_negative) angle.high = -angle.high, angle.low = -angle.low;
  return angle;
}
#endif

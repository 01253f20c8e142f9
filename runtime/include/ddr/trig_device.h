/* trig_device.h: sine, cosine and tangent of floats on devices; included by scalar.h.
 *
 * CUDA's own, where the argument is large, multiply doubles and index an array in local memory.
 * Here an argument is brought to a quarter circle around 0, by the angle that three floats hold
 * [Cody and Waite 1980] or, where it is large, by as many bits of 2/pi as matter [Payne and Hanek
 * 1983]; polynomials do the rest.  Sine and cosine are off by at most 2.5 units in the last place,
 * the tangent by 4.5; an infinity gives NaN.  Nothing for others than devices.
 */
#pragma once

#include <string.h>

#include "ddr/scalar.h"

#if defined(DDR_DEVICE_FLOAT)

/* Argument less `quarters` quarter circles. */
typedef struct ddr_angle {
  float rest;
  uint32_t quarters;
} ddr_angle;

/* Word k of the digits of 2/pi in base 2^32; the word before the point is number 0. */
DDR_FN uint32_t ddr_two_over_pi(uint32_t k) {
  const uint32_t low = k == 0 ? 0u : k == 1 ? 0xa2f9836eu : k == 2 ? 0x4e441529u : 0xfc2757d1u;
  const uint32_t high = k == 4   ? 0xf534ddc0u
                        : k == 5 ? 0xdb629599u
                        : k == 6 ? 0x3c439041u
                                 : 0xfe5163abu;
  return k < 4 ? low : high;
}

DDR_FN int ddr_leading_zeros(uint64_t x) {
#if defined(__CUDA_ARCH__)
  return __clzll((long long)x);
#else
  return x == 0 ? 64 : __builtin_clzll(x);
#endif
}

/* The quarters, modulo 4, of the float with these bits, of at least 2^16: the upper word; the bits
 * of what is left, a float, the lower one.  x is a whole number times 2^e, and so is its product
 * with four words of 2/pi; words before these count whole circles. */
DDR_FN_RARE uint64_t ddr_angle_far(uint32_t bits) {
  const uint32_t e = ((bits >> 23) & 0xffu) - 150u + 32u, first = (e - 2u) / 32u;
  const uint32_t shift = e - 32u * first - 2u; /* 0 to 31 */
  const uint64_t m = (bits & 0x7fffffu) | 0x800000u;
  const uint64_t w3 = m * ddr_two_over_pi(first + 3),
                 w2 = m * ddr_two_over_pi(first + 2) + (w3 >> 32);
  const uint64_t w1 = m * ddr_two_over_pi(first + 1) + (w2 >> 32);
  const uint64_t w0 = m * ddr_two_over_pi(first) + (w1 >> 32);
  const uint64_t high = w0 << 32 | (w1 & 0xffffffffu), low = w2 << 32 | (w3 & 0xffffffffu);
  const uint64_t quarters = high << shift | low >> 1 >> (63u - shift); /* two bits, and 62 after */
  const uint64_t part = quarters << 2; /* of a quarter, times 2^64 */
  const bool is_upper = part >> 63 != 0;
  const uint64_t size = is_upper ? 0 - part : part;
  const int n_zeros = ddr_leading_zeros(size);
  const float top = size == 0 ? 0 : (float)(uint32_t)(size << n_zeros >> 32);
  const uint32_t scale_bits = (uint32_t)(127 - 32 - n_zeros) << 23; /* of 2^-32 2^-n_zeros */
  float scale;
  memcpy(&scale, &scale_bits, sizeof scale);
  const float angle = fmaf(top, 1.5707964f, top * -4.371139e-8f); /* pi/2 */
  const float rest = angle * (is_upper ? -scale : scale);
  uint32_t rest_bits;
  memcpy(&rest_bits, &rest, sizeof rest_bits);
  return ((quarters >> 62) + is_upper) << 32 | rest_bits;
}

DDR_FN ddr_angle ddr_angle_of(float x) {
  const bool is_far = fabsf(x) >= 65536.0f && fabsf(x) < INFINITY;
  const float quarters = rintf(x * 0.63661975f);
  float rest = fmaf(quarters, -1.5707964f, x);
  rest = fmaf(quarters, 4.371139e-8f, rest);
  rest = fmaf(quarters, 1.7151245e-15f, rest);
  ddr_angle angle = {quarters == 0 ? x : rest, 0};
  if (fabsf(x) < 65536.0f) angle.quarters = (uint32_t)(int32_t)quarters;
  if (is_far) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t found = ddr_angle_far(bits & 0x7fffffffu);
    const uint32_t rest_bits = (uint32_t)found ^ (bits & 0x80000000u);
    memcpy(&angle.rest, &rest_bits, sizeof angle.rest);
    angle.quarters = x < 0 ? 0u - (uint32_t)(found >> 32) : (uint32_t)(found >> 32);
  }
  return angle;
}

/* Of angles up to an eighth of a circle: best approximations of that degree, relative to the
 * result, to 1e-11 and 3e-10. The sign of a zero is kept. */
DDR_FN float ddr_sin_near(float r) {
  const float r2 = r * r;
  float sum = fmaf(2.7172732e-6f, r2, -1.9839253e-4f);
  sum = fmaf(sum, r2, 8.333329e-3f);
  sum = fmaf(sum, r2, -0.16666667f);
  return r2 < 1e-8f ? r : fmaf(r * r2, sum, r);
}

DDR_FN float ddr_cos_near(float r) {
  const float r2 = r * r;
  float sum = fmaf(2.4463166e-5f, r2, -1.388765e-3f);
  sum = fmaf(sum, r2, 4.1666654e-2f);
  return fmaf(r2 * r2, sum, fmaf(-0.5f, r2, 1.0f));
}

DDR_FN float ddr_sin_of(float rest, uint32_t quarters) {
  const float size = quarters & 1u ? ddr_cos_near(rest) : ddr_sin_near(rest);
  return quarters & 2u ? -size : size;
}

DDR_FN float ddr_sin(float x) {
  const ddr_angle angle = ddr_angle_of(x);
  return ddr_sin_of(angle.rest, angle.quarters);
}

DDR_FN float ddr_cos(float x) {
  const ddr_angle angle = ddr_angle_of(x);
  return ddr_sin_of(angle.rest, angle.quarters + 1u);
}

DDR_FN float ddr_tan(float x) {
  const ddr_angle angle = ddr_angle_of(x);
  const float sine = ddr_sin_near(angle.rest), cosine = ddr_cos_near(angle.rest);
  return angle.quarters & 1u ? -cosine / sine : sine / cosine;
}
#endif

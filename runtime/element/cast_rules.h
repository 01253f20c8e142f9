/* cast_rules.h: reals to integers: truncated toward zero, the nearest if out of range, NaN is 0.
 *
 * Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include "ddr/scalar.h"

/* `most` and `least` are the bounds of the type; `bound`, the first real above it, is 2 to its
 * bits. */
DDR_FN int64_t ddr_int_of_real(double x, int64_t least, int64_t most, double bound) {
  if (x != x) return 0;
  if (x >= bound) return most;
  return x <= -bound ? least : (int64_t)x;
}

DDR_FN uint64_t ddr_natural_of_real(double x, uint64_t most, double bound) {
  if (!(x > 0)) return 0;
  return x >= bound ? most : (uint64_t)x;
}

/* To ints of at most 32 bits: without branches, for vectors.  NaN is not greater than `least`, so
 * if that is 0, NaN becomes 0 without a test of its own. */
DDR_FN int32_t ddr_small_of_real(double x, double least, double most) {
  const double above = x > least ? x : least, within = above < most ? above : most;
  return (int32_t)(least == 0 || x == x ? within : 0);
}

/* To ints of at most 16 bits, from floats. */
DDR_FN int32_t ddr_small_of_float(float x, float least, float most) {
  const float above = x > least ? x : least, within = above < most ? above : most;
  return (int32_t)(least == 0 || x == x ? within : 0);
}

#define DDR_BITS(type) (8 * (int)sizeof(type))
#define DDR_LEAST(type) (-(INT64_MAX >> (64 - DDR_BITS(type))) - 1)
#define DDR_MOST(type) (INT64_MAX >> (64 - DDR_BITS(type)))
#define DDR_MOST_NATURAL(type) (UINT64_MAX >> (64 - DDR_BITS(type)))

#define DDR_INT_OF_REAL(type, x)                                                                   \
  (sizeof(type) <= 4 ? (type)ddr_small_of_real(x, (double)DDR_LEAST(type), (double)DDR_MOST(type)) \
                     : (type)ddr_int_of_real(x, DDR_LEAST(type), DDR_MOST(type),                   \
                                             ldexp(1.0, DDR_BITS(type) - 1)))
#define DDR_NATURAL_OF_REAL(type, x)                                                               \
  (sizeof(type) <= 2                                                                               \
       ? (type)ddr_small_of_real(x, 0, (double)DDR_MOST_NATURAL(type))                             \
       : (type)ddr_natural_of_real(x, DDR_MOST_NATURAL(type), ldexp(1.0, DDR_BITS(type))))

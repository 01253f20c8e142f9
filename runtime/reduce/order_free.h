/* order_free.h: what may be combined in any order: extremes, integers, truths.
 *
 * Lanes are independent, so that compilers make vectors of them.  Of no numbers each gives what
 * combines with anything to just that.  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include "ddr/reduce.h"

/* --- extremes of reals: NaN if there is one, -0 less than +0 ---------------------------------- */

/* Comparing says nothing of NaN and of the signs of zeros: the one is noted on the way, the other
 * looked for only where zero is the extreme. */
#define DDR_EXTREME_FN(name, number, op, none, wanted_zero_is_negative)                            \
  DDR_FN double name(const number *x, int64_t n)                                                   \
  {                                                                                                \
    number best[DDR_TREE_LANES], sum = 0;                                                          \
    for (int l = 0; l < DDR_TREE_LANES; l++) best[l] = (number)(none);                             \
    number odd[DDR_TREE_LANES] = {0}; /* not 0 where a NaN has been */                             \
    int64_t k = 0;                                                                                 \
    for (; k + DDR_TREE_LANES <= n; k += DDR_TREE_LANES) {                                         \
      for (int l = 0; l < DDR_TREE_LANES; l++) {                                                   \
        best[l] = x[k + l] op best[l] ? x[k + l] : best[l];                                        \
        odd[l] = x[k + l] == x[k + l] ? odd[l] : 1;                                                \
      }                                                                                            \
    }                                                                                              \
    for (int l = 0; k + l < n; l++) {                                                              \
      best[l] = x[k + l] op best[l] ? x[k + l] : best[l];                                          \
      odd[l] = x[k + l] == x[k + l] ? odd[l] : 1;                                                  \
    }                                                                                              \
    for (int l = 0; l < DDR_TREE_LANES; l++) {                                                     \
      best[0] = best[l] op best[0] ? best[l] : best[0];                                            \
      sum += odd[l];                                                                               \
    }                                                                                              \
    if (sum != 0) return (double)NAN;                                                              \
    for (k = 0; best[0] == 0 && k < n; k++) {                                                      \
      if (x[k] == 0 && (signbit(x[k]) != 0) == (wanted_zero_is_negative)) best[0] = x[k];          \
    }                                                                                              \
    return (double)best[0];                                                                        \
  }
DDR_EXTREME_FN(ddr_least_of_floats, float, <, INFINITY, true)
DDR_EXTREME_FN(ddr_least_of_doubles, double, <, INFINITY, true)
DDR_EXTREME_FN(ddr_greatest_of_floats, float, >, -INFINITY, false)
DDR_EXTREME_FN(ddr_greatest_of_doubles, double, >, -INFINITY, false)
#undef DDR_EXTREME_FN

/* --- integers: sums and products wrap --------------------------------------------------------- */

#define DDR_INTEGER_FN(name, number, carrier, none, combined)                                      \
  DDR_FN int64_t name(const number *x, int64_t n)                                                  \
  {                                                                                                \
    carrier so_far = none;                                                                         \
    for (int64_t k = 0; k < n; k++) {                                                              \
      const carrier next = (carrier)x[k];                                                          \
      so_far = combined;                                                                           \
    }                                                                                              \
    return (int64_t)so_far;                                                                        \
  }
DDR_INTEGER_FN(ddr_sum_of_ints, int32_t, uint64_t, 0, so_far + next)
DDR_INTEGER_FN(ddr_sum_of_longs, int64_t, uint64_t, 0, so_far + next)
DDR_INTEGER_FN(ddr_product_of_ints, int32_t, uint64_t, 1, so_far *next)
DDR_INTEGER_FN(ddr_product_of_longs, int64_t, uint64_t, 1, so_far *next)
DDR_INTEGER_FN(ddr_least_of_ints, int32_t, int32_t, INT32_MAX, next < so_far ? next : so_far)
DDR_INTEGER_FN(ddr_least_of_longs, int64_t, int64_t, INT64_MAX, next < so_far ? next : so_far)
DDR_INTEGER_FN(ddr_greatest_of_ints, int32_t, int32_t, INT32_MIN, next > so_far ? next : so_far)
DDR_INTEGER_FN(ddr_greatest_of_longs, int64_t, int64_t, INT64_MIN, next > so_far ? next : so_far)

/* --- truths ----------------------------------------------------------------------------------- */

DDR_INTEGER_FN(ddr_all_of, bool, uint8_t, 1, (uint8_t)(so_far &next))
DDR_INTEGER_FN(ddr_any_of, bool, uint8_t, 0, (uint8_t)(so_far | next))
#undef DDR_INTEGER_FN

/* order_free.h: reductions that may combine elements in any order: extremes, integers, truth
 * values.
 *
 * Lanes are independent, so that compilers can vectorise.  The result for no elements is the
 * identity. Functions of elements x, elements y (x again if there is one array) and a number a,
 * like those of tree.h.  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include <string.h>

#include "runtime/reduce/tree.h"

/* --- extremes of reals: NaN if there is one, -0 less than +0 ---------------------------------- */

/* Comparisons ignore NaN and the signs of zeros, so both are recorded: if zero is the least, any
 * negative sign is that of a zero; if it is the greatest, any positive sign is.
 *
 * wants_negative: among zeros of both signs, the negative one is the extreme. */
#define DDR_EXTREME_LANE(i, value, number, op, wants_negative)                                     \
  const int64_t k = i;                                                                             \
  const lane_number next = value;                                                                  \
  DDR_BITS_OF_##number bits;                                                                       \
  memcpy(&bits, &next, sizeof bits);                                                               \
  best[l] = next op best[l] ? next : best[l];                                                      \
  odd[l] = next == next ? odd[l] : 1;                                                              \
  signs[l] = (wants_negative) ? signs[l] | bits : signs[l] & bits;
#define DDR_BITS_OF_float uint32_t
#define DDR_BITS_OF_double uint64_t

#define DDR_EXTREME_FN(name, element, number, value, op, none, wants_negative)                     \
  DDR_FN double name(const element *x, const element *y, double a, int64_t n) {                    \
    typedef number lane_number;                                                                    \
    number best[DDR_TREE_LANES], sum = 0;                                                          \
    for (int l = 0; l < DDR_TREE_LANES; l++) best[l] = (number)(none);                             \
    number odd[DDR_TREE_LANES] = {0}; /* not 0 where a NaN has been */                             \
    DDR_BITS_OF_##number signs[DDR_TREE_LANES], its_signs = 0;                                     \
    if (!(wants_negative)) its_signs = ~its_signs;                                                 \
    for (int l = 0; l < DDR_TREE_LANES; l++) signs[l] = its_signs;                                 \
    int64_t row = 0;                                                                               \
    (void)y;                                                                                       \
    (void)a;                                                                                       \
    for (; row + DDR_TREE_LANES <= n; row += DDR_TREE_LANES) {                                     \
      for (int l = 0; l < DDR_TREE_LANES; l++) {                                                   \
        DDR_EXTREME_LANE(row + l, value, number, op, wants_negative)                               \
      }                                                                                            \
    }                                                                                              \
    for (int l = 0; row + l < n; l++) {                                                            \
      DDR_EXTREME_LANE(row + l, value, number, op, wants_negative)                                 \
    }                                                                                              \
    for (int l = 0; l < DDR_TREE_LANES; l++) {                                                     \
      best[0] = best[l] op best[0] ? best[l] : best[0];                                            \
      sum += odd[l];                                                                               \
      its_signs = (wants_negative) ? its_signs | signs[l] : its_signs & signs[l];                  \
    }                                                                                              \
    if (sum != 0) return (double)NAN;                                                              \
    if (best[0] != 0) return (double)best[0];                                                      \
    return its_signs >> (8 * sizeof its_signs - 1) != 0 ? -0.0 : 0.0;                              \
  }

/* Such extremes of each of n places in n_rows rows and in `extremes`, which stay in registers while
 * several rows are combined. */
#define DDR_EXTREME_ROW(row, number, value, op, wants_negative)                                    \
  {                                                                                                \
    const number *const x = (const number *)(const void *)(first + (row)*step);                    \
    DDR_EXTREME_LANE(place, value, number, op, wants_negative)                                     \
  }
#define DDR_EXTREME_2_ROWS(row, ...)                                                               \
  DDR_EXTREME_ROW(row, __VA_ARGS__) DDR_EXTREME_ROW(row + 1, __VA_ARGS__)
#define DDR_EXTREME_4_ROWS(row, ...)                                                               \
  DDR_EXTREME_2_ROWS(row, __VA_ARGS__) DDR_EXTREME_2_ROWS(row + 2, __VA_ARGS__)
#define DDR_EXTREME_8_ROWS(...)                                                                    \
  DDR_EXTREME_4_ROWS(0, __VA_ARGS__) DDR_EXTREME_4_ROWS(4, __VA_ARGS__)
#define DDR_EXTREME_ROWS_LOOP(number, wants_negative, rows)                                        \
  for (int64_t place = 0; place < n; place++) {                                                    \
    enum { l = 0 };                                                                                \
    number best[1] = {extremes[place]}, odd[1] = {extremes[place] != extremes[place]};             \
    DDR_BITS_OF_##number signs[1];                                                                 \
    memcpy(signs, best, sizeof signs);                                                             \
    rows;                                                                                          \
    const bool is_negative = signs[0] >> (8 * sizeof signs - 1) != 0;                              \
    const number zero = is_negative ? -(number)0 : (number)0;                                      \
    const number extreme = best[0] != 0 ? best[0] : zero;                                          \
    extremes[place] = odd[0] != 0 ? (number)NAN : extreme;                                         \
  }
#define DDR_EXTREME_ROWS_FN(name, number, value, op, wants_negative)                               \
  DDR_FN void name(const void *rows, int64_t step, int64_t n_rows, void *elements, int64_t n) {    \
    typedef number lane_number;                                                                    \
    const char *first = (const char *)rows;                                                        \
    number *const extremes = (number *)elements;                                                   \
    for (; n_rows >= 8; n_rows -= 8, first += 8 * step)                                            \
      DDR_EXTREME_ROWS_LOOP(number, wants_negative,                                                \
                            DDR_EXTREME_8_ROWS(number, value, op, wants_negative))                 \
    for (; n_rows > 0; n_rows--, first += step)                                                    \
      DDR_EXTREME_ROWS_LOOP(number, wants_negative,                                                \
                            DDR_EXTREME_ROW(0, number, value, op, wants_negative))                 \
  }
DDR_EXTREME_FN(ddr_least_of_floats, float, float, x[k], <, INFINITY, true)
DDR_EXTREME_FN(ddr_least_of_doubles, double, double, x[k], <, INFINITY, true)
DDR_EXTREME_FN(ddr_greatest_of_floats, float, float, x[k], >, -INFINITY, false)
DDR_EXTREME_FN(ddr_greatest_of_doubles, double, double, x[k], >, -INFINITY, false)

/* --- integers: sums and products wrap --------------------------------------------------------- */

/* `combined` is computed from `so_far` and `next`, both of type carrier; `next` comes from x[k]. */
#define DDR_INTEGER_FN(name, element, carrier, none, value, combined)                              \
  DDR_FN int64_t name(const element *x, const element *y, double a, int64_t n) {                   \
    carrier so_far = none;                                                                         \
    (void)y;                                                                                       \
    (void)a;                                                                                       \
    for (int64_t k = 0; k < n; k++) {                                                              \
      const carrier next = (carrier)(value);                                                       \
      so_far = combined;                                                                           \
    }                                                                                              \
    return (int64_t)so_far;                                                                        \
  }
#define DDR_LEAST_INTEGER (next < so_far ? next : so_far)
#define DDR_GREATEST_INTEGER (next > so_far ? next : so_far)
DDR_INTEGER_FN(ddr_sum_of_ints, int32_t, uint64_t, 0, x[k], so_far + next)
DDR_INTEGER_FN(ddr_sum_of_longs, int64_t, uint64_t, 0, x[k], so_far + next)
DDR_INTEGER_FN(ddr_product_of_ints, int32_t, uint64_t, 1, x[k], so_far *next)
DDR_INTEGER_FN(ddr_product_of_longs, int64_t, uint64_t, 1, x[k], so_far *next)
DDR_INTEGER_FN(ddr_least_of_ints, int32_t, int32_t, INT32_MAX, x[k], DDR_LEAST_INTEGER)
DDR_INTEGER_FN(ddr_least_of_longs, int64_t, int64_t, INT64_MAX, x[k], DDR_LEAST_INTEGER)
DDR_INTEGER_FN(ddr_greatest_of_ints, int32_t, int32_t, INT32_MIN, x[k], DDR_GREATEST_INTEGER)
DDR_INTEGER_FN(ddr_greatest_of_longs, int64_t, int64_t, INT64_MIN, x[k], DDR_GREATEST_INTEGER)

/* --- truths ----------------------------------------------------------------------------------- */

DDR_INTEGER_FN(ddr_all_of, bool, uint8_t, 1, x[k], (uint8_t)(so_far &next))
DDR_INTEGER_FN(ddr_any_of, bool, uint8_t, 0, x[k], (uint8_t)(so_far | next))

/* kernels_set.h: the rows of terms.def as functions, one for each element type of their kinds; for
 * one instruction set (sets.h). */
#include "runtime/reduce/kernels.h"

#include <string.h>

#include "runtime/element/complex.h"
#include "runtime/element/each_element.h"
#include "runtime/element/moduli.h"
#include "runtime/element/sets.h"
#include "runtime/element/truth.h"
#include "runtime/reduce/order_free.h"
#if defined(DDR_SET)
#include "runtime/reduce/lines_set.h"

/* --- complex numbers -------------------------------------------------------------------------- */

/* The extreme element is found by comparison, so each element is a block of its own. */
#define FARTHEST_FN(id, type, part, term, combine)                                                 \
  static ddr_partial term##_##id(const void *elements, const void *others, double a, int64_t n) {  \
    const type *x = elements;                                                                      \
    ddr_partial best = {.re = R(x[0].re), .im = R(x[0].im), .modulus = R(ddr_modulus(x[0]))};      \
    (void)others;                                                                                  \
    (void)a;                                                                                       \
    for (int64_t k = 1; k < n; k++) {                                                              \
      const ddr_partial next = {                                                                   \
          .re = R(x[k].re), .im = R(x[k].im), .modulus = R(ddr_modulus(x[k]))};                    \
      best = ddr_partial_##combine(best, next);                                                    \
    }                                                                                              \
    return best;                                                                                   \
  }

/* The greatest modulus has the greatest square, so one root suffices, since roots are monotonic.
 * There is at least one element: with none, the result would be the root of -1. */
#define MODULUS_FN(id, type, part, term) MODULUS_OF_##id(term)
#define MODULUS_OF_CFLOAT(term)                                                                    \
  DDR_EXTREME_FN(square_of_##term##_CFLOAT, ddr_complex_float, double,                             \
                 R(x[k].re) * R(x[k].re) + R(x[k].im) * R(x[k].im), >, -1, false)                  \
  KERNEL_FN(term##_CFLOAT, ddr_complex_float,                                                      \
            .re = R((float)sqrt(square_of_##term##_CFLOAT(x, y, a, n))))
#define MODULUS_OF_CDOUBLE(term)                                                                   \
  DDR_EXTREME_FN(square_of_##term##_CDOUBLE, ddr_complex_double, double,                           \
                 ddr_unscaled_square(x[k]), >, -1, false)                                          \
  DDR_EXTREME_FN(extreme_of_##term##_CDOUBLE, ddr_complex_double, double, ddr_modulus(x[k]), >,    \
                 -1, false)                                                                        \
  KERNEL_FN(term##_CDOUBLE, ddr_complex_double,                                                    \
            .re = ddr_need_no_scale(&x->re, 2 * n) ? sqrt(square_of_##term##_CDOUBLE(x, y, a, n))  \
                                                   : extreme_of_##term##_CDOUBLE(x, y, a, n))

/* --- functions -------------------------------------------------------------------------------- */

#define KERNEL_FN(name, type, result)                                                              \
  static ddr_partial name(const void *elements, const void *others, double a, int64_t n) {         \
    const type *x = elements, *y = others;                                                         \
    return (ddr_partial){result};                                                                  \
  }

/* --- tables of functions ---------------------------------------------------------------------- */

#define SUM_FN(id, term, ...)                                                                      \
  static double sum_of_##term##_##id(const void *elements, const void *others, double a,           \
                                     int64_t n) {                                                  \
    (void)others;                                                                                  \
    __VA_ARGS__                                                                                    \
  }

#define TREE_FN(id, type, part, term, value, pair)                                                 \
  DDR_TREE_BLOCK_FN(re_of_##term##_##id, type, +, 0, value)                                        \
  SUM_FN(id, term, const type *x = elements, *y = others; return re_of_##term##_##id(x, y, a, n);) \
  OTHER_SUMS_FN(id, type, term, value, pair)

/* All moduli of a block are made before, by a function of which compilers do not ask how many. */
#define MODULI_FN(id, type, part, term, value, pair)                                               \
  __attribute__((noinline)) static void moduli_of_##id(const type *x, part *moduli, int64_t n) {   \
    ddr_moduli_of_##id(x, moduli, n);                                                              \
  }                                                                                                \
  SUM_FN(id, term, part moduli[DDR_TREE_BLOCK]; moduli_of_##id(elements, moduli, n);               \
         return ddr_tree_sum_of_##part##s(moduli, moduli, a, n);)                                  \
  OTHER_SUMS_FN(id, type, term, value, pair)

#define OTHER_SUMS_FN(id, type, term, value, pair)                                                 \
  LINES_FN(id, type, term, value)                                                                  \
  DDR_PAIR_BLOCK_FN(re_pair_of_##term##_##id, type, pair)                                          \
  KERNEL_FN(term##_##id, type, .re = sum_of_##term##_##id(x, y, a, n))                             \
  static ddr_partial pairs_##term##_##id(const void *x, const void *y, double a, int64_t n) {      \
    const ddr_pair re = re_pair_of_##term##_##id(x, y, a, n);                                      \
    return (ddr_partial){.re = re.sum, .re_error = re.error};                                      \
  }

#define TREES_FN(id, type, part, term, re_value, re_term, im_value, im_term)                       \
  DDR_TREE_BLOCK_FN(re_of_##term##_##id, type, +, 0, re_value)                                     \
  DDR_TREE_BLOCK_FN(im_of_##term##_##id, type, +, 0, im_value)                                     \
  DDR_PAIR_BLOCK_FN(re_pair_of_##term##_##id, type, re_term)                                       \
  DDR_PAIR_BLOCK_FN(im_pair_of_##term##_##id, type, im_term)                                       \
  static ddr_partial term##_##id(const void *x, const void *y, double a, int64_t n) {              \
    const double re = re_of_##term##_##id(x, y, a, n), im = im_of_##term##_##id(x, y, a, n);       \
    return (ddr_partial){.re = re, .im = im};                                                      \
  }                                                                                                \
  static ddr_partial pairs_##term##_##id(const void *x, const void *y, double a, int64_t n) {      \
    const ddr_pair re = re_pair_of_##term##_##id(x, y, a, n);                                      \
    const ddr_pair im = im_pair_of_##term##_##id(x, y, a, n);                                      \
    return (ddr_partial){.re = re.sum, .re_error = re.error, .im = im.sum, .im_error = im.error};  \
  }

#define PRODUCT_FN(id, type, part, term)                                                           \
  DDR_TREE_BLOCK_FN(product_of_##id, type, *, 1, R(x[k]))                                          \
  KERNEL_FN(term##_##id, type, .re = product_of_##id(x, y, a, n))

#define EXTREME_FN(id, type, part, term, value, op, none, negative, combine)                       \
  DDR_EXTREME_FN(extreme_of_##term##_##id, type, part, value, op, none, negative)                  \
  DDR_EXTREME_ROWS_FN(rows_of_##term##_##id, type, value, op, negative)                            \
  KERNEL_FN(term##_##id, type, .re = extreme_of_##term##_##id(x, y, a, n))

#define INTEGER_FN(id, type, part, term, carrier, none, value, combined, combine)                  \
  DDR_INTEGER_FN(integer_of_##term##_##id, type, carrier, none, value, combined)                   \
  KERNEL_FN(term##_##id, type, .integer = integer_of_##term##_##id(x, y, a, n))

/* There is at least one element, and combining it twice does not matter, so it initialises several
 * vectors of lanes. */
enum { NARROW_BYTES = 128 };

#define NARROW_STEP(type, element, combined)                                                       \
  {                                                                                                \
    const type next = element;                                                                     \
    so_far = combined;                                                                             \
  }
#define NARROW_FN(id, type, part, term, carrier, none, value, combined, combine)                   \
  static ddr_partial term##_##id(const void *elements, const void *others, double a, int64_t n) {  \
    const type *x = elements;                                                                      \
    const int64_t n_lanes = NARROW_BYTES / (int64_t)sizeof(type), n_rows = n / n_lanes;            \
    type lanes[NARROW_BYTES / sizeof(type)], so_far;                                               \
    (void)others;                                                                                  \
    (void)a;                                                                                       \
    for (int64_t l = 0; l < n_lanes; l++) lanes[l] = DDR_VALUE(x[0]);                              \
    for (int64_t row = 0; row < n_rows; row++) {                                                   \
      const type *const its = x + row * n_lanes;                                                   \
      for (int64_t l = 0; l < n_lanes; l++) {                                                      \
        so_far = lanes[l];                                                                         \
        NARROW_STEP(type, DDR_VALUE(its[l]), combined)                                             \
        lanes[l] = so_far;                                                                         \
      }                                                                                            \
    }                                                                                              \
    so_far = lanes[0];                                                                             \
    for (int64_t l = 1; l < n_lanes; l++) NARROW_STEP(type, lanes[l], combined)                    \
    for (int64_t k = n_rows * n_lanes; k < n; k++) NARROW_STEP(type, DDR_VALUE(x[k]), combined)    \
    return (ddr_partial){.integer = (int64_t)(carrier)so_far};                                     \
  }

/* Computed on negative absolute values, since an integer type has room for all of these. */
#define MAGNITUDES_FN(id, type, part, term)                                                        \
  static ddr_partial term##_##id(const void *elements, const void *others, double a, int64_t n) {  \
    const type *x = elements;                                                                      \
    type least = 0;                                                                                \
    (void)others;                                                                                  \
    (void)a;                                                                                       \
    for (int64_t k = 0; k < n; k++) {                                                              \
      const type below = x[k] < 0 ? x[k] : (type)-x[k];                                            \
      least = below < least ? below : least;                                                       \
    }                                                                                              \
    return (ddr_partial){.integer = (int64_t)(0 - (uint64_t)least)};                               \
  }

#define WIDE_BLOCK_FN(id, type, part, term, is_negative, size)                                     \
  DDR_WIDE_FN(wide_of_##term##_##id, type, is_negative, size)                                      \
  static ddr_partial term##_##id(const void *x, const void *y, double a, int64_t n) {              \
    (void)y;                                                                                       \
    (void)a;                                                                                       \
    return (ddr_partial){.wide = wide_of_##term##_##id(x, n)};                                     \
  }

#define TREE(term, kinds, ...) DDR_EACH_##kinds(TREE_FN, term, __VA_ARGS__)
#define MODULI(term, kinds, ...) DDR_EACH_##kinds(MODULI_FN, term, __VA_ARGS__)
#define TREES(term, kinds, ...) DDR_EACH_##kinds(TREES_FN, term, __VA_ARGS__)
#define PRODUCT(term, kinds) DDR_EACH_##kinds(PRODUCT_FN, term)
#define PRODUCTS(term, kinds)
#define EXTREME(term, kinds, ...) DDR_EACH_##kinds(EXTREME_FN, term, __VA_ARGS__)
#define MODULUS(term, kinds) DDR_EACH_##kinds(MODULUS_FN, term)
#define FARTHEST(term, kinds, ...) DDR_EACH_##kinds(FARTHEST_FN, term, __VA_ARGS__)
#define INTEGER(term, kinds, ...) DDR_EACH_##kinds(INTEGER_FN, term, __VA_ARGS__)
#define NARROW(term, kinds, ...) DDR_EACH_##kinds(NARROW_FN, term, __VA_ARGS__)
#define MAGNITUDES(term, kinds) DDR_EACH_##kinds(MAGNITUDES_FN, term)
#define WIDE(term, kinds, ...) DDR_EACH_##kinds(WIDE_BLOCK_FN, term, __VA_ARGS__)
#include "runtime/reduce/terms.def"

/* --- table ------------------------------------------------------------------------------------ */

#define KERNELS(id, term, ...)                                                                     \
  [DDR_TERM_##term][DDR_ELEMENT_##id] = {.plain = {term##_##id, __VA_ARGS__}
#define EXTREME_ROW(id, type, part, term, combine)                                                 \
  KERNELS(id, term, ddr_partial_##combine, true, NULL, NULL, rows_of_##term##_##id, NULL)          \
  }                                                                                                \
  ,
#define TREE_ROW(id, type, part, term)                                                             \
  KERNELS(id, term, ddr_partial_add, false, lines_##term##_##id, sum_of_##term##_##id, NULL,       \
          lanes_##term##_##id),                                                                    \
      .compensated = {pairs_##term##_##id, ddr_partial_add_pairs, false, NULL, NULL, NULL, NULL}   \
  }                                                                                                \
  ,
#define TREES_ROW(id, type, part, term)                                                            \
  KERNELS(id, term, ddr_partial_add, false, NULL, NULL, NULL, NULL),                               \
      .compensated = {pairs_##term##_##id, ddr_partial_add_pairs, false, NULL, NULL, NULL, NULL}   \
  }                                                                                                \
  ,
#define PRODUCT_ROW(id, type, part, term)                                                          \
  KERNELS(id, term, ddr_partial_multiply, false, NULL, NULL, NULL, NULL)                           \
  }                                                                                                \
  ,
#define PRODUCTS_ROW(id, type, part, term)                                                         \
  [DDR_TERM_##term][DDR_ELEMENT_##id] = {                                                          \
      .plain = {ddr_product_of_##id, ddr_multiply_products, false, NULL, NULL, NULL, NULL}},
#define ROW(id, type, part, term, is_free, combine)                                                \
  KERNELS(id, term, ddr_partial_##combine, is_free, NULL, NULL, NULL, NULL)                        \
  }                                                                                                \
  ,

#define TREE(term, kinds, ...) DDR_EACH_##kinds(TREE_ROW, term)
#define MODULI(term, kinds, ...) DDR_EACH_##kinds(TREE_ROW, term)
#define TREES(term, kinds, ...) DDR_EACH_##kinds(TREES_ROW, term)
#define PRODUCT(term, kinds) DDR_EACH_##kinds(PRODUCT_ROW, term)
#define PRODUCTS(term, kinds) DDR_EACH_##kinds(PRODUCTS_ROW, term)
#define EXTREME(term, kinds, value, op, none, negative, combine)                                   \
  DDR_EACH_##kinds(EXTREME_ROW, term, combine)
#define MODULUS(term, kinds) DDR_EACH_##kinds(ROW, term, true, greater)
#define FARTHEST(term, kinds, combine) DDR_EACH_##kinds(ROW, term, false, combine)
#define INTEGER(term, kinds, carrier, none, value, combined, combine)                              \
  DDR_EACH_##kinds(ROW, term, true, combine)
#define NARROW(term, kinds, carrier, none, value, combined, combine)                               \
  DDR_EACH_##kinds(ROW, term, true, combine)
#define MAGNITUDES(term, kinds) DDR_EACH_##kinds(ROW, term, true, greater_natural)
#define WIDE(term, kinds, ...) DDR_EACH_##kinds(ROW, term, true, add_wide)

const ddr_reduce_kernels DDR_OF_SET(ddr_reduce_kernels)[DDR_TERM_COUNT][DDR_ELEMENT_COUNT] = {
#include "runtime/reduce/terms.def"
};
#endif

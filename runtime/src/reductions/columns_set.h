/* columns_set.h: reduces the values of a block of members, which lie in a column; for one set of
 * instructions (runtime/element/sets.h).
 *
 * Built without contraction, see runtime/reduce/tree.h.  Read next: runtime/reduce/order_free.h.
 */
#include "runtime/reduce/order_free.h"

#include "runtime/element/sets.h"
#include "set_reduction.h"

#if defined(DDR_SET)
static double reduce_floats(ddr_reduction reduction, const float *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_floats(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_floats(x, x, 0, n);
  return ddr_tree_floats(ddr_tree_op_of(reduction), x, n);
}

static double reduce_doubles(ddr_reduction reduction, const double *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_doubles(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_doubles(x, x, 0, n);
  return ddr_tree_doubles(ddr_tree_op_of(reduction), x, n);
}

static int64_t reduce_ints(ddr_reduction reduction, const int32_t *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_ints(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_ints(x, x, 0, n);
  return reduction == DDR_SUM ? ddr_sum_of_ints(x, x, 0, n) : ddr_product_of_ints(x, x, 0, n);
}

static int64_t reduce_longs(ddr_reduction reduction, const int64_t *x, int64_t n) {
  if (reduction == DDR_MIN) return ddr_least_of_longs(x, x, 0, n);
  if (reduction == DDR_MAX) return ddr_greatest_of_longs(x, x, 0, n);
  return reduction == DDR_SUM ? ddr_sum_of_longs(x, x, 0, n) : ddr_product_of_longs(x, x, 0, n);
}

ddr_partial DDR_OF_SET(ddr_reduce_column)(const ddr_program *program, const ddr_set_result *what,
                                          const void *column, int64_t n) {
  const ddr_reduction reduction = what->reduction;
  if (what->kind == DDR_BOOL) {
    const bool *x = column;
    const bool is_all = reduction == DDR_ALL;
    return (ddr_partial){.integer = is_all ? ddr_all_of(x, x, 0, n) : ddr_any_of(x, x, 0, n)};
  }
  if (what->kind == DDR_INT) {
    if (program->int_size == 8) return (ddr_partial){.integer = reduce_longs(reduction, column, n)};
    return (ddr_partial){.integer = reduce_ints(reduction, column, n)};
  }
  if (program->real_size == 8) return (ddr_partial){.re = reduce_doubles(reduction, column, n)};
  return (ddr_partial){.re = reduce_floats(reduction, column, n)};
}
#endif

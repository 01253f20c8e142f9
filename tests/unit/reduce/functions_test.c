/* The functions of all reductions by name, on three numbers, against their definitions. */
#include "runtime/reduce/reduce.h"
#include "tests/unit/test.h"

static double numbers[] = {3, -1, 2}, others[] = {1, 4, -2};
static bool bools[] = {true, false, true};
static const ddr_ndview x = {DDR_ELEMENT_DOUBLE, numbers, {1, 0, {3}, {1}}, DDR_HOST, NULL};
static const ddr_ndview y = {DDR_ELEMENT_DOUBLE, others, {1, 0, {3}, {1}}, DDR_HOST, NULL};
static const ddr_ndview truths = {DDR_ELEMENT_BOOL, bools, {1, 0, {3}, {1}}, DDR_HOST, NULL};

static void check_real(ddr_array_status status, const ddr_number *found, double want) {
  CHECK_EQ(status, DDR_ARRAY_OK);
  CHECK_EQ(found->type, DDR_ELEMENT_DOUBLE);
  CHECK_NEAR(found->re, want, 1e-15);
}

static void check_integer(ddr_array_status status, const ddr_number *found, ddr_element type,
                          int64_t want) {
  CHECK_EQ(status, DDR_ARRAY_OK);
  CHECK_EQ(found->type, type);
  CHECK_EQ(found->integer, want);
}

static void reals(void) {
  ddr_number result;
  check_real(ddr_reduce_sum(&x, NULL, &result), &result, 4);
  check_real(ddr_reduce_l1(&x, NULL, &result), &result, 6);
  check_real(ddr_reduce_squared_l2(&x, NULL, &result), &result, 14);
  check_real(ddr_reduce_l2(&x, NULL, &result), &result, sqrt(14));
  check_real(ddr_reduce_linf(&x, NULL, &result), &result, 3);
  check_real(ddr_reduce_min_element(&x, NULL, &result), &result, -1);
  check_real(ddr_reduce_max_element(&x, NULL, &result), &result, 3);
  check_real(ddr_reduce_product(&x, NULL, &result), &result, -6);
  check_real(ddr_reduce_mean(&x, NULL, &result), &result, 4.0 / 3);
  check_real(ddr_reduce_variance(&x, NULL, &result), &result, 26.0 / 9);
  check_integer(ddr_reduce_l0(&x, NULL, &result), &result, DDR_ELEMENT_INT64, 3);
  check_real(ddr_reduce_dot(&x, &y, NULL, &result), &result, 3 - 4 - 4);
}

static void truth_values(void) {
  ddr_number result;
  check_integer(ddr_reduce_all(&truths, NULL, &result), &result, DDR_ELEMENT_BOOL, 0);
  check_integer(ddr_reduce_any(&truths, NULL, &result), &result, DDR_ELEMENT_BOOL, 1);
  check_integer(ddr_reduce_count(&truths, NULL, &result), &result, DDR_ELEMENT_INT64, 2);
}

int main(void) {
  RUN(reals);
  RUN(truth_values);
  return test_result();
}

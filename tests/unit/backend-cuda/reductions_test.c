/* Reductions of ranges in strands: what their code is told of the number of values, and in which
 * order a loop visits them. */
#include "tests/unit/backend-cuda/device_code.h"

/* The code of a strand whose update method forms a sum. */
static const char *code_of(Cx *cx, const char *sum) {
  const char *text = text_format(cx->arena,
                                 "#version 2.0\n"
                                 "function real told (int k) { print(k); return real(k); }\n"
                                 "strand s (int i) {\n"
                                 "  output real x = 0.0;\n"
                                 "  update { x = %s; stabilize; }\n"
                                 "}\n"
                                 "create_array { s(i) | i in 0..9 }\n",
                                 sum);
  return device_code(cx, text);
}

static void check_code(const char *sum, const char *has, const char *lacks) {
  Cx *cx = test_cx();
  cx->is_long_int = true;
  const char *code = code_of(cx, sum);
  CHECK(strstr(code, has) != NULL);
  CHECK(strstr(code, lacks) == NULL);
  cx_free(cx);
}

static void numbers_of_values_fit(void) {
  check_code("sum { real(k*i) | k in 3..7 }", "DDR_SUM, 5)", "INT64_MAX");
  check_code("sum { real(k*i) | k in 7..3 }", "DDR_SUM, 0)", "INT64_MAX");
  check_code("sum { real(k*i) | k in 1..9223372036854775807 }", "DDR_SUM, 9223372036854775807",
             "(-");
  check_code("sum { real(k*i) | k in 0..9223372036854775807 }", "DDR_SUM, INT64_MAX)", "(-");
}

static void values_that_print_are_visited_in_order(void) {
  check_code("sum { real(k*i) | k in 0..i }", "ddr_turns_take(", "ddr_ordered_reals");
  check_code("sum { told(k*i) | k in 0..i }", "ddr_ordered_reals_add(", "ddr_turns_take(");
  check_code("product { told(k*i) | k in 0..i }", "ddr_ordered_reals_add(", "ddr_turns_take(");
}

int main(void) {
  RUN(numbers_of_values_fit);
  RUN(values_that_print_are_visited_in_order);
  return test_result();
}

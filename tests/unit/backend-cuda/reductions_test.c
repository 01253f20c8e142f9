/* Reductions of ranges in strands: what their code is told of the number of values. */
#include "tests/unit/backend-cuda/device_code.h"

/* The code of a strand whose update method forms a sum. */
static const char *code_of(Cx *cx, const char *sum) {
  const char *text = text_format(cx->arena,
                                 "#version 2.0\n"
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

int main(void) {
  RUN(numbers_of_values_fit);
  return test_result();
}

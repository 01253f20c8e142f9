/* Conditionals in field functions: values and derivatives of both sides, as lowered by from_tast,
 * after differentiation and at LOW, against C functions. */
#include "tests/unit/high/program_case.h"

typedef double Expected(double x);

/* Checks r of the strands at x = i - 4.5, as in the program; no condition changes at any of these
 * x. */
static void check_levels(const char *text, Expected *expected) {
  Run run = run_program(text);
  for (int level = 0; level < 3; level++) {
    run_globals(&run);
    for (int i = 0; i <= 9; i++) {
      run_strand(&run, i, 1);
      CHECK_NEAR(run_state(&run, "r"), expected(i - 4.5), 1e-11);
    }
    if (level == 0) run_pass_on_all(&run, pass_differentiate);
    else run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  }
  run_free(&run);
}

#define STRAND(value)                                                                              \
  "strand s (int i) {\n"                                                                           \
  "  real x = i - 4.5;\n"                                                                          \
  "  output real r = 0;\n"                                                                         \
  "  update { r = " value "; stabilize; }\n"                                                       \
  "}\n"                                                                                            \
  "create_array { s(i) | i in 0..9 }\n"

static double hat(double x) {
  double y = x < -1 ? 0 : x > 1 ? 5 : x * x * x;
  double slope = x < -1 || x > 1 ? 0 : 3 * x * x;
  return y + 10 * slope + 100 * (x < -1 || x > 1 ? 0 : 6 * x);
}

static void derivatives_are_those_of_the_side(void) {
  check_levels("#version 2.0\n"
               "field#2(1)[] F(x) = 0.0 if x < -1 else (5.0 if x > 1 else x*x*x);\n" STRAND(
                   "F(x) + 10*(∇F)(x) + 100*(∇(∇F))(x)"),
               hat);
}

static double logic(double x) {
  double y = (x > 0 && x < 3) || x == -2.25 ? x : 2 * x;
  return y + (!(x <= 0) ? 100 : 0) + ((x >= 1) == (x != 2.25) ? 1000 : 0);
}

static void conditions_combine(void) {
  check_levels(
      "#version 2.0\n"
      "field#0(1)[] F(x) = x if (x > 0 && x < 3) || x == -2.25 else 2*x;\n"
      "field#0(1)[] G(x) = 100 if !(x <= 0) else 0;\n"
      "field#0(1)[] H(x) = 1000 if (x >= 1) == (x != 2.25) else 0;\n" STRAND("F(x) + G(x) + H(x)"),
      logic);
}

static double planes(double x) {
  double p[2] = {x, 2 * x}, v[2] = {p[1], p[0]};
  if (p[0] + p[1] > 4) v[0] = p[0] * p[0], v[1] = 1;
  double divergence = p[0] + p[1] > 4 ? 2 * p[0] : 0;
  return v[0] + 10 * v[1] + 100 * divergence + (x > 0 ? 7 : x);
}

/* Vectors, a condition on another field, a global that is known only at run time, and a function
 * with a conditional of its own. */
static void sides_are_any_fields(void) {
  check_levels("#version 2.0\n"
               "bool swap = true;\n"
               "function real ramp (real t) = 7.0 if t > 0 else t;\n"
               "field#2(2)[] sum(x) = x[0] + x[1];\n"
               "field#2(2)[2] V(x) = [x[0]*x[0], 1] if sum(x) > 4 else ([x[1], x[0]] if swap else "
               "x);\n"
               "field#2(1)[] W(t) = ramp(t);\n" STRAND(
                   "V([x, 2*x])[0] + 10*V([x, 2*x])[1] + 100*(∇•V)([x, 2*x]) + W(x)"),
               planes);
}

/* The evaluator of HIGH cannot decide what depends on rounding. */
static void equal_means_equal(void) {
  Run run = run_program(
      "#version 2.0\n"
      "field#0(1)[] F(x) = 1.0 if x == 2.5 else 2.0;\n"
      "field#0(1)[] G(x) = 10.0 if x != 2.5 else 20.0;\n"
      "field#0(1)[] H(x) = 100.0 if x <= 2.5 else 200.0;\n" STRAND("F(x) + G(x) + H(x)"));
  run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  run_strand(&run, 7, 1);
  CHECK_NEAR(run_state(&run, "r"), 121, 0);
  run_strand(&run, 8, 1);
  CHECK_NEAR(run_state(&run, "r"), 212, 0);
  run_free(&run);
}

/* Where the choice is known, the operands of the condition are not computed. */
static void truth_costs_no_arithmetic(void) {
  Run run = run_program("#version 2.0\n"
                        "field#2(1)[] F(x) = x if x > 0 else 3.0*x;\n" STRAND("F(x)"));
  run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  CHECK_EQ(run_count(&run, OP_SELECT), 1);
  CHECK_EQ(run_count(&run, OP_RLT), 1);
  run_free(&run);
}

int main(void) {
  RUN(derivatives_are_those_of_the_side);
  RUN(conditions_combine);
  RUN(sides_are_any_fields);
  RUN(equal_means_equal);
  RUN(truth_costs_no_arithmetic);
  return test_result();
}

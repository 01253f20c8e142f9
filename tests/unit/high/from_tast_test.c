/* from_tast and inline_calls: programs mean the same as C functions, before and after calls are
 * inlined. */
#include "tests/unit/high/program_case.h"

#define STRAND_END "create_array { s(i) | i in 0..9 }\n"

typedef double Expected(double i);

/* Checks state variable r of every strand, as lowered and with calls inlined. */
static void check_program(const char *text, Expected *expected, uint32_t n_calls_left) {
  Run run = run_program(text);
  for (uint32_t round = 0; round < 2; round++) {
    run_globals(&run);
    for (int i = 0; i <= 9; i++) {
      run_strand(&run, i, 20);
      CHECK_NEAR(run_state(&run, "r"), expected(i), 1e-12);
    }
    if (round == 0) run_pass_on_all(&run, pass_inline_calls);
  }
  CHECK_EQ(run_count(&run, OP_CALL), n_calls_left);
  run_free(&run);
}

/* ---- variables and control ------------------------------------------------------------------- */

static double branches(double i) {
  double r = i > 3 ? (i > 6 ? 1 : i) : 10 + i;
  return r + (i == 5 ? 100 : 0);
}

static void values_meet_behind_branches(void) {
  check_program("#version 2.0\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  update {\n"
                "    if (i > 3) { if (i > 6) r = 1; else { r = i; } } else { r = 10 + i; }\n"
                "    real unset;\n"
                "    if (i == 5) { unset = 100; r += unset; }\n"
                "    stabilize;\n"
                "  }\n"
                "}\n" STRAND_END,
                branches, 0);
}

static double loops(double i) {
  double sum = 0, product = 1;
  for (int j = 1; j <= i; j++) {
    for (int k = 0; k <= 2; k++) sum += j * k;
    product *= 2;
  }
  return sum + product;
}

static void loops_carry_what_they_assign(void) {
  check_program(
      "#version 2.0\n"
      "strand s (int i) {\n"
      "  output real r = 0;\n"
      "  update {\n"
      "    int total = 0; real power = 1;\n"
      "    foreach (int j in 1..i) { foreach (int k in 0..2) { total += j*k; } power *= 2; }\n"
      "    r = total + power;\n"
      "    stabilize;\n"
      "  }\n"
      "}\n" STRAND_END,
      loops, 0);
}

static double one_way(double i) {
  double r = i;
  if (i > 7) return r;
  r = i > 2 ? 3 * i : 5;
  return r + (i > 5 ? 1 : r);
}

/* Values that the continuing arm assigns are known after the if. */
static void values_survive_an_arm_that_leaves(void) {
  check_program("#version 2.0\n"
                "strand s (int i) {\n"
                "  output real r = i;\n"
                "  update {\n"
                "    if (i > 7) { stabilize; } else { if (i > 2) r = 3*i; else r = 5; }\n"
                "    real more;\n"
                "    if (i <= 5) { more = r; } else { r += 1; stabilize; }\n"
                "    r += more;\n"
                "    stabilize;\n"
                "  }\n"
                "}\n" STRAND_END,
                one_way, 0);
}

/* Counts steps until n exceeds 3: continue skips the rest, stabilize inside a loop ends the
 * method. */
static double exits(double i) {
  double r = 0, n = 0;
  for (;;) {
    n++;
    if (n == 2) continue;
    r += 1;
    for (int j = 0; j <= 5; j++) {
      if (n + j > 7) return -(r + j + i);
    }
  }
}

static void methods_leave_from_anywhere(void) {
  check_program("#version 2.0\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  int n = 0;\n"
                "  update {\n"
                "    n += 1;\n"
                "    if (n == 2) continue;\n"
                "    r += 1;\n"
                "    foreach (int j in 0..5) { if (n + j > 7) { r += j; stabilize; } }\n"
                "  }\n"
                "  stabilize { r = -(r + i); }\n"
                "}\n" STRAND_END,
                exits, 0);
}

static double created(double i) { return (i > 3 ? 2 : i + 1) * 3 + i; }

static void strands_start_from_arguments_and_initialize(void) {
  check_program("#version 2.0\n"
                "real factor;\n"
                "real offset = 2;\n"
                "initialize { factor = offset + 1; }\n"
                "strand s (int a, real unused) {\n"
                "  output real r = 0;\n"
                "  real k = unused;\n"
                "  initialize { if (a > 3) { k = 2; } }\n"
                "  update { r = k*factor + a; stabilize; }\n"
                "}\n"
                "create_array { s(i, i + 1) | i in 0..9 }\n",
                created, 0);
}

static void parameters_are_state_only_where_methods_read_them(void) {
  Run run = run_program("#version 2.0\n"
                        "strand s (int a, real b) {\n"
                        "  output real r = b;\n"
                        "  update { r += a; stabilize; }\n"
                        "}\n"
                        "create_array { s(i, 2*i) | i in 0..9 }\n");
  CHECK_EQ(run.m->state.len, 2);
  CHECK_STR(run.m->state.data[0].name->text, "a");
  CHECK_STR(run.m->state.data[1].name->text, "r");
  run_free(&run);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static double logic(double i) {
  double r = i > 2 && i < 6 ? 1 : 0;
  r += i < 2 || sqrt(i) * i + i * i + i * 2 + i / 3 > 100 ? 10 : 0;
  return r + (i > 4 ? i * i : -i) + pow(i, 3) + pow(2, -i);
}

static void conditions_choose(void) {
  check_program("#version 2.0\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  update {\n"
                "    real x = i;\n"
                "    r = 1 if i > 2 && i < 6 else 0;\n"
                "    r += 10 if i < 2 || sqrt(x)*x + x*x + x*2 + x/3 > 100 else 0;\n"
                "    r += (i*i if i > 4 else -i) + x^3 + 2.0^(-i);\n"
                "    stabilize;\n"
                "  }\n"
                "}\n" STRAND_END,
                logic, 0);
}

static double tensors(double i) {
  double m[2][2] = {{i, 2}, {3, i * i}};
  return m[0][1] * m[1][1] + m[0][0] + m[1][1] + (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
}

static void tensors_are_built_and_sliced(void) {
  check_program("#version 2.0\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  update {\n"
                "    mat2 m = [[i, 2], [3, i*i]];\n"
                "    vec2 column = m[:,1];\n"
                "    r = m[0,1]*column[1] + trace(m + zeros[2,2]) + det(m);\n"
                "    stabilize;\n"
                "  }\n"
                "}\n" STRAND_END,
                tensors, 0);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static double early(double a) {
  if (a > 5) return 2;
  double b = a * a;
  if (b > 9) b = 1;
  if (b > 2) return b;
  return b + 0.5;
}
static double calls(double i) { return early(i) + early(early(i)); }

static void returns_in_tail_position_are_inlined(void) {
  check_program("#version 2.0\n"
                "function real early (real a) {\n"
                "  if (a > 5) { return 2; }\n"
                "  real b = a*a;\n"
                "  if (b > 9) { b = 1; }\n"
                "  if (b > 2) { return b; } else { return b + 0.5; }\n"
                "}\n"
                "function real twice (real a) = early(a) + early(early(a));\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  update { r = twice(i); stabilize; }\n"
                "}\n" STRAND_END,
                calls, 0);
}

static double stopped(double i) {
  for (int j = 0; j <= 5; j++)
    if (j * j > i) return j;
  return 0;
}

static void returns_inside_loops_are_inlined(void) {
  check_program("#version 2.0\n"
                "function real above (int n) {\n"
                "  foreach (int j in 0..5) { if (j*j > n) { return j; } }\n"
                "  return 0;\n"
                "}\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  update { r = above(i); stabilize; }\n"
                "}\n" STRAND_END,
                stopped, 0);
}

static double mixed(double a) {
  double b = a;
  if (a > 3) {
    if (a > 6) return 1;
    b = 2 * a;
  }
  return b + 1;
}

/* Both arms reach the code after the if and one may return: a flag says whether it did. */
static void returns_before_a_meeting_are_inlined(void) {
  check_program("#version 2.0\n"
                "function real mixed (real a) {\n"
                "  real b = a;\n"
                "  if (a > 3) { if (a > 6) { return 1; } b = 2*a; }\n"
                "  return b + 1;\n"
                "}\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  update { r = mixed(i); stabilize; }\n"
                "}\n" STRAND_END,
                mixed, 0);
}

/* A call whose result is unused may be dropped, so functions that print are inlined. */
static void functions_that_print_are_expanded(void) {
  Run run =
      run_program("#version 2.0\n"
                  "function real inner (real a) { print(a); return a; }\n"
                  "function real outer (real a) { if (a > 1) { return 1; } return inner(a); }\n"
                  "strand s (int i) {\n"
                  "  output real r = 0;\n"
                  "  update { real unused = outer(i) + inner(i); stabilize; }\n"
                  "}\n" STRAND_END);
  CHECK_EQ(run_count(&run, OP_CALL), 0);
  CHECK_EQ(run_count(&run, OP_PRINT), 2);
  run_free(&run);
}

static void inlined_functions_are_removed(void) {
  Run run = run_program("#version 2.0\n"
                        "function real inner (real a) = 2*a;\n"
                        "function real outer (real a) = inner(a) + 1;\n"
                        "strand s (int i) {\n"
                        "  output real r = 0;\n"
                        "  update { r = outer(i) + inner(r); stabilize; }\n"
                        "}\n" STRAND_END);
  uint32_t n_before = run.m->funcs.len;
  run_pass_on_all(&run, pass_inline_calls);
  CHECK_EQ(run.m->funcs.len, n_before - 2);
  run_free(&run);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static double closed(double i) {
  const double x[3] = {i, 2, -1}, square = i * i + 4 + 1;
  double a = i > 7 ? 0 : (i > 2 ? i * i : 1) + i * (i + 1) / 2;
  double mixed_value = i > 3 ? (i > 6 ? 1 : square) : 2 * i;
  return 2 * x[0] + mixed_value + sin(i) + i * cos(i) + (square > 10 ? 3 * square : square + 1) + a;
}

/* Functions over fields are inlined at each call, including returns; field functions are
 * differentiated. */
static void functions_over_fields_are_expanded(void) {
  Run run = run_program(
      "#version 2.0\n"
      "field(3)[] square(x) = x•x;\n"
      "field(1)[] wave(x) = x*sin(x);\n"
      "function field(3)[3] slope (field(3)[] F) = ∇F;\n"
      "function real pick (field(3)[] F, vec3 p) {\n"
      "  real b = p[0];\n"
      "  if (b > 3) { if (b > 6) { return 1; } b = F(p); } else { b = 2*b; }\n"
      "  return b;\n"
      "}\n"
      "function real both (field(3)[] F, int n) {\n"
      "  real a = 1;\n"
      "  if (n > 2) { if (n > 7) { return 0; } a = F([n, 0, 0]); }\n"
      "  foreach (int j in 1..n) { real t = 0; foreach (int k in 0..1) { t += k*j; } a += t; }\n"
      "  return a;\n"
      "}\n"
      "function real grow (field(3)[] F, vec3 p) {\n"
      "  if (F(p) > 10) { return 3*F(p); }\n"
      "  return F(p) + 1;\n"
      "}\n"
      "strand s (int i) {\n"
      "  output real r = 0;\n"
      "  update {\n"
      "    vec3 p = [i, 2, -1];\n"
      "    r = slope(square)(p)[0] + pick(square, p) + (∇wave)(i) + grow(square, p)\n"
      "        + both(square, i);\n"
      "    stabilize;\n"
      "  }\n"
      "}\n" STRAND_END);
  CHECK_EQ(run_count(&run, OP_CALL), 0);
  run_pass_on_all(&run, pass_differentiate);
  CHECK_EQ(run_count(&run, OP_PROBE), 0);
  for (int i = 0; i <= 9; i++) {
    run_strand(&run, i, 1);
    CHECK_NEAR(run_state(&run, "r"), closed(i), 1e-11);
  }
  run_free(&run);
}

static double first_above(double i) {
  double seen = 0;
  for (int k = 0; k <= i; k++) {
    for (int j = 0; j <= 2; j++) {
      if (k * k + j > 2 * i) return 100 * k + 10 * j + seen;
      seen += 1;
    }
    seen += 0.5;
  }
  return -seen;
}

/* Once from within two loops, once from after them; from_tast_early.c. */
static void expanded_functions_return_from_loops(void) {
  check_program("#version 2.0\n"
                "field#2(1)[] square(x) = x*x;\n"
                "function real above (field#2(1)[] F, int n) {\n"
                "  real seen = 0;\n"
                "  foreach (int k in 0..n) {\n"
                "    foreach (int j in 0..2) {\n"
                "      if (F(k) + j > 2*n) { return 100*k + 10*j + seen; }\n"
                "      seen += 1;\n"
                "    }\n"
                "    seen += 0.5;\n"
                "  }\n"
                "  return -seen;\n"
                "}\n"
                "strand s (int i) {\n"
                "  output real r = 0;\n"
                "  update { r = above(square, i); stabilize; }\n"
                "}\n" STRAND_END,
                first_above, 0);
}

/* An image that is loaded by name is one global, however often and wherever it is named. */
static void images_are_loaded_once(void) {
  Run run = run_program("#version 2.0\n"
                        "image(2)[] a = load_image(\"a.nrrd\");\n"
                        "field#1(2)[] F = ctmr ⊛ clamp(load_image(\"a.nrrd\")) - 0.5;\n"
                        "field#1(2)[] G = ctmr ⊛ load_image(\"b.nrrd\");\n"
                        "field#1(2)[2] both = [F, G*F];\n"
                        "strand s (int i) {\n"
                        "  output vec2 r = [0, 0];\n"
                        "  update { if (inside([i, i], both)) { r = both([i, i]) + [0, (ctmr ⊛ "
                        "a)([i, 0])]; } stabilize; }\n"
                        "}\n" STRAND_END);
  CHECK_EQ(run.m->globals.len, 2);
  CHECK_EQ(run.m->globals.data[0].kind, GLOBAL_IMAGE);
  CHECK_STR(run.m->globals.data[1].file, "b.nrrd");
  run_pass_on_all(&run, pass_differentiate);
  CHECK_EQ(run_count(&run, OP_INSIDE_IMAGE), 2);
  run_free(&run);
}

int main(void) {
  RUN(values_meet_behind_branches);
  RUN(values_survive_an_arm_that_leaves);
  RUN(loops_carry_what_they_assign);
  RUN(methods_leave_from_anywhere);
  RUN(strands_start_from_arguments_and_initialize);
  RUN(parameters_are_state_only_where_methods_read_them);
  RUN(conditions_choose);
  RUN(tensors_are_built_and_sliced);
  RUN(returns_in_tail_position_are_inlined);
  RUN(returns_inside_loops_are_inlined);
  RUN(returns_before_a_meeting_are_inlined);
  RUN(functions_that_print_are_expanded);
  RUN(inlined_functions_are_removed);
  RUN(functions_over_fields_are_expanded);
  RUN(expanded_functions_return_from_loops);
  RUN(images_are_loaded_once);
  return test_result();
}

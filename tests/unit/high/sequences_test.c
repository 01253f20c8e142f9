/* Sequences and reductions: programs mean the same as C functions, as lowered by from_tast and
 * after all passes down to LOW. */
#include "tests/unit/high/program_case.h"

#define STRAND_END "create_array { s(i) | i in 0..9 }\n"

typedef double Expected(double i);

static void check_level(Run *run, Expected *expected) {
  run_globals(run);
  for (int i = 0; i <= 9; i++) {
    run_strand(run, i, 20);
    CHECK_NEAR(run_state(run, "r"), expected(i), 1e-12);
  }
}

/* A strand with these global declarations and this update method. */
static void check_update(const char *globals, const char *update, Expected *expected) {
  Cx *texts = cx_new();
  Run run = run_program(text_format(texts->arena,
                                    "#version 2.0\n%s\nstrand s (int i) {\n  output real r = 0;\n"
                                    "  update {\n%s\n    stabilize;\n  }\n}\n" STRAND_END,
                                    globals, update));
  check_level(&run, expected);
  run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  check_level(&run, expected);
  run_free(&run);
  cx_free(texts);
}

/* ---- making ---------------------------------------------------------------------------------- */

static double elements(double i) {
  const double a[] = {2, 3, 5, 7, 11}, v[] = {1, 2, 3, 4};
  return a[(int)i % 5] + 0.5 * v[2 * ((int)i % 2) + 1] + a[0] + 10 * 5 + (i > 2 ? 1 : 0);
}

static void literals_have_elements(void) {
  check_update("int[5] a = {2, 3, 5, 7, 11};",
               "    vec2[2] v = {[1, 2], [3, 4]};\n"
               "    bool[2][3] late = {{false, true}, {true, false}, {i < 0, i > 2}};\n"
               "    r = a[i % 5] + 0.5*v[i % 2][1] + a[0] + 10*length(a);\n"
               "    if (late[2][1]) r += 1;",
               elements);
}

static double kept(double i) {
  double sum = 0;
  for (int k = 0; k <= i; k++) sum += k * k;
  return 1000 * (i + 4) + 100 * sum + 10 * i + (i > 0 ? 1 : 0);
}

/* Extending a sequence does not change it. */
static void sequences_grow_at_both_ends(void) {
  check_update("int[2] two = {8, 9};",
               "    int[] none = {};\n"
               "    int[] squares = { k*k | k in 0..i };\n"
               "    int[] more = (7 @ squares) @ 8 @ none @ {5};\n"
               "    r = 1000*length(more) + 100*sum(squares) + 10*(length(squares) - 1);\n"
               "    if (more[1] == 0 && more[0] == 7 && more[length(more) - 2] == 8\n"
               "        && length(two @ two) == 4 && length(2..1) == 0 && i > 0) r += 1;",
               kept);
}

static double converted(double i) { return 2.5 * i + 3 + 0.5 * (1 + 2) + 1; }

/* Conversions of elements, and of fixed to dynamic sequences: literals and variables, also
 * nested. */
static void elements_are_converted(void) {
  check_update("int[2] a = {1, 2};\nreal[2] b = a;\nreal[] c = a;\nreal[2][] d = {a, a};",
               "    int[2] at = {i, 3};\n"
               "    real[2] there = at;\n"
               "    r = 2.5*there[0] + sum(there) - i + 0.5*sum(c) + d[1][0] + b[0] - b[0];",
               converted);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static double visited(double i) {
  double r = 0;
  for (int k = 0; k <= i; k++) r = 2 * r + k;
  return r + 4 * (1 + 2) + (i >= 3 ? 3 : -1);
}

static void loops_visit_each_element(void) {
  check_update("function int first (int[] s, int from) {\n"
               "  foreach (int x in s) { if (x >= from) return x; }\n"
               "  return -1;\n"
               "}\n",
               "    foreach (int k in { k | k in 0..i }) { r = 2*r + k; }\n"
               "    foreach (vec2 v in {[1, 3], [2, 2]}) { r += v[0]*4; }\n"
               "    foreach (int k in 3..2) { r = 0; }\n"
               "    r += first(0..i, 3);",
               visited);
}

static double changed(double i) { return 3 * i + 3 + i; }

/* A loop runs over the elements from before the loop, whatever it assigns. */
static void loops_do_not_change_their_elements(void) {
  check_update("",
               "    int k = i;\n"
               "    foreach (int x in { k + y | y in 0..2 }) { k = 0; r += x; }\n"
               "    int[] s = {i};\n"
               "    foreach (int x in s) { s = s @ 5; r += x; }",
               changed);
}

/* ---- reductions ------------------------------------------------------------------------------ */

static double reduced(double i) {
  double sum = 0, product = 1;
  for (int k = 1; k <= i; k++) {
    sum += 0.5 * k;
    product *= k;
  }
  return sum + product + (i > 0 ? i : -1e9) + (i > 2 ? 1 : 100) + (i < 5 ? 10 : 20) +
         0.5 * (sum + 1) / (i + 1);
}

static void reductions_run_over_anything(void) {
  check_update("function real half (int k) = 0.5*k;",
               "    r = sum { half(k) | k in 1..i } + product { real(k) | k in 1..i };\n"
               "    r += max({-1000000000} @ (1..i));\n"
               "    if (exists { k == 3 | k in 0..i }) r += 1; else r += 100;\n"
               "    if (all { x < 5.0 | x in { real(k) | k in 0..i } }) r += 10; else r += 20;\n"
               "    r += mean { x*0.5 | x in { 1.0 } @ { half(k) | k in 1..i } };",
               reduced);
}

static double empty(double i) { return i + 5; }

/* Reductions of sequences. */
static void reductions_of_nothing_are_neutral(void) {
  check_update("real[] none = {};\nint[] no = {};\nbool[] never = {};",
               "    r = i;\n"
               "    if (sum(none) == 0.0 && sum(no) == 0) r += 1;\n"
               "    if (product(none) == 1.0 && product(no) == 1) r += 1;\n"
               "    if (max(none) == -∞ && max(no) == -2147483647 - 1) r += 1;\n"
               "    if (min(none) == ∞ && min(no) == 2147483647) r += 1;\n"
               "    if (all(never) && !exists(never)) r += 1;",
               empty);
}

/* Without elements it is 0/0, which the evaluator of HIGH does not define. */
static void the_mean_of_nothing_is_nan(void) {
  Run run = run_program("#version 2.0\n"
                        "real[] none = {};\n"
                        "strand s (int i) {\n"
                        "  output real r = mean(none);\n"
                        "  update { if (mean { real(k) | k in 1..i } != 1) stabilize; }\n"
                        "}\n" STRAND_END);
  run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  run_globals(&run);
  run_strand(&run, 0, 1);
  CHECK_EQ(run.outcome.exit, EXIT_STABILIZE);
  CHECK(isnan(run_state(&run, "r")));
  run_free(&run);
}

static double ints(double i) { return (i - 9) + 5 + 24 + 3 * i + 3; }

static void reductions_of_ints(void) {
  check_update("int[3] a = {-1, 5, 2};",
               "    r = min({3, i - 9, 8} @ i) + max(a) + product(1..4) + sum(i..i+2);", ints);
}

/* ---- eigensystems ---------------------------------------------------------------------------- */

static double eigen(double i) { return 100 * (i + 10) + 10 * (i + 1) + i + 5 + 1; }

static void matrices_have_eigensystems(void) {
  check_update("",
               "    mat3 m = i*identity[3] + [[1, 0, 0], [0, 10, 0], [0, 0, 0]];\n"
               "    mat2 n = [[3, 2], [2, 3]];\n"
               "    real[3] v = evals(m);\n"
               "    r = 100*v[0] + 10*v[1] + v[2] + evals(n)[0] + |evecs(m)[0][1]|\n"
               "      + |evecs(n)[0] • [1, -1]|;",
               eigen);
}

/* ---- what is not in methods ------------------------------------------------------------------ */

/* Iterators count; the elements are stored once. */
static void strands_are_created_over_sequences(void) {
  Run run = run_program("#version 2.0\n"
                        "input int n = 3;\n"
                        "strand s (int i, vec2 v) {\n"
                        "  output real r = 10*i + v[1];\n"
                        "  update { stabilize; }\n"
                        "}\n"
                        "create_array { s(i, v) | i in { k*k | k in 1..n }, v in {[1, 2], [3, 4]} "
                        "}\n");
  const IrScalar n = ir_int(3);
  for (int level = 0; level < 2; level++) {
    ir_eval_set_global(run.eval, 0, &n, 1);
    run_globals(&run);
    const int64_t bounds[] = {0, 2, 0, 1};
    IrOutcome found = ir_eval_call(run.eval, module_find_func(run.m, FN_BOUNDS), NULL, 0);
    for (uint32_t k = 0; k < 4 && CHECK_EQ(found.n, 4); k++)
      CHECK_EQ(found.values[k].value.i, bounds[k]);
    for (int64_t i = 0; i < 6; i++) {
      const IrScalar iters[] = {ir_int(i / 2), ir_int(i % 2)};
      run.outcome = ir_eval_strand(run.eval, iters, 2, 5);
      CHECK_NEAR(run_state(&run, "r"), (double)(10 * (i / 2 + 1) * (i / 2 + 1) + 2 + 2 * (i % 2)),
                 1e-12);
    }
    run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  }
  run_free(&run);
}

static void files_of_sequences_are_loaded_once(void) {
  Run run = run_program("#version 2.0\n"
                        "input real[] x = load_sequence(\"x.nrrd\");\n"
                        "vec2[] y = load_sequence(\"y.nrrd\");\n"
                        "int n = length(y);\n"
                        "vec2[] z = load_sequence(\"y.nrrd\");\n"
                        "strand s (int i) {\n"
                        "  output real r = sum(x) + n + z[i][0];\n"
                        "  update { stabilize; }\n"
                        "}\n" STRAND_END);
  const Global *globals = run.m->globals.data;
  CHECK_EQ(run.m->globals.len, 3);
  CHECK_EQ(globals[0].kind, GLOBAL_INPUT);
  CHECK_STR(globals[0].file, "x.nrrd");
  CHECK_EQ(globals[1].kind, GLOBAL_SEQ);
  CHECK_STR(globals[1].file, "y.nrrd");
  CHECK_EQ(run_count(&run, OP_GLOBAL_STORE), 1);
  run_free(&run);
}

static void sequences_are_printed(void) {
  Run run = run_program("#version 2.0\n"
                        "strand s (int i) {\n"
                        "  output real r = 0;\n"
                        "  update {\n"
                        "    int[2][] pairs = { {k, -k} | k in 1..i };\n"
                        "    print(\"<\", pairs, 0..i, {[1, 2], [3, 4]}, \">\");\n"
                        "    stabilize;\n"
                        "  }\n"
                        "}\n" STRAND_END);
  run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  for (int64_t i = 0; i <= 2; i++) run_strand(&run, i, 1);
  CHECK_STR(ir_eval_printed(run.eval), "<{}{0}{[1,2],[3,4]}>"
                                       "<{{1,-1}}{0,1}{[1,2],[3,4]}>"
                                       "<{{1,-1},{2,-2}}{0,1,2}{[1,2],[3,4]}>");
  run_free(&run);
}

/* ---- what is known early --------------------------------------------------------------------- */

/* A loop reads the literal; everything else about it is constant. */
static void known_elements_and_lengths_cost_nothing(void) {
  Run run = run_program("#version 2.0\n"
                        "strand s (int i) {\n"
                        "  output real r = 0;\n"
                        "  update {\n"
                        "    real[3] a = {i, 2, 3};\n"
                        "    real[] b = a;\n"
                        "    r = a[0] + a[2] + length(a) + b[1] + length((0.0 @ b @ 4.0) @ b);\n"
                        "    stabilize;\n"
                        "  }\n"
                        "}\n" STRAND_END);
  run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  const OpId gone[] = {OP_SEQ,        OP_SEQ_INDEX,   OP_SEQ_LEN,   OP_SEQ_DYNAMIC,
                       OP_SEQ_APPEND, OP_SEQ_PREPEND, OP_SEQ_CONCAT};
  for (size_t k = 0; k < sizeof gone / sizeof *gone; k++) CHECK_EQ(run_count(&run, gone[k]), 0);
  run_strand(&run, 6, 1);
  CHECK_NEAR(run_state(&run, "r"), 6 + 3 + 3 + 2 + 8, 1e-12);
  run_free(&run);
}

/* A reduction does not make a sequence. */
static void reductions_make_no_sequences(void) {
  Run run = run_program("#version 2.0\n"
                        "input int n = 3;\n"
                        "strand s (int i) {\n"
                        "  output real r = 0;\n"
                        "  update {\n"
                        "    r = sum { 0.5*x | x in { real(k*k) | k in 0..n } } + max(1..n);\n"
                        "    stabilize;\n"
                        "  }\n"
                        "}\n" STRAND_END);
  CHECK_EQ(run_count(&run, OP_SEQ) + run_count(&run, OP_SEQ_APPEND), 0);
  CHECK_EQ(run_count(&run, OP_SEQ_RANGE) + run_count(&run, OP_SEQ_INDEX), 0);
  CHECK_EQ(run_count(&run, OP_REDUCE), 2);
  CHECK_EQ(run_count(&run, OP_FOREACH), 0);
  run_free(&run);
}

int main(void) {
  RUN(literals_have_elements);
  RUN(sequences_grow_at_both_ends);
  RUN(elements_are_converted);
  RUN(loops_visit_each_element);
  RUN(loops_do_not_change_their_elements);
  RUN(reductions_run_over_anything);
  RUN(reductions_of_nothing_are_neutral);
  RUN(the_mean_of_nothing_is_nan);
  RUN(reductions_of_ints);
  RUN(matrices_have_eigensystems);
  RUN(strands_are_created_over_sequences);
  RUN(files_of_sequences_are_loaded_once);
  RUN(sequences_are_printed);
  RUN(known_elements_and_lengths_cost_nothing);
  RUN(reductions_make_no_sequences);
  return test_result();
}

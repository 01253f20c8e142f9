/* The evaluator against polynomials that a kernel reproduces, on a sheared grid: its results for
 * fields are exact calculus. Control flow and sequences by small functions in IR text. */
#include "tests/oracle/ir_same.h"

#include "tests/unit/core/ir_text.h"
#include "tests/unit/test.h"

/* p = 1 + x^2 y - 2 x y^2 + y, of degree 3, sampled where c4hexic reproduces it. */
static double cubic(double x, double y) { return 1 + x * x * y - 2 * x * y * y + y; }

static Image cubic_image(void) {
  const Grid grid = {2, {16, 15, 1}, {{0.25L, 0.125L}, {-0.25L, 0.5L}}, {-1.0L, -2.0L}};
  Image image = image_new(&grid, 1);
  for (int k = 0; k < 16 * 15; k++) {
    const long double idx[3] = {k % 16, k / 16, 0};
    long double pos[3];
    grid_to_world(&grid, idx, pos);
    image.samples[k] = cubic((double)pos[0], (double)pos[1]);
  }
  return image;
}

static void evaluate(const char *text, double x, double y, double *out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) out[i] = NAN; /* unlike any result */
  Cx *cx = test_cx();
  Module *m = module_from_text(cx, text);
  Image image = cubic_image();
  if (CHECK(m != NULL)) {
    IrEval *eval = ir_eval_new(m, 0x1p-53);
    ir_eval_set_image(eval, 0, &image);
    const IrScalar args[] = {ir_real(x), ir_real(y)};
    const IrOutcome outcome = ir_eval_call(eval, m->funcs.data[0], args, 2);
    if (CHECK_EQ(outcome.n, n))
      for (uint32_t i = 0; i < n; i++) {
        out[i] = outcome.values[i].value.real;
        CHECK(outcome.values[i].error < 1e-9);
      }
    CHECK_EQ(ir_eval_stray_reads(eval), 0);
    ir_eval_free(eval);
  }
  image_free(&image);
  cx_free(cx);
}

static void probes_are_derivatives(void) {
  double out[4];
  const double x = 0.3, y = 0.45;
  evaluate("ir high input \"img\": image(2)[]\n"
           "func user \"f\" -> mat2 {\n"
           "  b0(%0 \"p\": vec2):\n"
           "    %1: kernel#4 = kernel<c4hexic>\n"
           "    %2: image(2)[] = global_load<0 \"img\">\n"
           "    %3: field#4(2)[] = convolve %2, %1\n"
           "    %4: field#3(2)[2] = deriv %3\n"
           "    %5: field#2(2)[2,2] = deriv %4\n"
           "    %6: mat2 = probe %5, %0\n"
           "    leave<return> %6\n}\n",
           x, y, out, 4);
  CHECK_NEAR(out[0], 2 * y, 1e-11);
  CHECK_NEAR(out[1], 2 * x - 4 * y, 1e-11);
  CHECK_NEAR(out[2], 2 * x - 4 * y, 1e-11);
  CHECK_NEAR(out[3], -4 * x, 1e-11);
}

/* The gradient of p at (y, x y). */
static void compositions_follow_the_inner_field(void) {
  double out[2];
  const double x = 0.3, y = 0.45, u = y, v = x * y;
  evaluate("ir high input \"img\": image(2)[]\n"
           "func user \"f\" -> vec2 {\n"
           "  b0(%0 \"p\": vec2):\n"
           "    %1: kernel#4 = kernel<c4hexic>\n"
           "    %2: image(2)[] = global_load<0 \"img\">\n"
           "    %3: field#4(2)[] = convolve %2, %1\n"
           "    %4: field(2)[2] = coord\n"
           "    %5: field(2)[2] = ein<i:2 | delta(i,0)*$0[1] + delta(i,1)*$0[0]*$0[1]> %4\n"
           "    %6: field#4(2)[] = compose %3, %5\n"
           "    %7: field#3(2)[2] = deriv %6\n"
           "    %8: vec2 = probe %7, %0\n"
           "    leave<return> %8\n}\n",
           x, y, out, 2);
  const double along_u = 2 * u * v - 2 * v * v, along_v = u * u - 4 * u * v + 1;
  CHECK_NEAR(out[0], along_v * y, 1e-11);
  CHECK_NEAR(out[1], along_u + along_v * x, 1e-11);
}

static void groups_are_in_index_space(void) {
  double out[3];
  const double x = 0.3, y = 0.45;
  evaluate("ir mid input \"img\": image(2)[]\n"
           "func user \"f\" -> vec3 {\n"
           "  b0(%0 \"p\": vec2):\n"
           "    %1: image(2)[] = global_load<0 \"img\">\n"
           "    %2: vec2 = to_index %1, %0\n"
           "    %3: real, %4: vec2 = probe_group<c4hexic orders 0 1 border none> %1, %2\n"
           "    %5: vec3 = ein<i:3 | delta(i,0)*$0 + delta(i,1)*$1[0] + delta(i,2)*$1[1]> %3, %4\n"
           "    leave<return> %5\n}\n",
           x, y, out, 3);
  const double along_x = 2 * x * y - 2 * y * y, along_y = x * x - 4 * x * y + 1;
  CHECK_NEAR(out[0], cubic(x, y), 1e-12);
  CHECK_NEAR(out[1], 0.25 * along_x + 0.125 * along_y, 1e-12);
  CHECK_NEAR(out[2], -0.25 * along_x + 0.5 * along_y, 1e-12);
}

/* Control flow and sequences over an int: the result and the printed text. */
static void check_int(const char *text, int64_t arg, int64_t want, const char *printed) {
  Cx *cx = test_cx();
  char said[1024];
  Module *m = module_from_text(cx, text);
  if (!CHECK(m != NULL)) {
    fprintf(stderr, "%s", messages(cx, said, sizeof said));
  } else {
    IrEval *eval = ir_eval_new(m, 0x1p-53);
    const IrScalar n = ir_int(arg);
    const Func *fn = m->funcs.data[m->funcs.len - 1];
    const IrOutcome outcome = ir_eval_call(eval, fn, &n, 1);
    CHECK_EQ(outcome.n, 1);
    CHECK_EQ(outcome.values[0].value.i, want);
    CHECK_STR(ir_eval_printed(eval), printed);
    ir_eval_free(eval);
  }
  cx_free(cx);
}

static const char loop_text[] = "ir low\n"
                                "func user \"sum\" -> int {\n"
                                "  b0(%0: int):\n"
                                "    %1: int = const_int<0>\n"
                                "    %2: int = const_int<7>\n"
                                "    foreach %1, %0, b1(%1), b5()\n"
                                "  b1(%3: int, %4: int):\n"
                                "    %5: int = iadd %4, %3\n"
                                "    %6: bool = igt %5, %2\n"
                                "    branch %6, b2(), b3(), merge b4\n"
                                "  b2():\n"
                                "    leave<return> %5\n"
                                "  b3():\n"
                                "    print %3\n"
                                "    jump b4()\n"
                                "  b4():\n"
                                "    next %5\n"
                                "  b5(%7: int):\n"
                                "    leave<return> %7\n"
                                "}\n"
                                "func user \"twice\" -> int {\n"
                                "  b0(%0: int):\n"
                                "    %1: int = call<0 \"sum\"> %0\n"
                                "    %2: int = iadd %1, %1\n"
                                "    leave<return> %2\n"
                                "}\n";

static void loops_carry_and_leave(void) {
  check_int(loop_text, 2, 6, "012");
  check_int(loop_text, -1, 0, "");
  check_int(loop_text, 100, 20, "0123");
}

static const char reduce_text[] = "ir low\n"
                                  "func user \"f\" -> int {\n"
                                  "  b0(%0: int):\n"
                                  "    %1: int = const_int<1>\n"
                                  "    reduce<product> %1, %0, b1(), b5()\n"
                                  "  b1(%2: int):\n"
                                  "    %3: int = const_int<2>\n"
                                  "    %4: bool = ieq %2, %3\n"
                                  "    branch %4, b2(), b3(), merge b4\n"
                                  "  b2():\n"
                                  "    print %2\n"
                                  "    jump b4(%1)\n"
                                  "  b3():\n"
                                  "    jump b4(%2)\n"
                                  "  b4(%5: int):\n"
                                  "    next %5\n"
                                  "  b5(%6: int):\n"
                                  "    leave<return> %6\n"
                                  "}\n";

static void reductions_combine_what_bodies_give(void) {
  check_int(reduce_text, 5, 60, "2");
  check_int(reduce_text, 1, 1, "");
  check_int(reduce_text, 0, 1, "");
}

static const char seq_text[] = "ir high\n"
                               "func user \"f\" -> int {\n"
                               "  b0(%0: int):\n"
                               "    %1: int = const_int<1>\n"
                               "    %2: int[] = range %1, %0\n"
                               "    %3: int[] = append %2, %1\n"
                               "    %4: int[] = prepend %0, %3\n"
                               "    %5: int[] = concat %4, %2\n"
                               "    %6: int = length %5\n"
                               "    %7: int = seq_index<0> %5, %0\n"
                               "    print %6, %7\n"
                               "    %8: int[2] = seq %6, %7\n"
                               "    %9: int = seq_index<0> %8, %6\n"
                               "    leave<return> %9\n"
                               "}\n";

static void sequences_are_values(void) {
  check_int(seq_text, 3, 3, "83"); /* {3, 1,2,3, 1, 1,2,3} */
  check_int(seq_text, 0, 0, "20"); /* {0, 1} */
}

static void differences_are_noticed(void) {
  IrScalar want[4] = {ir_real(1), ir_int(3), ir_bool(true), ir_real(-2)}, found[4];
  memcpy(found, want, sizeof found);
  want[0].error = 1e-12;
  found[0].value.real += 32e-12;
  IrComparison result = {0};
  ir_compare(&result, want, found, 4);
  CHECK_EQ(result.n_compared, 4);
  CHECK_EQ(result.n_wrong, 0);
  found[3].value.real += 1e-13; /* there is practically no error bound */
  ir_compare(&result, want, found, 4);
  CHECK_EQ(result.n_wrong, 1);
  CHECK_EQ(result.first_wrong, 3);
  found[1].value.i = 4;
  found[2].value.b = false;
  ir_compare(&result, want, found, 4);
  CHECK_EQ(result.n_wrong, 4);
  found[0].value.real = NAN;
  result = (IrComparison){0};
  ir_compare(&result, want, found, 1);
  CHECK_EQ(result.n_wrong, 1);
  want[0].error = INFINITY;
  ir_compare(&result, want, found, 1);
  CHECK_EQ(result.n_free, 1);
  CHECK_EQ(result.n_wrong, 1);
}

int main(void) {
  RUN(probes_are_derivatives);
  RUN(compositions_follow_the_inner_field);
  RUN(groups_are_in_index_space);
  RUN(loops_carry_and_leave);
  RUN(reductions_combine_what_bodies_give);
  RUN(sequences_are_values);
  RUN(differences_are_noticed);
  return test_result();
}

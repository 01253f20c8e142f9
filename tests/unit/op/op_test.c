/* The op table: every row has a valid signature, a distinct name and a consistent effect; op_eval
 * against C's operators and against the definitions in ops.def. */
#include "ir/op/op.h"

#include <string.h>

#include "ir/op/op_eval.h"
#include "tests/unit/core/ir_text.h"
#include "tests/unit/test.h"

static void rows_are_well_formed(void) {
  Cx *cx = test_cx();
  for (uint32_t i = 0; i < OP_COUNT; i++) {
    OpId op = (OpId)i;
    const char *error = NULL;
    CHECK_EQ(op_find(op_text(op), strlen(op_text(op))), op);
    CHECK(op_levels(op) != 0 && op_meaning(op)[0] != '\0');
    if (!op_is_special(op) && !CHECK(sig_parse(cx, op_sig_text(op), &error) != NULL))
      fprintf(stderr, "  %s: %s\n", op_text(op), error);
    if (op_is_special(op)) continue;
    uint32_t n_results = sig_result_count(op_sig(cx, op));
    bool is_silent = op_effect(op) == EFFECT_WRITE || op_effect(op) == EFFECT_IO;
    CHECK_EQ(n_results, is_silent ? 0 : 1);
  }
  CHECK_EQ(op_find("frobnicate", 10), OP_COUNT);
  CHECK_EQ(op_find("radds", 4), OP_RADD);
  CHECK(op_is_terminator(OP_NEXT) && !op_is_terminator(OP_PRINT));
  cx_free(cx);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static const EvalMode narrow = {.precision = REAL_FLOAT};
static const EvalMode wide = {.precision = REAL_DOUBLE, .is_long_int = true};

static OpValue eval_ints(OpId op, int64_t a, int64_t b, EvalMode mode) {
  OpValue args[] = {op_value_int(a), op_value_int(b)};
  return op_eval(op, args, mode);
}

static void ints_wrap_and_never_trap(void) {
  static const struct {
    OpId op;
    int64_t a, b, narrow, wide;
  } cases[] = {
      {OP_IADD, INT32_MAX, 1, INT32_MIN, INT64_C(2147483648)},
      {OP_IADD, INT64_MAX, 1, 0, INT64_MIN},
      {OP_ISUB, INT32_MIN, 1, INT32_MAX, INT64_C(-2147483649)},
      {OP_IMUL, 65536, 65536, 0, INT64_C(4294967296)},
      {OP_IMUL, 46341, 46341, -2147479015, INT64_C(2147488281)},
      {OP_INEG, INT32_MIN, 0, INT32_MIN, INT64_C(2147483648)},
      {OP_IABS, -5, 0, 5, 5},
      {OP_IABS, INT32_MIN, 0, INT32_MIN, INT64_C(2147483648)},
      {OP_IDIV, 7, -2, -3, -3},
      {OP_IDIV, -7, 2, -3, -3},
      {OP_IDIV, 7, 0, 0, 0},
      {OP_IDIV, INT32_MIN, -1, INT32_MIN, INT64_C(2147483648)},
      {OP_IMOD, 7, -2, 1, 1},
      {OP_IMOD, -7, 2, -1, -1},
      {OP_IMOD, 7, 0, 0, 0},
      {OP_IMOD, INT32_MIN, -1, 0, 0},
      {OP_IMIN, 3, -4, -4, -4},
      {OP_IMAX, 3, -4, 3, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (cases[i].a <= INT32_MAX)
      CHECK_EQ(eval_ints(cases[i].op, cases[i].a, cases[i].b, narrow).i, cases[i].narrow);
    CHECK_EQ(eval_ints(cases[i].op, cases[i].a, cases[i].b, wide).i, cases[i].wide);
  }
  CHECK_EQ(eval_ints(OP_IDIV, INT64_MIN, -1, wide).i, INT64_MIN);
  for (int64_t a = -1; a <= 1; a++) {
    CHECK_EQ(eval_ints(OP_ILT, a, 0, narrow).b, a < 0);
    CHECK_EQ(eval_ints(OP_ILE, a, 0, narrow).b, a <= 0);
    CHECK_EQ(eval_ints(OP_IEQ, a, 0, narrow).b, a == 0);
    CHECK_EQ(eval_ints(OP_INE, a, 0, narrow).b, a != 0);
    CHECK_EQ(eval_ints(OP_IGE, a, 0, narrow).b, a >= 0);
    CHECK_EQ(eval_ints(OP_IGT, a, 0, narrow).b, a > 0);
  }
}

static double eval_reals(OpId op, double a, double b, double c, EvalMode mode) {
  OpValue args[] = {op_value_real(a), op_value_real(b), op_value_real(c)};
  OpValue value = op_eval(op, args, mode);
  CHECK_EQ(value.kind, OV_REAL);
  return value.real;
}

static void reals_are_of_their_precision(void) {
  volatile float x = 0.1f, y = 0.3f;
  CHECK_NEAR(eval_reals(OP_RADD, 0.1f, 0.3f, 0, narrow), (double)(x + y), 0);
  CHECK_NEAR(eval_reals(OP_RDIV, 0.1f, 0.3f, 0, narrow), (double)(x / y), 0);
  CHECK_NEAR(eval_reals(OP_RSQRT, 0.3f, 0, 0, narrow), (double)sqrtf(y), 0);
  CHECK_NEAR(eval_reals(OP_REXP, 0.3f, 0, 0, narrow), (double)expf(y), 0);
  CHECK_NEAR(eval_reals(OP_RATAN2, 0.1, 0.3, 0, wide), atan2(0.1, 0.3), 0);
  CHECK_NEAR(eval_reals(OP_RMUL, 1e30, 1e30, 0, narrow), INFINITY, 0);
  CHECK_NEAR(eval_reals(OP_RMUL, 1e30, 1e30, 0, wide), 1e30 * 1e30, 0);
  CHECK_NEAR(op_eval_literal(0.1, "0.1", narrow), (double)0.1f, 0);
  CHECK_NEAR(op_eval(OP_I2R, &(OpValue){.kind = OV_INT, .i = 16777217}, narrow).real, 16777216, 0);
}

static void edges_are_as_the_table_says(void) {
  CHECK(isnan(eval_reals(OP_RMAX, NAN, 1, 0, wide)));
  CHECK_NEAR(eval_reals(OP_RMAX, 1, NAN, 0, wide), 1, 0);
  CHECK(isnan(eval_reals(OP_RMIN, NAN, 1, 0, wide)));
  CHECK(!signbit(eval_reals(OP_RMAX, 0.0, -0.0, 0, wide)));
  CHECK(signbit(eval_reals(OP_RMAX, -0.0, 0.0, 0, wide)));
  CHECK(isnan(eval_reals(OP_RCLAMP, 0, 1, NAN, wide)));
  CHECK_NEAR(eval_reals(OP_RCLAMP, 0, 1, 7, wide), 1, 0);
  CHECK_NEAR(eval_reals(OP_RCLAMP, 5, 1, 3, wide), 5, 0);
  CHECK_NEAR(eval_reals(OP_RCLAMP, 5, 1, 7, wide), 1, 0);
  CHECK_NEAR(eval_reals(OP_RSGN, NAN, 0, 0, wide), 0, 0);
  CHECK_NEAR(eval_reals(OP_RSGN, -3, 0, 0, wide), -1, 0);
  CHECK_NEAR(eval_reals(OP_RROUND, -2.5, 0, 0, wide), -3, 0);
  OpValue args[] = {op_value_real(2), op_value_int(-3)};
  CHECK_NEAR(op_eval(OP_RPOWI, args, wide).real, 0.125, 0);
  args[0].real = NAN;
  args[1].i = 0;
  CHECK_NEAR(op_eval(OP_RPOWI, args, wide).real, 1, 0);
}

/* op_eval implements every op on reals: at 0.5 no result is NaN. */
static void no_op_on_reals_is_forgotten(void) {
  static const char *const sigs[] = {"real -> real", "real, real -> real",
                                     "real, real, real -> real"};
  uint32_t n = 0;
  for (uint32_t i = 0; i < OP_COUNT; i++) {
    for (size_t k = 0; k < 3; k++) {
      if (strcmp(op_sig_text((OpId)i), sigs[k]) != 0) continue;
      if (!CHECK(!isnan(eval_reals((OpId)i, 0.5, 0.5, 0.5, wide))))
        fprintf(stderr, "  %s\n", op_text((OpId)i));
      n++;
    }
    OpValue two[] = {op_value_real(0.5), op_value_real(0.25)};
    if (strcmp(op_sig_text((OpId)i), "real, real -> bool") == 0)
      CHECK_EQ(op_eval((OpId)i, two, wide).kind, OV_BOOL);
  }
  CHECK(n > 20);
}

static void other_ops_have_no_value(void) {
  OpValue args[] = {op_value_int(1), op_value_int(2)};
  CHECK_EQ(op_eval(OP_OFFSET_ADD, args, wide).kind, OV_NONE);
  CHECK_EQ(op_eval(OP_GLOBAL_LOAD, args, wide).kind, OV_NONE);
  OpValue words[] = {op_value_string("a"), op_value_string("a")};
  CHECK(op_eval(OP_STREQ, words, wide).b);
  CHECK(!op_eval(OP_STRNE, words, wide).b);
  CHECK(op_value_is_same(words[0], words[1]) && !op_value_is_same(words[0], args[0]));
}

int main(void) {
  RUN(rows_are_well_formed);
  RUN(ints_wrap_and_never_trap);
  RUN(reals_are_of_their_precision);
  RUN(edges_are_as_the_table_says);
  RUN(no_op_on_reals_is_forgotten);
  RUN(other_ops_have_no_value);
  return test_result();
}

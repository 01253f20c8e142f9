/* simplify: every EXACT rule gives the same bits on random and special values in both precisions;
 * constants and block parameters are folded, and nothing else is changed. */
#include <math.h>
#include <string.h>

#include "tests/unit/test.h"

#include "frontend/base/text.h"
#include "ir/pass/local.h"
#include "tests/unit/pass/pass_case.h"

/* ---- rules, by evaluation -------------------------------------------------------------------- */

enum { N_VALUES = 24 };

static uint32_t random_state = 7;

static uint32_t random_bits(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 4;
}

static OpValue sample(OpValueKind kind, uint32_t i, EvalMode mode) {
  static const double reals[] = {0.0, -0.0, 1,    -1,    2,      INFINITY, -INFINITY, NAN,
                                 0.5, -2.5, 3e30, 1e-42, -1e-42, 1e-38,    0.1f,      5};
  bool is_long = mode.is_long_int;
  int64_t least = is_long ? INT64_MIN : INT32_MIN, most = is_long ? INT64_MAX : INT32_MAX;
  const int64_t ints[] = {0, 1, -1, 2, -7, 12, least, most, least + 1};
  if (kind == OV_BOOL) return op_value_bool(i % 2);
  if (kind == OV_INT) return op_value_int(i < 9 ? ints[i] : (int64_t)random_bits() - 100000000);
  double random = ldexp((double)random_bits() - 1e8, (int)(random_bits() % 60) - 50);
  double real = i < 16 ? reals[i] : random;
  return op_value_real(mode.precision == REAL_FLOAT ? (double)(float)real : real);
}

typedef struct Variables {
  OpValueKind kinds[26];
  OpValue values[26];
} Variables;

/* The kind of parameter i in the signature; `choice` stands for T. */
static OpValueKind param_kind(OpId op, uint32_t i, OpValueKind choice) {
  const char *text = op_sig_text(op);
  for (; i > 0; i--) text = strchr(text, ',') + 2;
  if (strncmp(text, "real", 4) == 0) return OV_REAL;
  if (strncmp(text, "int", 3) == 0 || strncmp(text, "offset", 6) == 0) return OV_INT;
  return strncmp(text, "bool", 4) == 0 ? OV_BOOL : choice;
}

static void infer(const RulePattern *p, OpValueKind kind, OpValueKind choice, Variables *v) {
  if (p->kind == RP_VALUE) v->kinds[p->letter - 'a'] = kind;
  for (uint32_t i = 0; i < p->n_args; i++)
    infer(p->args[i], param_kind(p->op, i, choice), choice, v);
}

/* Offsets have 64 bits in every mode; op_eval does not know them, since they are never folded. */
static OpValue eval_op(OpId op, const OpValue *args, EvalMode mode) {
  if (op != OP_OFFSET_MUL) return op_eval(op, args, mode);
  return op_value_int((int64_t)((uint64_t)args[0].i * (uint64_t)args[1].i));
}

static OpValue eval(const RulePattern *p, const Variables *v, EvalMode mode) {
  if (p->kind == RP_VALUE) return v->values[p->letter - 'a'];
  if (p->kind == RP_CONSTANT) return p->constant;
  OpValue args[3] = {0};
  for (uint32_t i = 0; i < p->n_args; i++) args[i] = eval(p->args[i], v, mode);
  return eval_op(p->op, args, mode);
}

/* At most three letters are in use; tries all combinations of samples. Returns how many differ. */
static uint32_t count_differences(const Rule *rule, OpValueKind choice, EvalMode mode) {
  Variables v = {0};
  uint32_t letters[3], n_letters = 0, n_cases = 1, n_differences = 0;
  infer(rule->from, OV_NONE, choice, &v);
  for (uint32_t i = 0; i < 26; i++)
    if (v.kinds[i] != OV_NONE) letters[n_letters++] = i;
  for (uint32_t i = 0; i < n_letters; i++) n_cases *= N_VALUES;
  for (uint32_t c = 0; c < n_cases; c++) {
    for (uint32_t i = 0, rest = c; i < n_letters; i++, rest /= N_VALUES)
      v.values[letters[i]] = sample(v.kinds[letters[i]], rest % N_VALUES, mode);
    OpValue from = eval(rule->from, &v, mode);
    n_differences += from.kind == OV_NONE || !op_value_is_same(from, eval(rule->to, &v, mode));
  }
  return n_differences;
}

static void exact_rules_are_exact(void) {
  Cx *cx = test_cx();
  RuleVec rules = rules_read(cx, cx->arena);
  CHECK(rules.len > 0);
  for (uint32_t i = 0; i < rules.len; i++) {
    const Rule *rule = &rules.data[i];
    uint32_t n = 0;
    for (uint32_t mode = 0; mode < 4; mode++) {
      EvalMode eval_in = {.precision = mode & 1 ? REAL_DOUBLE : REAL_FLOAT,
                          .is_long_int = mode >= 2};
      bool is_bool_only = strstr(rule->text, "true") || strstr(rule->text, "false");
      n += count_differences(rule, is_bool_only ? OV_BOOL : OV_REAL, eval_in);
    }
    bool is_known_inexact =
        strcmp(rule->name, "mul_zero") == 0 || strcmp(rule->name, "add_zero") == 0;
    bool held = rule->kind == RULE_FAST || CHECK_EQ(n, 0);
    held &= !is_known_inexact || CHECK(n > 0);
    if (!held) fprintf(stderr, "  rule %s\n", rule->name);
  }
  cx_free(cx);
}

/* ---- the pass -------------------------------------------------------------------------------- */

#define KEEP "    leave<active> %0, %1, %2 @0-1\n"

static void replaces_by_rules(void) {
  becomes(pass_simplify,
          BODY("low", "    %3: real = const_real<1> @0-1\n    %4: real = rmul %1, %3 @0-1\n"
                      "    %5: real = rneg %4 @0-1\n    %6: real = rneg %5 @0-1\n"
                      "    leave<active> %0, %6, %2 @0-1\n"),
          BODY("low", "    %3: real = const_real<1> @0-1\n    %4: real = rmul %1, %3 @0-1\n"
                      "    %5: real = rneg %1 @0-1\n    %6: real = rneg %5 @0-1\n"
                      "    leave<active> %0, %1, %2 @0-1\n"));
}

static void replacements_are_of_the_level(void) {
  static const char low[] = BODY("low", "    %3: int = const_int<2> @0-1\n"
                                        "    %4: real = rpowi %1, %3 @0-1\n"
                                        "    leave<active> %0, %4, %2 @0-1\n");
  static const char high[] = BODY("high", "    %3: int = const_int<2> @0-1\n"
                                          "    %4: real = rpowi %1, %3 @0-1\n"
                                          "    leave<active> %0, %4, %2 @0-1\n");
  Cx *cx = test_cx();
  CHECK_EQ(count_text(run_on_text(cx, pass_simplify, low), "rmul %1, %1"), 1);
  cx_free(cx);
  becomes(pass_simplify, high, high);
}

static void folds_constants(void) {
  static const char *const cases[][2] = {
      {"%3: int = const_int<7> @0-1\n    %4: int = const_int<-2> @0-1\n"
       "    %5: int = idiv %3, %4 @0-1\n    print %5 @0-1\n",
       "const_int<-3>"},
      {"%3: int = const_int<2147483647> @0-1\n    %4: int = const_int<1> @0-1\n"
       "    %5: int = iadd %3, %4 @0-1\n    print %5 @0-1\n",
       "const_int<-2147483648>"},
      {"%3: real = const_real<0.1> @0-1\n    %4: real = const_real<0.2> @0-1\n"
       "    %5: real = radd %3, %4 @0-1\n    print %5 @0-1\n",
       "const_real<0.30000001192092896>"},
      {"%3: bool = const_bool<true> @0-1\n    %4: bool = not %3 @0-1\n    print %4 @0-1\n",
       "const_bool<false>"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Cx *cx = test_cx();
    Text t = text_new(cx->arena);
    text_add(&t,
             "ir low\n" HEADER "\nfunc update @0-1 {\n  b0(%0: int, %1: real, %2: bool):\n    ");
    text_add(&t, cases[i][0]);
    text_add(&t, KEEP "}\n");
    const char *after = run_on_text(cx, pass_simplify, text_str(&t));
    if (!CHECK(strstr(after, cases[i][1]) != NULL)) fprintf(stderr, "%s", after);
    cx_free(cx);
  }
}

/* Values that are not finite have no literal. */
static void keeps_what_is_not_exact(void) {
  static const char *const texts[] = {
      BODY("low", "    %3: real = const_real<1> @0-1\n    %4: real = const_real<0> @0-1\n"
                  "    %5: real = rdiv %3, %4 @0-1\n    print %5 @0-1\n" KEEP),
      BODY("low", "    %4: real = const_real<0> @0-1\n    %5: real = radd %1, %4 @0-1\n"
                  "    %6: real = rmul %1, %4 @0-1\n    print %5, %6 @0-1\n" KEEP),
      BODY("low", "    %3: real = rsub %1, %1 @0-1\n    %4: bool = req %1, %1 @0-1\n"
                  "    print %3, %4 @0-1\n" KEEP),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    becomes(pass_simplify, texts[i], texts[i]);
}

static void block_parameters_that_are_one_value_go(void) {
  becomes(pass_simplify,
          BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    %3: int = const_int<5> @0-1\n    jump b3(%0, %3, %3) @0-1\n"
                      "  b2():\n    %4: int = const_int<5> @0-1\n    jump b3(%0, %4, %0) @0-1\n"
                      "  b3(%5: int, %6: int, %7: int):\n    print %5, %6, %7 @0-1\n" KEEP),
          BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    %3: int = const_int<5> @0-1\n    jump b3(%0, %3, %3) @0-1\n"
                      "  b2():\n    %4: int = const_int<5> @0-1\n    jump b3(%0, %4, %0) @0-1\n"
                      "  b3(%5: int, %6: int, %7: int):\n    %8: int = const_int<5> @0-1\n"
                      "    print %0, %8, %7 @0-1\n" KEEP));
}

/* Values defined in one arm are not visible after the merge, even if the other arm leaves. */
static void values_of_an_arm_stay_parameters(void) {
  static const char text[] =
      BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                  "  b1():\n    %3: int = ineg %0 @0-1\n    jump b3(%3) @0-1\n"
                  "  b2():\n    leave<die> %0, %1, %2 @0-1\n"
                  "  b3(%5: int):\n    leave<active> %5, %1, %2 @0-1\n");
  becomes(pass_simplify, text, text);
}

static void carried_values_that_never_change_go(void) {
  becomes(pass_simplify,
          BODY("low", "    foreach %0, %0, b1(%0, %1), b2() @0-1\n"
                      "  b1(%3: int, %4: int, %5: real):\n    print %4, %5 @0-1\n"
                      "    %6: real = rneg %5 @0-1\n    next %4, %6 @0-1\n"
                      "  b2(%7: int, %8: real):\n    leave<active> %7, %8, %2 @0-1\n"),
          BODY("low", "    foreach %0, %0, b1(%0, %1), b2() @0-1\n"
                      "  b1(%3: int, %4: int, %5: real):\n    print %0, %5 @0-1\n"
                      "    %6: real = rneg %5 @0-1\n    next %0, %6 @0-1\n"
                      "  b2(%7: int, %8: real):\n    leave<active> %0, %8, %2 @0-1\n"));
}

int main(void) {
  RUN(exact_rules_are_exact);
  RUN(replaces_by_rules);
  RUN(replacements_are_of_the_level);
  RUN(folds_constants);
  RUN(keeps_what_is_not_exact);
  RUN(block_parameters_that_are_one_value_go);
  RUN(values_of_an_arm_stay_parameters);
  RUN(carried_values_that_never_change_go);
  return test_result();
}

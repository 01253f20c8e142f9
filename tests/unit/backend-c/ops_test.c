/* Every op on scalars: the emitted C computes what the evaluator of the IR computes, and every op
 * of the level has a row in c_ops.def. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include "frontend/base/text.h"
#include "ir/op/op_eval.h"
#include "tests/unit/backend-c/build.h"
#include "tests/unit/test.h"

enum { MAX_ARGS = 3, N_SAMPLES = 7, MAX_CASES = 2000 };

typedef struct Case {
  OpId op;
  OpValue expected;
} Case;

static Case cases[MAX_CASES];
static uint32_t n_cases;
static EvalMode mode;

static const double real_samples[N_SAMPLES] = {0.5, -1.25, 3, 0, -2.5, 7.75, 0.999};
static const int64_t int_samples[N_SAMPLES] = {2, -3, 0, 7, INT32_MIN, -1, INT32_MAX};

/* --- cases ------------------------------------------------------------------------------------ */

/* Types of the parameters of a signature over scalars, each 'r', 'i', 'b' or 's'; NULL for
 * others. */
static const char *scalar_params(OpId op) {
  static char kinds[MAX_ARGS + 1];
  const char *text = op_sig_text(op);
  size_t n = 0;
  for (; strncmp(text, "->", 2) != 0; text += strspn(text, ", ")) {
    size_t len = strcspn(text, ", ");
    bool is_known =
        (len == 4 && (strncmp(text, "real", 4) == 0 || strncmp(text, "bool", 4) == 0)) ||
        (len == 3 && strncmp(text, "int", 3) == 0) ||
        (len == 6 && strncmp(text, "string", 6) == 0) || (len == 1 && *text == 'T');
    if (!is_known || n == MAX_ARGS) return NULL;
    kinds[n] = *text;
    if (*text == 'T') kinds[n] = 'r';
    n++;
    text += len;
  }
  kinds[n] = '\0';
  return n > 0 ? kinds : NULL;
}

static OpValue sample(char kind, uint32_t number) {
  switch (kind) {
  case 'r': return op_value_real(real_samples[number % N_SAMPLES]);
  case 'i': return op_value_int(int_samples[number % N_SAMPLES]);
  case 'b': return op_value_bool(number % 2 == 0);
  default: return op_value_string(number % 2 == 0 ? "a" : "b");
  }
}

static Value *constant(Builder *b, OpValue value) {
  switch (value.kind) {
  case OV_REAL: return build_real(b, value.real);
  case OV_INT: return build_int(b, value.i);
  case OV_BOOL: return build_bool(b, value.b);
  default: return build_op(b, OP_CONST_STRING, (Attr){.s = value.s}, NULL, 0);
  }
}

static void print_result(Builder *b, Value *value) {
  Value *space = build_op(b, OP_CONST_STRING, (Attr){.s = " "}, NULL, 0);
  Value *args[] = {value, space};
  build_effect(b, OP_PRINT, ATTR_EMPTY, args, 2);
}

static void add_case(Builder *b, OpId op, const char *kinds, uint32_t number) {
  OpValue values[MAX_ARGS];
  Value *args[MAX_ARGS];
  Attr attr = {.i = 2}; /* a half-support, for ops that have one */
  uint32_t n = (uint32_t)strlen(kinds);
  for (uint32_t i = 0; i < n; i++) values[i] = sample(kinds[i], number + 3 * i * (number + 1));
  if (op == OP_CORNER) values[1] = op_value_int(5 + number); /* axes are not empty */
  OpValue expected = op_eval(op, values, mode);
  if (expected.kind == OV_NONE || n_cases == MAX_CASES) return;
  for (uint32_t i = 0; i < n; i++) args[i] = constant(b, values[i]);
  cases[n_cases++] = (Case){.op = op, .expected = expected};
  print_result(b, build_op(b, op, attr, args, n));
}

static Module *make_ops(Cx *cx) {
  Module *m = module_new(cx, LEVEL_LOW);
  m->strand_name = name_from(cx->names, "s");
  StateVar done = {.name = name_from(cx->names, "done"), .ty = type_int(cx), .is_output = true};
  vec_push(cx->arena, &m->state, done);
  Func *bounds = func_new(m, FN_BOUNDS, NULL, SPAN_NONE);
  Builder b = build_at_end(cx, block_new(bounds), SPAN_NONE);
  build_leave(&b, EXIT_RETURN, NULL, 0);
  Func *args = func_new(m, FN_ARGS, NULL, SPAN_NONE);
  b = build_at_end(cx, block_new(args), SPAN_NONE);
  build_leave(&b, EXIT_RETURN, NULL, 0);
  Func *create = func_new(m, FN_CREATE, NULL, SPAN_NONE);
  b = build_at_end(cx, block_new(create), SPAN_NONE);
  Value *zero = build_int(&b, 0);
  build_leave(&b, EXIT_ACTIVE, &zero, 1);
  Func *update = func_new(m, FN_UPDATE, NULL, SPAN_NONE);
  b = build_at_end(cx, block_new(update), SPAN_NONE);
  Value *state = block_add_param(b.block, type_int(cx), done.name);
  n_cases = 0;
  mode = eval_mode(cx);
  for (OpId op = 0; op < OP_COUNT; op++) {
    if (!(op_levels(op) & LEVEL_LOW) || op_effect(op) != EFFECT_PURE) continue;
    const char *kinds = scalar_params(op);
    for (uint32_t number = 0; kinds && number < N_SAMPLES; number++)
      add_case(&b, op, kinds, number);
  }
  build_leave(&b, EXIT_STABILIZE, &state, 1);
  return m;
}

/* --- checks ----------------------------------------------------------------------------------- */

static void check_result(const Case *one, const char *word, bool is_double) {
  double scale = fmax(1, fabs(one->expected.real)), eps = is_double ? 1e-15 : 5e-7;
  bool held = false;
  switch (one->expected.kind) {
  case OV_BOOL: held = CHECK_STR(word, one->expected.b ? "true" : "false"); break;
  case OV_INT: held = CHECK_EQ(strtoll(word, NULL, 10), one->expected.i); break;
  default: held = CHECK_NEAR(strtod(word, NULL), one->expected.real, 4 * eps * scale); break;
  }
  if (!held) fprintf(stderr, "  in op %s\n", op_text(one->op));
}

static void check_build(const Build *build, const char *folder) {
  static const TestProgram program = {"ops", make_ops, false};
  Cx *cx = build_cx(build);
  FILE *out = build_run(cx, &program, build, folder);
  for (uint32_t i = 0; out && i < n_cases; i++) {
    char word[64];
    if (!CHECK_EQ(fscanf(out, "%63s", word), 1)) break;
    check_result(&cases[i], word, build->is_double);
  }
  if (out) {
    CHECK(n_cases > 300);
    CHECK_EQ(pclose(out), 0);
  }
  cx_free(cx);
}

static void emitted_ops_mean_what_the_evaluator_says(void) {
  static const Build builds[] = {
      {"gcc", CHECKED, false, false}, {"gcc", FAST, true, true}, {"clang", CHECKED, true, false}};
  char folder[] = "/tmp/ddr-ops-XXXXXX", command[64];
  if (!CHECK(mkdtemp(folder) != NULL)) return;
  for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) check_build(&builds[i], folder);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_EQ(system(command), 0);
}

static void every_op_of_the_level_has_a_row(void) {
  static const bool has_row[OP_COUNT] = {
#define C_OP(id, ...) [OP_##id] = true,
#include "backend-c/code/c_ops.def"
  };
  for (OpId op = 0; op < OP_COUNT; op++) {
    Effect effect = op_effect(op);
    bool is_expr = (op_levels(op) & LEVEL_LOW) && (effect == EFFECT_PURE || effect == EFFECT_READ);
    if (!CHECK_EQ(has_row[op], is_expr)) fprintf(stderr, "  op %s\n", op_text(op));
  }
}

int main(void) {
  RUN(every_op_of_the_level_has_a_row);
  RUN(emitted_ops_mean_what_the_evaluator_says);
  return test_result();
}

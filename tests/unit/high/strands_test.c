/* Strands that read each other: all of them, superstep by superstep, by the evaluator at every
 * level, and some results in closed form. The programs are those of tests/run. */
#include "tests/oracle/ir_same.h"
#include "tests/oracle/ir_world.h"
#include "tests/unit/high/program_case.h"

enum { MAX_STEPS = 20 };

/* ---- running --------------------------------------------------------------------------------- */

static Run run_file(const char *name) {
  Cx *cx = cx_new();
  const char *why, *path = text_format(cx->arena, "tests/run/%s/%s.diderot", name, name);
  const Source *source = source_read(cx->arena, path, &why);
  if (!source) BUG(cx, "%s: %s", path, why);
  Run run = run_program(source->text);
  cx_free(cx);
  return run;
}

static IrScalar input_scalar(const Const *value, uint64_t k) {
  switch (type_kind(value->ty)) {
  case TY_BOOL: return ir_bool(value->b);
  case TY_INT: return ir_int(value->i);
  case TY_STRING: return (IrScalar){.value = op_value_string(value->s)};
  default: return ir_real(value->reals[k].value); /* there are no sequences here */
  }
}

static void set_inputs(const Module *m, IrEval *eval) {
  for (uint32_t i = 0; i < m->globals.len; i++) {
    IrScalar scalars[4];
    const Global *global = &m->globals.data[i];
    if (!global->value) continue;
    const uint32_t n = ir_n_scalars(global->ty);
    for (uint32_t k = 0; k < n; k++) scalars[k] = input_scalar(global->value, k);
    ir_eval_set_global(eval, i, scalars, n);
  }
}

static IrWorld *new_world(const Module *m, IrEval **eval) {
  *eval = ir_eval_new(m, 0x1p-53);
  set_inputs(m, *eval);
  return ir_world_new(*eval);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* The strands after every superstep at one level, copied so that they outlive the module. */
typedef struct History {
  IrEval *eval;
  IrWorld *world;
  uint32_t n_steps;
  uint32_t n_strands[MAX_STEPS];
  IrStrand *strands[MAX_STEPS];
} History;

static History record(Cx *cx, const Module *m) {
  History history = {0};
  history.world = new_world(m, &history.eval);
  while (history.n_steps < MAX_STEPS && ir_world_step(history.world)) {
    uint32_t n;
    const IrStrand *strands = ir_world_strands(history.world, &n);
    IrStrand *copy = NEWN(cx->arena, IrStrand, n);
    for (uint32_t k = 0; k < n; k++) copy[k] = strands[k];
    history.n_strands[history.n_steps] = n;
    history.strands[history.n_steps++] = copy;
  }
  return history;
}

static bool same_strands(const IrStrand *want, const IrStrand *found) {
  IrComparison result = {0};
  if (!CHECK_EQ(found->status, want->status) || !CHECK_EQ(found->state.n, want->state.n))
    return false;
  ir_compare(&result, want->state.values, found->state.values, want->state.n);
  return CHECK_EQ(result.n_wrong, 0);
}

static void compare(const History *want, const History *found) {
  CHECK_EQ(found->n_steps, want->n_steps);
  for (uint32_t step = 0; step < want->n_steps && step < found->n_steps; step++) {
    if (!CHECK_EQ(found->n_strands[step], want->n_strands[step])) return;
    for (uint32_t k = 0; k < want->n_strands[step]; k++)
      if (!same_strands(&want->strands[step][k], &found->strands[step][k])) return;
  }
  CHECK_STR(ir_eval_printed(found->eval), ir_eval_printed(want->eval));
}

static void levels_mean_the_same(void) {
  static const char *const names[] = {"chronology", "hops",           "lineage",
                                      "at-once",    "gossip",         "lattice",
                                      "crowd",      "limit-lockstep", "limit-collection"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Run run = run_file(names[i]);
    const History high = record(run.cx, run.m);
    CHECK(high.n_steps > 0);
    for (Level level = LEVEL_MID; level <= LEVEL_LOW; level <<= 1) {
      run_pipeline(run.cx, run.m, level, NULL, NULL);
      const History lower = record(run.cx, run.m);
      compare(&high, &lower);
      ir_eval_free(lower.eval);
    }
    ir_eval_free(high.eval);
    run_free(&run);
  }
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static void news_travels_one_strand_per_superstep(void) {
  Run run = run_file("hops");
  IrEval *eval;
  IrWorld *world = new_world(run.m, &eval);
  for (int step = 0; step < 8; step++) {
    uint32_t n;
    CHECK(ir_world_step(world));
    const IrStrand *strands = ir_world_strands(world, &n);
    for (int k = 0; k < 10 && CHECK_EQ(n, 10); k++) {
      const int distance = k < 4 ? 4 - k : k - 4;
      const IrScalar *when = ir_eval_state(eval, &strands[k].state, "when");
      CHECK_EQ(when->value.i, distance <= step ? distance : -1);
    }
  }
  ir_eval_free(eval);
  run_free(&run);
}

static void creators_rank_their_children(void) {
  static const int names[] = {1,   2,   3,   11,  12,  21,  22,  31,  32,  111, 112,
                              121, 122, 211, 212, 221, 222, 311, 312, 321, 322};
  Run run = run_file("lineage");
  IrEval *eval;
  IrWorld *world = new_world(run.m, &eval);
  while (ir_world_step(world)) continue;
  uint32_t n;
  const IrStrand *strands = ir_world_strands(world, &n);
  for (uint32_t k = 0; k < n && CHECK_EQ(n, sizeof names / sizeof *names); k++) {
    CHECK_EQ(strands[k].status, IR_STABLE);
    CHECK_EQ(ir_eval_state(eval, &strands[k].state, "name")->value.i, names[k]);
  }
  ir_eval_free(eval);
  run_free(&run);
}

/* ---- form ------------------------------------------------------------------------------------ */

#define COLLECTION(update)                                                                         \
  "#version 2.0\n"                                                                                 \
  "strand s (int i, vec2 p) {\n"                                                                   \
  "  vec2 pos = p;\n"                                                                              \
  "  output int n = i;\n"                                                                          \
  "  update { " update " }\n"                                                                      \
  "}\n"                                                                                            \
  "create_collection { s(i, [real(i), 0.0]) | i in 0..9 };\n"

static void same_queries_are_asked_once(void) {
  Run run = run_program(COLLECTION("n = length(sphere(2)) + length(sphere(2));"
                                   "if (n > 3) { new s(n, pos); } if (n > 4) { new s(n, pos); }"
                                   "n = length(sphere(2)); stabilize;"));
  run_pipeline(run.cx, run.m, LEVEL_MID, NULL, NULL);
  CHECK_EQ(run_count(&run, OP_SPHERE), 1);
  CHECK_EQ(run_count(&run, OP_NEW_STRAND), 2);
  run_free(&run);
}

/* A strand that dies need not compute its new state. */
static void a_dying_strand_computes_no_state(void) {
  Run run = run_program(COLLECTION("pos = pos/|pos|; if (n == 2) { n = n*n*n; die; }"));
  run_pipeline(run.cx, run.m, LEVEL_LOW, NULL, NULL);
  CHECK_EQ(run_count(&run, OP_IMUL), 0);
  CHECK_EQ(run_count(&run, OP_RSQRT), 1);
  run_free(&run);
}

int main(void) {
  RUN(levels_mean_the_same);
  RUN(news_travels_one_strand_per_superstep);
  RUN(creators_rank_their_children);
  RUN(same_queries_are_asked_once);
  RUN(a_dying_strand_computes_no_state);
  return test_result();
}

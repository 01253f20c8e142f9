/* Programs from text to HIGH, and their evaluation.
 *
 *   Run run = run_program("#version 2.0 ...");
 *   run_globals(&run);
 *   run_strand(&run, 3, 20);                    run_state(&run, "r")
 */
#pragma once

#include "ir/pass/pass.h"
#include "tests/oracle/ir_eval.h"
#include "tests/unit/high/high_text.h"
#include "tests/unit/test.h"

typedef struct Run {
  Cx *cx;
  Module *m;
  IrEval *eval;
  IrOutcome outcome; /* of the last strand */
} Run;

static inline Run run_program(const char *text) {
  Run run = {.cx = cx_new()};
  types_init(run.cx);
  run.m = high_from_text(run.cx, text);
  ir_verify(run.cx, run.m);
  run.eval = ir_eval_new(run.m, 0x1p-53);
  return run;
}

static inline void run_free(Run *run) {
  ir_eval_free(run->eval);
  cx_free(run->cx);
}

static inline void run_pass_on_all(Run *run, PassFn *pass) {
  Pass px = {.cx = run->cx, .module = run->m};
  FuncVec funcs = {0}; /* a pass may remove functions */
  for (uint32_t i = 0; i < run->m->funcs.len; i++)
    vec_push(run->cx->arena, &funcs, run->m->funcs.data[i]);
  for (uint32_t i = 0; i < funcs.len; i++) pass(&px, funcs.data[i]);
  ir_verify(run->cx, run->m);
}

/* The number of instructions with the op outside user functions. */
static inline uint32_t run_count(const Run *run, OpId op) {
  uint32_t n = 0;
  for (uint32_t f = 0; f < run->m->funcs.len; f++) {
    const Func *fn = run->m->funcs.data[f];
    if (fn->kind == FN_USER) continue;
    for (uint32_t i = 0; i < fn->blocks.len; i++)
      for (Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next) n += inst->op == op;
  }
  return n;
}

static inline void run_globals(Run *run) {
  ir_eval_call(run->eval, module_find_func(run->m, FN_GLOBALS), NULL, 0);
}

/* Runs one strand from its creation at iterator value i until it stops. */
static inline void run_strand(Run *run, int64_t i, uint32_t max_steps) {
  const IrScalar iter = ir_int(i);
  run->outcome = ir_eval_strand(run->eval, &iter, 1, max_steps);
}

static inline double run_state(const Run *run, const char *name) {
  const IrScalar *found = ir_eval_state(run->eval, &run->outcome, name);
  if (!found) BUG(run->cx, "no state variable %s", name);
  return found->value.real;
}

/* Runs HIGH functions over bools, ints and tensors: the meaning of control flow, against which
 * lowering and inlining are tested. Every value is an array of doubles, its components.
 *
 *   Run run = run_program("#version 2.0 ...");
 *   run_call(&run, run_func(&run, FN_CREATE), args, 1);    run.exit, run.out[k]
 */
#pragma once

#include "frontend/base/panic.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/core/ein.h"
#include "ir/core/op_eval.h"
#include "ir/high/from_tast.h"
#include "ir/pass/pass.h"
#include "tests/unit/test.h"

enum { MAX_VALUES = 4096, MAX_OUT = 32, MAX_GLOBALS = 32 };

typedef struct Run {
  Cx *cx;
  Module *m;
  double *globals[MAX_GLOBALS];
  ExitKind exit; /* of the last call */
  uint32_t n_out;
  double *out[MAX_OUT];
} Run;

static inline Run run_program(const char *text) {
  Run run = {.cx = cx_new()};
  types_init(run.cx);
  run.cx->source = source_from_text(run.cx->arena, "test.diderot", text, strlen(text));
  const Ast *ast = parse(run.cx);
  TProgram *program = ast ? check(run.cx, ast, NULL) : NULL;
  if (!program) {
    diag_print_all(run.cx, stderr, DIAG_PLAIN);
    BUG(run.cx, "the program of the test is wrong");
  }
  run.m = high_from_tast(run.cx, program);
  ir_verify(run.cx, run.m);
  return run;
}

static inline void run_pass_on_all(Run *run, PassFn *pass) {
  Pass px = {.cx = run->cx, .module = run->m};
  FuncVec funcs = {0}; /* a pass may remove functions */
  for (uint32_t i = 0; i < run->m->funcs.len; i++)
    vec_push(run->cx->arena, &funcs, run->m->funcs.data[i]);
  for (uint32_t i = 0; i < funcs.len; i++) pass(&px, funcs.data[i]);
  ir_verify(run->cx, run->m);
}

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

static inline Func *run_func(const Run *run, FuncKind kind) {
  Func *fn = module_find_func(run->m, kind);
  if (!fn) BUG(run->cx, "the program has no such function");
  return fn;
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct Frame {
  Run *run;
  double *of[MAX_VALUES]; /* by value id */
} Frame;

static inline double *new_reals(const Run *run, uint64_t n) {
  return NEWN(run->cx->arena, double, n);
}

static inline double *box(const Run *run, double value) {
  double *result = new_reals(run, 1);
  *result = value;
  return result;
}

static inline OpValue to_op_value(const Type *ty, const double *value) {
  if (type_is(ty, TY_BOOL)) return op_value_bool(*value != 0);
  if (type_is(ty, TY_INT)) return op_value_int((int64_t)*value);
  return op_value_real(*value);
}

static inline double *run_scalar_op(const Frame *frame, const Inst *inst) {
  OpValue args[8];
  for (uint32_t i = 0; i < inst->n_args; i++)
    args[i] = to_op_value(inst->args[i]->ty, frame->of[inst->args[i]->id]);
  EvalMode mode = {REAL_DOUBLE, false};
  OpValue result = op_eval(inst->op, inst->attr, args, mode);
  switch (result.kind) {
  case OV_BOOL: return box(frame->run, result.b);
  case OV_INT: return box(frame->run, (double)result.i);
  case OV_REAL: return box(frame->run, result.real);
  default: BUG(frame->run->cx, "the test cannot run %s", op_text(inst->op)); /* no strings here */
  }
}

static inline double *run_ein(const Frame *frame, const Inst *inst) {
  const double *operands[16];
  Shape shapes[16], shape = ein_shape(inst->attr.ein);
  double *result = new_reals(frame->run, shape_size(&shape));
  for (uint32_t i = 0; i < inst->n_args; i++) {
    operands[i] = frame->of[inst->args[i]->id];
    shapes[i] = *type_shape(inst->args[i]->ty);
  }
  for (uint32_t c = 0; c < shape_size(&shape); c++) {
    uint32_t component[MAX_ORDER], rest = c;
    for (uint32_t i = shape.order; i-- > 0; rest /= shape.dims[i])
      component[i] = rest % shape.dims[i];
    result[c] = ein_eval(inst->attr.ein, operands, shapes, component);
  }
  return result;
}

static inline double *run_cons(const Frame *frame, const Inst *inst) {
  uint64_t n = shape_size(type_shape(inst->args[0]->ty));
  double *result = new_reals(frame->run, n * inst->n_args);
  for (uint32_t i = 0; i < inst->n_args; i++)
    memcpy(result + i * n, frame->of[inst->args[i]->id], n * sizeof *result);
  return result;
}

/* ---- control --------------------------------------------------------------------------------- */

static inline void run_call(Run *run, const Func *fn, double *const *args, uint32_t n_args);

/* What defines fields is left behind by differentiate and has no value here. */
static inline bool defines_field(const Inst *inst) {
  if (inst->n_results == 0) return false;
  const Type *ty = inst->results[0]->ty;
  return type_is(ty, TY_FIELD) || type_is(ty, TY_KERNEL) || type_is(ty, TY_IMAGE);
}

static inline double *run_inst(const Frame *frame, const Inst *inst) {
  double *args[16];
  if (defines_field(inst)) return NULL;
  for (uint32_t i = 0; i < inst->n_args; i++) args[i] = frame->of[inst->args[i]->id];
  switch (inst->op) {
  case OP_EIN: return run_ein(frame, inst);
  case OP_CONS: return run_cons(frame, inst);
  case OP_SELECT: return *args[0] != 0 ? args[1] : args[2];
  case OP_GLOBAL_LOAD: return frame->run->globals[inst->attr.var.index];
  case OP_GLOBAL_STORE: frame->run->globals[inst->attr.var.index] = args[0]; return NULL;
  case OP_CALL:
    run_call(frame->run, inst->attr.func, args, inst->n_args);
    return frame->run->out[0];
  default: return run_scalar_op(frame, inst); /* ops on scalars */
  }
}

/* Operands of inst from first_arg on, to the parameters of blk from first_param on. */
static inline void bind(Frame *frame, const Inst *inst, uint32_t first_arg, const Block *blk,
                        uint32_t first_param) {
  double *values[MAX_OUT];
  uint32_t n = blk->params.len - first_param;
  for (uint32_t i = 0; i < n; i++) values[i] = frame->of[inst->args[first_arg + i]->id];
  for (uint32_t i = 0; i < n; i++) frame->of[blk->params.data[first_param + i]->id] = values[i];
}

/* Runs from blk until control leaves the function (NULL) or ends a round of a loop (the NEXT). */
static inline const Inst *run_blocks(Frame *frame, const Block *blk);

/* NULL when a round leaves the function. */
static inline const Block *run_loop(Frame *frame, const Inst *loop) {
  const Block *body = loop->succs[0].block;
  double at = *frame->of[loop->args[0]->id], last = *frame->of[loop->args[1]->id];
  const Inst *carrier = loop;
  uint32_t first_arg = loop->succs[0].first_arg;
  for (; at <= last; at++) {
    bind(frame, carrier, first_arg, body, 1);
    frame->of[body->params.data[0]->id] = box(frame->run, at);
    carrier = run_blocks(frame, body);
    first_arg = 0;
    if (!carrier) return NULL;
  }
  bind(frame, carrier, first_arg, loop->succs[1].block, 0);
  return loop->succs[1].block;
}

static inline void run_leave(Frame *frame, const Inst *leave) {
  frame->run->exit = leave->attr.exit;
  frame->run->n_out = leave->n_args;
  for (uint32_t i = 0; i < leave->n_args; i++) frame->run->out[i] = frame->of[leave->args[i]->id];
}

static inline const Inst *run_blocks(Frame *frame, const Block *blk) {
  for (;;) {
    const Inst *last = block_terminator(blk);
    for (const Inst *inst = blk->first; inst != last; inst = inst->next) {
      double *result = run_inst(frame, inst);
      if (inst->n_results > 0) frame->of[inst->results[0]->id] = result;
    }
    if (last->op == OP_NEXT) return last;
    if (last->op == OP_LEAVE) return run_leave(frame, last), NULL;
    if (last->op == OP_FOREACH) {
      blk = run_loop(frame, last);
      if (!blk) return NULL;
      continue;
    }
    uint32_t way = last->op == OP_BRANCH && *frame->of[last->args[0]->id] == 0;
    const Succ *succ = &last->succs[way];
    bind(frame, last, succ->first_arg, succ->block, 0);
    blk = succ->block;
  }
}

static inline void run_call(Run *run, const Func *fn, double *const *args, uint32_t n_args) {
  Frame *frame = NEW(run->cx->arena, Frame);
  frame->run = run;
  const Block *entry = fn->blocks.data[0];
  for (uint32_t i = 0; i < n_args; i++) frame->of[entry->params.data[i]->id] = args[i];
  run_blocks(frame, entry);
}

/* One strand from its creation at iterator value i until it stops; its state is run->out. */
static inline void run_strand(Run *run, double i, uint32_t max_steps) {
  double *iter = box(run, i);
  run_call(run, run_func(run, FN_CREATE), &iter, 1);
  for (uint32_t step = 0; step < max_steps && run->exit == EXIT_ACTIVE; step++) {
    double *state[MAX_OUT];
    memcpy(state, run->out, sizeof state);
    run_call(run, run_func(run, FN_UPDATE), state, run->n_out);
  }
  Func *stabilize = module_find_func(run->m, FN_STABILIZE);
  if (run->exit != EXIT_STABILIZE || !stabilize) return;
  double *state[MAX_OUT];
  memcpy(state, run->out, sizeof state);
  run_call(run, stabilize, state, run->n_out);
}

static inline double run_state(const Run *run, const char *name) {
  for (uint32_t i = 0; i < run->m->state.len; i++)
    if (strcmp(run->m->state.data[i].name->text, name) == 0) return *run->out[i];
  BUG(run->cx, "no state variable %s", name);
}

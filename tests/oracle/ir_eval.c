/* ir_eval.c: calls, control flow and ops on scalars. Read next: ir_eval.h, ir_eval_field.c. */
#include "tests/oracle/ir_eval.h"

#include <math.h>
#include <string.h>

#include "tests/oracle/ir_eval_local.h"

enum { MAX_OP_ARGS = 4 };

/* --- values ----------------------------------------------------------------------------------- */

IrScalar ir_real(double value) { return (IrScalar){.value = op_value_real(value)}; }
IrScalar ir_int(int64_t value) { return (IrScalar){.value = op_value_int(value)}; }
IrScalar ir_bool(bool value) { return (IrScalar){.value = op_value_bool(value)}; }

uint32_t ir_n_scalars(const Type *ty) {
  switch (type_kind(ty)) {
  case TY_TENSOR: return (uint32_t)shape_size(type_shape(ty));
  case TY_ROW: return type_row_width(ty);
  case TY_SEQ:
    return type_is_dynamic_seq(ty) ? 0 : (uint32_t)type_seq_len(ty) * ir_n_scalars(type_elem(ty));
  case TY_FIELD:
  case TY_KERNEL: return 0;
  default: return 1; /* bool, int, string, image, offset, address */
  }
}

/* The number of scalars of a value of the type, whose first scalar is at `at`. */
static uint32_t count_scalars(const Type *ty, const IrScalar *at) {
  if (!type_is_dynamic_seq(ty)) return ir_n_scalars(ty);
  return 1 + (uint32_t)at->value.i * ir_n_scalars(type_elem(ty));
}

IrValue ir_new_value(const IrFrame *frame, uint32_t n) {
  return (IrValue){.at = NEWN(frame->eval->arena, IrScalar, n), .n = n};
}

/* --- evaluators ------------------------------------------------------------------------------- */

IrEval *ir_eval_new(const Module *m, double epsilon) {
  Arena *arena = arena_new();
  IrEval *eval = NEW(arena, IrEval);
  *eval = (IrEval){.m = m, .cx = m->cx, .arena = arena, .epsilon = epsilon};
  eval->images = NEWN(arena, IrImage, m->globals.len);
  eval->globals = NEWN(arena, IrValue, m->globals.len);
  eval->n_globals = m->globals.len;
  eval->printed = text_new(arena);
  return eval;
}

void ir_eval_free(IrEval *eval) { arena_free(eval->arena); }

void ir_eval_set_image(IrEval *eval, uint32_t global, const Image *image) {
  eval->images[global] = ir_image(image);
}

void ir_eval_set_global(IrEval *eval, uint32_t global, const IrScalar *values, uint32_t n) {
  IrValue value = {.at = NEWN(eval->arena, IrScalar, n), .n = n};
  if (n > 0) memcpy(value.at, values, n * sizeof *values);
  eval->globals[global] = value;
}

const IrScalar *ir_eval_global(const IrEval *eval, uint32_t global, uint32_t *n) {
  *n = eval->globals[global].n;
  return eval->globals[global].at;
}

const char *ir_eval_printed(const IrEval *eval) { return text_str(&eval->printed); }
bool ir_eval_is_unsure(const IrEval *eval) { return eval->is_unsure; }
uint32_t ir_eval_stray_reads(const IrEval *eval) { return eval->n_stray_reads; }

const IrImage *ir_image_of(const IrFrame *frame, const Value *image) {
  const IrImage *found = &frame->eval->images[ir_value(frame, image)->at->value.i];
  if (!found->image) BUG(frame->eval->cx, "an image was not given");
  return found;
}

/* --- ops on scalars --------------------------------------------------------------------------- */

static double change(OpValue from, OpValue to) {
  if (from.kind != OV_REAL) return op_value_is_same(from, to) ? 0 : INFINITY;
  const double distance = fabs(to.real - from.real);
  return isnan(distance) && !op_value_is_same(from, to) ? INFINITY : isnan(distance) ? 0 : distance;
}

/* How much the result moves when an argument moves within its bound. */
static double moved(const Inst *inst, const OpValue *args, const double *errors, OpValue result,
                    EvalMode mode) {
  double sum = 0;
  OpValue other[MAX_OP_ARGS];
  for (uint32_t i = 0; i < inst->n_args; i++) {
    if (errors[i] == 0) continue;
    if (args[i].kind != OV_REAL || isinf(errors[i])) return INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
      memcpy(other, args, sizeof other);
      other[i].real += sign * errors[i];
      sum += change(result, op_eval(inst->op, other, mode));
    }
  }
  return sum;
}

static void eval_scalar_op(const IrFrame *frame, const Inst *inst) {
  OpValue args[MAX_OP_ARGS] = {{.kind = OV_NONE}};
  double errors[MAX_OP_ARGS] = {0};
  const EvalMode mode = {.precision = REAL_DOUBLE, .is_long_int = frame->eval->cx->is_long_int};
  const bool fits = inst->n_results == 1 && inst->n_args <= MAX_OP_ARGS;
  for (uint32_t i = 0; fits && i < inst->n_args; i++) {
    args[i] = ir_arg(frame, inst, i)->at->value;
    errors[i] = ir_arg(frame, inst, i)->at->error;
  }
  const OpValue constant = attr_value(inst->op, inst->attr, mode);
  const bool is_constant = constant.kind != OV_NONE;
  const OpValue result = !fits ? args[0] : is_constant ? constant : op_eval(inst->op, args, mode);
  if (!fits || result.kind == OV_NONE)
    BUG(frame->eval->cx, "the evaluator does not know %s", op_text(inst->op));
  const IrValue value = ir_new_value(frame, 1);
  value.at->value = result;
  value.at->error = moved(inst, args, errors, result, mode);
  if (result.kind == OV_REAL && isfinite(result.real))
    value.at->error += frame->eval->epsilon * fabs(result.real);
  frame->of[inst->results[0]->id] = value;
}

/* --- other ops -------------------------------------------------------------------------------- */

static void eval_select(const IrFrame *frame, const Inst *inst) {
  const IrScalar *cond = ir_arg(frame, inst, 0)->at;
  const IrValue *chosen = ir_arg(frame, inst, cond->value.b ? 1 : 2);
  const IrValue value = ir_new_value(frame, chosen->n);
  for (uint32_t i = 0; i < chosen->n; i++) {
    value.at[i] = chosen->at[i];
    if (cond->error > 0) value.at[i].error = INFINITY;
  }
  frame->of[inst->results[0]->id] = value;
}

static void eval_global_load(const IrFrame *frame, const Inst *inst) {
  IrValue *result = &frame->of[inst->results[0]->id];
  const VarRef ref = inst->attr.var;
  if (type_is(inst->results[0]->ty, TY_IMAGE)) {
    *result = ir_new_value(frame, 1);
    *result->at = ir_int(ref.index);
    return;
  }
  const IrValue global = frame->eval->globals[ref.index];
  if (!global.at && ir_n_scalars(inst->results[0]->ty) > 0)
    BUG(frame->eval->cx, "global %u has no value", ref.index);
  *result = ref.component == WHOLE ? global : (IrValue){global.at + ref.component, 1};
}

static void eval_global_store(const IrFrame *frame, const Inst *inst) {
  const VarRef ref = inst->attr.var;
  IrEval *eval = frame->eval;
  const IrValue *value = ir_arg(frame, inst, 0);
  if (ref.component == WHOLE) {
    eval->globals[ref.index] = *value;
    return;
  }
  const uint32_t n = ir_n_scalars(eval->m->globals.data[ref.index].ty);
  const IrValue old = eval->globals[ref.index];
  ir_eval_set_global(eval, ref.index, old.at, old.n); /* others may hold the old one */
  if (old.n == 0) eval->globals[ref.index] = ir_new_value(frame, n);
  eval->globals[ref.index].at[ref.component] = *value->at;
}

static void print_scalar(Text *out, OpValue value) {
  switch (value.kind) {
  case OV_BOOL: text_add(out, value.b ? "true" : "false"); return;
  case OV_INT: text_addf(out, "%lld", (long long)value.i); return;
  case OV_REAL: text_addf(out, "%.17g", value.real); return;
  case OV_STRING: text_add(out, value.s); return;
  case OV_NONE: return;
  }
}

static void print_value(Text *out, const IrScalar **next, const Type *ty);

/* A tensor in brackets. */
static void print_tensor(Text *out, const IrScalar **next, const Shape *shape, uint32_t axis) {
  if (axis == shape->order) {
    print_scalar(out, (*next)++->value);
    return;
  }
  for (uint32_t i = 0; i < shape->dims[axis]; i++) {
    text_add(out, i == 0 ? "[" : ",");
    print_tensor(out, next, shape, axis + 1);
  }
  text_add(out, "]");
}

/* A sequence in braces; a dynamic one says its length first. */
static void print_seq(Text *out, const IrScalar **next, const Type *ty) {
  const bool is_dynamic = type_is_dynamic_seq(ty);
  const uint64_t n = is_dynamic ? (uint64_t)(*next)++->value.i : type_seq_len(ty);
  text_add(out, "{");
  for (uint64_t i = 0; i < n; i++) {
    if (i > 0) text_add(out, ",");
    print_value(out, next, type_elem(ty));
  }
  text_add(out, "}");
}

static void print_value(Text *out, const IrScalar **next, const Type *ty) {
  if (type_is(ty, TY_TENSOR)) print_tensor(out, next, type_shape(ty), 0);
  else if (type_is(ty, TY_SEQ)) print_seq(out, next, ty);
  else print_scalar(out, (*next)++->value);
}

static void eval_print(const IrFrame *frame, const Inst *inst) {
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const IrScalar *next = ir_arg(frame, inst, i)->at;
    print_value(&frame->eval->printed, &next, inst->args[i]->ty);
  }
}

/* --- calls ------------------------------------------------------------------------------------ */

static IrOutcome run_call(IrEval *eval, const Func *fn, const IrScalar *args, uint32_t n_args);

IrValue ir_gather(const IrFrame *frame, const Inst *inst, uint32_t first, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t i = first; i < first + n; i++) count += ir_arg(frame, inst, i)->n;
  const IrValue all = ir_new_value(frame, count);
  count = 0;
  for (uint32_t i = first; i < first + n; i++) {
    const IrValue *arg = ir_arg(frame, inst, i);
    if (arg->n > 0) memcpy(all.at + count, arg->at, arg->n * sizeof *arg->at);
    count += arg->n;
  }
  return all;
}

/* A part of values, by type; returns what is behind it. */
static const IrScalar *take(const IrFrame *frame, const Value *v, const IrScalar *values,
                            const IrScalar *end) {
  const uint32_t n = count_scalars(v->ty, values);
  if (n > end - values) BUG(frame->eval->cx, "too few scalars");
  const IrValue value = ir_new_value(frame, n);
  if (n > 0) memcpy(value.at, values, n * sizeof *values);
  frame->of[v->id] = value;
  return values + n;
}

static void eval_call(const IrFrame *frame, const Inst *inst) {
  const IrValue args = ir_gather(frame, inst, 0, inst->n_args);
  const IrOutcome outcome = run_call(frame->eval, inst->attr.func, args.at, args.n);
  const IrScalar *next = outcome.values;
  for (uint32_t i = 0; i < inst->n_results; i++)
    next = take(frame, inst->results[i], next, outcome.values + outcome.n);
}

static void eval_inst(const IrFrame *frame, const Inst *inst) {
  switch (inst->op) {
  case OP_SELECT: eval_select(frame, inst); return;
  case OP_GLOBAL_LOAD: eval_global_load(frame, inst); return;
  case OP_GLOBAL_STORE: eval_global_store(frame, inst); return;
  case OP_PRINT: eval_print(frame, inst); return;
  case OP_COUNT_PROBE:
  case OP_TRACE:
  case OP_CHECK_INDEX:
  case OP_CHECK_DIVISOR: return; /* values are not changed, and stay defined */
  case OP_CALL: eval_call(frame, inst); return;
  default: break; /* the other files' ops, and those on scalars */
  }
  if (ir_eval_field_op(frame, inst) || ir_eval_low_op(frame, inst)) return;
  if (ir_eval_sampling_op(frame, inst)) return;
  if (ir_eval_seq_op(frame, inst) || ir_eval_strand_op(frame, inst)) return;
  eval_scalar_op(frame, inst);
}

/* --- control ---------------------------------------------------------------------------------- */

/* Operands of inst from first_arg on, to the parameters of blk from first_param on. */
static void bind(const IrFrame *frame, const Inst *inst, uint32_t first_arg, const Block *blk,
                 uint32_t first_param) {
  const uint32_t n = blk->params.len - first_param;
  IrValue *values = NEWN(frame->eval->arena, IrValue, n);
  for (uint32_t i = 0; i < n; i++) values[i] = *ir_arg(frame, inst, first_arg + i);
  for (uint32_t i = 0; i < n; i++) frame->of[blk->params.data[first_param + i]->id] = values[i];
}

/* Runs from blk until control leaves the function or ends a round of a loop; the LEAVE or NEXT. */
static const Inst *run_blocks(const IrFrame *frame, const Block *blk);

/* The block behind the loop; NULL and *leave when a round leaves the function. */
static const Block *run_loop(const IrFrame *frame, const Inst *loop, const Inst **leave) {
  const Block *body = loop->succs[0].block;
  const int64_t last = ir_int_arg(frame, loop, 1);
  const Inst *carrier = loop;
  uint32_t first_arg = loop->succs[0].first_arg;
  for (int64_t at = ir_int_arg(frame, loop, 0); at <= last; at++) {
    bind(frame, carrier, first_arg, body, 1);
    IrValue *index = &frame->of[body->params.data[0]->id];
    *index = ir_new_value(frame, 1);
    *index->at = ir_int(at);
    carrier = run_blocks(frame, body);
    first_arg = 0;
    if (carrier->op == OP_LEAVE) {
      *leave = carrier;
      return NULL;
    }
  }
  bind(frame, carrier, first_arg, loop->succs[1].block, 0);
  return loop->succs[1].block;
}

typedef VEC(IrScalar) IrScalarVec;

/* One round of a reduction, with its index or strand: all scalars that the body gives. */
static void run_round(const IrFrame *frame, const Block *body, int64_t at, IrScalarVec *values) {
  IrValue *index = &frame->of[body->params.data[0]->id];
  *index = ir_new_value(frame, 1);
  *index->at = ir_int(at);
  const Inst *next = run_blocks(frame, body);
  for (uint32_t i = 0; i < next->n_args; i++) {
    const IrValue *value = ir_arg(frame, next, i);
    for (uint32_t k = 0; k < value->n; k++) vec_push(frame->eval->arena, values, value->at[k]);
  }
}

static IrScalarVec reduced_values(const IrFrame *frame, const Inst *reduce) {
  IrScalarVec values = {0};
  const Block *body = reduce->succs[0].block;
  if (reduce->attr.reduce.over != OVER_RANGE) {
    uint32_t n;
    const uint32_t *members = ir_members(frame, reduce->attr.reduce.over, &n);
    for (uint32_t i = 0; i < n; i++) run_round(frame, body, members[i], &values);
    return values;
  }
  const int64_t last = ir_int_arg(frame, reduce, 1);
  for (int64_t at = ir_int_arg(frame, reduce, 0); at <= last; at++)
    run_round(frame, body, at, &values);
  return values;
}

static const Block *run_reduce(const IrFrame *frame, const Inst *reduce) {
  const Block *after = reduce->succs[1].block;
  const IrScalarVec values = reduced_values(frame, reduce);
  uint32_t n_in_round = 0, n_before = 0;
  for (uint32_t i = 0; i < after->params.len; i++)
    n_in_round += ir_n_scalars(after->params.data[i]->ty);
  const uint32_t n = n_in_round > 0 ? values.len / n_in_round : 0;
  IrScalar *column = NEWN(frame->eval->arena, IrScalar, n + 1);
  for (uint32_t i = 0; i < after->params.len; i++) {
    const Value *result = after->params.data[i];
    frame->of[result->id] = ir_new_value(frame, ir_n_scalars(result->ty));
    for (uint32_t k = 0; k < ir_n_scalars(result->ty); k++, n_before++) {
      for (uint32_t r = 0; r < n; r++) column[r] = values.data[r * n_in_round + n_before];
      frame->of[result->id].at[k] =
          ir_reduce(frame, reduce->attr.reduce.kinds[i], result->ty, column, n);
    }
  }
  return after;
}

static const Block *take_branch(const IrFrame *frame, const Inst *last) {
  uint32_t way = 0;
  if (last->op == OP_BRANCH) {
    const IrScalar *cond = ir_arg(frame, last, 0)->at;
    if (cond->error > 0) frame->eval->is_unsure = true;
    way = !cond->value.b;
  }
  bind(frame, last, last->succs[way].first_arg, last->succs[way].block, 0);
  return last->succs[way].block;
}

static const Inst *run_blocks(const IrFrame *frame, const Block *blk) {
  for (;;) {
    const Inst *last = block_terminator(blk), *leave = NULL;
    for (const Inst *inst = blk->first; inst != last; inst = inst->next) eval_inst(frame, inst);
    if (last->op == OP_NEXT || last->op == OP_LEAVE) return last;
    if (last->op == OP_REDUCE) blk = run_reduce(frame, last);
    else blk = last->op == OP_FOREACH ? run_loop(frame, last, &leave) : take_branch(frame, last);
    if (!blk) return leave;
  }
}

/* A pass may have added globals since the last call. */
static void make_room(IrEval *eval) {
  if (eval->m->globals.len <= eval->n_globals) return;
  IrValue *globals = NEWN(eval->arena, IrValue, eval->m->globals.len);
  memcpy(globals, eval->globals, eval->n_globals * sizeof *globals);
  eval->globals = globals;
  eval->n_globals = eval->m->globals.len;
}

static IrOutcome run_call(IrEval *eval, const Func *fn, const IrScalar *args, uint32_t n_args) {
  const IrFrame frame = {eval, NEWN(eval->arena, IrValue, fn->next_value)};
  const Block *entry = fn->blocks.data[0];
  const IrScalar *next = args, *end = n_args > 0 ? args + n_args : args;
  for (uint32_t i = 0; i < entry->params.len; i++)
    next = take(&frame, entry->params.data[i], next, end);
  if (next != end) BUG(eval->cx, "more scalars than parameters");
  const Inst *leave = run_blocks(&frame, entry);
  const IrValue values = ir_gather(&frame, leave, 0, leave->n_args);
  return (IrOutcome){leave->attr.exit, values.n, values.at};
}

IrOutcome ir_eval_call(IrEval *eval, const Func *fn, const IrScalar *args, uint32_t n_args) {
  make_room(eval);
  return run_call(eval, fn, args, n_args);
}

static IrOutcome run_method(IrEval *eval, FuncKind kind, IrOutcome state) {
  const Func *fn = module_find_func(eval->m, kind);
  return fn ? run_call(eval, fn, state.values, state.n) : state;
}

IrOutcome ir_eval_strand(IrEval *eval, const IrScalar *iters, uint32_t n_iters,
                         uint32_t max_steps) {
  IrOutcome state = {.n = n_iters, .values = iters};
  state = run_method(eval, FN_ARGS, state);
  state = run_method(eval, FN_CREATE, state);
  state = run_method(eval, FN_START, state);
  for (uint32_t step = 0; step < max_steps && state.exit == EXIT_ACTIVE; step++)
    state = run_method(eval, FN_UPDATE, state);
  if (state.exit == EXIT_STABILIZE) {
    state = run_method(eval, FN_STABILIZE, state);
    state.exit = EXIT_STABILIZE;
  }
  return state;
}

const IrScalar *ir_state_var(const Module *m, const IrScalar *state, uint32_t var, uint32_t *n) {
  for (uint32_t i = 0; i < var; i++) state += count_scalars(m->state.data[i].ty, state);
  *n = count_scalars(m->state.data[var].ty, state);
  return state;
}

const IrScalar *ir_eval_state(const IrEval *eval, const IrOutcome *outcome, const char *name) {
  uint32_t n;
  for (uint32_t i = 0; i < eval->m->state.len; i++)
    if (strcmp(eval->m->state.data[i].name->text, name) == 0)
      return ir_state_var(eval->m, outcome->values, i, &n);
  return NULL;
}

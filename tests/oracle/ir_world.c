/* ir_world.c: see ir_world.h. First the life of a world, then the ops that look at it. */
#include "tests/oracle/ir_world.h"

#include <string.h>

#include "frontend/base/vec.h"
#include "tests/oracle/ir_eval_local.h"

typedef VEC(IrStrand) IrStrandVec;

struct IrWorld {
  IrEval *eval;
  IrStrandVec strands;
  IrStrandVec born;
  IrStrandVec seen; /* what code that runs sees: copies from the start, or the strands now */
  uint32_t self;    /* who runs */
};

const IrStrand *ir_world_strands(const IrWorld *world, uint32_t *n) {
  *n = world->strands.len;
  return world->strands.data;
}

const IrStrand *ir_world_born(const IrWorld *world, uint32_t *n) {
  *n = world->born.len;
  return world->born.data;
}

/* --- populations ------------------------------------------------------------------------------ */

static bool runs(const IrStrand *strand) { return strand->status <= IR_NEW; }

static uint32_t count(const IrStrandVec *strands, bool is_running) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < strands->len; k++) n += runs(&strands->data[k]) == is_running;
  return n;
}

static IrStrandVec copy_of(const IrWorld *world, const IrStrandVec *strands) {
  IrStrandVec copy = {0};
  for (uint32_t k = 0; k < strands->len; k++) vec_push(world->eval->arena, &copy, strands->data[k]);
  return copy;
}

/* The dead leave, the born join; from here on everybody sees the strands as they are. */
static void commit(IrWorld *world) {
  IrStrandVec next = {0};
  for (uint32_t k = 0; k < world->strands.len; k++)
    if (world->strands.data[k].status != IR_DEAD)
      vec_push(world->eval->arena, &next, world->strands.data[k]);
  for (uint32_t k = 0; k < world->born.len; k++)
    vec_push(world->eval->arena, &next, world->born.data[k]);
  world->strands = next;
  world->born = (IrStrandVec){0};
  world->seen = copy_of(world, &next);
}

/* --- the life of a strand --------------------------------------------------------------------- */

static void run_method(IrWorld *world, FuncKind kind, IrStrand *strand) {
  const Func *fn = module_find_func(world->eval->m, kind);
  if (fn) strand->state = ir_eval_call(world->eval, fn, strand->state.values, strand->state.n);
}

static IrStrand make_strand(IrWorld *world, const IrScalar *params, uint32_t n) {
  const Func *create = module_find_func(world->eval->m, FN_CREATE);
  return (IrStrand){IR_NEW, ir_eval_call(world->eval, create, params, n)};
}

static void stabilize(IrWorld *world, IrStrand *strand) {
  run_method(world, FN_STABILIZE, strand);
  strand->status = IR_STABLE;
}

static void run_strand(IrWorld *world, uint32_t k) {
  IrStrand strand = world->strands.data[k]; /* births may move the others */
  world->self = k;
  strand.state.exit = EXIT_ACTIVE;
  if (strand.status == IR_NEW) run_method(world, FN_START, &strand);
  strand.status = IR_ACTIVE;
  if (strand.state.exit == EXIT_ACTIVE) run_method(world, FN_UPDATE, &strand);
  if (strand.state.exit == EXIT_STABILIZE) stabilize(world, &strand);
  else if (strand.state.exit == EXIT_DIE) strand.status = IR_DEAD;
  world->strands.data[k] = strand;
}

/* --- the life of a world ---------------------------------------------------------------------- */

static void run_global(IrWorld *world, FuncKind kind) {
  const Func *fn = module_find_func(world->eval->m, kind);
  if (fn) ir_eval_call(world->eval, fn, NULL, 0);
}

/* Iterators from number i on; slowest first. */
static void create_all(IrWorld *world, const IrScalar *bounds, IrScalar *iters, uint32_t i) {
  const Module *m = world->eval->m;
  if (i == m->n_iters) {
    const IrOutcome args = ir_eval_call(world->eval, module_find_func(m, FN_ARGS), iters, i);
    const IrStrand strand = make_strand(world, args.values, args.n);
    vec_push(world->eval->arena, &world->strands, strand);
    return;
  }
  const IrScalar *range = &bounds[(size_t)2 * i];
  for (int64_t at = range[0].value.i; at <= range[1].value.i; at++) {
    iters[i] = ir_int(at);
    create_all(world, bounds, iters, i + 1);
  }
}

IrWorld *ir_world_new(IrEval *eval) {
  IrWorld *world = NEW(eval->arena, IrWorld);
  world->eval = eval;
  eval->world = world;
  run_global(world, FN_GLOBALS);
  const IrOutcome bounds = ir_eval_call(eval, module_find_func(eval->m, FN_BOUNDS), NULL, 0);
  create_all(world, bounds.values, NEWN(eval->arena, IrScalar, eval->m->n_iters + 1), 0);
  commit(world);
  run_global(world, FN_GLOBAL_START);
  return world;
}

IrWorld *ir_world_of(IrEval *eval, const IrStrand *strands, uint32_t n, uint32_t self) {
  IrWorld *world = NEW(eval->arena, IrWorld);
  *world = (IrWorld){.eval = eval, .self = self};
  eval->world = world;
  for (uint32_t k = 0; k < n; k++) vec_push(eval->arena, &world->strands, strands[k]);
  world->seen = copy_of(world, &world->strands);
  return world;
}

bool ir_world_step(IrWorld *world) {
  if (count(&world->strands, true) == 0) return false;
  for (uint32_t k = 0; k < world->strands.len; k++)
    if (runs(&world->strands.data[k])) run_strand(world, k);
  commit(world);
  run_global(world, FN_GLOBAL_UPDATE);
  return true;
}

static void end_all(IrWorld *world, IrStatus status) {
  for (uint32_t k = 0; k < world->strands.len; k++) {
    IrStrand *strand = &world->strands.data[k];
    if (!runs(strand)) continue;
    world->self = k;
    if (status == IR_STABLE) stabilize(world, strand);
    strand->status = status;
  }
  commit(world);
}

/* --- ops -------------------------------------------------------------------------------------- */

/* Of the strand at a slot, as it is seen now. */
static const IrScalar *state_of(const IrWorld *world, int64_t slot, uint32_t var, uint32_t *n) {
  if (slot < 0 || slot >= world->seen.len) BUG(world->eval->cx, "no strand at that slot");
  return ir_state_var(world->eval->m, world->seen.data[slot].state.values, var, n);
}

static void eval_state_of(const IrFrame *frame, const Inst *inst) {
  const VarRef ref = inst->attr.var;
  uint32_t n;
  const IrScalar *at = state_of(frame->eval->world, ir_int_arg(frame, inst, 0), ref.index, &n);
  if (ref.component != WHOLE) at += ref.component, n = 1;
  const IrValue value = ir_new_value(frame, n);
  if (n > 0) memcpy(value.at, at, n * sizeof *at);
  frame->of[inst->results[0]->id] = value;
}

static uint32_t pos_index(const Module *m) {
  uint32_t i = 0;
  while (strcmp(m->state.data[i].name->text, "pos") != 0) i++;
  return i;
}

/* At LOW the centre is one operand per component, else one with them all. */
static double centre_at(const IrFrame *frame, const Inst *inst, uint32_t k) {
  const bool is_split = inst->n_args > 2;
  return ir_arg(frame, inst, is_split ? k : 0)->at[is_split ? 0 : k].value.real;
}

static bool is_near(const IrFrame *frame, const Inst *inst, uint32_t slot) {
  const IrWorld *world = frame->eval->world;
  const double radius = ir_real_arg(frame, inst, inst->n_args - 1);
  uint32_t n;
  const IrScalar *pos = state_of(world, slot, pos_index(frame->eval->m), &n);
  double sum = 0;
  for (uint32_t k = 0; k < n; k++) {
    const double difference = pos[k].value.real - centre_at(frame, inst, k);
    sum += difference * difference;
  }
  return slot != world->self && radius > 0 && sum < radius * radius;
}

static void eval_sphere(const IrFrame *frame, const Inst *inst) {
  const IrWorld *world = frame->eval->world;
  IrValue value = ir_new_value(frame, 1 + world->seen.len);
  value.n = 1;
  for (uint32_t slot = 0; slot < world->seen.len; slot++)
    if (is_near(frame, inst, slot)) value.at[value.n++] = ir_int(slot);
  *value.at = ir_int(value.n - 1);
  frame->of[inst->results[0]->id] = value;
}

static void set(const IrFrame *frame, const Inst *inst, IrScalar scalar) {
  const IrValue value = ir_new_value(frame, 1);
  *value.at = scalar;
  frame->of[inst->results[0]->id] = value;
}

const uint32_t *ir_members(const IrFrame *frame, ReduceOver over, uint32_t *n) {
  const IrStrandVec *seen = &frame->eval->world->seen;
  uint32_t *members = NEWN(frame->eval->arena, uint32_t, seen->len + 1);
  *n = 0;
  for (uint32_t slot = 0; slot < seen->len; slot++)
    if (over == OVER_ALL || runs(&seen->data[slot]) == (over == OVER_ACTIVE))
      members[(*n)++] = slot;
  return members;
}

static void eval_new(const IrFrame *frame, const Inst *inst) {
  IrWorld *world = frame->eval->world;
  const IrValue params = ir_gather(frame, inst, 0, inst->n_args);
  const IrStrand child = make_strand(world, params.at, params.n);
  vec_push(world->eval->arena, &world->born, child);
}

bool ir_eval_strand_op(const IrFrame *frame, const Inst *inst) {
  IrWorld *world = frame->eval->world;
  switch (world ? inst->op : OP_COUNT) {
  case OP_NUM_STRANDS: set(frame, inst, ir_int(world->seen.len)); return true;
  case OP_NUM_ACTIVE: set(frame, inst, ir_int(count(&world->seen, true))); return true;
  case OP_NUM_STABLE: set(frame, inst, ir_int(count(&world->seen, false))); return true;
  case OP_STRAND_STATE: eval_state_of(frame, inst); return true;
  case OP_SPHERE: eval_sphere(frame, inst); return true;
  case OP_NEW_STRAND: eval_new(frame, inst); return true;
  case OP_STABILIZE_ALL: end_all(world, IR_STABLE); return true;
  case OP_KILL_ALL: end_all(world, IR_DEAD); return true;
  default: return false; /* other files' ops; strands alone have no world */
  }
}

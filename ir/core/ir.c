/* IR: making and editing modules, functions, blocks and instructions.
 *
 * Invariant: inst->uses[i] is linked in inst->args[i]->uses, for attached and detached instructions
 * alike, until inst_remove. No other file writes these links. Next: build.c, verify.c.
 */
#include "ir/core/ir.h"

#include <string.h>

#include "frontend/base/panic.h"

static Cx *func_cx(const Func *fn) { return fn->module->cx; }
static Arena *func_arena(const Func *fn) { return fn->module->cx->arena; }

/* ---- modules and functions ------------------------------------------------------------------- */

Module *module_new(Cx *cx, Level level) {
  Module *m = NEW(cx->arena, Module);
  m->cx = cx;
  m->level = level;
  return m;
}

bool func_is_method(FuncKind kind) {
  return kind == FN_START || kind == FN_UPDATE || kind == FN_STABILIZE;
}

Func *func_new(Module *m, FuncKind kind, const Name *name, Span span) {
  Func *fn = NEW(m->cx->arena, Func);
  fn->kind = kind;
  fn->name = name;
  fn->module = m;
  fn->span = span;
  vec_push(m->cx->arena, &m->funcs, fn);
  return fn;
}

Func *module_find_func(const Module *m, FuncKind kind) {
  for (uint32_t i = 0; i < m->funcs.len; i++)
    if (m->funcs.data[i]->kind == kind) return m->funcs.data[i];
  return NULL;
}

void module_remove_func(Module *m, const Func *fn) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < m->funcs.len; i++)
    if (m->funcs.data[i] != fn) m->funcs.data[n_kept++] = m->funcs.data[i];
  m->funcs.len = n_kept;
}

/* ---- use lists ------------------------------------------------------------------------------- */

static void link_use(Value *value, Use *use) {
  use->prev = NULL;
  use->next = value->uses;
  if (value->uses) value->uses->prev = use;
  value->uses = use;
}

static void unlink_use(Value *value, Use *use) {
  if (use->prev) use->prev->next = use->next;
  else value->uses = use->next;
  if (use->next) use->next->prev = use->prev;
}

static void unlink_all(Inst *inst) {
  for (uint32_t i = 0; i < inst->n_args; i++) unlink_use(inst->args[i], inst->uses[i]);
  inst->n_args = 0;
}

static void add_args(Inst *inst, Value *const *args, uint32_t n_args) {
  if (n_args == 0) return;
  Arena *arena = func_arena(inst->fn);
  uint32_t n_old = inst->n_args, n_new = n_old + n_args;
  Value **new_args = NEWN(arena, Value *, n_new);
  Use **new_uses = NEWN(arena, Use *, n_new);
  for (uint32_t i = 0; i < n_old; i++) {
    new_args[i] = inst->args[i];
    new_uses[i] = inst->uses[i];
  }
  for (uint32_t i = n_old; i < n_new; i++) {
    new_args[i] = args[i - n_old];
    new_uses[i] = NEW(arena, Use);
    new_uses[i]->user = inst;
    new_uses[i]->arg = i;
    link_use(new_args[i], new_uses[i]);
  }
  inst->args = new_args;
  inst->uses = new_uses;
  inst->n_args = n_new;
}

void inst_remove_arg(Inst *inst, uint32_t i) {
  unlink_use(inst->args[i], inst->uses[i]);
  inst->n_args--;
  for (uint32_t j = i; j < inst->n_args; j++) {
    inst->args[j] = inst->args[j + 1];
    inst->uses[j] = inst->uses[j + 1];
    inst->uses[j]->arg = j;
  }
  for (uint32_t s = 0; s < inst->n_succs; s++) {
    Succ *succ = &inst->succs[s];
    if (succ->first_arg > i) succ->first_arg--;
    else if (i - succ->first_arg < succ->n_args) succ->n_args--;
  }
}

void value_replace_uses(Value *old, Value *with) {
  if (old == with) return;
  if (!with->name) with->name = old->name;
  while (old->uses) {
    Use *use = old->uses;
    unlink_use(old, use);
    use->user->args[use->arg] = with;
    link_use(with, use);
  }
}

bool value_is_used(const Value *v) { return v->uses != NULL; }

/* ---- blocks ---------------------------------------------------------------------------------- */

Block *block_new(Func *fn) {
  Block *blk = NEW(func_arena(fn), Block);
  blk->id = fn->next_block++;
  blk->fn = fn;
  vec_push(func_arena(fn), &fn->blocks, blk);
  return blk;
}

static Value *value_new(Func *fn, const Type *ty, const Name *name) {
  Value *value = NEW(func_arena(fn), Value);
  value->id = fn->next_value++;
  value->ty = ty;
  value->name = name;
  return value;
}

Value *block_add_param(Block *blk, const Type *ty, const Name *name) {
  Value *param = value_new(blk->fn, ty, name);
  param->block = blk;
  param->index = blk->params.len;
  vec_push(func_arena(blk->fn), &blk->params, param);
  return param;
}

static void drop_param(Block *blk, uint32_t i) {
  ASSERT(func_cx(blk->fn), i < blk->params.len && !value_is_used(blk->params.data[i]));
  blk->params.len--;
  for (uint32_t j = i; j < blk->params.len; j++) {
    blk->params.data[j] = blk->params.data[j + 1];
    blk->params.data[j]->index = j;
  }
}

void block_remove_param(Block *blk, uint32_t i) {
  for (uint32_t b = 0; b < blk->fn->blocks.len; b++) {
    Inst *last = blk->fn->blocks.data[b]->last;
    if (!last) continue;
    for (uint32_t s = 0; s < last->n_succs; s++) {
      if (last->succs[s].block != blk) continue;
      ASSERT(func_cx(blk->fn), !inst_is_loop(last));
      inst_remove_arg(last, last->succs[s].first_arg + i);
    }
  }
  drop_param(blk, i);
}

void func_remove_blocks(Func *fn, const bool *dead) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    if (!dead[i]) continue;
    for (Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next) unlink_all(inst);
  }
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    if (!dead[i]) fn->blocks.data[n_kept++] = fn->blocks.data[i];
  fn->blocks.len = n_kept;
}

void block_splice(Block *dst, Block *src) {
  ASSERT(func_cx(dst->fn), !block_terminator(dst));
  for (Inst *inst = src->first; inst; inst = inst->next) inst->block = dst;
  if (src->first) {
    src->first->prev = dst->last;
    if (dst->last) dst->last->next = src->first;
    else dst->first = src->first;
    dst->last = src->last;
  }
  src->first = src->last = NULL;
}

Inst *block_terminator(const Block *blk) {
  return blk->last && op_is_terminator(blk->last->op) ? blk->last : NULL;
}

/* ---- instructions ---------------------------------------------------------------------------- */

Inst *inst_new(Func *fn, OpId op, Attr attr, Span span, Value *const *args, uint32_t n_args) {
  Inst *inst = NEW(func_arena(fn), Inst);
  inst->op = op;
  inst->attr = attr;
  inst->span = span;
  inst->fn = fn;
  inst->args = NEWN(func_arena(fn), Value *, n_args); /* never NULL: successors point into it */
  add_args(inst, args, n_args);
  return inst;
}

Value *inst_add_result(Inst *inst, const Type *ty, const Name *name) {
  Arena *arena = func_arena(inst->fn);
  Value *value = value_new(inst->fn, ty, name);
  value->def = inst;
  value->index = inst->n_results;
  Value **results = NEWN(arena, Value *, inst->n_results + 1);
  if (inst->n_results > 0) memcpy(results, inst->results, inst->n_results * sizeof *results);
  results[inst->n_results++] = value;
  inst->results = results;
  return value;
}

void inst_add_succ(Inst *inst, Block *blk, Value *const *args, uint32_t n_args) {
  Succ *succs = NEWN(func_arena(inst->fn), Succ, inst->n_succs + 1);
  if (inst->n_succs > 0) memcpy(succs, inst->succs, inst->n_succs * sizeof *succs);
  succs[inst->n_succs++] = (Succ){.block = blk, .first_arg = inst->n_args, .n_args = n_args};
  inst->succs = succs;
  add_args(inst, args, n_args);
}

void inst_append(Block *blk, Inst *inst) {
  ASSERT(func_cx(blk->fn), !inst->block && !block_terminator(blk));
  inst->block = blk;
  inst->prev = blk->last;
  inst->next = NULL;
  if (blk->last) blk->last->next = inst;
  else blk->first = inst;
  blk->last = inst;
}

void inst_insert_before(Inst *inst, Inst *where) {
  ASSERT(func_cx(inst->fn), !inst->block && where->block);
  inst->block = where->block;
  inst->prev = where->prev;
  inst->next = where;
  if (where->prev) where->prev->next = inst;
  else where->block->first = inst;
  where->prev = inst;
}

static void detach(Inst *inst) {
  if (!inst->block) return;
  if (inst->prev) inst->prev->next = inst->next;
  else inst->block->first = inst->next;
  if (inst->next) inst->next->prev = inst->prev;
  else inst->block->last = inst->prev;
  inst->block = NULL;
  inst->prev = inst->next = NULL;
}

void inst_move_before(Inst *inst, Inst *where) {
  ASSERT(func_cx(inst->fn), inst->fn == where->fn && inst != where);
  detach(inst);
  inst_insert_before(inst, where);
}

void inst_remove(Inst *inst) {
  for (uint32_t i = 0; i < inst->n_results; i++)
    ASSERT(func_cx(inst->fn), !value_is_used(inst->results[i]));
  detach(inst);
  unlink_all(inst);
}

void inst_set_arg(Inst *inst, uint32_t i, Value *value) {
  ASSERT(func_cx(inst->fn), i < inst->n_args);
  unlink_use(inst->args[i], inst->uses[i]);
  inst->args[i] = value;
  link_use(value, inst->uses[i]);
}

void inst_add_arg(Inst *inst, Value *value) {
  ASSERT(func_cx(inst->fn), inst->n_succs == 0);
  add_args(inst, &value, 1);
}

bool inst_is_op(const Inst *inst, OpId op) { return inst && inst->op == op; }

uint32_t inst_n_own_args(const Inst *inst) {
  return inst->n_succs > 0 ? inst->succs[0].first_arg : inst->n_args;
}

uint32_t inst_n_inner(const Inst *last) {
  return inst_is_loop(last) ? 1 : inst_is_op(last, OP_BRANCH) ? 2 : 0;
}

Block *inst_rest(const Inst *last) {
  return inst_is_loop(last) ? last->succs[1].block : last->merge;
}

/* ---- loops ----------------------------------------------------------------------------------- */

bool inst_is_loop(const Inst *inst) {
  return inst && (inst->op == OP_FOREACH || inst->op == OP_REDUCE);
}

uint32_t loop_n_carried(const Inst *loop) { return loop->succs[0].n_args; }

Inst *loop_find_next(const Inst *loop) {
  for (Block *blk = loop->succs[0].block; blk;) {
    Inst *last = block_terminator(blk);
    if (last->op == OP_NEXT) return last;
    blk = inst_rest(last);
  }
  return NULL;
}

void loop_remove_carried(Inst *loop, Inst *next, uint32_t i) {
  ASSERT(func_cx(loop->fn), inst_is_loop(loop) && i < loop_n_carried(loop));
  inst_remove_arg(loop, loop->succs[0].first_arg + i);
  if (next) inst_remove_arg(next, i);
  drop_param(loop->succs[0].block, 1 + i);
  drop_param(loop->succs[1].block, i);
}

void reduce_remove_result(Inst *reduce, Inst *next, uint32_t i) {
  Reduce *attr = &reduce->attr.reduce;
  ASSERT(func_cx(reduce->fn), reduce->op == OP_REDUCE && i < attr->n_kinds && attr->n_kinds > 1);
  Reduction *kinds = NEWN(func_arena(reduce->fn), Reduction, attr->n_kinds - 1);
  for (uint32_t k = 0; k + 1 < attr->n_kinds; k++) kinds[k] = attr->kinds[k < i ? k : k + 1];
  attr->kinds = kinds;
  attr->n_kinds--;
  inst_remove_arg(next, i);
  drop_param(reduce->succs[1].block, i);
}

/* ---- components ------------------------------------------------------------------------------ */

uint64_t level_n_components(Level level, const Type *ty) {
  return level == LEVEL_LOW && type_is(ty, TY_TENSOR) ? shape_size(type_shape(ty)) : 1;
}

const Type *level_component(Cx *cx, Level level, const Type *ty) {
  return level == LEVEL_LOW && type_is(ty, TY_TENSOR) ? type_real(cx) : ty;
}

uint64_t seq_n_scalars(const Type *ty) {
  uint64_t n = 1;
  for (; type_is_fixed_seq(ty); ty = type_elem(ty)) n *= type_seq_len(ty);
  return n * level_n_components(LEVEL_LOW, ty);
}

const Type *seq_scalar(Cx *cx, const Type *ty) {
  while (type_is_fixed_seq(ty)) ty = type_elem(ty);
  return level_component(cx, LEVEL_LOW, ty);
}

uint64_t seq_n_operands(Level level, const Type *seq) {
  if (level == LEVEL_LOW && type_is_fixed_seq(seq)) return seq_n_scalars(type_elem(seq));
  return level_n_components(level, type_elem(seq));
}

const Type *seq_operand(Cx *cx, Level level, const Type *seq) {
  if (level == LEVEL_LOW && type_is_fixed_seq(seq)) return seq_scalar(cx, seq);
  return level_component(cx, level, type_elem(seq));
}

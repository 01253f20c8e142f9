/* Builder: instructions at an insertion point. Types come from ops.def. Next: ir.c. */
#include "ir/core/build.h"

#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/ein/ein.h"

Builder build_at_end(Cx *cx, Block *block, Span span) {
  return (Builder){.cx = cx, .fn = block->fn, .block = block, .span = span};
}

Builder build_before(Cx *cx, Inst *where) {
  return (Builder){
      .cx = cx, .fn = where->fn, .block = where->block, .before = where, .span = where->span};
}

Inst *build_inst(Builder *b, OpId op, Attr attr, Value *const *args, uint32_t n_args) {
  Inst *inst = inst_new(b->fn, op, attr, b->span, args, n_args);
  inst->is_unchecked = b->is_unchecked;
  if (b->before) inst_insert_before(inst, b->before);
  else inst_append(b->block, inst);
  return inst;
}

Value *build_typed(Builder *b, OpId op, Attr attr, const Type *ty, Value *const *args,
                   uint32_t n_args) {
  return inst_add_result(build_inst(b, op, attr, args, n_args), ty, NULL);
}

Value *build_op(Builder *b, OpId op, Attr attr, Value *const *args, uint32_t n_args) {
  const Sig *sig = op_sig(b->cx, op);
  const Type **types = NEWN(b->cx->scratch, const Type *, n_args);
  for (uint32_t i = 0; i < n_args; i++) types[i] = args[i]->ty;
  Bindings bindings;
  uint32_t failed;
  if (!sig_match(b->cx, sig, SIG_EXACT, types, n_args, &bindings, &failed))
    BUG(b->cx, "op %s: operand %u has type %s, signature is %s", op_text(op), failed,
        failed < n_args ? type_text(b->cx, types[failed]) : "none", op_sig_text(op));
  const Type *ty = sig_result(b->cx, sig, &bindings, 0);
  if (type_is(ty, TY_ERROR)) BUG(b->cx, "op %s: its operands do not fix its type", op_text(op));
  return build_typed(b, op, attr, ty, args, n_args);
}

Value *build_op1(Builder *b, OpId op, Value *a) { return build_op(b, op, ATTR_EMPTY, &a, 1); }

Value *build_op2(Builder *b, OpId op, Value *a, Value *c) {
  Value *args[] = {a, c};
  return build_op(b, op, ATTR_EMPTY, args, 2);
}

void build_effect(Builder *b, OpId op, Attr attr, Value *const *args, uint32_t n_args) {
  build_inst(b, op, attr, args, n_args);
}

Value *build_bool(Builder *b, bool value) {
  return build_op(b, OP_CONST_BOOL, (Attr){.b = value}, NULL, 0);
}

Value *build_int(Builder *b, int64_t value) {
  return build_op(b, OP_CONST_INT, (Attr){.i = value}, NULL, 0);
}

Value *build_real(Builder *b, double value) {
  return build_op(b, OP_CONST_REAL, (Attr){.real = {.value = value}}, NULL, 0);
}

static const Type *ein_type(Cx *cx, const Ein *ein, Value *const *args, uint32_t n_args) {
  uint32_t dim = 0, continuity = CONTINUITY_INF;
  for (uint32_t i = 0; i < n_args; i++) {
    if (!type_is(args[i]->ty, TY_FIELD)) continue;
    uint32_t k = type_continuity(args[i]->ty);
    dim = type_dim(args[i]->ty);
    if (k < continuity) continuity = k;
  }
  Shape shape = ein_shape(ein);
  return dim == 0 ? type_tensor(cx, shape) : type_field(cx, continuity, dim, shape);
}

Value *build_ein(Builder *b, const Ein *ein, Value *const *args, uint32_t n_args) {
  const Type *ty = ein_type(b->cx, ein, args, n_args);
  return build_typed(b, OP_EIN, (Attr){.ein = ein}, ty, args, n_args);
}

/* ---- control flow ---------------------------------------------------------------------------- */

void build_jump(Builder *b, Block *to, Value *const *args, uint32_t n_args) {
  inst_add_succ(build_inst(b, OP_JUMP, ATTR_EMPTY, NULL, 0), to, args, n_args);
}

void build_branch(Builder *b, Value *cond, Block *then_block, Block *else_block, Block *merge) {
  Inst *inst = build_inst(b, OP_BRANCH, ATTR_EMPTY, &cond, 1);
  inst_add_succ(inst, then_block, NULL, 0);
  inst_add_succ(inst, else_block, NULL, 0);
  inst->merge = merge;
}

void build_leave(Builder *b, ExitKind kind, Value *const *args, uint32_t n_args) {
  build_inst(b, OP_LEAVE, (Attr){.exit = kind}, args, n_args);
}

void build_foreach(Builder *b, Value *lo, Value *hi, Block *body, Block *after,
                   Value *const *carried, uint32_t n_carried) {
  Value *bounds[] = {lo, hi};
  Inst *inst = build_inst(b, OP_FOREACH, ATTR_EMPTY, bounds, 2);
  inst_add_succ(inst, body, carried, n_carried);
  inst_add_succ(inst, after, NULL, 0);
}

void build_reduce(Builder *b, Reduce reduce, Value *lo, Value *hi, Block *body, Block *after) {
  Value *bounds[] = {lo, hi};
  Reduction *kinds = NEWN(b->cx->arena, Reduction, reduce.n_kinds);
  for (uint32_t i = 0; i < reduce.n_kinds; i++) kinds[i] = reduce.kinds[i];
  reduce.kinds = kinds;
  Inst *inst = build_inst(b, OP_REDUCE, (Attr){.reduce = reduce}, bounds, lo ? 2 : 0);
  inst_add_succ(inst, body, NULL, 0);
  inst_add_succ(inst, after, NULL, 0);
}

void build_next(Builder *b, Value *const *carried, uint32_t n_carried) {
  build_inst(b, OP_NEXT, ATTR_EMPTY, carried, n_carried);
}

Value *build_copy(Builder *b, const Value *value, Map *copies) {
  Value *copy = map_get(copies, value);
  if (copy) return copy;
  const Inst *def = value->def;
  Value **args = NEWN(b->cx->scratch, Value *, def->n_args);
  for (uint32_t i = 0; i < def->n_args; i++) args[i] = build_copy(b, def->args[i], copies);
  Builder here = *b;
  here.span = def->span;
  Inst *inst = build_inst(&here, def->op, def->attr, args, def->n_args);
  for (uint32_t i = 0; i < def->n_results; i++) {
    const Value *result = def->results[i];
    copy = inst_add_result(inst, result->ty, result->name);
    copy->at = result->at;
    map_put(copies, result, copy);
  }
  return map_get(copies, value);
}

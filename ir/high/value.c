/* Value: small helpers on values and Einstein expressions for the passes of this folder. */
#include "ir/high/local.h"

bool value_is(const Value *value, TypeKind kind) { return type_is(value->ty, kind); }

bool type_is_abstract(const Type *ty) {
  return type_is(ty, TY_IMAGE) || type_is(ty, TY_KERNEL) || type_is(ty, TY_FIELD);
}

OpId choice_comparison(OpId op) {
  switch (op) {
  case OP_CHOOSE_LT: return OP_RLT;
  case OP_CHOOSE_LE: return OP_RLE;
  case OP_CHOOSE_EQ: return OP_REQ;
  default: return OP_COUNT; /* chooses nothing */
  }
}

void value_set_name(Value *value, const Name *name) {
  if (!value->name) value->name = name;
}

const EinExpr *ein_param_all(Cx *cx, uint32_t param, uint32_t n_idx) {
  EinIdx idx[MAX_ORDER];
  ASSERT(cx, n_idx <= MAX_ORDER);
  for (uint32_t i = 0; i < n_idx; i++) idx[i] = ein_var(i);
  return ein_param(cx, param, idx, n_idx);
}

bool ein_is_identity(const Ein *ein) {
  const EinExpr *body = ein->body;
  if (ein->n_params != 1 || body->kind != EIN_PARAM || body->n_idx != ein->n_free) return false;
  for (uint32_t i = 0; i < body->n_idx; i++)
    if (body->idx[i].is_const || body->idx[i].value != i) return false;
  return true;
}

/* Indices bound in the expression are numbered from n_free on; returns one more than the largest.
 */
static uint32_t count_indices(const EinExpr *expr, uint32_t n_indices) {
  if (expr->kind == EIN_SUM && expr->var >= n_indices) n_indices = expr->var + 1;
  for (uint32_t i = 0; i < expr->n_args; i++) n_indices = count_indices(expr->args[i], n_indices);
  return n_indices;
}

const Ein *ein_new(Cx *cx, Shape shape, uint32_t n_params, const EinExpr *body) {
  Ein *ein = NEW(cx->arena, Ein);
  ASSERT(cx, shape.order <= MAX_ORDER);
  ein->n_free = shape.order;
  for (uint32_t i = 0; i < shape.order; i++) ein->ranges[i] = shape.dims[i];
  ein->n_params = n_params;
  ein->body = body;
  ein->n_indices = count_indices(body, shape.order);
  return ein;
}

Value *build_zero(Builder *b, const Type *ty) {
  const EinExpr *zero = ein_num(b->cx, RATIONAL(0, 1));
  if (type_is_real(ty)) return build_real(b, 0.0);
  return build_ein(b, ein_new(b->cx, *type_shape(ty), 0, zero), NULL, 0);
}

Value *build_default(Builder *b, const Type *ty) {
  ValueVec elems = {0};
  switch (type_kind(ty)) {
  case TY_BOOL: return build_bool(b, false);
  case TY_INT: return build_int(b, 0);
  case TY_STRING: return build_op(b, OP_CONST_STRING, (Attr){.s = ""}, NULL, 0);
  case TY_TENSOR: return build_zero(b, ty);
  case TY_SEQ: break;
  default: BUG(b->cx, "a %s has no default", type_text(b->cx, ty)); /* no value */
  }
  for (uint64_t i = 0; !type_is_dynamic_seq(ty) && i < type_seq_len(ty); i++)
    vec_push(b->cx->arena, &elems, build_default(b, type_elem(ty)));
  return build_typed(b, OP_SEQ, ATTR_EMPTY, ty, elems.data, elems.len);
}

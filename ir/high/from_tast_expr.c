/* From_tast, expressions. Inside a field function every expression over the position is a field, so
 * what the typed tree calls a tensor may be a field here; the ops that cannot be lifted are LIMITs.
 * Next: from_tast_choice.c, from_tast_builtin.c, from_tast_var.c, from_tast_call.c.
 */
#include <math.h>
#include <string.h>

#include "ir/high/local.h"

/* ---- constants ------------------------------------------------------------------------------- */

static bool is_all_zero(const RealConst *reals, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (reals[i].value != 0.0 || signbit(reals[i].value)) return false;
  return true;
}

static Value *lower_tensor_const(Body *body, const Type *ty, const RealConst *reals) {
  const Shape *shape = type_shape(ty);
  if (shape->order == 0)
    return build_typed(&body->b, OP_CONST_REAL, (Attr){.real = *reals}, ty, NULL, 0);
  if (is_all_zero(reals, shape_size(shape))) return build_zero(&body->b, ty);
  Shape rest = shape_drop_first(*shape);
  const Type *part_ty = type_tensor(body->cx, rest);
  ValueVec parts = {0};
  for (uint32_t i = 0; i < shape->dims[0]; i++)
    vec_push(body->cx->arena, &parts,
             lower_tensor_const(body, part_ty, reals + i * shape_size(&rest)));
  return build_op(&body->b, OP_CONS, ATTR_EMPTY, parts.data, parts.len);
}

static Value *lower_seq_const(Body *body, const Const *value) {
  ValueVec elems = {0};
  for (uint64_t i = 0; i < value->n_elems; i++)
    vec_push(body->cx->arena, &elems, lower_const(body, value->elems[i]));
  return build_seq(body, value->ty, elems.data, elems.len);
}

Value *lower_const(Body *body, const Const *value) {
  Builder *b = &body->b;
  switch (type_kind(value->ty)) {
  case TY_BOOL: return build_bool(b, value->b);
  case TY_INT: return build_int(b, value->i);
  case TY_STRING: return build_op(b, OP_CONST_STRING, (Attr){.s = value->s}, NULL, 0);
  case TY_TENSOR: return lower_tensor_const(body, value->ty, value->reals);
  case TY_SEQ: return lower_seq_const(body, value);
  default: UNREACHABLE(body->cx); /* no other constants */
  }
}

/* ---- tensors --------------------------------------------------------------------------------- */

/* Fields stacked along a new first axis: sum over k of F_k[rest] delta(first, k). */
static Value *stack_fields(Body *body, const ValueVec *parts) {
  Cx *cx = body->cx;
  const Shape *shape = type_shape(parts->data[0]->ty);
  EinIdx rest[MAX_ORDER];
  for (uint32_t i = 0; i < shape->order; i++) rest[i] = ein_var(i + 1);
  const EinExpr *sum = ein_num(cx, RATIONAL(0, 1));
  for (uint32_t k = 0; k < parts->len; k++) {
    const EinExpr *part = ein_param(cx, k, rest, shape->order);
    const EinExpr *here = ein_delta(cx, ein_var(0), ein_const(k));
    sum = ein_binary(cx, EIN_ADD, sum, ein_binary(cx, EIN_MUL, here, part));
  }
  Shape first = shape_of(1, &parts->len);
  const Ein *ein = ein_new(cx, shape_concat(first, *shape), parts->len, sum);
  return build_ein(&body->b, ein, parts->data, parts->len);
}

static Value *lower_tensor(Body *body, const TExpr *expr) {
  ValueVec parts = {0};
  bool has_field = false;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    vec_push(body->cx->arena, &parts, lower_expr(body, expr->args.data[i]));
    has_field |= value_is(vec_last(&parts), TY_FIELD);
  }
  body->b.span = expr->span;
  if (parts.len == 1) return parts.data[0];
  if (has_field) return stack_fields(body, &parts);
  return build_op(&body->b, OP_CONS, ATTR_EMPTY, parts.data, parts.len);
}

static Value *build_slice(Body *body, Value *whole, const uint32_t *axes) {
  const Shape *shape = type_shape(whole->ty);
  EinIdx idx[MAX_ORDER];
  uint32_t kept[MAX_ORDER], n_kept = 0;
  for (uint32_t axis = 0; axis < shape->order; axis++) {
    idx[axis] = axes[axis] == SLICE_ALL ? ein_var(n_kept) : ein_const(axes[axis]);
    if (axes[axis] == SLICE_ALL) kept[n_kept++] = shape->dims[axis];
  }
  const EinExpr *part = ein_param(body->cx, 0, idx, shape->order);
  return build_ein(&body->b, ein_new(body->cx, shape_of(n_kept, kept), 1, part), &whole, 1);
}

/* All slices, as sequences over the axes whose index is known at run time only, the first of them
 * outermost: of t[i, :, j] it is { { t[0, :, 0], t[0, :, 1] }, { t[1, :, 0], t[1, :, 1] } }. */
static Value *build_slices(Body *body, Value *whole, uint32_t axis, uint32_t *axes) {
  const Shape *shape = type_shape(whole->ty);
  ValueVec slices = {0};
  while (axis < shape->order && axes[axis] != SLICE_AT) axis++;
  if (axis == shape->order) return build_slice(body, whole, axes);
  axes[axis] = 0;
  do { /* an axis has at least one index */
    vec_push(body->cx->arena, &slices, build_slices(body, whole, axis + 1, axes));
  } while (++axes[axis] < shape->dims[axis]);
  axes[axis] = SLICE_AT;
  const Type *ty = type_seq(body->cx, slices.data[0]->ty, slices.len);
  return build_seq(body, ty, slices.data, slices.len);
}

static Value *lower_slice(Body *body, const TExpr *expr) {
  Value *whole = lower_expr(body, expr->args.data[0]);
  uint32_t axes[MAX_ORDER];
  ValueVec indices = {0};
  for (uint32_t i = 1; i < expr->args.len; i++)
    vec_push(body->cx->arena, &indices, lower_expr(body, expr->args.data[i]));
  memcpy(axes, expr->u.axes, sizeof axes);
  body->b.span = expr->span;
  Value *slice = build_slices(body, whole, 0, axes);
  for (uint32_t i = 0; i < indices.len; i++) slice = build_element(body, slice, indices.data[i]);
  return slice;
}

/* ---- coercions ------------------------------------------------------------------------------- */

static Value *lower_coerce(Body *body, const TExpr *expr) {
  Value *value = lower_expr(body, expr->args.data[0]);
  body->b.span = expr->span;
  return coerce_value(body, value, expr->ty);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* The further arguments are the values of variables in the field. */
static Value *lower_probe_expr(Body *body, const TExpr *expr) {
  const TVarVec *params = &expr->u.params;
  for (uint32_t i = 0; i < params->len; i++)
    body_set(body, params->data[i], lower_expr(body, expr->args.data[2 + i]));
  Value *field = lower_expr(body, expr->args.data[0]);
  Value *pos = lower_expr(body, expr->args.data[1]);
  for (uint32_t i = 0; i < params->len; i++) body_set(body, params->data[i], NULL);
  body->b.span = expr->span;
  Value *value = lower_probe(body, field, pos);
  record_probe(body, TRACE_PROBE, expr, expr->args.data[0], pos, value);
  return value;
}

static Value *lower_load(Body *body, const TExpr *expr) {
  Attr var = {.var = {unit_load(body->unit, NULL, expr), WHOLE}};
  return build_typed(&body->b, OP_GLOBAL_LOAD, var, expr->ty, NULL, 0);
}

Value *lower_expr(Body *body, const TExpr *expr) {
  Attr kernel = {.i = 0};
  body->b.span = expr->span;
  switch (expr->kind) {
  case TE_CONST: return lower_const(body, expr->u.value);
  case TE_VAR: return lower_var(body, expr->u.var);
  case TE_KERNEL:
    kernel.kernel = expr->u.kernel;
    return build_typed(&body->b, OP_KERNEL, kernel, expr->ty, NULL, 0);
  case TE_BUILTIN: return lower_builtin(body, expr);
  case TE_CALL: return lower_call(body, expr);
  case TE_PROBE: return lower_probe_expr(body, expr);
  case TE_FORMULA: return lower_formula(body, expr->u.params.data[0], expr->args.data[0]);
  case TE_COERCE: return lower_coerce(body, expr);
  case TE_TENSOR: return lower_tensor(body, expr);
  case TE_COND: return lower_cond(body, expr);
  case TE_AND:
  case TE_OR: return lower_logic(body, expr);
  case TE_SLICE: return lower_slice(body, expr);
  case TE_LOAD_IMAGE:
  case TE_LOAD_SEQ: return lower_load(body, expr);
  case TE_SEQ:
  case TE_MAP:
  case TE_RANGE:
  case TE_INDEX: return lower_seq(body, expr);
  case TE_SELECT: return lower_select(body, expr);
  case TE_STRAND_SET: break; /* only a loop can have it: see Domain */
  }
  UNREACHABLE(body->cx);
}

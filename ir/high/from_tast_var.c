/* From_tast, variables and fields. Fields, kernels and images with border control are never stored:
 * their definitions are lowered again at each use, and value numbering merges equal ones.
 */
#include "ir/high/local.h"

/* ---- fields ---------------------------------------------------------------------------------- */

/* The field whose value is the position. */
static Value *build_coord(Body *body, uint32_t dim) {
  const Shape *shape = type_shape(type_vec(body->cx, dim));
  const Type *ty = type_field(body->cx, CONTINUITY_INF, dim, *shape);
  return build_typed(&body->b, OP_COORD, ATTR_EMPTY, ty, NULL, 0);
}

/* The other field is an operand that the body does not mention. */
Value *constant_field(Body *body, Value *tensor, Value *field) {
  const Shape *shape = type_shape(tensor->ty);
  const EinExpr *all = ein_param_all(body->cx, 0, shape->order);
  return build_ein(&body->b, ein_new(body->cx, *shape, 2, all), (Value *[]){tensor, field}, 2);
}

Value *lower_formula(Body *body, const TVar *param, const TExpr *formula) {
  const Span span = body->b.span;
  const Shape *shape = type_shape(param->ty);
  const uint32_t dim = shape->order == 0 ? 1 : shape->dims[0];
  Value *coord = build_coord(body, dim), *outer = body->position;
  body->position = coord;
  body_set(body, param, coord);
  Value *value = lower_expr(body, formula);
  body_set(body, param, NULL);
  body->position = outer;
  body->b.span = span;
  return value_is(value, TY_FIELD) ? value : constant_field(body, value, coord);
}

/* field F(x) = e */
static Value *lower_field_function(Body *body, const TVar *var) {
  Value *field = lower_formula(body, var->fun_param, var->init);
  body->b.span = var->span;
  return field;
}

Value *lower_probe(Body *body, Value *field, Value *pos) {
  if (!value_is(pos, TY_FIELD)) return build_op2(&body->b, OP_PROBE, field, pos);
  if (pos->def && inst_is_op(pos->def, OP_COORD)) return field;
  return build_op2(&body->b, OP_COMPOSE, field, pos);
}

/* ---- variables ------------------------------------------------------------------------------- */

static Value *lower_definition(Body *body, const TVar *var) {
  Span use = body->b.span;
  Value *value =
      var->kind == TV_FIELD_FUN ? lower_field_function(body, var) : lower_expr(body, var->init);
  body->b.span = use;
  value_set_name(value, var->name);
  return value;
}

Value *lower_var(Body *body, const TVar *var) {
  const uint32_t *global = map_get(body->unit->globals, var);
  Value *value;
  if (global) {
    value =
        build_typed(&body->b, OP_GLOBAL_LOAD, (Attr){.var = {*global, WHOLE}}, var->ty, NULL, 0);
    value_set_name(value, var->name);
    return value;
  }
  switch (var->kind) {
  case TV_CONST: return lower_const(body, var->value);
  case TV_GLOBAL:
  case TV_FIELD_FUN: return lower_definition(body, var);
  case TV_FUN_PARAM:
  case TV_STRAND_PARAM:
  case TV_STATE:
  case TV_LOCAL:
  case TV_ITER: return body_get(body, var);
  case TV_INPUT: break; /* always a global */
  }
  UNREACHABLE(body->cx);
}

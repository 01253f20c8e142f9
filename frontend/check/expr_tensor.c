/* Tensors and tensor fields: stacking of components and slices. */
#include "frontend/check/local.h"

/* ---- [a, b, ...] ---------------------------------------------------------------------------- */

static const Type *component_want(Check *ck, const Type *want) {
  if (!want || !type_is(want, TY_FIELD) || type_shape(want)->order == 0) return NULL;
  return type_field(ck->cx, type_continuity(want), type_dim(want),
                    shape_drop_first(*type_shape(want)));
}

static bool is_stackable(const Type *ty) {
  return type_is(ty, TY_INT) || type_is(ty, TY_TENSOR) || type_is(ty, TY_FIELD);
}

static const Type *real_of_int(Check *ck, const Type *ty) {
  return type_is(ty, TY_INT) ? type_real(ck->cx) : ty;
}

/* The common type of two components; fields may differ in their continuity. */
static const Type *stack_common(Check *ck, const Type *a, const Type *b) {
  if (type_is(a, TY_TENSOR) || type_is(b, TY_TENSOR)) {
    a = real_of_int(ck, a);
    b = real_of_int(ck, b);
  }
  if (a == b) return a;
  if (!type_is(a, TY_FIELD) || !type_is(b, TY_FIELD) || type_dim(a) != type_dim(b) ||
      !shape_eq(type_shape(a), type_shape(b)))
    return NULL;
  return type_continuity(a) < type_continuity(b) ? a : b;
}

/* The type all components convert to, TY_ERROR after a message. */
static const Type *component_type(Check *ck, const TExprVec *elems) {
  const Type *ty = elems->data[0]->ty;
  for (uint32_t i = 0; i < elems->len; i++)
    if (is_error(elems->data[i])) return type_error(ck->cx);
  for (uint32_t i = 0; i < elems->len; i++) {
    const TExpr *elem = elems->data[i];
    const Type *common = stack_common(ck, ty, elem->ty);
    if (!is_stackable(elem->ty)) {
      diag(ck->cx, elem->span, E_TENSOR_ELEMENT, d_type(ck->cx, elem->ty));
      return type_error(ck->cx);
    }
    if (!common) {
      diag(ck->cx, elem->span, E_TENSOR_MIXED, d_type(ck->cx, ty), d_type(ck->cx, elem->ty));
      hint_stacked(ck, real_of_int(ck, ty), real_of_int(ck, elem->ty));
      return type_error(ck->cx);
    }
    ty = common;
  }
  return type_is(ty, TY_INT) ? type_real(ck->cx) : ty;
}

/* TY_ERROR after a message. */
static const Type *stacked_type(Check *ck, const Type *component, uint32_t n, Span span) {
  Shape stacked = shape_concat(shape_of(1, &n), *type_shape(component));
  const Type *ty = type_is(component, TY_TENSOR) ? type_tensor(ck->cx, stacked)
                                                 : type_field(ck->cx, type_continuity(component),
                                                              type_dim(component), stacked);
  return check_size(ck, ty, span);
}

TExpr *check_tensor(Check *ck, const AstTensor *node, const Type *want) {
  Span span = node->head.span;
  TExpr *tensor = texpr_new(ck->arena, TE_TENSOR, type_error(ck->cx), span);
  for (uint32_t i = 0; i < node->elems.len; i++)
    vec_push(ck->arena, &tensor->args,
             check_expr(ck, node->elems.data[i], component_want(ck, want)));
  const Type *component = component_type(ck, &tensor->args);
  if (type_is(component, TY_ERROR)) return error_expr(ck, span);
  for (uint32_t i = 0; i < tensor->args.len; i++)
    tensor->args.data[i] = coerce(ck, tensor->args.data[i], component);
  if (tensor->args.len == 1) return tensor->args.data[0]; /* an axis of length 1 is none */
  tensor->ty = stacked_type(ck, component, tensor->args.len, span);
  return is_error(tensor) ? error_expr(ck, span) : tensor;
}

/* ---- t[i, :, k] ----------------------------------------------------------------------------- */

static bool check_constant_index(Check *ck, int64_t index, uint32_t dim, Span span) {
  if (index >= 0 && index < dim) return true;
  diag(ck->cx, span, E_INDEX_RANGE, d_int(index), d_int((int64_t)dim - 1));
  return false;
}

/* An index known only at run time: not for fields, which are computed by one formula, nor for
 * [a, b][i], which is probably a mistake for {a, b}[i]. */
static bool check_run_time_index(Check *ck, TExpr *slice, TExpr *index) {
  const TExpr *base = slice->args.data[0];
  if (base->kind == TE_TENSOR) {
    diag(ck->cx, slice->span, E_INDEX_NOT_CONSTANT, d_text("tensor that is written out"));
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("{a, b, ...}[i] for an element of a sequence"));
    return false;
  }
  if (type_is(base->ty, TY_FIELD)) {
    diag(ck->cx, slice->span, E_INDEX_NOT_CONSTANT, d_text("field"));
    return false;
  }
  vec_push(ck->arena, &slice->args, index);
  return true;
}

/* Axis i of a slice of args[0]; false after a message at the whole slice. */
static bool check_axis(Check *ck, const Ast *node, TExpr *slice, uint32_t i) {
  uint32_t *axis = &slice->u.axes[i];
  const uint32_t dim = type_shape(slice->args.data[0]->ty)->dims[i];
  *axis = SLICE_ALL;
  if (node->kind == AST_WHOLE) return true;
  TExpr *index = check_expr(ck, node, type_int(ck->cx));
  Const *value;
  if (is_error(index)) return false;
  if (!type_is(index->ty, TY_INT)) {
    diag(ck->cx, slice->span, E_INDEX_TYPE, d_type(ck->cx, index->ty));
    hint_indexed(ck, slice->args.data[0]->ty, index->ty);
    return false;
  }
  const ConstStatus status = const_value(ck, index, &value);
  *axis = status == CONST_KNOWN ? (uint32_t)value->i : SLICE_AT;
  if (status == CONST_NOT) return check_run_time_index(ck, slice, index);
  return status == CONST_KNOWN && check_constant_index(ck, value->i, dim, slice->span);
}

static const Type *slice_type(Check *ck, const Type *base, const uint32_t *axes) {
  const Shape *shape = type_shape(base);
  Shape kept = {0};
  for (uint32_t i = 0; i < shape->order; i++)
    if (axes[i] == SLICE_ALL) kept = shape_append(kept, shape->dims[i]);
  return type_is(base, TY_TENSOR) ? type_tensor(ck->cx, kept)
                                  : type_field(ck->cx, type_continuity(base), type_dim(base), kept);
}

static bool is_sliceable(const Type *ty) {
  return (type_is(ty, TY_TENSOR) || type_is(ty, TY_FIELD)) && type_shape(ty)->order > 0;
}

TExpr *check_slice(Check *ck, TExpr *base, const AstIndex *node) {
  Span span = node->head.span;
  if (is_error(base)) return base;
  if (!is_sliceable(base->ty)) {
    diag(ck->cx, span, E_NOT_INDEXABLE, d_type(ck->cx, base->ty));
    hint_indexed(ck, base->ty, NULL);
    return error_expr(ck, span);
  }
  const Shape *shape = type_shape(base->ty);
  if (node->indices.len != shape->order) {
    const char *count =
        text_format(ck->arena, "%u ind%s", shape->order, shape->order == 1 ? "ex" : "ices");
    diag(ck->cx, span, E_INDEX_COUNT, d_type(ck->cx, base->ty), d_text(count),
         d_int(node->indices.len));
    if (node->indices.len == 1 && shape->order == 2)
      diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("m[i,j] for a component, m[i,:] for a row"));
    return error_expr(ck, span);
  }
  TExpr *slice = texpr_new(ck->arena, TE_SLICE, type_error(ck->cx), span);
  bool is_good = true;
  vec_push(ck->arena, &slice->args, base);
  for (uint32_t i = 0; i < shape->order; i++)
    if (!check_axis(ck, node->indices.data[i], slice, i)) is_good = false;
  if (!is_good) return error_expr(ck, span);
  slice->ty = slice_type(ck, base->ty, slice->u.axes);
  return slice;
}

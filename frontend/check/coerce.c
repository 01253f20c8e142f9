/* Implicit conversions (language.md §3.4) as nodes of the typed tree: int to real, elements of
 * sequences, fixed to dynamic sequence, field to one of less continuity. Literals are converted at
 * once, so that 1 where a real is asked for is the constant 1.0.
 */
#include "frontend/check/local.h"

Const *const_coerce(Check *ck, Const *value, const Type *ty) {
  if (value->ty == ty) return value;
  if (type_is(ty, TY_TENSOR)) return const_from_reals(ck, ty, (double)value->i);
  Const *seq = const_new(ck, ty);
  seq->n_elems = value->n_elems;
  seq->elems = NEWN(ck->arena, Const *, value->n_elems + 1);
  for (uint64_t i = 0; i < value->n_elems; i++)
    seq->elems[i] = const_coerce(ck, value->elems[i], type_elem(ty));
  return seq;
}

static TExpr *coerce_node(Check *ck, TExpr *expr, const Type *ty) {
  TExpr *node = texpr_new(ck->arena, TE_COERCE, ty, expr->span);
  vec_push(ck->arena, &node->args, expr);
  return node;
}

/* A literal converts its elements; only then it may become dynamic. */
static TExpr *coerce_literal_seq(Check *ck, TExpr *literal, const Type *ty) {
  const Type *elem = type_elem(ty);
  for (uint32_t i = 0; i < literal->args.len; i++)
    literal->args.data[i] = coerce(ck, literal->args.data[i], elem);
  literal->ty = type_seq(ck->cx, elem, literal->args.len);
  return literal->ty == ty ? literal : coerce_node(ck, literal, ty);
}

TExpr *coerce(Check *ck, TExpr *expr, const Type *ty) {
  if (expr->ty == ty || is_error(expr) || type_is(ty, TY_ERROR)) return expr;
  if (expr->kind == TE_CONST)
    return const_expr(ck, const_coerce(ck, expr->u.value, ty), expr->span);
  if (expr->kind == TE_SEQ) return coerce_literal_seq(ck, expr, ty);
  return coerce_node(ck, expr, ty);
}

/* ---- messages ------------------------------------------------------------------------------- */

/* The kernels that would have done. */
static void suggest_kernels(Check *ck, uint32_t continuity) {
  Text names = text_new(ck->arena);
  for (uint32_t i = 0; i < kernel_count(); i++) {
    const Kernel *kernel = kernel_at(i);
    if (kernel->continuity < continuity) continue;
    text_add(&names, names.len > 0 ? ", " : "");
    text_add(&names, kernel->name);
  }
  if (names.len > 0) diag_note(ck->cx, SPAN_NONE, H_KERNELS, d_text(text_str(&names)));
}

static bool lacks_derivatives(const Type *found, const Type *wanted) {
  return type_is(found, TY_FIELD) && type_is(wanted, TY_FIELD) &&
         type_dim(found) == type_dim(wanted) && shape_eq(type_shape(found), type_shape(wanted));
}

TExpr *coerce_or_report(Check *ck, TExpr *expr, const Type *ty, const char *what) {
  if (type_coerces(expr->ty, ty)) return coerce(ck, expr, ty);
  if (lacks_derivatives(expr->ty, ty)) {
    diag(ck->cx, expr->span, E_CONTINUITY, d_type(ck->cx, ty), d_type(ck->cx, expr->ty));
    suggest_kernels(ck, type_continuity(ty));
  } else {
    diag(ck->cx, expr->span, E_TYPE_MISMATCH, d_text(what), d_type(ck->cx, ty),
         d_type(ck->cx, expr->ty));
    if (type_is(ty, TY_INT) && type_is_real(expr->ty)) diag_note(ck->cx, SPAN_NONE, H_REAL_TO_INT);
  }
  return error_expr(ck, expr->span);
}

/* Substitution of expressions for variables in the typed tree. Parts that do not change are not
 * copied. Closed forms (closed_form.c) and probes at several positions (expr_probe.c) are expanded
 * in this way, so that no later stage knows of them.
 */
#include "frontend/check/local.h"

/* A limit for programs whose definitions double again and again. */
enum { MOST_NODES = 100000 };

static TExpr *too_large(Substitution *sub, const TExpr *expr) {
  if (!sub->is_too_large)
    diag(sub->ck->cx, sub->span, E_NOT_SUPPORTED, d_text("a formula so large"));
  sub->is_too_large = true;
  return error_expr(sub->ck, expr->span);
}

static TExpr *copy_with(Check *ck, const TExpr *expr, uint32_t from, TExpr *arg) {
  TExpr *copy = NEW(ck->arena, TExpr);
  *copy = *expr;
  copy->args = (TExprVec){0};
  for (uint32_t i = 0; i < from; i++) vec_push(ck->arena, &copy->args, expr->args.data[i]);
  vec_push(ck->arena, &copy->args, arg);
  return copy;
}

static TExpr *substitute_args(Substitution *sub, TExpr *expr) {
  TExpr *copy = NULL;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    TExpr *arg = substitute(sub, expr->args.data[i]);
    if (copy) vec_push(sub->ck->arena, &copy->args, arg);
    else if (arg != expr->args.data[i]) copy = copy_with(sub->ck, expr, i, arg);
  }
  return copy ? copy : expr;
}

TExpr *substitute(Substitution *sub, TExpr *expr) {
  if (is_error(expr)) return expr;
  if (++sub->n_nodes > MOST_NODES || sub->depth >= AST_MAX_DEPTH) return too_large(sub, expr);
  sub->depth++;
  if (sub->deepest < sub->depth) sub->deepest = sub->depth;
  TExpr *instead = sub->replace(sub, expr);
  if (!instead) instead = substitute_args(sub, expr);
  sub->depth--;
  return instead;
}

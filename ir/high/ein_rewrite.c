/* Rewriting Einstein expressions: replaces leaves. Shared parts stay shared; constructors simplify
 * zeros.
 */
#include "ir/high/jet.h"
#include "ir/high/local.h"

typedef struct Rewriting {
  Cx *cx;
  EinRewrite how;
  Map *done; /* node -> node */
} Rewriting;

static const EinExpr *rewrite(const Rewriting *rw, const EinExpr *expr);

static const EinExpr *rewrite_node(const Rewriting *rw, const EinExpr *expr) {
  const EinExpr *args[EIN_MAX_ARGS] = {NULL}, *leaf;
  for (uint32_t i = 0; i < expr->n_args; i++) args[i] = rewrite(rw, expr->args[i]);
  switch (expr->kind) {
  case EIN_NUM:
  case EIN_DELTA:
  case EIN_EPS:
  case EIN_PARAM: leaf = rw->how.replace(rw->how.context, expr); return leaf ? leaf : expr;
  case EIN_SUM: return ein_sum(rw->cx, expr->var + rw->how.shift, expr->range, args[0]);
  case EIN_ADD:
  case EIN_SUB:
  case EIN_MUL:
  case EIN_DIV: return ein_binary(rw->cx, expr->kind, args[0], args[1]);
  case EIN_NEG: return ein_neg(rw->cx, args[0]);
  case EIN_POW: return ein_pow(rw->cx, args[0], expr->exponent);
  case EIN_FN: return ein_fn(rw->cx, expr->fn, args, expr->n_args);
  }
  UNREACHABLE(rw->cx);
}

/* Expressions are shared and unchanging; the map is only untyped. */
static const EinExpr *rewrite(const Rewriting *rw, const EinExpr *expr) {
  const EinExpr *known = map_get(rw->done, expr);
  if (known) return known;
  const EinExpr *result = rewrite_node(rw, expr);
  map_put(rw->done, expr, (void *)(uintptr_t)result);
  return result;
}

const EinExpr *ein_rewrite(Cx *cx, const EinExpr *expr, EinRewrite how) {
  Rewriting rw = {cx, how, map_new(cx->arena)};
  return rewrite(&rw, expr);
}

void ein_used_params(const EinExpr *expr, bool *used) {
  if (expr->kind == EIN_PARAM) used[expr->param] = true;
  for (uint32_t i = 0; i < expr->n_args; i++) ein_used_params(expr->args[i], used);
}

typedef struct Renumber {
  Cx *cx;
  const uint32_t *new_param;
} Renumber;

static const EinExpr *renumber_param(void *context, const EinExpr *param) {
  const Renumber *to = context;
  if (param->kind != EIN_PARAM) return NULL;
  return ein_param(to->cx, to->new_param[param->param], param->idx, param->n_idx);
}

const Ein *ein_renumber(Cx *cx, const Ein *ein, const uint32_t *new_param, uint32_t n_params) {
  Renumber to = {cx, new_param};
  Ein *result = NEW(cx->arena, Ein);
  *result = *ein;
  result->n_params = n_params;
  result->body = ein_rewrite(cx, ein->body, (EinRewrite){renumber_param, &to, 0});
  return result;
}

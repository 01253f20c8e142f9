/* Symmetry: partial derivatives commute, so a term that is antisymmetric in two of them is zero. So
 * the curl of a gradient and the divergence of a curl vanish before anything is probed.
 *
 *   sum(j:3,k:3) eps(i,j,k) * $0[k,j]   => 0       where $0 is a second derivative
 *   $0[1,0] - $0[0,1]                   => 0
 */
#include "ir/high/jet.h"
#include "ir/high/local.h"

typedef struct Symmetry {
  Cx *cx;
  const Value *field; /* whose operands the parameters are ... */
  const Value *inner; /* ... from n_outer on: the operands of this one, put in for a parameter */
  uint32_t n_outer;
} Symmetry;

/* ---- parameters ------------------------------------------------------------------------------ */

/* How many of the last axes of a parameter are derivatives of one field. */
static uint32_t count_tail(const Symmetry *sym, const EinExpr *param) {
  bool is_inner = sym->inner && param->param >= sym->n_outer;
  const Value *field = is_inner ? sym->inner : sym->field;
  JetParam jp = jet_param(field, param->param - (is_inner ? sym->n_outer : 0));
  const Value *operand = field->def->args[jp.operand];
  uint32_t n = jp.order;
  if (!value_is(operand, TY_FIELD) || type_dim(operand->ty) == 1) return 0;
  for (; operand->def && inst_is_op(operand->def, OP_DERIV); operand = operand->def->args[0]) n++;
  return n;
}

static uint32_t key_of(EinIdx idx) { return idx.value * 2 + !idx.is_const; }

/* The parameter with its derivative axes in a fixed order. */
static const EinExpr *sort_tail(const Symmetry *sym, const EinExpr *param) {
  EinIdx idx[MAX_ORDER];
  uint32_t n = param->n_idx, first = n - count_tail(sym, param);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i;
    for (; at > first && key_of(idx[at - 1]) > key_of(param->idx[i]); at--) idx[at] = idx[at - 1];
    idx[at] = param->idx[i];
  }
  return ein_param(sym->cx, param->param, idx, n);
}

static bool tail_has(const Symmetry *sym, const EinExpr *param, uint32_t index) {
  for (uint32_t i = param->n_idx - count_tail(sym, param); i < param->n_idx; i++)
    if (!param->idx[i].is_const && param->idx[i].value == index) return true;
  return false;
}

/* ---- products under sums --------------------------------------------------------------------- */

typedef struct Term {
  uint64_t summed; /* bit set of the indices of the sums around the product */
  VEC(const EinExpr *) factors;
} Term;

static void collect_factors(Cx *cx, Term *term, const EinExpr *expr) {
  if (expr->kind == EIN_MUL) {
    collect_factors(cx, term, expr->args[0]);
    collect_factors(cx, term, expr->args[1]);
  } else {
    vec_push(cx->arena, &term->factors, expr);
  }
}

static Term term_of(Cx *cx, const EinExpr *expr) {
  Term term = {0};
  for (; expr->kind == EIN_SUM; expr = expr->args[0]) term.summed |= UINT64_C(1) << expr->var;
  collect_factors(cx, &term, expr);
  return term;
}

/* Do the two indices occur in the epsilon and in one parameter's derivative axes only? */
static bool pair_cancels(const Symmetry *sym, const Term *term, const EinExpr *eps, EinIdx a,
                         EinIdx b) {
  if (a.is_const || b.is_const) return false;
  uint64_t pair = UINT64_C(1) << a.value | UINT64_C(1) << b.value;
  const EinExpr *other = NULL;
  for (uint32_t i = 0; i < term->factors.len; i++) {
    const EinExpr *factor = term->factors.data[i];
    if (factor == eps || !(factor->mentions & pair)) continue;
    if (other || factor->kind != EIN_PARAM) return false;
    other = factor;
  }
  return other && (term->summed & pair) == pair && tail_has(sym, other, a.value) &&
         tail_has(sym, other, b.value);
}

static bool is_cancelled_by(const Symmetry *sym, const Term *term, const EinExpr *eps) {
  for (uint32_t i = 0; i < eps->n_idx; i++)
    for (uint32_t j = 0; j < i; j++)
      if (pair_cancels(sym, term, eps, eps->idx[i], eps->idx[j])) return true;
  return false;
}

static bool term_vanishes(const Symmetry *sym, const EinExpr *expr) {
  Term term = term_of(sym->cx, expr);
  for (uint32_t i = 0; i < term.factors.len; i++)
    if (term.factors.data[i]->kind == EIN_EPS && is_cancelled_by(sym, &term, term.factors.data[i]))
      return true;
  return false;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static const EinExpr *drop_zeros(const Symmetry *sym, const EinExpr *expr) {
  Cx *cx = sym->cx;
  const EinExpr *a, *b;
  switch (expr->kind) {
  case EIN_ADD:
    a = drop_zeros(sym, expr->args[0]);
    return ein_binary(cx, EIN_ADD, a, drop_zeros(sym, expr->args[1]));
  case EIN_SUB:
    a = drop_zeros(sym, expr->args[0]);
    b = drop_zeros(sym, expr->args[1]);
    if (a == b && a->kind == EIN_PARAM && count_tail(sym, a) > 1)
      return ein_num(cx, RATIONAL(0, 1));
    return ein_binary(cx, EIN_SUB, a, b);
  case EIN_NEG: return ein_neg(cx, drop_zeros(sym, expr->args[0]));
  case EIN_PARAM: return sort_tail(sym, expr);
  case EIN_SUM:
  case EIN_MUL:
    if (term_vanishes(sym, expr)) return ein_num(cx, RATIONAL(0, 1));
    if (expr->kind == EIN_MUL) return expr;
    return ein_sum(cx, expr->var, expr->range, drop_zeros(sym, expr->args[0]));
  default: return expr; /* no sum of terms */
  }
}

/* ---- one level deeper ------------------------------------------------------------------------ */

static bool mentions_eps(const EinExpr *expr) {
  bool found = expr->kind == EIN_EPS;
  for (uint32_t i = 0; i < expr->n_args && !found; i++) found = mentions_eps(expr->args[i]);
  return found;
}

typedef struct PutIn {
  Symmetry sym;
  uint32_t param;   /* of the outer expression, for which ... */
  const Ein *inner; /* ... this is put in; its parameters follow, its sums get new indices */
  uint32_t n_indices;
  const EinExpr *at; /* the occurrence that is being replaced */
} PutIn;

static EinIdx put_in_index(const PutIn *put, EinIdx idx) {
  if (idx.is_const) return idx;
  if (idx.value < put->inner->n_free) return put->at->idx[idx.value];
  return ein_var(put->n_indices + idx.value - put->inner->n_free);
}

static const EinExpr *put_in_node(void *context, const EinExpr *expr) {
  const PutIn *put = context;
  Cx *cx = put->sym.cx;
  EinIdx idx[MAX_ORDER] = {{0}};
  for (uint32_t i = 0; i < expr->n_idx; i++) idx[i] = put_in_index(put, expr->idx[i]);
  switch (expr->kind) {
  case EIN_PARAM: return ein_param(cx, expr->param + put->sym.n_outer, idx, expr->n_idx);
  case EIN_DELTA: return ein_delta(cx, idx[0], idx[1]);
  case EIN_EPS: return ein_eps(cx, idx, expr->n_idx);
  default: return NULL; /* no indices */
  }
}

static const EinExpr *put_in(void *context, const EinExpr *expr) {
  PutIn *put = context;
  if (expr->kind != EIN_PARAM || expr->param != put->param) return NULL;
  put->at = expr;
  uint32_t shift = put->n_indices - put->inner->n_free;
  return ein_rewrite(put->sym.cx, put->inner->body, (EinRewrite){put_in_node, put, shift});
}

/* Zero by symmetry once the operand behind a parameter is put in? */
static bool vanishes_with(Jets *jets, const Value *field, const Ein *ein, uint32_t param) {
  JetParam jp = jet_param(field, param);
  const Value *operand = field->def->args[jp.operand];
  uint32_t order = jp.order;
  if (!value_is(operand, TY_FIELD)) return false;
  for (; inst_is_op(operand->def, OP_DERIV); operand = operand->def->args[0]) order++;
  if (order == 0 || !inst_is_op(operand->def, OP_EIN)) return false;
  const Ein *inner = jet_expr(jets, operand, order);
  if (!inner || !mentions_eps(inner->body)) return false;
  if (ein->n_indices + inner->n_indices > EIN_MAX_INDICES) return false;

  PutIn put = {{jets->cx, field, operand, ein->n_params}, param, inner, ein->n_indices, NULL};
  const EinExpr *whole = ein_rewrite(jets->cx, ein->body, (EinRewrite){put_in, &put, 0});
  const EinExpr *rest = drop_zeros(&put.sym, whole);
  return rest->kind == EIN_NUM && rational_is_zero(rest->num);
}

const EinExpr *jet_drop_zeros(Jets *jets, const Value *field, const Ein *ein) {
  Symmetry sym = {.cx = jets->cx, .field = field};
  const EinExpr *body = drop_zeros(&sym, ein->body);
  bool *used = NEWN(jets->cx->arena, bool, ein->n_params);
  ein_used_params(body, used);
  for (uint32_t i = 0; i < ein->n_params; i++)
    if (used[i] && vanishes_with(jets, field, ein, i)) return ein_num(jets->cx, RATIONAL(0, 1));
  return body;
}

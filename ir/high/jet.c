/* Jet: differentiates the Einstein expressions of field ops, one order from the one before.
 * The rules are ein_derivative's; here are only the two that know fields: the derivative of the
 * position is the identity, and that of F at G(x) is F' at G(x) times G'(x).
 */
#include "ir/high/jet.h"

#include "ir/high/local.h"

typedef struct Jet {
  VEC(const Ein *) orders; /* [m]: the m-th derivative, NULL when it is zero */
} Jet;

Jets jets_new(Cx *cx) { return (Jets){.cx = cx, .fields = map_new(cx->arena)}; }

static uint32_t count_operands(const Value *field) { return field->def->n_args; }

JetParam jet_param(const Value *field, uint32_t param) {
  uint32_t n = count_operands(field);
  return (JetParam){.operand = param % n, .order = param / n};
}

/* ---- one order from the one before ----------------------------------------------------------- */

typedef struct Step {
  Jets *jets;
  const Value *field;
  uint32_t order;       /* of the result */
  uint32_t first_chain; /* COMPOSE: parameter first_chain + j stands for d/dx of F's j-th at G(x) */
  uint32_t chain_var;   /* index for the sums of the chain rule */
} Step;

static const Value *operand(const Step *step, uint32_t i) { return step->field->def->args[i]; }

static bool is_op(const Value *value, OpId op) { return value->def && inst_is_op(value->def, op); }

/* The derivative of the position is the identity; over one dimension it is 1. */
static const EinExpr *replace_known(void *context, const EinExpr *param) {
  const Step *step = context;
  Cx *cx = step->jets->cx;
  if (param->kind != EIN_PARAM) return NULL;
  JetParam jp = jet_param(step->field, param->param);
  const Value *value = operand(step, jp.operand);
  if (!value_is(value, TY_FIELD)) return NULL;
  if (jet_vanishes(step->jets, value, jp.order)) return ein_num(cx, RATIONAL(0, 1));
  if (!is_op(value, OP_COORD) || jp.order != 1) return NULL;
  return param->n_idx == 2 ? ein_delta(cx, param->idx[0], param->idx[1])
                           : ein_num(cx, RATIONAL(1, 1));
}

/* d/dx_i of F_j[alpha] at G(x) is the sum over l of F_(j+1)[alpha,l] at G(x) times G_1[l,i]. */
static const EinExpr *replace_chain(void *context, const EinExpr *param) {
  const Step *step = context;
  Cx *cx = step->jets->cx;
  if (param->kind != EIN_PARAM || param->param < step->first_chain) return NULL;
  uint32_t order = param->param - step->first_chain + 1;
  uint32_t n_inner = type_dim(operand(step, 0)->ty), n_axes = type_dim(step->field->ty) > 1;
  uint32_t n_outer = param->n_idx - n_axes;

  EinIdx outer[MAX_ORDER], inner[2];
  uint32_t n_outer_idx = 0, n_inner_idx = 0;
  for (uint32_t i = 0; i < n_outer; i++) outer[n_outer_idx++] = param->idx[i];
  if (n_inner > 1) {
    ASSERT(cx, n_outer_idx < MAX_ORDER);
    outer[n_outer_idx++] = inner[n_inner_idx++] = ein_var(step->chain_var);
  }
  if (n_axes) inner[n_inner_idx++] = param->idx[n_outer];
  const EinExpr *product = ein_binary(cx, EIN_MUL, ein_param(cx, 2 * order, outer, n_outer_idx),
                                      ein_param(cx, 2 + 1, inner, n_inner_idx));
  return n_inner > 1 ? ein_sum(cx, step->chain_var, n_inner, product) : product;
}

/* The parameter that stands for the derivative of parameter i; see JetParam. */
static uint32_t derivative_of(const Step *step, uint32_t i, uint32_t order) {
  const Value *value = operand(step, i);
  if (!value_is(value, TY_FIELD) || jet_vanishes(step->jets, value, order + 1))
    return NO_DERIVATIVE;
  if (is_op(step->field, OP_COMPOSE) && i == 0)
    return jet_vanishes(step->jets, operand(step, 1), 1) ? NO_DERIVATIVE
                                                         : step->first_chain + order;
  return i + count_operands(step->field) * (order + 1);
}

static bool is_zero(const EinExpr *expr) {
  return expr->kind == EIN_NUM && rational_is_zero(expr->num);
}

/* A copy of `like` with another body; NULL if the body is zero. */
static const Ein *with_body(const Step *step, const Ein *like, const EinExpr *body,
                            uint32_t n_indices) {
  Cx *cx = step->jets->cx;
  if (n_indices > EIN_MAX_INDICES) BUG(cx, "a derivative needs %u indices", n_indices);
  Ein *result = NEW(cx->arena, Ein);
  *result = *like;
  result->body = body;
  result->n_params = count_operands(step->field) * (step->order + 1);
  result->n_indices = n_indices;
  result->body = jet_drop_zeros(step->jets, step->field, result);
  return is_zero(result->body) ? NULL : result;
}

static const Ein *next_order(Step *step, const Ein *before) {
  Cx *cx = step->jets->cx;
  uint32_t n = count_operands(step->field);
  step->first_chain = n * (step->order + 1);
  uint32_t *derivatives = NEWN(cx->arena, uint32_t, (size_t)n * step->order);
  for (uint32_t order = 0; order < step->order; order++)
    for (uint32_t i = 0; i < n; i++) derivatives[i + n * order] = derivative_of(step, i, order);

  const Ein *raw = ein_derivative(cx, before, derivatives, type_dim(step->field->ty));
  if (!raw) return NULL;
  const EinExpr *body = raw->body;
  uint32_t n_indices = raw->n_indices;
  if (is_op(step->field, OP_COMPOSE)) {
    step->chain_var = n_indices++;
    body = ein_rewrite(cx, body, (EinRewrite){replace_chain, step, 0});
  }
  body = ein_rewrite(cx, body, (EinRewrite){replace_known, step, 0});
  return with_body(step, raw, body, n_indices);
}

/* ---- orders ---------------------------------------------------------------------------------- */

static const Ein *order_zero(Step *step) {
  Cx *cx = step->jets->cx;
  const Inst *def = step->field->def;
  if (inst_is_op(def, OP_EIN)) {
    const EinExpr *body =
        ein_rewrite(cx, def->attr.ein->body, (EinRewrite){replace_known, step, 0});
    return with_body(step, def->attr.ein, body, def->attr.ein->n_indices);
  }
  if (!inst_is_op(def, OP_COMPOSE)) BUG(cx, "op %s has no jet expression", op_text(def->op));
  if (jet_vanishes(step->jets, operand(step, 0), 0)) return NULL;
  const Shape *shape = type_shape(step->field->ty);
  return ein_new(cx, *shape, 2, ein_param_all(cx, 0, shape->order));
}

static Jet *find_jet(Jets *jets, const Value *field) {
  Jet *jet = map_get(jets->fields, field);
  if (jet) return jet;
  jet = NEW(jets->cx->arena, Jet);
  map_put(jets->fields, field, jet);
  return jet;
}

const Ein *jet_expr(Jets *jets, const Value *field, uint32_t order) {
  Jet *jet = find_jet(jets, field);
  while (jet->orders.len <= order) {
    Step step = {.jets = jets, .field = field, .order = jet->orders.len};
    const Ein *before = step.order > 0 ? vec_last(&jet->orders) : NULL;
    const Ein *next = NULL;
    if (step.order == 0) next = order_zero(&step);
    else if (before) next = next_order(&step, before);
    vec_push(jets->cx->arena, &jet->orders, next);
  }
  return jet->orders.data[order];
}

bool jet_vanishes(Jets *jets, const Value *field, uint32_t order) {
  if (!field->def) BUG(jets->cx, "a field is a block parameter");
  switch (field->def->op) {
  case OP_CONVOLVE:
  case OP_POWER: return false;
  case OP_COORD: return order >= 2;
  case OP_DERIV: return jet_vanishes(jets, field->def->args[0], order + 1);
  case OP_CHOOSE:
    return jet_vanishes(jets, field->def->args[1], order) &&
           jet_vanishes(jets, field->def->args[2], order);
  case OP_CHOOSE_LT:
  case OP_CHOOSE_LE:
  case OP_CHOOSE_EQ:
    return jet_vanishes(jets, field->def->args[2], order) &&
           jet_vanishes(jets, field->def->args[3], order);
  default: return jet_expr(jets, field, order) == NULL; /* EIN and COMPOSE; else a BUG there */
  }
}

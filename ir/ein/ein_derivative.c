/* Derivative of an Einstein expression: product, quotient and chain rules.
 *
 * The new axis is the last free index, so bound indices move up by one number. Each node is visited
 * once: shared parts stay shared, and zeros vanish in the constructors of ein.c.
 * The functions and their partial derivatives are the rows of derivatives.def.
 */
#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/ein/local.h"

typedef struct PartialRow {
  OpId fn;
  uint32_t argument;
  const char *text;
} PartialRow;

static const PartialRow partials[] = {
#define DERIVATIVE(op, argument, partial) {OP_##op, argument, partial},
#include "ir/ein/derivatives.def"
};
enum { N_PARTIALS = sizeof partials / sizeof *partials };

uint32_t ein_fn_arity(OpId fn) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < N_PARTIALS; i++) n += partials[i].fn == fn;
  return n;
}

/* ---- partial derivatives of functions -------------------------------------------------------- */

static const EinExpr *read_argument(EinReader *r) {
  const EinExpr *const *args = r->context;
  const char *word;
  if (ein_read_word(r, &word) == 1 && *word >= 'u' && *word < 'u' + EIN_MAX_ARGS)
    return args[*word - 'u'];
  ein_read_fail(r, "u, v or w expected");
  return NULL;
}

static const EinExpr *partial(Cx *cx, OpId fn, uint32_t argument, const EinExpr **args) {
  for (uint32_t i = 0; i < N_PARTIALS; i++) {
    if (partials[i].fn != fn || partials[i].argument != argument) continue;
    EinReader reader = {
        .cx = cx, .pos = partials[i].text, .operand = read_argument, .context = args};
    const EinExpr *expr = ein_read_expr(&reader);
    if (!expr) BUG(cx, "derivative '%s': %s", partials[i].text, reader.error);
    return expr;
  }
  BUG(cx, "op %s has no derivative", op_text(fn));
}

/* ---- the rules ------------------------------------------------------------------------------- */

typedef struct Known { /* what a node was found to become */
  const EinExpr *expr;
} Known;

typedef struct Rules {
  Cx *cx;
  const uint32_t *derivative_of;
  uint32_t n_free; /* before the new axis */
  bool has_axis;   /* false when its length is 1 */
  Map *moved;      /* node -> Known: itself, its bound indices moved */
  Map *derived;    /* node -> Known: its derivative */
} Rules;

static uint32_t move_index(const Rules *rules, uint32_t index) {
  return index + (rules->has_axis && index >= rules->n_free);
}

static const EinExpr *moved(Rules *rules, const EinExpr *e);

/* The node over other arguments. */
static const EinExpr *remake(Rules *rules, const EinExpr *e, const EinExpr *const *args) {
  Cx *cx = rules->cx;
  switch (e->kind) {
  case EIN_NUM:
  case EIN_PARAM:
  case EIN_DELTA:
  case EIN_EPS: return e;
  case EIN_SUM: return ein_sum(cx, move_index(rules, e->var), e->range, args[0]);
  case EIN_ADD:
  case EIN_SUB:
  case EIN_MUL:
  case EIN_DIV: return ein_binary(cx, e->kind, args[0], args[1]);
  case EIN_NEG: return ein_neg(cx, args[0]);
  case EIN_POW: return ein_pow(cx, args[0], e->exponent);
  case EIN_FN: return ein_fn(cx, e->fn, args, e->n_args);
  }
  UNREACHABLE(cx);
}

static uint32_t move_indices(const Rules *rules, const EinExpr *e, EinIdx *idx) {
  for (uint32_t i = 0; i < e->n_idx; i++) {
    idx[i] = e->idx[i];
    if (!idx[i].is_const) idx[i].value = move_index(rules, idx[i].value);
  }
  return e->n_idx;
}

static const EinExpr *compute_moved(Rules *rules, const EinExpr *e) {
  EinIdx idx[MAX_ORDER];
  uint32_t n_idx = move_indices(rules, e, idx);
  if (e->kind == EIN_PARAM) return ein_param(rules->cx, e->param, idx, n_idx);
  if (e->kind == EIN_DELTA) return ein_delta(rules->cx, idx[0], idx[1]);
  if (e->kind == EIN_EPS) return ein_eps(rules->cx, idx, n_idx);
  const EinExpr *args[EIN_MAX_ARGS] = {NULL};
  for (uint32_t i = 0; i < e->n_args; i++) args[i] = moved(rules, e->args[i]);
  return remake(rules, e, args);
}

static const EinExpr *remember(const Rules *rules, Map *map, const EinExpr *key,
                               const EinExpr *value) {
  Known *known = NEW(rules->cx->scratch, Known);
  known->expr = value;
  map_put(map, key, known);
  return value;
}

static const EinExpr *moved(Rules *rules, const EinExpr *e) {
  if (!rules->has_axis) return e;
  const Known *known = map_get(rules->moved, e);
  return known ? known->expr : remember(rules, rules->moved, e, compute_moved(rules, e));
}

static const EinExpr *derive(Rules *rules, const EinExpr *e);

static bool is_zero(const EinExpr *e) { return e->kind == EIN_NUM && rational_is_zero(e->num); }

static const EinExpr *number(Rules *rules, int64_t value) {
  return ein_num(rules->cx, rational(value, 1));
}

static const EinExpr *derive_param(Rules *rules, const EinExpr *e) {
  uint32_t derivative = rules->derivative_of[e->param];
  if (derivative == NO_DERIVATIVE) return number(rules, 0);
  EinIdx idx[MAX_ORDER + 1];
  uint32_t n_idx = move_indices(rules, e, idx);
  if (rules->has_axis) idx[n_idx++] = ein_var(rules->n_free);
  return ein_param(rules->cx, derivative, idx, n_idx);
}

/* d(u v) = du v + u dv */
static const EinExpr *derive_product(Rules *rules, const EinExpr *e) {
  Cx *cx = rules->cx;
  const EinExpr *du = derive(rules, e->args[0]), *dv = derive(rules, e->args[1]);
  const EinExpr *u = moved(rules, e->args[0]), *v = moved(rules, e->args[1]);
  return ein_binary(cx, EIN_ADD, ein_binary(cx, EIN_MUL, du, v), ein_binary(cx, EIN_MUL, u, dv));
}

/* d(u/v) = du/v, or (du v - u dv) / (v v) where v varies */
static const EinExpr *derive_quotient(Rules *rules, const EinExpr *e) {
  Cx *cx = rules->cx;
  const EinExpr *du = derive(rules, e->args[0]), *dv = derive(rules, e->args[1]);
  const EinExpr *u = moved(rules, e->args[0]), *v = moved(rules, e->args[1]);
  if (is_zero(dv)) return ein_binary(cx, EIN_DIV, du, v);
  const EinExpr *above =
      ein_binary(cx, EIN_SUB, ein_binary(cx, EIN_MUL, du, v), ein_binary(cx, EIN_MUL, u, dv));
  return ein_binary(cx, EIN_DIV, above, ein_binary(cx, EIN_MUL, v, v));
}

/* d(u^n) = n u^(n-1) du */
static const EinExpr *derive_power(Rules *rules, const EinExpr *e) {
  Cx *cx = rules->cx;
  const EinExpr *du = derive(rules, e->args[0]), *u = moved(rules, e->args[0]);
  const EinExpr *factor =
      ein_binary(cx, EIN_MUL, number(rules, e->exponent), ein_pow(cx, u, e->exponent - 1));
  return ein_binary(cx, EIN_MUL, factor, du);
}

static const EinExpr *derive_fn(Rules *rules, const EinExpr *e) {
  Cx *cx = rules->cx;
  const EinExpr *args[EIN_MAX_ARGS], *sum = number(rules, 0);
  for (uint32_t i = 0; i < e->n_args; i++) args[i] = moved(rules, e->args[i]);
  for (uint32_t i = 0; i < e->n_args; i++) {
    const EinExpr *inner = derive(rules, e->args[i]);
    if (is_zero(inner)) continue;
    const EinExpr *term = ein_binary(cx, EIN_MUL, partial(cx, e->fn, i, args), inner);
    sum = ein_binary(cx, EIN_ADD, sum, term);
  }
  return sum;
}

static const EinExpr *compute_derivative(Rules *rules, const EinExpr *e) {
  const EinExpr *args[2] = {NULL};
  switch (e->kind) {
  case EIN_NUM:
  case EIN_DELTA:
  case EIN_EPS: return number(rules, 0);
  case EIN_PARAM: return derive_param(rules, e);
  case EIN_MUL: return derive_product(rules, e);
  case EIN_DIV: return derive_quotient(rules, e);
  case EIN_POW: return derive_power(rules, e);
  case EIN_FN: return derive_fn(rules, e);
  case EIN_SUM:
  case EIN_ADD:
  case EIN_SUB:
  case EIN_NEG: /* linear */
    for (uint32_t i = 0; i < e->n_args; i++) args[i] = derive(rules, e->args[i]);
    return remake(rules, e, args);
  }
  UNREACHABLE(rules->cx);
}

static const EinExpr *derive(Rules *rules, const EinExpr *e) {
  const Known *known = map_get(rules->derived, e);
  return known ? known->expr : remember(rules, rules->derived, e, compute_derivative(rules, e));
}

const Ein *ein_derivative(Cx *cx, const Ein *ein, const uint32_t *derivative_of, uint32_t dim) {
  Rules rules = {.cx = cx,
                 .derivative_of = derivative_of,
                 .n_free = ein->n_free,
                 .has_axis = dim > 1,
                 .moved = map_new(cx->scratch),
                 .derived = map_new(cx->scratch)};
  const EinExpr *body = derive(&rules, ein->body);
  if (is_zero(body)) return NULL;

  Ein *result = NEW(cx->arena, Ein);
  *result = *ein;
  result->body = body;
  if (rules.has_axis) {
    ASSERT(cx, ein->n_free < MAX_ORDER && ein->n_indices < EIN_MAX_INDICES);
    result->ranges[result->n_free++] = dim;
    result->n_indices++;
  }
  for (uint32_t i = 0; i < ein->n_params; i++)
    if (derivative_of[i] != NO_DERIVATIVE && derivative_of[i] >= result->n_params)
      result->n_params = derivative_of[i] + 1;
  return result;
}

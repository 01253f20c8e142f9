/* Checking an Einstein expression against the shapes of its operands. Every distinct node is
 * visited once. Called by verify.c on every EIN instruction after every pass.
 */
#include "frontend/base/map.h"
#include "frontend/base/text.h"
#include "ir/ein/ein.h"

typedef struct Checker {
  Cx *cx;
  const Ein *ein;
  const Shape *operands;
  uint32_t ranges[EIN_MAX_INDICES]; /* 0: no range met yet */
  Map *seen;
  const char *error;
} Checker;

#define FAIL(checker, ...)                                                                         \
  ((checker)->error ? (void)0                                                                      \
                    : (void)((checker)->error = text_format((checker)->cx->arena, __VA_ARGS__)))

/* Sums first: an index has one range throughout. */
static void collect_ranges(Checker *c, const EinExpr *e) {
  if (map_has(c->seen, e)) return;
  map_put(c->seen, e, c);
  if (e->kind == EIN_SUM) {
    if (e->var < c->ein->n_free || e->var >= c->ein->n_indices)
      FAIL(c, "a sum binds index %u, which is free or unknown", e->var);
    else if (e->range == 0 || (c->ranges[e->var] && c->ranges[e->var] != e->range))
      FAIL(c, "index %u has the ranges %u and %u", e->var, c->ranges[e->var], e->range);
    else c->ranges[e->var] = e->range;
  }
  for (uint32_t i = 0; i < e->n_args; i++) collect_ranges(c, e->args[i]);
}

static void check_index(Checker *c, EinIdx idx, uint32_t axis_len) {
  if (idx.is_const && idx.value >= axis_len)
    FAIL(c, "index %u on an axis of length %u", idx.value, axis_len);
  if (!idx.is_const && c->ranges[idx.value] > axis_len)
    FAIL(c, "index of range %u on an axis of length %u", c->ranges[idx.value], axis_len);
}

static void check_param(Checker *c, const EinExpr *e) {
  if (e->param >= c->ein->n_params) {
    FAIL(c, "operand $%u of %u", e->param, c->ein->n_params);
    return;
  }
  const Shape *shape = &c->operands[e->param];
  if (shape->order != e->n_idx)
    FAIL(c, "operand $%u of order %u has %u indices", e->param, shape->order, e->n_idx);
  else
    for (uint32_t i = 0; i < e->n_idx; i++) check_index(c, e->idx[i], shape->dims[i]);
}

static void check_node(Checker *c, const EinExpr *e) {
  if (map_has(c->seen, e)) return;
  map_put(c->seen, e, c);
  if (e->kind == EIN_PARAM) check_param(c, e);
  if (e->kind == EIN_EPS && (e->n_idx < 2 || e->n_idx > 3)) FAIL(c, "eps of %u indices", e->n_idx);
  if (e->kind == EIN_EPS)
    for (uint32_t i = 0; i < e->n_idx; i++) check_index(c, e->idx[i], e->n_idx);
  if (e->kind == EIN_FN && ein_fn_arity(e->fn) != e->n_args)
    FAIL(c, "%s with %u arguments", op_text(e->fn), e->n_args);
  for (uint32_t i = 0; i < e->n_args; i++) check_node(c, e->args[i]);
}

const char *ein_check(Cx *cx, const Ein *ein, const Shape *operands) {
  Checker c = {.cx = cx, .ein = ein, .operands = operands, .seen = map_new(cx->scratch)};
  if (ein->n_free > MAX_ORDER || ein->n_indices > EIN_MAX_INDICES) return "too many indices";
  if (ein->n_free > ein->n_indices) return "fewer indices than axes";
  for (uint32_t i = 0; i < ein->n_free; i++) {
    c.ranges[i] = ein->ranges[i];
    if (ein->ranges[i] < 2) FAIL(&c, "axis %u of the result has length %u", i, ein->ranges[i]);
  }
  if (ein->body->mentions & ~((UINT64_C(1) << ein->n_free) - 1)) FAIL(&c, "an index is not bound");
  collect_ranges(&c, ein->body);
  c.seen = map_new(cx->scratch);
  if (!c.error) check_node(&c, ein->body);
  return c.error;
}

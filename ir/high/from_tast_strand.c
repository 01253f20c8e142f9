/* From_tast, other strands: queries and their state. */
#include <string.h>

#include "ir/high/local.h"

static uint32_t state_index(const Body *body, const TVar *var) {
  const TVarVec *state = &body->unit->state;
  uint32_t i = 0;
  while (i < state->len && state->data[i] != var) i++;
  if (i == state->len) BUG(body->cx, "%s is no state variable", var->name->text);
  return i;
}

static Value *strand_op(Body *body, OpId op, Attr attr, const Type *ty, Value *arg) {
  return build_typed(&body->b, op, attr, ty, &arg, 1);
}

/* ---- in strand code -------------------------------------------------------------------------- */

/* The current position of the strand, for a query without a centre. */
static Value *current_pos(Body *body) {
  const TVarVec *state = &body->unit->program->strand->state;
  for (uint32_t i = 0; i < state->len; i++)
    if (strcmp(state->data[i]->name->text, "pos") == 0) return body_get(body, state->data[i]);
  BUG(body->cx, "a query of a strand that has no pos");
}

Value *lower_sphere(Body *body, const TExpr *expr, Value *const *args, uint32_t n_args) {
  Value *centre = n_args == 1 ? current_pos(body) : args[0];
  Value *ball[] = {centre, args[n_args - 1]};
  return build_typed(&body->b, OP_SPHERE, ATTR_EMPTY, expr->ty, ball, 2);
}

Value *lower_select(Body *body, const TExpr *expr) {
  const TVar *var = expr->u.var;
  Value *strand = lower_expr(body, expr->args.data[0]);
  Attr attr = {.var = {state_index(body, var), WHOLE}};
  body->b.span = expr->span;
  return strand_op(body, OP_STRAND_STATE, attr, var->ty, strand);
}

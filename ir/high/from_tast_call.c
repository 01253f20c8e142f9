/* From_tast, calls. A function of values only is one Func, called. A function that takes or returns
 * a field, a kernel or an image has no Func: its body is lowered anew at each call, where the
 * definitions behind its parameters are known. So is one that prints, because a call may be dropped
 * or merged with another (ops.def). See Note [Expanding a call].
 */
#include "ir/high/local.h"

/* ---- functions of values --------------------------------------------------------------------- */

void lower_params(Body *body, const TVarVec *params) {
  for (uint32_t i = 0; i < params->len; i++) {
    const TVar *param = params->data[i];
    body_set(body, param, block_add_param(body->b.block, param->ty, param->name));
  }
  for (uint32_t i = 0; i < params->len; i++)
    record_var(body, params->data[i], params->data[i]->span, body_get(body, params->data[i]));
}

static Func *lower_function(Unit *unit, const TFun *fun, bool is_recorded, bool is_unchecked) {
  Func *fn = func_new(unit->module, FN_USER, fun->name, fun->span);
  fn->result = fun->result;
  Body body = body_new(unit, fn);
  body.n_quiet = is_recorded ? 0 : 1;
  body.b.is_unchecked = is_unchecked;
  lower_params(&body, &fun->params);
  lower_stmt(&body, fun->body);
  ASSERT(unit->cx, !body.is_open);
  return fn;
}

static Value *call_function(Body *body, const TExpr *expr, Value *const *args) {
  TFun *fun = expr->u.fun;
  Unit *unit = body->unit;
  const bool is_loud = is_recorded(body);
  const bool is_unchecked = unit->cx->is_checked && body->b.is_unchecked;
  Map *funcs = is_unchecked                      ? unit->unchecked_funcs
               : is_loud || !unit->cx->is_traced ? unit->funcs
                                                 : unit->quiet_funcs;
  Func *fn = map_get(funcs, fun);
  if (!fn) {
    fn = lower_function(unit, fun, is_loud, is_unchecked);
    map_put(funcs, fun, fn);
  }
  return build_typed(&body->b, OP_CALL, (Attr){.func = fn}, fun->result, args, expr->args.len);
}

/* ---- expanding ------------------------------------------------------------------------------- */

/* Statements still to come: those of body from one on, then those of the enclosing block. */
typedef struct Rest {
  const TStmtVec *stmts;
  uint32_t from;
  const struct Rest *outer;
} Rest;

static Value *expand(Body *body, const TFun *fun, const Rest *rest);

static Value *expand_arm(Body *body, const TFun *fun, const TStmt *stmt, const Rest *rest,
                         Block **arm) {
  *arm = block_new(body->b.fn);
  body_enter(body, *arm);
  if (!stmt) return expand(body, fun, rest);
  TStmtVec only = {0};
  TStmt copy = *stmt;
  vec_push(body->cx->arena, &only, &copy);
  return expand(body, fun, &(Rest){&only, 0, rest});
}

static Value *expand_return(Body *body, const TFun *fun, const TStmt *stmt) {
  Value *result = lower_expr(body, stmt->expr);
  record_values(body, TRACE_RETURN, fun->name->text, stmt->span, &result, 1);
  return result;
}

/* An if that may return: both arms continue with all that follows it. */
static Value *expand_if(Body *body, const TFun *fun, const TStmt *stmt, const Rest *rest) {
  Value *cond = lower_expr(body, stmt->expr);
  record_branch(body, stmt->expr, cond);
  Builder head = body->b;
  uint32_t n_slots = body->values.len, first_block = head.fn->next_block;
  Value **before = body_values(body), *values[2];
  Builder ends[2];
  Block *arms[2];
  for (uint32_t i = 0; i < 2; i++) {
    values[i] = expand_arm(body, fun, i == 0 ? stmt->then_stmt : stmt->else_stmt, rest, &arms[i]);
    ends[i] = body->b;
    body_restore(body, before, n_slots);
  }
  Block *merge = block_new(head.fn);
  head.span = body->b.span = stmt->span;
  build_branch(&head, cond, arms[0], arms[1], merge);
  if (type_is_abstract(fun->result))
    return meet_abstract(body, cond, values, ends, merge, first_block);
  Value *result = block_add_param(merge, values[0]->ty, NULL);
  for (uint32_t i = 0; i < 2; i++) build_jump(&ends[i], merge, &values[i], 1);
  body_enter(body, merge);
  return result;
}

/* A loop that may return. */
static Value *expand_loop(Body *body, const TFun *fun, TStmt *stmt, const Rest *rest) {
  const TStmtVec both = without_early_return(body, stmt, fun->result);
  return expand(body, fun, &(Rest){&both, 0, rest});
}

/* Lowers the statements; returns the value that they return. Control continues behind them. */
static Value *expand(Body *body, const TFun *fun, const Rest *rest) {
  while (rest && rest->from == rest->stmts->len) rest = rest->outer;
  if (!rest) BUG(body->cx, "a function ends without returning");
  TStmt *stmt = rest->stmts->data[rest->from];
  const Rest after = {rest->stmts, rest->from + 1, rest->outer};
  if (stmt->kind == TS_RETURN) return expand_return(body, fun, stmt);
  if (stmt->kind == TS_BLOCK) return expand(body, fun, &(Rest){&stmt->body, 0, &after});
  if (stmt->kind == TS_IF && stmt_has_return(stmt)) return expand_if(body, fun, stmt, &after);
  if (stmt_has_return(stmt)) return expand_loop(body, fun, stmt, &after);
  lower_stmt(body, stmt);
  return expand(body, fun, &after);
}

/* Afterwards the callee's variables are unset again: they mean nothing at the caller. */
static Value *expand_call(Body *body, const TFun *fun, Value *const *args) {
  uint32_t n_slots = body->values.len;
  Value **before = body_values(body);
  const bool is_quiet = type_is_abstract(fun->result);
  body->n_quiet += is_quiet;
  for (uint32_t i = 0; i < fun->params.len; i++) {
    body_set(body, fun->params.data[i], args[i]);
    record_var(body, fun->params.data[i], fun->params.data[i]->span, args[i]);
  }
  TStmtVec only = {0};
  vec_push(body->cx->arena, &only, fun->body);
  Value *result = expand(body, fun, &(Rest){&only, 0, NULL});
  body->n_quiet -= is_quiet;
  body_restore(body, before, n_slots);
  return result;
}

Value *lower_call(Body *body, const TExpr *expr) {
  Value **args = NEWN(body->cx->arena, Value *, expr->args.len);
  bool is_expanded = type_is_abstract(expr->u.fun->result) || fun_prints(expr->u.fun);
  for (uint32_t i = 0; i < expr->args.len; i++) {
    args[i] = lower_expr(body, expr->args.data[i]);
    is_expanded |= type_is_abstract(args[i]->ty);
  }
  if (!type_is_abstract(expr->u.fun->result))
    record_values(body, TRACE_CALL, expr->u.fun->name->text, expr->span, NULL, 0);
  body->b.span = expr->span;
  return is_expanded ? expand_call(body, expr->u.fun, args) : call_function(body, expr, args);
}

/* Note [Expanding a call]
 *
 * Control flow must stay structured: an IR block is not left from its middle. So a return is not a
 * jump to the end of the call; instead the value returned is the value of the statement list, and
 * an if that may return takes all that follows it into both of its arms. What follows is lowered
 * twice only where both arms can get there. A loop cannot: see from_tast_early.c.
 *
 * Slots of the caller cannot change, because a function assigns its own locals only; so arms meet
 * without block parameters but those for the value.
 */

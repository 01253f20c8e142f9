/* The invariants of the typed tree, checked for every program without errors: no expression has
 * type TY_ERROR, and values have the types of the variables and parameters that get them. A
 * violation is a BUG of the checker.
 */
#include "frontend/base/panic.h"
#include "frontend/tast/tast.h"

static void verify_expr(Cx *cx, const TExpr *expr) {
  if (type_is(expr->ty, TY_ERROR)) BUG(cx, "expression at byte %u has no type", expr->span.start);
  if (expr->kind == TE_CONST && (!expr->u.value || expr->u.value->ty != expr->ty))
    BUG(cx, "constant at byte %u has no value of its type", expr->span.start);
  for (uint32_t i = 0; i < expr->args.len; i++) verify_expr(cx, expr->args.data[i]);
}

static void verify_all(Cx *cx, const TExprVec *exprs) {
  for (uint32_t i = 0; i < exprs->len; i++) verify_expr(cx, exprs->data[i]);
}

static void verify_value(Cx *cx, const TExpr *value, const Type *ty) {
  if (!value) return;
  verify_expr(cx, value);
  if (value->ty != ty)
    BUG(cx, "%s where %s is needed at byte %u", type_text(cx, value->ty), type_text(cx, ty),
        value->span.start);
}

static void verify_stmt(Cx *cx, const TStmt *stmt) {
  if (!stmt) return;
  bool sets = stmt->kind == TS_LOCAL || stmt->kind == TS_ASSIGN;
  if (sets) verify_value(cx, stmt->expr, stmt->var->ty);
  else if (stmt->expr) verify_expr(cx, stmt->expr);
  verify_all(cx, &stmt->args);
  for (uint32_t i = 0; i < stmt->body.len; i++) verify_stmt(cx, stmt->body.data[i]);
  verify_stmt(cx, stmt->then_stmt);
  verify_stmt(cx, stmt->else_stmt);
}

static void verify_vars(Cx *cx, const TVarVec *vars) {
  for (uint32_t i = 0; i < vars->len; i++) {
    const TVar *var = vars->data[i];
    if (var->index != i) BUG(cx, "variable %s has a wrong index", var->name->text);
    if (var->kind == TV_FIELD_FUN) verify_expr(cx, var->init);
    else verify_value(cx, var->init, var->ty);
  }
}

void tast_verify(Cx *cx, const TProgram *program) {
  const TStrand *strand = program->strand;
  verify_vars(cx, &program->consts);
  verify_vars(cx, &program->inputs);
  verify_vars(cx, &program->globals);
  for (uint32_t i = 0; i < program->functions.len; i++)
    verify_stmt(cx, program->functions.data[i]->body);
  verify_stmt(cx, program->initialize);
  verify_vars(cx, &strand->params);
  verify_vars(cx, &strand->state);
  verify_stmt(cx, strand->initialize);
  verify_stmt(cx, strand->start);
  verify_stmt(cx, strand->update);
  verify_stmt(cx, strand->stabilize);
  verify_stmt(cx, program->start);
  verify_stmt(cx, program->update);
  verify_vars(cx, &program->creation->iters);
  verify_all(cx, &program->creation->sources);
  verify_all(cx, &program->creation->args);
}

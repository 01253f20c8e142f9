/* reach: the functions of the program that run on the device: methods, creation, the bodies of
 * reductions, and what these call. Functions that only global code calls stay on the host.
 */
#include "backend-cuda/local.h"

static void reach_func(Map *reached, const TreeFunc *fn);
static void reach_stmts(Map *reached, const TreeStmtVec *stmts);

static void reach_expr(Map *reached, const TreeExpr *expr) {
  if (!expr || expr->kind == TX_VAR) return;
  if (expr->op == OP_CALL) reach_func(reached, expr->callee);
  for (uint32_t i = 0; i < expr->args.len; i++) reach_expr(reached, expr->args.data[i]);
}

static void reach_stmt(Map *reached, const TreeStmt *stmt) {
  reach_expr(reached, stmt->expr);
  reach_expr(reached, stmt->limit);
  for (uint32_t i = 0; i < stmt->values.len; i++) reach_expr(reached, stmt->values.data[i]);
  reach_stmts(reached, &stmt->body);
  reach_stmts(reached, &stmt->else_body);
}

static void reach_stmts(Map *reached, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) reach_stmt(reached, stmts->data[i]);
}

static void reach_func(Map *reached, const TreeFunc *fn) {
  if (map_has(reached, fn)) return;
  map_put(reached, fn, reached);
  reach_stmts(reached, &fn->body);
}

static bool is_entered(FuncKind kind) {
  return kind == FN_CREATE || kind == FN_ARGS || func_is_method(kind);
}

Map *device_funcs(Gen *gen) {
  Map *reached = map_new(gen->cx->arena);
  for (uint32_t i = 0; i < gen->program->funcs.len; i++) {
    const TreeFunc *fn = gen->program->funcs.data[i];
    if (is_entered(fn->kind)) reach_func(reached, fn);
  }
  const GenReductionVec reductions = gen_set_reductions(gen);
  for (uint32_t i = 0; i < reductions.len; i++) reach_stmt(reached, reductions.data[i].reduce);
  return reached;
}

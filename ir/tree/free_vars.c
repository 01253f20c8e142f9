/* Free variables of a reduction: what a target must pass to its body if that becomes a function of
 * its own.
 */
#include "frontend/base/map.h"
#include "ir/tree/tree.h"

typedef struct Search {
  Cx *cx;
  Map *known; /* TreeVar: declared inside, or listed */
  TreeVarVec found;
} Search;

static void in_stmts(Search *search, const TreeStmtVec *stmts);

static void declare(Search *search, const TreeVar *var) {
  if (var) map_put(search->known, var, search);
}

static void in_expr(Search *search, const TreeExpr *expr) {
  if (!expr) return;
  if (expr->kind == TX_VAR && !map_has(search->known, expr->var)) {
    declare(search, expr->var);
    vec_push(search->cx->arena, &search->found, expr->var);
  }
  for (uint32_t i = 0; i < expr->args.len; i++) in_expr(search, expr->args.data[i]);
}

static void in_stmt(Search *search, const TreeStmt *stmt) {
  in_expr(search, stmt->expr);
  in_expr(search, stmt->limit);
  if (stmt->kind != TT_ASSIGN) declare(search, stmt->var);
  for (uint32_t i = 0; i < stmt->vars.len; i++) declare(search, stmt->vars.data[i]);
  in_stmts(search, &stmt->body);
  in_stmts(search, &stmt->else_body);
  for (uint32_t i = 0; i < stmt->values.len; i++) in_expr(search, stmt->values.data[i]);
}

static void in_stmts(Search *search, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) in_stmt(search, stmts->data[i]);
}

TreeVarVec tree_free_vars(Cx *cx, const TreeStmt *reduce) {
  Search search = {.cx = cx, .known = map_new(cx->arena)};
  declare(&search, reduce->var);
  in_stmts(&search, &reduce->body);
  for (uint32_t i = 0; i < reduce->values.len; i++) in_expr(&search, reduce->values.data[i]);
  return search.found;
}

/* Tree: constructors and questions about expressions. Next: tree_print.c, tree_verify.c. */
#include "ir/tree/tree.h"

uint32_t tree_component_count(const Type *ty) {
  return type_is(ty, TY_TENSOR) ? (uint32_t)shape_size(type_shape(ty)) : 1;
}

const Type *tree_component_type(Cx *cx, const Type *ty) {
  return type_is(ty, TY_TENSOR) ? type_real(cx) : ty;
}

TreeExpr *tree_var_expr(Cx *cx, TreeVar *var, Span span) {
  TreeExpr *expr = NEW(cx->arena, TreeExpr);
  *expr = (TreeExpr){.kind = TX_VAR, .ty = var->ty, .span = span, .var = var};
  return expr;
}

TreeStmt *tree_stmt(Cx *cx, TreeStmtKind kind, Span span) {
  TreeStmt *stmt = NEW(cx->arena, TreeStmt);
  stmt->kind = kind;
  stmt->span = span;
  return stmt;
}

bool tree_reads(const TreeExpr *expr, const TreeVar *var) {
  if (expr->kind == TX_VAR) return expr->var == var;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (tree_reads(expr->args.data[i], var)) return true;
  return false;
}

bool tree_stmts_read(const TreeStmtVec *stmts, const TreeVar *var) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->expr && tree_reads(stmt->expr, var)) return true;
    if (stmt->limit && tree_reads(stmt->limit, var)) return true;
    for (uint32_t k = 0; k < stmt->values.len; k++)
      if (stmt->values.data[k] && tree_reads(stmt->values.data[k], var)) return true;
    if (tree_stmts_read(&stmt->body, var) || tree_stmts_read(&stmt->else_body, var)) return true;
  }
  return false;
}

bool tree_is_read(const TreeExpr *expr) {
  if (expr->kind == TX_VAR) return false;
  if (op_effect(expr->op) != EFFECT_PURE) return true;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (tree_is_read(expr->args.data[i])) return true;
  return false;
}

bool tree_may_copy(const TreeExpr *expr) {
  return expr->kind == TX_OP && expr->op == OP_SAMPLE_ADDR && expr->attr.i > 0;
}

bool tree_always_leaves(const TreeStmtVec *stmts) {
  if (stmts->len == 0) return false;
  const TreeStmt *last = vec_last(stmts);
  if (last->kind == TT_IF)
    return tree_always_leaves(&last->body) && tree_always_leaves(&last->else_body);
  return last->kind == TT_LEAVE;
}

uint32_t tree_exits(const TreeStmtVec *stmts, const TreeStmt *but) {
  uint32_t exits = 0;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_LEAVE && stmt != but) exits |= 1u << stmt->exit;
    exits |= tree_exits(&stmt->body, but) | tree_exits(&stmt->else_body, but);
  }
  return exits;
}

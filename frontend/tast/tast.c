/* Constructors of the typed tree. Next: tast_print.c. */
#include "frontend/tast/tast.h"

TExpr *texpr_new(Arena *a, TExprKind kind, const Type *ty, Span span) {
  TExpr *expr = NEW(a, TExpr);
  expr->kind = kind;
  expr->ty = ty;
  expr->span = span;
  return expr;
}

TStmt *tstmt_new(Arena *a, TStmtKind kind, Span span) {
  TStmt *stmt = NEW(a, TStmt);
  stmt->kind = kind;
  stmt->span = span;
  return stmt;
}

const char *tvar_kind_text(const TVar *var) {
  switch (var->kind) {
  case TV_CONST: return "constant";
  case TV_INPUT: return "input";
  case TV_GLOBAL: return "global";
  case TV_FIELD_FUN: return "field";
  case TV_FUN_PARAM: return "parameter";
  case TV_STRAND_PARAM: return "strand parameter";
  case TV_STATE: return var->is_output ? "output" : "state variable";
  case TV_LOCAL: return "local variable";
  case TV_ITER: return "iteration variable";
  }
  return "";
}

/* Constructors of the typed tree. Next: tast_print.c. */
#include "frontend/check/tast.h"

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

/* From_tast, early returns: a loop from which a function that is expanded returns becomes one that
 * runs to its end. A return notes that the function is done, and what it returns; whatever would
 * come next is done under the condition that it is not.
 *
 *   foreach (T x in s) { a; if (c) return e; b; }
 *     =>  foreach (T x in s) {
 *           if (done) {} else { a; if (c) { result = e; done = true; } if (done) {} else { b; } }
 *         }
 *         if (done) return result;
 */
#include "ir/high/local.h"

typedef struct Early {
  Cx *cx;
  TVar *done, *result;
} Early;

static TVar *new_local(Early *early, const char *name, const Type *ty, Span span) {
  TVar *var = NEW(early->cx->arena, TVar);
  *var = (TVar){.kind = TV_LOCAL, .ty = ty, .span = span};
  var->name = name_from(early->cx->names, name);
  return var;
}

static TExpr *read(const Early *early, TVar *var, Span span) {
  TExpr *expr = texpr_new(early->cx->arena, TE_VAR, var->ty, span);
  expr->u.var = var;
  return expr;
}

static void push(const Early *early, TStmt *block, TStmt *stmt) {
  vec_push(early->cx->arena, &block->body, stmt);
}

static TStmt *assign(const Early *early, TVar *var, TExpr *expr) {
  TStmt *stmt = tstmt_new(early->cx->arena, TS_ASSIGN, expr->span);
  stmt->var = var;
  stmt->expr = expr;
  return stmt;
}

/* if (done) {} else stmt */
static TStmt *unless_done(const Early *early, TStmt *stmt) {
  TStmt *test = tstmt_new(early->cx->arena, TS_IF, stmt->span);
  test->expr = read(early, early->done, stmt->span);
  test->then_stmt = tstmt_new(early->cx->arena, TS_BLOCK, stmt->span);
  test->else_stmt = stmt;
  return test;
}

/* ---- statements ------------------------------------------------------------------------------ */

static TStmt *rewrite(const Early *early, TStmt *stmt);

static TStmt *rewrite_return(const Early *early, const TStmt *stmt) {
  Arena *arena = early->cx->arena;
  TExpr *yes = texpr_new(arena, TE_CONST, type_bool(early->cx), stmt->span);
  yes->u.value = NEW(arena, Const);
  *yes->u.value = (Const){.ty = yes->ty, .b = true};
  TStmt *block = tstmt_new(arena, TS_BLOCK, stmt->span);
  push(early, block, assign(early, early->result, stmt->expr));
  push(early, block, assign(early, early->done, yes));
  return block;
}

/* The statements from one on. */
static TStmt *rewrite_list(const Early *early, const TStmt *stmt, uint32_t from) {
  TStmt *block = tstmt_new(early->cx->arena, TS_BLOCK, stmt->span);
  for (uint32_t i = from; i < stmt->body.len; i++) {
    push(early, block, rewrite(early, stmt->body.data[i]));
    if (!stmt_has_return(stmt->body.data[i]) || i + 1 == stmt->body.len) continue;
    push(early, block, unless_done(early, rewrite_list(early, stmt, i + 1)));
    break;
  }
  return block;
}

static TStmt *rewrite(const Early *early, TStmt *stmt) {
  if (!stmt || !stmt_has_return(stmt)) return stmt;
  if (stmt->kind == TS_RETURN) return rewrite_return(early, stmt);
  if (stmt->kind == TS_BLOCK) return rewrite_list(early, stmt, 0);
  TStmt *copy = NEW(early->cx->arena, TStmt);
  *copy = *stmt;
  copy->then_stmt = rewrite(early, stmt->then_stmt);
  copy->else_stmt = rewrite(early, stmt->else_stmt);
  if (stmt->kind == TS_FOREACH) copy->then_stmt = unless_done(early, copy->then_stmt);
  return copy;
}

TStmtVec without_early_return(Body *body, TStmt *loop, const Type *result) {
  Early early = {.cx = body->cx};
  early.done = new_local(&early, "done", type_bool(body->cx), loop->span);
  early.result = new_local(&early, "result", result, loop->span);
  body->b.span = loop->span;
  body_set(body, early.done, build_bool(&body->b, false));
  body_set(body, early.result, build_default(&body->b, result));

  TStmt *test = tstmt_new(body->cx->arena, TS_IF, loop->span);
  test->expr = read(&early, early.done, loop->span);
  test->then_stmt = tstmt_new(body->cx->arena, TS_RETURN, loop->span);
  test->then_stmt->expr = read(&early, early.result, loop->span);
  TStmtVec stmts = {0};
  vec_push(body->cx->arena, &stmts, rewrite(&early, loop));
  vec_push(body->cx->arena, &stmts, test);
  return stmts;
}

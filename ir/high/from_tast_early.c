/* From_tast, early returns: a loop with a return becomes a loop that runs to its end, so that its
 * function can be expanded or inlined. A return sets a flag, `done`, and the result; all following
 * statements are executed only if the flag is not set. So does a branch whose arms may return, but
 * need not. Back ends stop such a loop when the flag is set (tree_goes_on).
 *
 *   foreach (T x in s) { a; if (c) return e; b; }
 *     =>  foreach (T x in s) {
 *           if (done) {} else { a; if (c) { result = e; done = true; } if (done) {} else { b; } }
 *         }
 *         if (done) return result;
 *
 * A field, a kernel or an image cannot be stored. Instead the variables in e are stored, and which
 * return was taken; e itself is built after the loop. The same holds for the definition of an
 * abstract variable of the loop.
 *
 *         if (c) { kept = x; here = true; done = true; }      for  return x*F;
 *         if (done) { if (here) return kept*F; else ... }
 */
#include "ir/high/local.h"

typedef struct Site { /* a return of something abstract */
  TVar *here;
  TExpr *expr; /* over variables kept */
} Site;

typedef struct Early {
  Cx *cx;
  TVar *done, *result; /* result: NULL when abstract */
  VEC(Site) sites;
  TVarVec kept;
  Map *definitions; /* abstract TVar of the loop -> TExpr over variables kept */
} Early;

static TVar *new_local(Early *early, const char *name, const Type *ty, Span span) {
  TVar *var = NEW(early->cx->arena, TVar);
  *var = (TVar){.kind = TV_LOCAL, .ty = ty, .span = span, .is_made = true};
  var->name = name_from(early->cx->names, name);
  return var;
}

static TExpr *read(Early *early, TVar *var, Span span) {
  TExpr *expr = texpr_new(early->cx->arena, TE_VAR, var->ty, span);
  expr->u.var = var;
  return expr;
}

static void push(Early *early, TStmt *block, TStmt *stmt) {
  vec_push(early->cx->arena, &block->body, stmt);
}

static TStmt *assign(Early *early, TVar *var, TExpr *expr) {
  TStmt *stmt = tstmt_new(early->cx->arena, TS_ASSIGN, expr->span);
  stmt->var = var;
  stmt->expr = expr;
  return stmt;
}

/* if (done) {} else stmt */
static TStmt *unless_done(Early *early, TStmt *stmt) {
  TStmt *test = tstmt_new(early->cx->arena, TS_IF, stmt->span);
  test->expr = read(early, early->done, stmt->span);
  test->then_stmt = tstmt_new(early->cx->arena, TS_BLOCK, stmt->span);
  test->else_stmt = stmt;
  return test;
}

static TExpr *yes(Early *early, Span span) {
  TExpr *expr = texpr_new(early->cx->arena, TE_CONST, type_bool(early->cx), span);
  expr->u.value = NEW(early->cx->arena, Const);
  *expr->u.value = (Const){.ty = expr->ty, .b = true};
  return expr;
}

/* ---- what is kept ---------------------------------------------------------------------------- */

typedef struct Keep {
  Early *early;
  TStmt *block; /* where variables are kept */
  Map *copies;  /* TVar -> its copy */
  TVarVec own;  /* iterators of comprehensions in the expression */
} Keep;

static bool is_own(const Keep *keep, const TVar *var) {
  for (uint32_t i = 0; i < keep->own.len; i++)
    if (keep->own.data[i] == var) return true;
  return false;
}

static TVar *kept_copy(Keep *keep, TVar *var, Span span) {
  Early *early = keep->early;
  TVar *copy = map_get(keep->copies, var);
  if (copy) return copy;
  copy = new_local(early, var->name->text, var->ty, span);
  map_put(keep->copies, var, copy);
  vec_push(early->cx->arena, &early->kept, copy);
  push(early, keep->block, assign(early, copy, read(early, var, span)));
  return copy;
}

/* The variable may differ, or not be there, after the loop. */
static bool must_be_kept(const Keep *keep, const TVar *var) {
  return (var->kind == TV_LOCAL || var->kind == TV_ITER) && !is_own(keep, var);
}

static TExpr *keep_expr(Keep *keep, TExpr *expr) {
  Arena *arena = keep->early->cx->arena;
  if (expr->kind == TE_VAR && type_is_abstract(expr->ty)) {
    TExpr *definition = map_get(keep->early->definitions, expr->u.var);
    return definition ? definition : expr;
  }
  if (expr->kind == TE_VAR && must_be_kept(keep, expr->u.var))
    return read(keep->early, kept_copy(keep, expr->u.var, expr->span), expr->span);
  if (expr->kind == TE_MAP) vec_push(arena, &keep->own, expr->u.var);
  TExpr *copy = NEW(arena, TExpr);
  *copy = *expr;
  copy->args = (TExprVec){0};
  for (uint32_t i = 0; i < expr->args.len; i++)
    vec_push(arena, &copy->args, keep_expr(keep, expr->args.data[i]));
  return copy;
}

/* The expression after the loop; block keeps what it needs. */
static TExpr *keep(Early *early, TStmt *block, TExpr *expr) {
  Keep keep = {.early = early, .block = block, .copies = map_new(early->cx->arena)};
  return keep_expr(&keep, expr);
}

/* ---- statements ------------------------------------------------------------------------------ */

static TStmt *rewrite(Early *early, TStmt *stmt);

static void note_site(Early *early, TStmt *block, const TStmt *stmt) {
  Site site = {.here = new_local(early, "here", type_bool(early->cx), stmt->span)};
  site.expr = keep(early, block, stmt->expr);
  vec_push(early->cx->arena, &early->sites, site);
  push(early, block, assign(early, site.here, yes(early, stmt->span)));
}

static TStmt *rewrite_return(Early *early, const TStmt *stmt) {
  TStmt *block = tstmt_new(early->cx->arena, TS_BLOCK, stmt->span);
  if (early->result) push(early, block, assign(early, early->result, stmt->expr));
  else note_site(early, block, stmt);
  push(early, block, assign(early, early->done, yes(early, stmt->span)));
  return block;
}

static TStmt *rewrite_definition(Early *early, TStmt *stmt) {
  TStmt *block = tstmt_new(early->cx->arena, TS_BLOCK, stmt->span);
  map_put(early->definitions, stmt->var, keep(early, block, stmt->expr));
  push(early, block, stmt);
  return block;
}

/* The statements from one on. */
static TStmt *rewrite_list(Early *early, const TStmt *stmt, uint32_t from) {
  TStmt *block = tstmt_new(early->cx->arena, TS_BLOCK, stmt->span);
  for (uint32_t i = from; i < stmt->body.len; i++) {
    push(early, block, rewrite(early, stmt->body.data[i]));
    if (!stmt_has_return(stmt->body.data[i]) || i + 1 == stmt->body.len) continue;
    push(early, block, unless_done(early, rewrite_list(early, stmt, i + 1)));
    break;
  }
  return block;
}

static TStmt *rewrite(Early *early, TStmt *stmt) {
  if (!stmt) return stmt;
  if (stmt->kind == TS_LOCAL && type_is_abstract(stmt->var->ty))
    return rewrite_definition(early, stmt);
  if (!stmt_has_return(stmt)) return stmt;
  if (stmt->kind == TS_RETURN) return rewrite_return(early, stmt);
  if (stmt->kind == TS_BLOCK) return rewrite_list(early, stmt, 0);
  TStmt *copy = NEW(early->cx->arena, TStmt);
  *copy = *stmt;
  copy->then_stmt = rewrite(early, stmt->then_stmt);
  copy->else_stmt = rewrite(early, stmt->else_stmt);
  if (stmt->kind == TS_FOREACH) copy->then_stmt = unless_done(early, copy->then_stmt);
  return copy;
}

/* ---- after the loop -------------------------------------------------------------------------- */

static TStmt *return_of(Early *early, TExpr *expr) {
  TStmt *stmt = tstmt_new(early->cx->arena, TS_RETURN, expr->span);
  stmt->expr = expr;
  return stmt;
}

/* Returns what the loop that was left has recorded, from one site on. */
static TStmt *return_noted(Early *early, Span span, uint32_t site) {
  if (early->result) return return_of(early, read(early, early->result, span));
  ASSERT(early->cx, site < early->sites.len);
  TStmt *here = return_of(early, early->sites.data[site].expr);
  if (site + 1 == early->sites.len) return here;
  TStmt *test = tstmt_new(early->cx->arena, TS_IF, span);
  test->expr = read(early, early->sites.data[site].here, span);
  test->then_stmt = here;
  test->else_stmt = return_noted(early, span, site + 1);
  return test;
}

static void set_default(Body *body, const TVar *var) {
  body_set(body, var, build_default(&body->b, var->ty));
}

TStmtVec without_early_return(Body *body, const TStmt *stmt, const Type *result) {
  Early early = {.cx = body->cx, .definitions = map_new(body->cx->arena)};
  early.done = new_local(&early, "done", type_bool(body->cx), stmt->span);
  if (!type_is_abstract(result)) early.result = new_local(&early, "result", result, stmt->span);
  TStmt *rewritten = NEW(body->cx->arena, TStmt);
  *rewritten = *stmt;
  rewritten = rewrite(&early, rewritten);

  body->b.span = stmt->span;
  set_default(body, early.done);
  if (early.result) set_default(body, early.result);
  for (uint32_t i = 0; i < early.sites.len; i++) set_default(body, early.sites.data[i].here);
  for (uint32_t i = 0; i < early.kept.len; i++) set_default(body, early.kept.data[i]);

  TStmt *test = tstmt_new(body->cx->arena, TS_IF, stmt->span);
  test->expr = read(&early, early.done, stmt->span);
  test->then_stmt = return_noted(&early, stmt->span, 0);
  TStmtVec stmts = {0};
  vec_push(body->cx->arena, &stmts, rewritten);
  vec_push(body->cx->arena, &stmts, test);
  return stmts;
}

/* Statements, one function per kind; assignments are in stmt_assign.c. */
#include "frontend/check/local.h"

/* ---- blocks and locals ---------------------------------------------------------------------- */

static TStmt *check_stmt(Check *ck, const Ast *node);

TStmt *check_block(Check *ck, const Ast *node) {
  const AstList *stmts = &ast_as_block(node)->stmts;
  TStmt *block = tstmt_new(ck->arena, TS_BLOCK, node->span);
  Scope *outside = enter_scope(ck, node->span);
  for (uint32_t i = 0; i < stmts->len; i++)
    vec_push(ck->arena, &block->body, check_stmt(ck, stmts->data[i]));
  ck->scope = outside;
  return block;
}

/* The body of a branch, in a scope of its own even without braces. */
static TStmt *check_branch(Check *ck, const Ast *node) {
  if (node->kind == AST_BLOCK) return check_block(ck, node);
  Scope *outside = enter_scope(ck, node->span);
  TStmt *stmt = check_stmt(ck, node);
  ck->scope = outside;
  return stmt;
}

static TStmt *check_local(Check *ck, const AstVar *node) {
  const Type *ty = check_type(ck, node->type);
  TStmt *local = tstmt_new(ck->arena, TS_LOCAL, node->head.span);
  local->var = new_var(ck, TV_LOCAL, node->name, ty);
  if (node->init) {
    local->expr = check_initializer(ck, node, local->var);
    local->var->init = local->expr;
  } else if (is_abstract(ty)) {
    diag(ck->cx, node->name.span, E_NO_VALUE, d_type(ck->cx, ty));
  } else {
    note_unset(ck, local->var);
  }
  enter_var(ck, local->var);
  return local;
}

/* ---- control -------------------------------------------------------------------------------- */

static TStmt *check_if(Check *ck, const AstIf *node) {
  TStmt *stmt = tstmt_new(ck->arena, TS_IF, node->head.span);
  stmt->expr = check_condition(ck, node->cond);
  stmt->then_stmt = check_branch(ck, node->then_part);
  if (node->else_part) stmt->else_stmt = check_branch(ck, node->else_part);
  return stmt;
}

static TStmt *check_foreach(Check *ck, const AstForeach *node) {
  const AstIterator *iterator = ast_as_iterator(node->iterator);
  const Type *elem, *ty = check_type(ck, node->type);
  const Type *want = type_is_fixed_size(ty)  ? type_seq(ck->cx, ty, SEQ_DYNAMIC)
                     : type_is(ty, TY_ERROR) ? ty
                                             : NULL;
  TStmt *loop = tstmt_new(ck->arena, TS_FOREACH, node->head.span);
  loop->expr = check_source(ck, iterator->source, want, &elem);
  if (elem != ty && !type_is(elem, TY_ERROR) && !type_is(ty, TY_ERROR)) {
    diag(ck->cx, node->type->span, E_ITERATED_TYPE, d_type(ck->cx, elem), d_type(ck->cx, ty));
    ty = type_error(ck->cx); /* either may be meant */
  }
  Scope *outside = enter_scope(ck, node->head.span);
  ck->loop_depth++;
  loop->var = declare_var(ck, TV_ITER, iterator->name, ty);
  loop->then_stmt = check_branch(ck, node->body);
  ck->loop_depth--;
  ck->scope = outside;
  return loop;
}

static TStmt *check_return(Check *ck, const AstReturn *node) {
  TStmt *stmt = tstmt_new(ck->arena, TS_RETURN, node->head.span);
  if (has_right(ck, MAY_RETURN)) {
    stmt->expr = check_expr_as(ck, node->value, ck->result, "return");
    check_one_variable(ck, stmt->expr);
    return stmt;
  }
  diag(ck->cx, node->head.span, E_RETURN_PLACE);
  diag_note(ck->cx, SPAN_NONE, H_WRITE,
            d_text("continue, stabilize or die, which end methods early"));
  if (!needs_context(node->value)) check_expr(ck, node->value, NULL);
  return tstmt_new(ck->arena, TS_BLOCK, node->head.span); /* what follows is no mistake */
}

/* stabilize, die, continue: their place decides what they end. */
static TStmt *check_stop(Check *ck, const Ast *node, TStmtKind kind, DiagId wrong_place) {
  if (!has_right(ck, MAY_STOP)) diag(ck->cx, node->span, wrong_place);
  return tstmt_new(ck->arena, kind, node->span);
}

/* In other languages it ends a round of the loop. */
static TStmt *check_continue(Check *ck, const Ast *node) {
  if (ck->loop_depth > 0 && has_right(ck, MAY_STOP)) {
    diag(ck->cx, node->span, W_CONTINUE_IN_LOOP);
    diag_note(ck->cx, SPAN_NONE, H_WRITE,
              d_text("an if around what follows, to leave out a round"));
  }
  return check_stop(ck, node, TS_CONTINUE, E_CONTINUE_PLACE);
}

static void note_population(Check *ck, Span span) {
  if (span_is_none(ck->population)) ck->population = span;
}

static TStmt *check_stabilize(Check *ck, const Ast *node) {
  if (has_right(ck, MAY_SET_GLOBALS)) ck->program->uses_stabilize_all = true;
  return check_stop(ck, node, TS_STABILIZE, E_STABILIZE_PLACE);
}

static TStmt *check_die(Check *ck, const Ast *node) {
  ck->program->uses_die = true;
  if (has_right(ck, MAY_SET_GLOBALS)) ck->program->uses_die_all = true;
  if (has_right(ck, MAY_STOP)) note_population(ck, node->span);
  return check_stop(ck, node, TS_DIE, E_DIE_PLACE);
}

/* ---- effects -------------------------------------------------------------------------------- */

static TStmt *check_print(Check *ck, const AstPrint *node) {
  TStmt *print = tstmt_new(ck->arena, TS_PRINT, node->head.span);
  for (uint32_t i = 0; i < node->args.len; i++) {
    TExpr *arg = check_expr(ck, node->args.data[i], NULL);
    if (!is_value_or_error(arg->ty)) diag(ck->cx, arg->span, E_PRINT_TYPE, d_type(ck->cx, arg->ty));
    vec_push(ck->arena, &print->args, arg);
  }
  return print;
}

static TStmt *check_new(Check *ck, const AstNew *node) {
  TStmt *stmt = tstmt_new(ck->arena, TS_NEW, node->head.span);
  const Name *strand = ast_as_strand(ck->source->strand)->name.name;
  ck->program->uses_new = true;
  if (!has_right(ck, MAY_CREATE)) diag(ck->cx, node->head.span, E_NEW_PLACE);
  else if (node->strand.name != strand) {
    if (!was_unknown(ck, node->strand.name))
      diag(ck->cx, node->strand.span, E_NOT_A_STRAND, d_name(node->strand.name));
  } else {
    note_strand(ck, node->strand);
    note_population(ck, node->head.span);
    check_arguments(ck, strand, node->head.span, &node->args, &ck->program->strand->params,
                    &stmt->args);
    return stmt;
  }
  for (uint32_t i = 0; i < node->args.len; i++)
    if (!needs_context(node->args.data[i])) check_expr(ck, node->args.data[i], NULL);
  return stmt;
}

static TStmt *check_stmt(Check *ck, const Ast *node) {
  switch (node->kind) {
  case AST_BLOCK: return check_block(ck, node);
  case AST_VAR: return check_local(ck, ast_as_var(node));
  case AST_ASSIGN: return check_assign(ck, ast_as_assign(node));
  case AST_IF: return check_if(ck, ast_as_if(node));
  case AST_FOREACH: return check_foreach(ck, ast_as_foreach(node));
  case AST_NEW: return check_new(ck, ast_as_new(node));
  case AST_PRINT: return check_print(ck, ast_as_print(node));
  case AST_RETURN: return check_return(ck, ast_as_return(node));
  case AST_STABILIZE: return check_stabilize(ck, node);
  case AST_DIE: return check_die(ck, node);
  case AST_CONTINUE: return check_continue(ck, node);
  default: UNREACHABLE(ck->cx); /* no other kind is a statement */
  }
}

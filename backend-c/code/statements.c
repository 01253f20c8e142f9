/* statements: the walker over the statements of a function (gen_stmts), effects, and branches,
 * loops and exits for one strand at a time (execution.h). Next: functions.c.
 */
#include "backend-c/code/local.h"

/* ---- effects --------------------------------------------------------------------------------- */

const char *gen_fn_for(Gen *gen, const char *stem, const Type *ty) {
  const char *end = NULL;
  switch (type_kind(ty)) {
  case TY_BOOL: end = "bool"; break;
  case TY_INT: end = "int"; break;
  case TY_STRING: end = "string"; break;
  case TY_TENSOR: end = gen->cx->is_double ? "double" : "float"; break;
  /* There are no others at this level. */
  default: BUG(gen->cx, "%s of a %s", stem, type_text(gen->cx, ty));
  }
  return text_format(gen->cx->arena, "%s%s", stem, end);
}

static void gen_put(Gen *gen, const Type *ty, CExpr *value) {
  if (type_is_dynamic_seq(ty)) {
    CExprVec args = {0};
    c_push(gen->cx, &args, c_name(gen->cx, "text"));
    c_push(gen->cx, &args, value);
    c_push(gen->cx, &args, gen_seq_pattern(gen, ty));
    em_expr(&gen->em, c_call(gen->cx, "ddr_put_seq", args));
    return;
  }
  em_expr(&gen->em,
          c_call2(gen->cx, gen_fn_for(gen, "ddr_put_", ty), c_name(gen->cx, "text"), value));
}

static bool is_string_literal(const TreeExpr *expr) {
  return expr->kind == TX_OP && expr->op == OP_CONST_STRING;
}

/* Adjacent literals are printed together. */
static void gen_print(Gen *gen, const TreeExpr *print) {
  for (uint32_t i = 0; i < print->args.len;) {
    const TreeExpr *arg = print->args.data[i];
    if (!is_string_literal(arg)) {
      gen_put(gen, arg->ty, gen_expr(gen, arg));
      i++;
      continue;
    }
    Text joined = text_new(gen->cx->arena);
    for (; i < print->args.len && is_string_literal(print->args.data[i]); i++)
      text_add(&joined, print->args.data[i]->attr.s);
    gen_put(gen, arg->ty, c_string(gen->cx, text_str(&joined)));
  }
  em_expr(&gen->em, c_call1(gen->cx, "ddr_print_end", c_name(gen->cx, "text")));
}

/* fn(text, operands.., line, column) */
static void gen_check(Gen *gen, const TreeExpr *expr, const char *fn) {
  Cx *cx = gen->cx;
  const bool is_placed = cx->source && !span_is_none(expr->span);
  const Position at = is_placed ? source_position(cx->source, expr->span.start) : (Position){0};
  CExprVec args = {0};
  c_push(cx, &args, c_name(cx, "text"));
  gen_args_from(gen, expr, 0, &args);
  c_push(cx, &args, c_int(cx, at.line));
  c_push(cx, &args, c_int(cx, at.column));
  em_expr(&gen->em, c_call(cx, fn, args));
}

static void gen_effect(Gen *gen, const TreeExpr *expr) {
  switch (expr->op) {
  case OP_PRINT: gen_print(gen, expr); return;
  case OP_CHECK_INDEX: gen_check(gen, expr, "ddr_check_index"); return;
  case OP_CHECK_DIVISOR: gen_check(gen, expr, "ddr_check_divisor"); return;
  case OP_TRACE: gen_record(gen, expr); return;
  case OP_COUNT_PROBE: gen_count_probe(gen, gen_expr(gen, expr->args.data[0])); return;
  case OP_GLOBAL_STORE:
    em_assign(&gen->em, gen_global(gen, expr->attr.var), gen_expr(gen, expr->args.data[0]));
    return;
  case OP_NEW_STRAND: gen_new_strand(gen, expr); return;
  case OP_STABILIZE_ALL:
    em_expr(&gen->em, c_call1(gen->cx, "ddr_stabilize_all", c_name(gen->cx, "world")));
    return;
  case OP_KILL_ALL:
    em_expr(&gen->em, c_call1(gen->cx, "ddr_kill_all", c_name(gen->cx, "world")));
    return;
  case OP_CALL: em_expr(&gen->em, c_cast(gen->cx, "void", gen_expr(gen, expr))); return;
  default: break; /* no other op has an effect at this level */
  }
  BUG(gen->cx, "op %s is no statement in C", op_text(expr->op));
}

/* Several results are returned in an array. */
static void call_for_several(Gen *gen, const TreeStmt *stmt) {
  Cx *cx = gen->cx;
  const char *type = gen_type(gen, stmt->var->ty);
  CExprVec args = {0};
  em_declare_array(&gen->em, type, stmt->var->name, stmt->vars.len);
  gen_context_args(gen, stmt->expr->callee, IN_FUNCTION, &args);
  for (uint32_t i = 0; i < stmt->expr->args.len; i++)
    c_push(cx, &args, gen_expr(gen, stmt->expr->args.data[i]));
  c_push(cx, &args, c_name(cx, stmt->var->name));
  em_expr(&gen->em, c_call(cx, stmt->expr->callee->name, args));
  for (uint32_t i = 0; i < stmt->vars.len; i++) {
    const TreeVar *var = stmt->vars.data[i];
    CExpr *result = c_index_int(cx, c_name(cx, stmt->var->name), i);
    if (var && var->is_mutable) em_declare(&gen->em, type, var->name, result);
    else if (var) em_declare_const(&gen->em, type, var->name, result);
  }
}

/* ---- the ends of functions ------------------------------------------------------------------- */

static const char *strand_status(ExitKind exit) {
  switch (exit) {
  case EXIT_STABILIZE: return "DDR_STABLE";
  case EXIT_DIE: return "DDR_DEAD";
  case EXIT_ACTIVE:
  case EXIT_RETURN: break;
  }
  return "DDR_ACTIVE";
}

/* Expressions deferred to the end of the method still belong to their own source lines. */
void gen_store_values(Gen *gen, const TreeStmt *leave) {
  for (uint32_t i = 0; i < leave->values.len; i++) {
    const TreeExpr *value = leave->values.data[i];
    if (!value) continue;
    if (value->kind == TX_OP) gen_source(gen, value->span);
    gen->how->store(gen, i, value);
  }
}

static void store_and_say(Gen *gen, const TreeStmt *leave) {
  gen_store_values(gen, leave);
  bool is_said = leave->exit == EXIT_STABILIZE || leave->exit == EXIT_DIE;
  if (is_said) gen_source(gen, leave->span);
}

static void store_array(Gen *gen, const TreeStmt *leave, const char *array) {
  for (uint32_t i = 0; i < leave->values.len; i++)
    em_assign(&gen->em, c_index_int(gen->cx, c_name(gen->cx, array), i),
              gen_expr(gen, leave->values.data[i]));
}

static void store_bounds(Gen *gen, const TreeStmt *leave) {
  for (uint32_t i = 0; i < leave->values.len; i++)
    em_assign(&gen->em, c_index_int(gen->cx, c_name(gen->cx, i % 2 == 0 ? "lo" : "hi"), i / 2),
              gen_expr(gen, leave->values.data[i]));
}

/* A void function needs no return after its last statement. */
static void return_nothing(Gen *gen, const TreeStmt *leave) {
  if (vec_last(&gen->fn->body) != leave) em_return(&gen->em, NULL);
}

void gen_leave(Gen *gen, const TreeStmt *leave) {
  switch (gen->fn->kind) {
  case FN_USER:
    if (leave->values.len == 1) {
      em_return(&gen->em, gen_expr(gen, leave->values.data[0]));
      return;
    }
    store_array(gen, leave, "result");
    return_nothing(gen, leave);
    return;
  case FN_SAMPLING:
    store_array(gen, leave, "result");
    return_nothing(gen, leave);
    return;
  case FN_GLOBALS: em_return(&gen->em, c_name(gen->cx, "DDR_OK")); return;
  case FN_BOUNDS:
    store_bounds(gen, leave);
    return_nothing(gen, leave);
    return;
  case FN_ARGS: gen_initial_strand(gen, leave); return;
  case FN_START:
  case FN_UPDATE:
    store_and_say(gen, leave);
    em_return(&gen->em, c_name(gen->cx, strand_status(leave->exit)));
    return;
  case FN_CREATE:
  case FN_STABILIZE:
  case FN_GLOBAL_START:
  case FN_GLOBAL_UPDATE:
    store_and_say(gen, leave);
    return_nothing(gen, leave);
    return;
  }
}

/* ---- statements ------------------------------------------------------------------------------ */

void gen_declare(Gen *gen, const char *type, const TreeVar *var, const CExpr *init) {
  if (var->is_mutable) em_declare(&gen->em, type, var->name, init);
  else em_declare_const(&gen->em, type, var->name, init);
}

/* Whether the test for a sampling is always false, since nothing is sampled for all strands. */
static bool is_never(const Gen *gen, const TreeStmt *branch) {
  const TreeExpr *test = branch->expr;
  return !gen->how->probe && test->kind == TX_OP && test->op == OP_SAMPLING_IS_MADE;
}

/* The branch to emit as `else if`, or NULL; for debuggers and profiles each `if` is a statement. */
static const TreeStmt *else_if(const Gen *gen, const TreeStmt *stmt) {
  const bool marks = gen->em.with_line_marks || gen->options->is_profiled;
  if (marks || gen->options->is_traced || stmt->else_body.len != 1) return NULL;
  const TreeStmt *only = stmt->else_body.data[0];
  return only->kind == TT_IF && !is_never(gen, only) ? only : NULL;
}

void gen_if(Gen *gen, const TreeStmt *stmt) {
  if (is_never(gen, stmt)) {
    em_open_block(&gen->em);
    gen_stmts(gen, &stmt->else_body);
    em_close(&gen->em);
    return;
  }
  em_open_if(&gen->em, gen_expr(gen, stmt->expr));
  gen_stmts(gen, &stmt->body);
  for (const TreeStmt *next; (next = else_if(gen, stmt)) != NULL; stmt = next) {
    em_else_if(&gen->em, gen_expr(gen, next->expr));
    gen_source(gen, next->span);
    gen_stmts(gen, &next->body);
  }
  if (stmt->else_body.len > 0) {
    em_else(&gen->em);
    gen_stmts(gen, &stmt->else_body);
  }
  em_close(&gen->em);
}

void gen_open_range(Gen *gen, const TreeStmt *stmt) {
  CParam idx = {.type = gen_type(gen, stmt->var->ty), .name = stmt->var->name};
  em_open_for(&gen->em, idx, gen_expr(gen, stmt->expr), "<=", gen_expr(gen, stmt->limit));
}

/* The limit may be the largest int, so it is compared before the increment. */
void gen_close_range(Gen *gen, const TreeStmt *stmt) {
  if (!stmt->is_bounded && !tree_always_leaves(&stmt->body)) {
    CExpr *limit = gen_expr(gen, stmt->limit);
    em_open_if(&gen->em, c_binary(gen->cx, "==", c_name(gen->cx, stmt->var->name), limit));
    em_break(&gen->em);
    em_close(&gen->em);
  }
  em_close(&gen->em);
}

static bool is_not(const TreeExpr *expr) { return expr->kind == TX_OP && expr->op == OP_NOT; }

void gen_stop_when_idle(Gen *gen, const TreeStmt *stmt) {
  const TreeExpr *goes_on = tree_goes_on(gen->cx, stmt);
  if (!goes_on) return;
  em_open_if(&gen->em, is_not(goes_on) ? gen_expr(gen, goes_on->args.data[0])
                                       : c_unary(gen->cx, "!", gen_expr(gen, goes_on)));
  em_break(&gen->em);
  em_close(&gen->em);
}

void gen_for(Gen *gen, const TreeStmt *stmt) {
  gen_open_range(gen, stmt);
  gen_stmts(gen, &stmt->body);
  gen_stop_when_idle(gen, stmt);
  gen_close_range(gen, stmt);
}

static void gen_stmt(Gen *gen, const TreeStmt *stmt) {
  if (stmt->kind != TT_LEAVE) gen_source(gen, stmt->span);
  switch (stmt->kind) {
  case TT_DECLARE: gen->how->declare(gen, stmt); return;
  case TT_ASSIGN: gen->how->assign(gen, stmt); return;
  case TT_IF: gen->how->branch(gen, stmt); return;
  case TT_FOR: gen->how->loop(gen, stmt); return;
  case TT_LEAVE: gen->how->leave(gen, stmt); return;
  case TT_EFFECT:
  case TT_CALL:
  case TT_REDUCE: gen->how->call(gen, stmt); return;
  }
}

void gen_call_stmt(Gen *gen, const TreeStmt *stmt) {
  switch (stmt->kind) {
  case TT_EFFECT: gen_effect(gen, stmt->expr); return;
  case TT_REDUCE: gen_reduce(gen, stmt); return;
  default: call_for_several(gen, stmt); /* TT_CALL */
  }
}

void gen_stmts(Gen *gen, const TreeStmtVec *stmts) {
  const Execution *how = gen->how;
  uint32_t n_open = 0;
  for (uint32_t i = 0; i < stmts->len;) {
    const uint32_t n_gathered = how->gather ? how->gather(gen, stmts, i) : 0;
    i += n_gathered;
    if (n_gathered > 0) continue;
    gen_stmt(gen, stmts->data[i++]);
    if (how->guard && how->guard(gen, stmts, i)) n_open++;
  }
  for (; n_open > 0; n_open--) em_close(&gen->em);
}

/* emit_body: the statements of one function, and the heads of the functions the program itself
 * has: user functions and strand methods. Next: emit_strand.c and emit_globals.c call them.
 */
#include "backend-c/local.h"

const TreeFunc *gen_find(const Gen *gen, FuncKind kind) {
  for (uint32_t i = 0; i < gen->program->funcs.len; i++)
    if (gen->program->funcs.data[i]->kind == kind) return gen->program->funcs.data[i];
  return NULL;
}

/* ---- effects -----------------------------------------------------------------------------------
 */

static const char *put_fn(Gen *gen, const Type *ty) {
  switch (type_kind(ty)) {
  case TY_BOOL: return "ddr_put_bool";
  case TY_INT: return "ddr_put_int";
  case TY_STRING: return "ddr_put_string";
  case TY_TENSOR: return gen->cx->is_double ? "ddr_put_double" : "ddr_put_float";
  default: break; /* print takes scalars and strings at this level */
  }
  BUG(gen->cx, "print of a %s", type_text(gen->cx, ty));
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
  em_expr(&gen->em, c_call2(gen->cx, put_fn(gen, ty), c_name(gen->cx, "text"), value));
}

static bool is_string_literal(const TreeExpr *expr) {
  return expr->kind == TX_OP && expr->op == OP_CONST_STRING;
}

/* Literals that follow each other are put as one. */
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

/* Several results come back in an array. */
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

/* ---- the ends of functions ---------------------------------------------------------------------
 */

static const char *strand_status(ExitKind exit) {
  switch (exit) {
  case EXIT_STABILIZE: return "DDR_STABLE";
  case EXIT_DIE: return "DDR_DEAD";
  case EXIT_ACTIVE:
  case EXIT_RETURN: break;
  }
  return "DDR_ACTIVE";
}

/* Expressions that waited for the end of the method still belong to their own lines. */
void gen_store_values(Gen *gen, const TreeStmt *leave) {
  for (uint32_t i = 0; i < leave->values.len; i++) {
    const TreeExpr *value = leave->values.data[i];
    if (!value) continue;
    if (value->kind == TX_OP) em_source(&gen->em, value->span);
    gen->how->store(gen, i, value);
  }
}

static void store_and_say(Gen *gen, const TreeStmt *leave) {
  gen_store_values(gen, leave);
  bool is_said = leave->exit == EXIT_STABILIZE || leave->exit == EXIT_DIE;
  if (is_said) em_source(&gen->em, leave->span);
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

/* A void function ends by itself where its last statement is. */
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

/* ---- statements --------------------------------------------------------------------------------
 */

void gen_declare(Gen *gen, const char *type, const TreeVar *var, const CExpr *init) {
  if (var->is_mutable) em_declare(&gen->em, type, var->name, init);
  else em_declare_const(&gen->em, type, var->name, init);
}

/* Where nothing is sampled for all strands together. */
static bool is_never(const Gen *gen, const TreeStmt *branch) {
  const TreeExpr *test = branch->expr;
  return !gen->how->probe && test->kind == TX_OP && test->op == OP_SAMPLING_IS_MADE;
}

/* What goes on as `else if`, or NULL; for a debugger each `if` has a line of its own. */
static const TreeStmt *else_if(const Gen *gen, const TreeStmt *stmt) {
  if (gen->em.with_line_marks || stmt->else_body.len != 1) return NULL;
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
    em_source(&gen->em, next->span);
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

/* A limit that may be the largest int is compared before the step. */
void gen_close_range(Gen *gen, const TreeStmt *stmt) {
  if (!stmt->is_bounded && !tree_always_leaves(&stmt->body)) {
    CExpr *limit = gen_expr(gen, stmt->limit);
    em_open_if(&gen->em, c_binary(gen->cx, "==", c_name(gen->cx, stmt->var->name), limit));
    em_break(&gen->em);
    em_close(&gen->em);
  }
  em_close(&gen->em);
}

void gen_for(Gen *gen, const TreeStmt *stmt) {
  gen_open_range(gen, stmt);
  gen_stmts(gen, &stmt->body);
  gen_close_range(gen, stmt);
}

static void gen_stmt(Gen *gen, const TreeStmt *stmt) {
  if (stmt->kind != TT_LEAVE) em_source(&gen->em, stmt->span);
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

void gen_body(Gen *gen, const TreeFunc *fn) {
  gen->fn = fn;
  gen_stmts(gen, &fn->body);
}

/* ---- functions of the program ------------------------------------------------------------------
 */

static const char *result_type(Gen *gen, const TreeFunc *fn) {
  if (fn->kind == FN_USER && fn->n_results == 1) return gen_type(gen, fn->result);
  return fn->kind == FN_START || fn->kind == FN_UPDATE ? "ddr_strand_status" : "void";
}

static CFunc func_head(Gen *gen, const TreeFunc *fn) {
  CFunc head = {.qualifiers = gen->how->function, .result = result_type(gen, fn), .name = fn->name};
  gen_context_params(gen, STATES_BEFORE, gen_needs(gen, fn), &head);
  if (fn->kind != FN_USER) em_param(gen->cx, &head, gen_state_pointer(gen), "self");
  for (uint32_t i = 0; !tree_is_method(fn->kind) && i < fn->params.len; i++) {
    const TreeVar *param = fn->params.data[i];
    if (param) em_param(gen->cx, &head, gen_type(gen, param->ty), param->name);
  }
  if (fn->kind == FN_USER && fn->n_results > 1)
    em_param(gen->cx, &head, text_format(gen->cx->arena, "%s *", gen_type(gen, fn->result)),
             "result");
  return head;
}

bool gen_is_read_in(const TreeStmtVec *stmts, const TreeVar *var) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->expr && tree_reads(stmt->expr, var)) return true;
    if (stmt->limit && tree_reads(stmt->limit, var)) return true;
    for (uint32_t k = 0; k < stmt->values.len; k++)
      if (stmt->values.data[k] && tree_reads(stmt->values.data[k], var)) return true;
    if (gen_is_read_in(&stmt->body, var) || gen_is_read_in(&stmt->else_body, var)) return true;
  }
  return false;
}

static bool is_stored(const TreeStmtVec *stmts, uint32_t component) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_LEAVE && stmt->values.data[component]) return true;
    if (is_stored(&stmt->body, component) || is_stored(&stmt->else_body, component)) return true;
  }
  return false;
}

/* An array that the method does not change need not be copied to be read. */
static bool stays_in_place(const TreeFunc *fn, uint32_t component) {
  const TreeVar *param = fn->params.data[component];
  return type_is_fixed_seq(param->ty) && !param->is_mutable && !is_stored(&fn->body, component);
}

/* Methods read the components they use once, at the top. */
static void open_params(Gen *gen, const TreeFunc *fn) {
  for (uint32_t i = 0; i < fn->params.len; i++) {
    const TreeVar *param = fn->params.data[i];
    if (!param) continue;
    if (tree_is_method(fn->kind) && stays_in_place(fn, i))
      map_put(gen->in_place, param, gen->how->load(gen, i));
    else if (tree_is_method(fn->kind))
      gen_declare(gen, gen_type(gen, param->ty), param, gen->how->load(gen, i));
    else if (!gen_is_read_in(&fn->body, param)) em_unused(&gen->em, param->name);
  }
}

/* A method may change nothing: then it has no use for its strand. */
static bool uses_self(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    for (uint32_t k = 0; stmt->kind == TT_LEAVE && k < stmt->values.len; k++)
      if (stmt->values.data[k]) return true;
    if (uses_self(&stmt->body) || uses_self(&stmt->else_body)) return true;
  }
  return false;
}

static bool reads_self(const TreeFunc *fn) {
  for (uint32_t i = 0; tree_is_method(fn->kind) && i < fn->params.len; i++)
    if (fn->params.data[i]) return true;
  return false;
}

void gen_func(Gen *gen, const TreeFunc *fn) {
  CFunc head = func_head(gen, fn);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  if (fn->kind != FN_USER && !reads_self(fn) && !uses_self(&fn->body)) em_unused(&gen->em, "self");
  open_params(gen, fn);
  gen_body(gen, fn);
  em_close(&gen->em);
}

/* ---- context -----------------------------------------------------------------------------------
 */

static const Surrounding surroundings[] = {
    {NEED_GLOBALS, "const struct globals *", "globals", NULL, false},
    {NEED_WORLD, "ddr_world *", "world", "world", false},
    {NEED_TEXT, "ddr_text *", "text", "text", false},
    {NEED_POOL, "ddr_pool *", "pool", "pool", false},
    {NEED_BLOCK, "ddr_block *", "block", NULL, false},
    {NEED_STATES, NULL, "states", "before", true},
    {NEED_SLOT, "int64_t", "slot", NULL, false},
    {NEED_SAMPLES, "const ddr_samples *", "samples", NULL, false},
};

enum { N_SURROUNDINGS = sizeof surroundings / sizeof *surroundings };

CExpr *gen_in_block(Gen *gen, const Surrounding *what) {
  CExpr *owner = c_name(gen->cx, "block");
  if (what->is_of_strands) owner = c_arrow(gen->cx, owner, "strands");
  return c_arrow(gen->cx, owner, what->of_block);
}

static CExpr *surrounding(Gen *gen, GenContext place, const Surrounding *what) {
  const bool is_named = place == IN_FUNCTION || !what->of_block;
  return is_named ? c_name(gen->cx, what->name) : gen->how->in_block(gen, what);
}

void gen_context_of(Gen *gen, uint32_t needs, GenContext place, CExprVec *args) {
  for (uint32_t i = 0; i < N_SURROUNDINGS; i++)
    if (needs & surroundings[i].need)
      c_push(gen->cx, args, surrounding(gen, place, &surroundings[i]));
}

void gen_context_args(Gen *gen, const TreeFunc *fn, GenContext place, CExprVec *args) {
  gen_context_of(gen, gen_needs(gen, fn), place, args);
}

void gen_context_params(Gen *gen, StatesSeen seen, uint32_t needs, CFunc *head) {
  const char *states = text_format(gen->cx->arena, "const %s", gen->how->states(gen, seen));
  for (uint32_t i = 0; i < N_SURROUNDINGS; i++) {
    const char *type = surroundings[i].need == NEED_STATES ? states : surroundings[i].type;
    if (needs & surroundings[i].need) em_param(gen->cx, head, type, surroundings[i].name);
  }
}

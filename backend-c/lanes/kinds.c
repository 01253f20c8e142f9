/* kinds: lock-step strands that take the same long branch share a gang.
 *
 * In each superstep some strands do their work and others wait, or do something else. A gang with
 * strands of both kinds takes both ways. Where the test of a long branch is made of the state, it
 * is asked before strands get lanes, and the strands of a block are taken in order of the answer:
 *
 *   static inline bool agent_is_first(const struct agent *self) {
 *     const ddr_int phase = self->phase;
 *     return phase == 0;
 *   }
 *
 * Where the others keep their state as it is, they only wait, and get no lane at all.
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- which branch ---------------------------------------------------------------------------- */

/* The number of all where it is none. */
static uint32_t param_number(const Lanes *lanes, const TreeVar *var) {
  uint32_t i = 0;
  while (i < lanes->fn->params.len && lanes->fn->params.data[i] != var) i++;
  return i;
}

static bool is_param(const Lanes *lanes, const TreeVar *var) {
  return param_number(lanes, var) < lanes->fn->params.len;
}

/* The declaration of a constant at the start of the method; NULL: there is none. */
const TreeStmt *lanes_declaration_of(const Lanes *lanes, const TreeVar *var, uint32_t end) {
  for (uint32_t i = 0; i < end; i++) {
    const TreeStmt *stmt = lanes->body->data[i];
    if (stmt->kind == TT_DECLARE && stmt->var == var) return stmt->expr ? stmt : NULL;
  }
  return NULL;
}

static bool is_assigned(const TreeStmtVec *stmts, uint32_t end, const TreeVar *var) {
  for (uint32_t i = 0; i < end; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_ASSIGN && stmt->var == var) return true;
    if (is_assigned(&stmt->body, stmt->body.len, var) ||
        is_assigned(&stmt->else_body, stmt->else_body.len, var))
      return true;
  }
  return false;
}

static bool is_scalar(const Type *ty) {
  return type_is(ty, TY_BOOL) || type_is(ty, TY_INT) || type_is(ty, TY_TENSOR);
}

/* Whether the value is made of the state and of globals by a few operations; counts these.
 * Statement number `end` reads it. */
static bool is_of_state(const Lanes *lanes, const TreeExpr *expr, uint32_t end, uint64_t *ops) {
  enum { MOST_OPS = 16 };
  if (!is_scalar(expr->ty)) return false;
  if (expr->kind == TX_VAR) {
    if (is_assigned(lanes->body, end, expr->var)) return false;
    if (is_param(lanes, expr->var)) return true;
    const TreeStmt *declaration = lanes_declaration_of(lanes, expr->var, end);
    return declaration && is_of_state(lanes, declaration->expr, end, ops);
  }
  const Effect effect = op_effect(expr->op);
  if (effect != EFFECT_PURE && expr->op != OP_GLOBAL_LOAD) return false;
  *ops += gen_op_cost(expr->op);
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (!is_of_state(lanes, expr->args.data[i], end, ops)) return false;
  return *ops <= MOST_OPS;
}

/* Whether the branch costs a gang so much more than bringing strands in order that it pays. */
bool lanes_is_long(const Lanes *lanes, const TreeStmtVec *stmts) {
  enum { OPS_OF_ORDER = 600 };
  return lanes_cost(lanes, stmts, 0) > OPS_OF_ORDER ||
         lanes_weight(lanes, stmts).in_lanes > OPS_OF_ORDER;
}

uint32_t lanes_branch_of_state(const Lanes *lanes) {
  const TreeStmtVec *body = lanes->body;
  for (uint32_t i = 0; i < body->len; i++) {
    const TreeStmt *stmt = body->data[i];
    uint64_t ops = 0;
    if (stmt->kind != TT_IF || lane_form(lanes, stmt->expr) == LANES_UNIFORM) continue;
    if (!lanes_is_long(lanes, &stmt->body) && !lanes_is_long(lanes, &stmt->else_body)) continue;
    if (is_of_state(lanes, stmt->expr, i, &ops)) return i;
  }
  return NO_BRANCH;
}

uint32_t lanes_find_kinds(const Lanes *lanes) {
  const bool may_pay = gen_is_lockstep(lanes->gen) && lanes_may_be_few(lanes);
  return may_pay ? lanes_branch_of_state(lanes) : NO_BRANCH;
}

/* ---- who waits ------------------------------------------------------------------------------- */

/* Whether the exit leaves a strand as it is that took no branch before. */
static bool keeps_all(const Lanes *lanes, const TreeStmt *leave) {
  if (leave->exit != EXIT_ACTIVE) return false;
  for (uint32_t i = 0; i < leave->values.len; i++) {
    const TreeExpr *value = leave->values.data[i];
    if (!value) continue;
    if (value->kind != TX_VAR || param_number(lanes, value->var) != i) return false;
  }
  return true;
}

/* Whether strands that do not take the branch do nothing: before it there are only declarations,
 * and after it they leave. */
static bool others_wait(const Lanes *lanes) {
  const TreeStmtVec *body = lanes->body;
  const TreeStmt *branch = body->data[lanes->kinds];
  if (branch->else_body.len > 0 || lanes->kinds + 2 != body->len) return false;
  for (uint32_t i = 0; i < lanes->kinds; i++)
    if (body->data[i]->kind != TT_DECLARE) return false;
  return vec_last(body)->kind == TT_LEAVE && keeps_all(lanes, vec_last(body));
}

/* ---- code ------------------------------------------------------------------------------------ */

static bool reads_globals(const Lanes *lanes, const TreeExpr *expr, uint32_t end) {
  if (expr->kind == TX_VAR) {
    const TreeStmt *declaration = lanes_declaration_of(lanes, expr->var, end);
    return declaration && reads_globals(lanes, declaration->expr, end);
  }
  bool reads = expr->op == OP_GLOBAL_LOAD;
  for (uint32_t i = 0; i < expr->args.len; i++)
    reads |= reads_globals(lanes, expr->args.data[i], end);
  return reads;
}

uint32_t lanes_needs_of_test(const Lanes *lanes, uint32_t branch) {
  return reads_globals(lanes, lanes->body->data[branch]->expr, branch) ? NEED_GLOBALS : 0;
}

static void declare_operands(Lanes *lanes, const TreeExpr *expr, uint32_t end, TypeText *type,
                             Map *declared) {
  Gen *gen = lanes->gen;
  for (uint32_t i = 0; expr->kind == TX_OP && i < expr->args.len; i++)
    declare_operands(lanes, expr->args.data[i], end, type, declared);
  if (expr->kind != TX_VAR || map_has(declared, expr->var)) return;
  map_put(declared, expr->var, lanes);
  const TreeStmt *declaration = lanes_declaration_of(lanes, expr->var, end);
  if (declaration) {
    declare_operands(lanes, declaration->expr, end, type, declared);
    gen->how->declare(gen, declaration);
    return;
  }
  em_declare_const(&gen->em, type(lanes, expr->var->ty), expr->var->name,
                   gen->how->load(gen, param_number(lanes, expr->var)));
}

void lanes_declare_test(Lanes *lanes, uint32_t branch, TypeText *type) {
  const TreeExpr *test = lanes->body->data[branch]->expr;
  declare_operands(lanes, test, branch, type, map_new(lanes->gen->cx->arena));
}

static const char *type_of_one(Lanes *lanes, const Type *ty) { return gen_type(lanes->gen, ty); }

static const char *name_of_test(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_is_first", lanes->gen->program->strand);
}

void lanes_kind_of_strand(Lanes *lanes) {
  Gen *gen = lanes->gen;
  if (lanes->kinds == NO_BRANCH) return;
  const TreeExpr *test = lanes->body->data[lanes->kinds]->expr;
  CFunc head = {.qualifiers = "static inline", .result = "bool", .name = name_of_test(lanes)};
  gen_context_params(gen, STATES_BEFORE, lanes_needs_of_test(lanes, lanes->kinds), &head);
  em_param(gen->cx, &head, text_format(gen->cx->arena, "const %s", gen_state_pointer(gen)), "self");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  gen_source(gen, test->span);
  lanes_declare_test(lanes, lanes->kinds, type_of_one);
  em_return(&gen->em, gen_expr(gen, test));
  em_close(&gen->em);
}

void lanes_order_by_kind(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  if (lanes->kinds == NO_BRANCH) return;
  CExpr *order = c_unary(cx, "&", name(lanes, "order")), *block = name(lanes, "block");
  CParam slot = {.type = "int64_t", .name = "slot"};
  CExprVec args = {0}, put = {0};
  em_declare(em, "ddr_order", "order", NULL);
  em_open_if(em, c_call2(cx, "ddr_order_open", order, block));
  em_open_for(em, slot, c_arrow(cx, block, "begin"), "<", c_arrow(cx, block, "end"));
  gen_context_of(lanes->gen, lanes_needs_of_test(lanes, lanes->kinds), IN_BLOCK, &args);
  c_push(cx, &args, c_unary(cx, "&", lanes_at_slot(lanes, "state")));
  c_push(cx, &put, order);
  c_push(cx, &put, block);
  c_push(cx, &put, name(lanes, "slot"));
  c_push(cx, &put, c_call(cx, name_of_test(lanes), args));
  const bool do_wait = others_wait(lanes);
  em_expr(em, c_call(cx, do_wait ? "ddr_order_put_or_wait" : "ddr_order_put", put));
  em_close(em);
  em_expr(em, c_call2(cx, do_wait ? "ddr_order_close_first" : "ddr_order_close", order,
                      c_unary(cx, "&", name(lanes, "queue"))));
  em_close(em);
}

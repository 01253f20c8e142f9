/* Definite assignment (doc/language.md, "Statements"): a variable may be read only if it has been
 * set on every path. A forward data-flow analysis of the set of assigned variables: branches join
 * by intersection, and a loop sets nothing for what follows. A variable is reported once, and then
 * counts as set.
 */
#include "frontend/check/local.h"

typedef struct Flow {
  Check *ck;
  Map *ids; /* TVar to its number plus one */
  Bits set; /* here */
  Bits reported;
  bool is_live;   /* control can be here */
  bool is_global; /* in a global block, which stabilize and die do not leave */
} Flow;

/* ---- variables ------------------------------------------------------------------------------ */

/* Variables with a value from the start have no number. */
static bool find_id(const Flow *flow, const TVar *var, uint32_t *id) {
  uintptr_t found = (uintptr_t)map_get(flow->ids, var);
  *id = (uint32_t)found - 1;
  return found != 0;
}

static Map *number_unset(const Check *ck) {
  Map *ids = map_new(ck->arena);
  for (uint32_t i = 0; i < map_len(ck->unset); i++)
    map_put(ids, map_key(ck->unset, i), (void *)((uintptr_t)i + 1));
  return ids;
}

static void mark_set(Flow *flow, const TVar *var) {
  uint32_t id;
  if (find_id(flow, var, &id)) bits_set(&flow->set, id);
}

static void read_var(Flow *flow, const TVar *var, Span span) {
  uint32_t id;
  if (!flow->is_live || !find_id(flow, var, &id) || bits_has(&flow->set, id)) return;
  bits_set(&flow->set, id);
  if (bits_has(&flow->reported, id)) return;
  bits_set(&flow->reported, id);
  diag(flow->ck->cx, span, E_MAYBE_UNSET, d_name(var->name));
  diag_note(flow->ck->cx, var->span, N_DECLARED_HERE, d_name(var->name));
}

/* Reports the variable unless it is set at the end of the code that must set it. */
static void require_set(Flow *flow, const TVar *var, DiagId id_if_not) {
  uint32_t id;
  if (!find_id(flow, var, &id)) return;
  bool is_good = !flow->is_live || bits_has(&flow->set, id) || bits_has(&flow->reported, id);
  if (!is_good) diag(flow->ck->cx, var->span, id_if_not, d_name(var->name));
  bits_set(&flow->set, id);
}

/* ---- expressions and statements ------------------------------------------------------------- */

static void walk_expr(Flow *flow, const TExpr *expr) {
  if (!expr || is_error(expr)) return;
  if (expr->kind == TE_VAR) read_var(flow, expr->u.var, expr->span);
  for (uint32_t i = 0; i < expr->args.len; i++) walk_expr(flow, expr->args.data[i]);
}

static Bits copy_of(const Flow *flow, const Bits *bits) {
  Bits copy = bits_new(flow->ck->arena, bits->n_bits);
  bits_copy(&copy, bits);
  return copy;
}

static void walk_stmt(Flow *flow, const TStmt *stmt);

static void walk_if(Flow *flow, const TStmt *stmt) {
  walk_expr(flow, stmt->expr);
  Bits before = copy_of(flow, &flow->set);
  bool was_live = flow->is_live;
  walk_stmt(flow, stmt->then_stmt);
  Bits after_then = flow->set;
  bool then_live = flow->is_live;
  flow->set = before;
  flow->is_live = was_live;
  if (stmt->else_stmt) walk_stmt(flow, stmt->else_stmt);
  if (then_live && flow->is_live) bits_intersect(&flow->set, &after_then);
  else if (then_live) flow->set = after_then;
  flow->is_live = then_live || flow->is_live;
}

static void walk_foreach(Flow *flow, const TStmt *stmt) {
  walk_expr(flow, stmt->expr);
  Bits before = copy_of(flow, &flow->set);
  bool was_live = flow->is_live;
  walk_stmt(flow, stmt->then_stmt);
  flow->set = before;
  flow->is_live = was_live;
}

static void walk_stmt(Flow *flow, const TStmt *stmt) {
  switch (stmt->kind) {
  case TS_BLOCK:
    for (uint32_t i = 0; i < stmt->body.len; i++) walk_stmt(flow, stmt->body.data[i]);
    break;
  case TS_LOCAL:
  case TS_ASSIGN:
    walk_expr(flow, stmt->expr);
    if (stmt->expr) mark_set(flow, stmt->var);
    break;
  case TS_IF: walk_if(flow, stmt); break;
  case TS_FOREACH: walk_foreach(flow, stmt); break;
  case TS_PRINT:
  case TS_NEW:
    for (uint32_t i = 0; i < stmt->args.len; i++) walk_expr(flow, stmt->args.data[i]);
    break;
  case TS_RETURN:
    walk_expr(flow, stmt->expr);
    flow->is_live = false;
    break;
  case TS_STABILIZE:
  case TS_DIE: flow->is_live = flow->is_live && flow->is_global; break;
  case TS_CONTINUE: flow->is_live = false; break;
  }
}

/* Code that starts with what is set so far, and whose exits do not matter for what follows. */
static void walk_code(Flow *flow, const TStmt *code) {
  if (!code) return;
  Bits before = copy_of(flow, &flow->set);
  walk_stmt(flow, code);
  flow->set = before;
  flow->is_live = true;
}

/* ---- programs ------------------------------------------------------------------------------- */

static void walk_inits(Flow *flow, const TVarVec *vars) {
  for (uint32_t i = 0; i < vars->len; i++) walk_expr(flow, vars->data[i]->init);
}

/* A block that must leave all of these variables set; there may be no block. */
static void walk_initialize(Flow *flow, const TStmt *block, const TVarVec *vars, DiagId id_if_not) {
  if (block) walk_stmt(flow, block);
  for (uint32_t i = 0; i < vars->len; i++) require_set(flow, vars->data[i], id_if_not);
  flow->is_live = true;
}

static void walk_creation(Flow *flow, const TCreation *creation) {
  for (uint32_t i = 0; i < creation->sources.len; i++) walk_expr(flow, creation->sources.data[i]);
  for (uint32_t i = 0; i < creation->args.len; i++) walk_expr(flow, creation->args.data[i]);
}

void check_assigned(Check *ck) {
  const TProgram *program = ck->program;
  uint32_t n_unset = map_len(ck->unset);
  if (n_unset == 0 || ck->is_target_unknown) return;
  Flow flow = {.ck = ck, .ids = number_unset(ck), .is_live = true};
  flow.set = bits_new(ck->arena, n_unset);
  flow.reported = bits_new(ck->arena, n_unset);

  walk_inits(&flow, &program->globals);
  for (uint32_t i = 0; i < program->functions.len; i++)
    walk_code(&flow, program->functions.data[i]->body);
  walk_initialize(&flow, program->initialize, &program->globals, E_GLOBAL_UNSET);

  const TStrand *strand = program->strand;
  walk_inits(&flow, &strand->state);
  walk_initialize(&flow, strand->initialize, &strand->state, E_STATE_UNSET);
  walk_code(&flow, strand->start);
  walk_code(&flow, strand->update);
  walk_code(&flow, strand->stabilize);
  flow.is_global = true;
  walk_code(&flow, program->start);
  walk_code(&flow, program->update);
  walk_creation(&flow, program->creation);
}

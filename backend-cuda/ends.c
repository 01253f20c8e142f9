/* ends: the last statements of an update often only say whether the strand ends. The state of a
 * strand that dies is lost, so the new state is stored before these tests, if all others that leave
 * here leave with the same one:
 *
 *                                        self->x = x_2;
 *   if (x_2 > 9) return DDR_DEAD;        if (x_2 > 9) return DDR_DEAD;
 *   self->x = x_2;                =>     return DDR_ACTIVE;
 *   return DDR_ACTIVE;
 *
 * Otherwise the compiler for devices keeps the old state, too, and selects one of them at each end.
 * Methods read the state at their beginning only (backend-c/code/functions.c).
 */
#include "backend-cuda/local.h"

/* The way out that an `if` without more has, or the statement itself. */
static const TreeStmt *way_out(const TreeStmt *stmt) {
  const bool is_test = stmt->kind == TT_IF && stmt->else_body.len == 0 && stmt->body.len == 1;
  if (is_test) stmt = stmt->body.data[0];
  return stmt->kind == TT_LEAVE ? stmt : NULL;
}

static bool is_same(const TreeExpr *a, const TreeExpr *b) {
  return a == b || (a && b && a->kind == TX_VAR && b->kind == TX_VAR && a->var == b->var);
}

static bool leaves_alike(const TreeStmt *a, const TreeStmt *b) {
  for (uint32_t i = 0; i < a->values.len; i++)
    if (!is_same(a->values.data[i], b->values.data[i])) return false;
  return true;
}

static bool is_stored(const TreeStmt *leave, const TreeVar *var) {
  for (uint32_t i = 0; i < leave->values.len; i++)
    if (leave->values.data[i] && tree_reads(leave->values.data[i], var)) return true;
  return false;
}

/* Whether a value may be computed although a test may prevent it: no sample is loaded, since a test
 * may say that it is there, and no function called. */
static bool is_plain(const TreeExpr *value) {
  const Type *ty = value->ty;
  if (!type_is_real(ty) && !type_is(ty, TY_INT) && !type_is(ty, TY_BOOL)) return false;
  if (value->kind == TX_VAR) return true;
  for (uint32_t i = 0; i < value->args.len; i++)
    if (!is_plain(value->args.data[i])) return false;
  return !value->callee;
}

static bool are_plain(const TreeExprVec *values) {
  for (uint32_t i = 0; i < values->len; i++)
    if (values->data[i] && !is_plain(values->data[i])) return false;
  return true;
}

/* Whether a statement may come after the values of `last` are stored. */
static bool may_follow(const TreeStmt *stmt, const TreeStmt *last) {
  if (stmt->kind == TT_DECLARE) return stmt->expr && !is_stored(last, stmt->var);
  const TreeStmt *leave = way_out(stmt);
  return leave && (leave->exit == EXIT_DIE || leaves_alike(leave, last));
}

/* The number of the first statement of such an end of an update; their number if there is none. */
static uint32_t end_of(const TreeStmtVec *stmts) {
  const TreeStmt *last = vec_last(stmts);
  uint32_t first = stmts->len;
  bool has_death = false;
  if (last->kind != TT_LEAVE || !are_plain(&last->values)) return first;
  for (uint32_t i = stmts->len; i-- > 0 && may_follow(stmts->data[i], last);) {
    const TreeStmt *leave = way_out(stmts->data[i]);
    if (leave) first = i;
    has_death = has_death || (leave && leave->exit == EXIT_DIE);
  }
  return has_death ? first : stmts->len;
}

uint32_t device_store_early(Gen *gen, const TreeStmtVec *stmts, uint32_t first) {
  DeviceVars *vars = gen->execution;
  const bool is_update = gen->fn->kind == FN_UPDATE && stmts == &gen->fn->body;
  if (!is_update || vars->stored == gen->fn || !device_has_teams(gen)) return 0;
  if (first != end_of(stmts)) return 0;
  gen_store_values(gen, vec_last(stmts));
  vars->stored = gen->fn;
  return 0;
}

/* Then leaving only says how. */
bool device_has_stored(const Gen *gen) {
  const DeviceVars *vars = gen->execution;
  return vars->stored == gen->fn;
}

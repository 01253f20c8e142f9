/* ahead: software pipelining: the addresses of the next step's samples are computed before the
 * samples of this step are loaded.
 *
 *   for (;;) { at = f(pos); x += sum(at); pos += d; }
 *     =>
 *   at = f(pos); for (;;) { then = f(pos + d); x += sum(at); pos += d; at = then; }
 *
 * An out-of-order processor has a limited number of instructions in flight, and a load cannot begin
 * before its address is known. If the addresses of the next step are known early, there is nearly
 * always a load that can begin. That saves an eighth of the time of simple rays.
 *
 * It is possible if the addresses do not depend on the samples of this step: they may only depend
 * on components of the state that do not change, or that become, on every path, functions of such
 * components. This file decides which statements are computed ahead (those up to the addresses of
 * samples, and others from the same operands, such as fractions), which of their values the step
 * keeps, and which statements must come before. They are at the start of the method, or of a branch
 * that follows it directly.  Next: ahead_code.c.
 */
#include "backend-c/lanes/strands.h"

enum { MOST_KEPT = 12 }; /* vectors */

typedef struct Plan {
  Lanes *lanes;
  const TreeStmtVec *stmts;
  const TreeStmt *branch; /* or NULL */
  uint32_t outer_end, inner_end;
  Map *definitions; /* TreeVar to its TreeStmt, of the method and the start of the branch */
  Map *params;      /* TreeVar to its number */
  Map *refuted;     /* parameters whose next value depends on samples */
  Map *foreseen;    /* TreeVar to whether it does not depend on samples */
  Map *needed;      /* TreeVar: computed ahead */
  Map *first;       /* TreeVar: computed before that */
} Plan;

static bool is_varying(const Plan *plan, const TreeVar *var) {
  const LaneVar *lane = lane_var(plan->lanes, var);
  return lane && lane->form != LANES_UNIFORM;
}

static bool is_slices(const Plan *plan, const TreeVar *var) {
  return lane_var(plan->lanes, var)->form == LANES_SLICES;
}

static bool has_slices(const Plan *plan, const TreeStmtVec *stmts, uint32_t end) {
  for (uint32_t i = 0; i < end; i++)
    if (is_slices(plan, stmts->data[i]->var)) return true;
  return false;
}

/* ---- what does not depend on samples --------------------------------------------------------- */

static const TreeExpr *next_value(const Plan *plan, const TreeVar *param) {
  const uint64_t i = (uint64_t)(uintptr_t)map_get(plan->params, param) - 1;
  return vec_last(plan->stmts)->values.data[i];
}

static bool is_foreseen(Plan *plan, const TreeExpr *expr);

static bool is_definition_foreseen(Plan *plan, const TreeVar *var) {
  const TreeStmt *stmt = map_get(plan->definitions, var);
  if (!stmt) return false;
  const LaneForm form = lane_var(plan->lanes, var)->form;
  if (form == LANES_UNIFORM) return true;
  const bool is_place =
      type_is(var->ty, TY_OFFSET) || (type_is(var->ty, TY_ADDR) && !tree_may_copy(stmt->expr));
  return (form == LANES_VECTOR || is_place) && is_foreseen(plan, stmt->expr);
}

static bool is_var_foreseen(Plan *plan, const TreeVar *var) {
  if (map_has(plan->params, var)) return !map_has(plan->refuted, var);
  if (!map_has(plan->foreseen, var))
    map_put(plan->foreseen, var, is_definition_foreseen(plan, var) ? plan : NULL);
  return map_get(plan->foreseen, var) != NULL;
}

static bool is_foreseen(Plan *plan, const TreeExpr *expr) {
  if (expr->kind == TX_VAR) return is_var_foreseen(plan, expr->var);
  if (op_effect(expr->op) != EFFECT_PURE && expr->op != OP_GLOBAL_LOAD) return false;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (!is_foreseen(plan, expr->args.data[i])) return false;
  return true;
}

/* A fixed-point iteration: assumes that no parameter depends on samples, and refutes those that do,
 * until nothing changes. */
static void foresee(Plan *plan) {
  Arena *arena = plan->lanes->gen->cx->arena;
  uint32_t n_refuted;
  do {
    n_refuted = map_len(plan->refuted);
    plan->foreseen = map_new(arena);
    for (uint32_t i = 0; i < map_len(plan->params); i++) {
      const TreeVar *param = map_key(plan->params, i);
      const TreeExpr *value = next_value(plan, param);
      const bool is_vector = lane_var(plan->lanes, param)->form == LANES_VECTOR;
      if (param->is_mutable || !is_vector || (value && !is_foreseen(plan, value)))
        map_put(plan->refuted, param, plan);
    }
  } while (map_len(plan->refuted) > n_refuted);
}

/* ---- what is computed ahead ------------------------------------------------------------------ */

/* Marks an expression and all that it is computed from. */
static void need(Plan *plan, const TreeExpr *expr, Map *needed) {
  if (expr->kind == TX_VAR) {
    const TreeStmt *stmt = map_get(plan->definitions, expr->var);
    if (map_has(needed, expr->var)) return;
    map_put(needed, expr->var, plan);
    if (stmt) need(plan, stmt->expr, needed);
    return;
  }
  for (uint32_t i = 0; i < expr->args.len; i++) need(plan, expr->args.data[i], needed);
}

/* What leads to the samples of a corner: the plain address if they may be copied (copies.c). */
static const TreeExpr *place_of(const Plan *plan, const TreeExpr *corner) {
  const TreeStmt *stmt = map_get(plan->definitions, corner->var);
  return stmt && tree_may_copy(stmt->expr) ? stmt->expr->args.data[1] : corner;
}

/* The addresses that rows of slices are loaded from; false: one is not known in time. */
static bool need_addresses(Plan *plan, const TreeExpr *row) {
  if (row->kind == TX_VAR) return true;
  if (row->op != OP_ROW_LOAD) {
    for (uint32_t i = 0; i < row->args.len; i++)
      if (!need_addresses(plan, row->args.data[i])) return false;
    return true;
  }
  const TreeExpr *addr = row->args.data[0];
  const TreeExpr *corner = place_of(plan, addr->kind == TX_VAR ? addr : addr->args.data[0]);
  if (!is_foreseen(plan, corner)) return false;
  need(plan, corner, plan->needed);
  return true;
}

static bool need_all_addresses(Plan *plan, const TreeStmtVec *stmts, uint32_t end) {
  for (uint32_t i = 0; i < end; i++)
    if (is_slices(plan, stmts->data[i]->var) && !need_addresses(plan, stmts->data[i]->expr))
      return false;
  return true;
}

/* Whether an expression only reads what is computed ahead; */
static bool is_made_of(const Plan *plan, const TreeExpr *expr, const Map *needed) {
  if (expr->kind == TX_VAR) return !is_varying(plan, expr->var) || map_has(needed, expr->var);
  if (op_effect(expr->op) != EFFECT_PURE) return false;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (!is_made_of(plan, expr->args.data[i], needed)) return false;
  return true;
}

/* whether it reads anything but the state. */
static bool has_computed(const Plan *plan, const TreeExpr *expr) {
  if (expr->kind == TX_VAR)
    return is_varying(plan, expr->var) && map_has(plan->definitions, expr->var);
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (has_computed(plan, expr->args.data[i])) return true;
  return false;
}

static void need_fractions(Plan *plan, const TreeStmtVec *stmts, uint32_t end) {
  Map *also = map_new(plan->lanes->gen->cx->arena);
  for (uint32_t i = 0; i < end; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (lane_var(plan->lanes, stmt->var)->form != LANES_VECTOR || map_has(plan->needed, stmt->var))
      continue;
    if (is_made_of(plan, stmt->expr, plan->needed) && has_computed(plan, stmt->expr))
      need(plan, tree_var_expr(plan->lanes->gen->cx, stmt->var, stmt->span), also);
  }
  for (uint32_t i = 0; i < map_len(also); i++) map_put(plan->needed, map_key(also, i), plan);
}

/* ---- where statements go --------------------------------------------------------------------- */

static bool is_moved(const Plan *plan, const TreeStmt *stmt) {
  return map_has(plan->needed, stmt->var) && is_varying(plan, stmt->var);
}

/* Divides the run of statements at the start into those that are computed ahead and the others. */
static void part(const Plan *plan, const TreeStmtVec *stmts, uint32_t end, TreeStmtVec *ahead,
                 TreeStmtVec *rest) {
  Arena *arena = plan->lanes->gen->cx->arena;
  for (uint32_t i = 0; i < stmts->len; i++) {
    TreeStmt *stmt = stmts->data[i];
    if (i < end && map_has(plan->needed, stmt->var)) vec_push(arena, ahead, stmt);
    if (i >= end || !is_moved(plan, stmt)) vec_push(arena, rest, stmt);
  }
}

/* The statements that come first: uniform values, and what the next step starts from. */
static void part_first(const Plan *plan, const TreeStmtVec *all, TreeStmtVec *first,
                       TreeStmtVec *rest) {
  Arena *arena = plan->lanes->gen->cx->arena;
  for (uint32_t i = 0; i < all->len; i++) {
    TreeStmt *stmt = all->data[i];
    const bool is_plain = stmt->kind == TT_DECLARE && stmt->expr && !stmt->var->is_mutable;
    const bool is_first =
        is_plain && (map_has(plan->first, stmt->var) ||
                     (!is_varying(plan, stmt->var) && map_has(plan->definitions, stmt->var)));
    vec_push(arena, is_first ? first : rest, stmt);
  }
}

/* Without the values that are only read by statements computed ahead: they are not computed twice.
 */
static TreeStmtVec without_unread(const Plan *plan, const TreeStmtVec *stmts) {
  Arena *arena = plan->lanes->gen->cx->arena;
  TreeStmtVec kept = {0}, turned = {0};
  for (uint32_t i = stmts->len; i-- > 0;) {
    TreeStmt *stmt = stmts->data[i];
    const bool is_unread = stmt->kind == TT_DECLARE && map_has(plan->needed, stmt->var) &&
                           !tree_stmts_read(&turned, stmt->var);
    if (!is_unread) vec_push(arena, &turned, stmt);
  }
  for (uint32_t i = turned.len; i-- > 0;) vec_push(arena, &kept, turned.data[i]);
  return kept;
}

static void find_kept(const Plan *plan, const TreeStmtVec *ahead, LanesAhead *found) {
  for (uint32_t i = 0; i < ahead->len; i++) {
    TreeVar *var = ahead->data[i]->var;
    if (!is_varying(plan, var)) continue;
    if (tree_stmts_read(&found->first, var) || tree_stmts_read(&found->rest, var))
      vec_push(plan->lanes->gen->cx->arena, &found->kept, var);
  }
}

/* Makes the condition of the branch a variable, which is kept like others. */
static TreeStmt *split_test(Plan *plan, TreeStmtVec *outer) {
  Cx *cx = plan->lanes->gen->cx;
  TreeStmt *branch = NEW(cx->arena, TreeStmt);
  *branch = *plan->branch;
  TreeVar *test = lanes_new_var(plan->lanes, "test", branch->expr->ty, LANES_VECTOR);
  TreeStmt *stmt = tree_stmt(cx, TT_DECLARE, branch->span);
  stmt->var = test;
  stmt->expr = branch->expr;
  branch->expr = tree_var_expr(cx, test, branch->span);
  map_put(plan->needed, test, plan);
  vec_push(cx->arena, outer, stmt);
  return branch;
}

static void place(Plan *plan, LanesAhead *found) {
  TreeStmtVec all = {0};
  part(plan, plan->stmts, plan->outer_end, &found->outer, &all);
  if (plan->branch) {
    TreeStmtVec body = {0};
    TreeStmt *branch = split_test(plan, &found->outer);
    part(plan, &branch->body, plan->inner_end, &found->inner, &body);
    branch->body = without_unread(plan, &body);
    for (uint32_t i = 0; i < all.len; i++)
      if (all.data[i] == plan->branch) all.data[i] = branch;
    found->test = branch->expr->var;
    found->branch = branch;
  }
  all = without_unread(plan, &all);
  part_first(plan, &all, &found->first, &found->rest);
  find_kept(plan, &found->outer, found);
  find_kept(plan, &found->inner, found);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void define(Plan *plan, const TreeStmtVec *stmts, uint32_t end, bool has_uniform) {
  for (uint32_t i = 0; i < end; i++) {
    TreeStmt *stmt = stmts->data[i];
    if (stmt->kind != TT_DECLARE || !stmt->expr || stmt->var->is_mutable) continue;
    if (has_uniform || is_varying(plan, stmt->var)) map_put(plan->definitions, stmt->var, stmt);
  }
}

static bool find_start(Plan *plan) {
  const TreeStmtVec *stmts = plan->stmts;
  plan->outer_end = lanes_run_end(stmts, 0);
  define(plan, stmts, plan->outer_end, true);
  define(plan, stmts, stmts->len, false);
  if (has_slices(plan, stmts, plan->outer_end)) return true;
  if (plan->outer_end == stmts->len) return false;
  const TreeStmt *stmt = stmts->data[plan->outer_end];
  if (stmt->kind != TT_IF || stmt->else_body.len > 0 ||
      lane_form(plan->lanes, stmt->expr) == LANES_UNIFORM ||
      map_has(plan->lanes->alone, stmt->body.data[0]) ||
      !lanes_is_skipped(plan->lanes, &stmt->body))
    return false;
  plan->branch = stmt;
  plan->inner_end = lanes_run_end(&stmt->body, 0);
  define(plan, &stmt->body, plan->inner_end, true);
  return has_slices(plan, &stmt->body, plan->inner_end);
}

static bool find_needed(Plan *plan) {
  const TreeStmtVec *stmts = plan->stmts;
  if (!need_all_addresses(plan, stmts, plan->outer_end)) return false;
  if (plan->branch) {
    if (!is_foreseen(plan, plan->branch->expr)) return false;
    if (!need_all_addresses(plan, &plan->branch->body, plan->inner_end)) return false;
    need(plan, plan->branch->expr, plan->needed);
    need_fractions(plan, &plan->branch->body, plan->inner_end);
  } else {
    need_fractions(plan, stmts, plan->outer_end);
  }
  return map_len(plan->needed) > 0;
}

/* Finds the statements that compute the next values of the components that are read ahead. */
static void find_first(Plan *plan, LanesAhead *found) {
  const TreeFunc *fn = plan->lanes->fn;
  found->reads = NEWN(plan->lanes->gen->cx->arena, bool, fn->params.len);
  for (uint32_t i = 0; i < fn->params.len; i++) {
    const TreeVar *param = fn->params.data[i];
    if (!param || !map_has(plan->needed, param)) continue;
    found->reads[i] = true;
    if (next_value(plan, param)) need(plan, next_value(plan, param), plan->first);
  }
}

static bool may_look_ahead(const Lanes *lanes, const TreeStmtVec *stmts) {
  const Gen *gen = lanes->gen;
  const uint32_t others = lanes_needs(lanes) & (NEED_REDUCE - 1u) & ~(uint32_t)NEED_GLOBALS;
  const TreeStmt *last = vec_last(stmts);
  return lanes->n_gangs == 1 && lanes->n_borders == 0 && !lanes_is_one_step(lanes) &&
         !lanes->has_continue && others == 0 && !gen->options->is_profiled &&
         last->kind == TT_LEAVE && last->exit == EXIT_ACTIVE;
}

LanesAhead *lanes_find_ahead(Lanes *lanes, const TreeStmtVec *stmts) {
  Arena *arena = lanes->gen->cx->arena;
  if (stmts->len == 0 || !may_look_ahead(lanes, stmts)) return NULL;
  Plan plan = {.lanes = lanes,
               .stmts = stmts,
               .definitions = map_new(arena),
               .params = map_new(arena),
               .refuted = map_new(arena),
               .needed = map_new(arena),
               .first = map_new(arena)};
  for (uint32_t i = 0; i < lanes->fn->params.len; i++)
    if (lanes->fn->params.data[i])
      map_put(plan.params, lanes->fn->params.data[i], (void *)(uintptr_t)(i + 1));
  if (!find_start(&plan)) return NULL;
  foresee(&plan);
  if (!find_needed(&plan)) return NULL;
  LanesAhead *found = NEW(arena, LanesAhead);
  find_first(&plan, found);
  place(&plan, found);
  return found->kept.len > MOST_KEPT ? NULL : found;
}

/* statements: statements and control flow of the update method, under masks (lanes.h). */
#include "backend-c/lanes/strands.h"

void lanes_run(Lanes *lanes, const TreeStmtVec *stmts, LaneScope scope) {
  const LaneScope outer = lanes->scope;
  scope.around = &outer;
  lanes->scope = scope;
  gen_stmts(lanes->gen, stmts);
  lanes->scope = outer;
}

static bool has_exit(const TreeStmtVec *stmts) { return tree_exits(stmts, NULL) != 0; }

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static CExpr *both(Lanes *lanes, CExpr *a, CExpr *b) { return c_binary(lanes->gen->cx, "&", a, b); }

static CExpr *but_not(Lanes *lanes, CExpr *a, const char *mask) {
  return both(lanes, a, c_unary(lanes->gen->cx, "~", name(lanes, mask)));
}

static CExpr *any_in(Lanes *lanes, const char *mask) {
  return c_call1(lanes->gen->cx, "ddr_vany", name(lanes, mask));
}

static bool is_varying(Lanes *lanes, const TreeExpr *expr) {
  return lane_form(lanes, expr) != LANES_UNIFORM;
}

/* ---- declarations and assignments ------------------------------------------------------------ */

/* Declares a variable into which values are merged, which keeps its value in the other lanes: so it
 * is initialised. */
static void declare_unset(Lanes *lanes, const TreeVar *var) {
  const char *type = lane_type(lanes, var->ty);
  LaneVar *lane = lane_var(lanes, var);
  lane->is_unset = true;
  lane->n_loops = lanes->scope.n_loops;
  if (lane->is_merged) em_declare_zero(&lanes->gen->em, type, var->name);
  else em_declare(&lanes->gen->em, type, var->name, NULL);
}

static void declare_vector(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Emit *em = &lanes->gen->em;
  const char *type = lane_type(lanes, var->ty);
  bool is_each = expr->kind == TX_OP && is_varying(lanes, expr) && lane_is_each(lanes, expr);
  if (is_each) {
    em_declare_zero(em, type, var->name);
    lane_each(lanes, var, expr);
  } else if (var->is_mutable) {
    em_declare(em, type, var->name, lane_expr(lanes, expr));
  } else {
    em_declare_const(em, type, var->name, lane_expr(lanes, expr));
  }
}

static void declare_uniform(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  if (expr && tree_may_copy(expr)) {
    gen_declare_copied(gen, var, expr);
    return;
  }
  if (expr && lane_is_windows(expr)) {
    lane_declare_windows(lanes, var, expr);
    return;
  }
  CExpr *init = expr ? gen_expr(gen, lane_kept_step(lanes, expr)) : NULL;
  if (var->is_mutable) em_declare(&gen->em, gen_type(gen, var->ty), var->name, init);
  else em_declare_const(&gen->em, gen_type(gen, var->ty), var->name, init);
}

static void declare_even(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  CExpr *list =
      expr ? lane_even_list(lanes, expr) : c_call(gen->cx, "ddr_seq_empty", (CExprVec){0});
  if (var->is_mutable) em_declare(&gen->em, "ddr_seq", var->name, list);
  else em_declare_const(&gen->em, "ddr_seq", var->name, list);
}

static void declare_array(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Gen *gen = lanes->gen;
  const bool is_strand = type_is(var->ty, TY_STRAND);
  if (lane_is_list(var->ty)) {
    em_declare_zero(&gen->em, "ddr_seq", text_format(gen->cx->arena, "%s[DDR_LANES]", var->name));
    if (expr) lane_assign_list(lanes, name(lanes, var->name), expr, NULL);
  } else if (expr && tree_may_copy(expr)) {
    if (lane_kept_image(lanes, var)) lane_declare_kept(lanes, var, expr);
    else lane_declare_copied(lanes, var, expr);
  } else if (is_strand && lane_is_row_of_hits(lanes, expr)) {
    em_declare(&gen->em, "const uint32_t *", var->name, lane_expr(lanes, expr));
    lanes_load_others(lanes, var);
  } else {
    const char *type = is_strand ? "uint32_t" : gen_type(gen, var->ty);
    em_declare_array_of(&gen->em, type, var->name, "DDR_LANES");
    lane_each(lanes, var, expr);
  }
}

void lanes_declare(Lanes *lanes, const TreeStmt *stmt) {
  Gen *gen = lanes->gen;
  gen_source(gen, stmt->span);
  switch (lane_var(lanes, stmt->var)->form) {
  case LANES_UNIFORM: declare_uniform(lanes, stmt->var, stmt->expr); return;
  case LANES_VECTOR:
    if (stmt->expr) declare_vector(lanes, stmt->var, stmt->expr);
    else declare_unset(lanes, stmt->var);
    return;
  case LANES_EVEN: declare_even(lanes, stmt->var, stmt->expr); return;
  case LANES_COLUMNS: lane_declare_columns(lanes, stmt->var, stmt->expr); return;
  case LANES_ARRAY: declare_array(lanes, stmt->var, stmt->expr); return;
  case LANES_HITS:
    em_declare_const(&gen->em, "ddr_vhits", stmt->var->name, lane_expr(lanes, stmt->expr));
    return;
  case LANES_TAPS:
    if (stmt->expr) lane_declare_taps(lanes, stmt->var, stmt->expr);
    else lane_declare_places_unset(lanes, stmt->var);
    return;
  case LANES_SLICES: break; /* lanes_gather has them */
  }
  BUG(gen->cx, "slices of %s outside their loop", stmt->var->name);
}

static void declare(Gen *gen, const TreeStmt *stmt) { lanes_declare(gen->execution, stmt); }

static void assign(Gen *gen, const TreeStmt *stmt) {
  Lanes *lanes = gen->execution;
  const LaneScope scope = lanes->scope;
  LaneVar *lane = lane_var(lanes, stmt->var);
  CExpr *var = name(lanes, stmt->var->name);
  if (lane->form == LANES_UNIFORM) {
    em_assign(&gen->em, var, gen_expr(gen, stmt->expr));
    return;
  }
  if (lane_is_list(stmt->var->ty)) {
    lane_set_list(lanes, stmt->var, stmt->expr);
    return;
  }
  if (lane->form == LANES_TAPS) {
    lane_assign_places(lanes, var, stmt->expr, scope.depth > lane->depth ? scope.mask : NULL);
    return;
  }
  em_assign(&gen->em, var, lanes_merged(lanes, stmt->var, lane_expr(lanes, stmt->expr)));
  lane->is_unset = false;
}

/* ---- exits ----------------------------------------------------------------------------------- */

/* Stores a component; lanes on other paths keep what they have stored. */
static void store(Gen *gen, uint32_t i, const TreeExpr *value) {
  Lanes *lanes = gen->execution;
  const char *mask = lanes->store_mask;
  CExpr *component = gen->how->load(gen, i);
  if (lane_is_list(value->ty)) {
    lane_assign_list(lanes, component, value, mask);
    return;
  }
  if (lane_is_places(value->ty)) {
    lane_assign_places(lanes, component, value, mask);
    return;
  }
  CExpr *new = lane_expr(lanes, value);
  if (mask)
    new = lane_select(lanes, lanes_component_type(lanes, i), name(lanes, mask), new, component);
  em_assign(&gen->em, component, new);
}

/* The mask of the lanes that leave, or NULL: all active lanes. */
static const char *leaving(const Lanes *lanes, bool has_others) {
  return lanes->scope.depth > 0 || has_others ? lanes->scope.mask : NULL;
}

/* Keeps the final states of strands that end. What their lanes compute afterwards does not matter.
 */
static void end(Lanes *lanes, const TreeStmt *stmt) {
  Gen *gen = lanes->gen;
  const char *how = stmt->exit == EXIT_DIE ? "DDR_DEAD" : "DDR_STABLE";
  const char *mask = leaving(lanes, lanes->has_exit);
  for (uint32_t i = 0; i < stmt->values.len; i++) {
    const TreeExpr *value = stmt->values.data[i];
    if (!lanes_changes(lanes, i) || !lanes_outlives(lanes, i)) continue;
    if (value && value->kind == TX_OP) gen_source(gen, value->span);
    lanes_keep(lanes, i, value, mask);
  }
  CExprVec args = {0};
  c_push(gen->cx, &args, name(lanes, "gang"));
  c_push(gen->cx, &args, name(lanes, lanes->scope.mask));
  c_push(gen->cx, &args, name(lanes, how));
  gen_source(gen, stmt->span);
  em_expr(&gen->em, c_call(gen->cx, "ddr_gang_end", args));
}

static void leave(Gen *gen, const TreeStmt *stmt) {
  Lanes *lanes = gen->execution;
  lanes->store_mask = leaving(lanes, lanes->has_continue);
  if (stmt->exit == EXIT_ACTIVE) gen_store_values(gen, stmt);
  else end(lanes, stmt);
  if (lanes->scope.depth > 0)
    em_assign(&gen->em, name(lanes, "mask"),
              but_not(lanes, name(lanes, "mask"), lanes->scope.mask));
  else if (stmt != lanes->last) em_return(&gen->em, NULL);
}

/* After statements with exits: the lanes of a branch that are still active. */
static void drop_the_gone(Lanes *lanes, LaneScope scope) {
  if (scope.depth == 0) return;
  CExpr *mask = name(lanes, scope.mask);
  em_assign(&lanes->gen->em, mask, both(lanes, mask, name(lanes, "mask")));
}

/* ---- branches -------------------------------------------------------------------------------- */

/* A loop over the lanes of a mask of which most are on: its length is fixed, and clang unrolls it
 * (lanes_open_mask is for a few). */
static void open_most_lanes(Lanes *lanes, const char *mask) {
  Emit *em = &lanes->gen->em;
  lanes_open_loop(lanes);
  em_open_if(em, c_index(lanes->gen->cx, name(lanes, mask), name(lanes, "lane")));
}

static void close_lanes(Lanes *lanes) {
  em_close(&lanes->gen->em);
  em_close(&lanes->gen->em);
}

/* Note [Alone]. */
static void walk_alone(Lanes *lanes, const TreeStmtVec *stmts, LaneScope scope) {
  Gen *gen = lanes->gen;
  em_open_if(&gen->em, any_in(lanes, scope.mask));
  open_most_lanes(lanes, scope.mask);
  if (lanes->vectors.takes_slots) {
    lanes_declare_slot(lanes);
    em_unused(&gen->em, "slot"); /* where the branch has no query */
  }
  lanes_enter(lanes, stmts);
  gen_stmts(gen, stmts);
  lanes_leave(lanes);
  close_lanes(lanes);
  em_close(&gen->em);
}

/* Returns if all lanes of the mask have left, unless the test costs more than the rest. */
static void return_when_empty(Lanes *lanes, LaneScope scope) {
  Emit *em = &lanes->gen->em;
  if (scope.is_at_end || lanes_is_short(lanes)) return;
  em_open_if(em, c_unary(lanes->gen->cx, "!", any_in(lanes, "mask")));
  em_return(em, NULL);
  em_close(em);
}

/* See Note [Long branches]. */
void lanes_weigh(Lanes *lanes, LaneWeight weight, const char *mask) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "effort"));
  c_push(cx, &args, name(lanes, mask));
  c_push(cx, &args, c_int(cx, weight.in_lanes));
  c_push(cx, &args, c_int(cx, weight.alone));
  em_expr(&lanes->gen->em, c_call(cx, "ddr_effort_add", args));
}

/* Emits a branch under a mask of its own, or without one if none is needed. */
static void gen_branch(Lanes *lanes, const TreeStmtVec *stmts, CExpr *lanes_in, LaneScope scope) {
  Emit *em = &lanes->gen->em;
  if (stmts->len == 0) return;
  const bool is_ahead = lanes_is_ahead(lanes, stmts); /* then it also decides about skipping */
  if (!is_ahead && !lanes_uses_mask(lanes, stmts, scope.depth)) {
    lanes_run(lanes, stmts, scope);
    return;
  }
  scope.mask = lanes_new_name(lanes, "mask");
  const bool may_change = has_exit(stmts) || lanes_watch_any(lanes, stmts);
  if (may_change) em_declare(em, "ddr_vmask", scope.mask, lanes_in);
  else em_declare_const(em, "ddr_vmask", scope.mask, lanes_in);
  if (map_has(lanes->alone, stmts->data[0])) {
    walk_alone(lanes, stmts, scope);
    return;
  }
  const bool is_skipped = is_ahead || lanes_is_skipped(lanes, stmts);
  if (is_skipped) em_open_if(em, is_ahead ? lanes_any_ahead(lanes) : any_in(lanes, scope.mask));
  if (lanes->is_weighed && lanes_is_long_branch(lanes, stmts))
    lanes_weigh(lanes, lanes_weight(lanes, stmts), scope.mask);
  lanes_run(lanes, stmts, scope);
  if (vec_last(stmts)->kind == TT_LEAVE) return_when_empty(lanes, scope);
  if (is_skipped) em_close(em);
}

static void gen_masked_if(Lanes *lanes, const TreeStmt *stmt, LaneScope scope) {
  const char *test = lanes_new_name(lanes, "test");
  CExpr *mask = name(lanes, scope.mask);
  em_declare_const(&lanes->gen->em, "ddr_vmask", test, lane_branch_test(lanes, stmt, mask));
  LaneScope arm = {.depth = scope.depth + 1,
                   .n_loops = scope.n_loops,
                   .test = test,
                   .is_at_end = stmt == lanes->end};
  gen_branch(lanes, &stmt->body, both(lanes, mask, name(lanes, test)), arm);
  arm.is_else = true;
  gen_branch(lanes, &stmt->else_body, but_not(lanes, mask, test), arm);
  if (has_exit(&stmt->body) || has_exit(&stmt->else_body)) drop_the_gone(lanes, scope);
}

static void branch(Gen *gen, const TreeStmt *stmt) {
  Lanes *lanes = gen->execution;
  const LaneScope scope = lanes->scope;
  Emit *em = &gen->em;
  if (is_varying(lanes, stmt->expr)) {
    gen_masked_if(lanes, stmt, scope);
    return;
  }
  em_open_if(em, gen_expr(gen, stmt->expr));
  lanes_run(lanes, &stmt->body, scope);
  if (stmt->else_body.len > 0) {
    em_else(em);
    lanes_run(lanes, &stmt->else_body, scope);
  }
  em_close(em);
  if (has_exit(&stmt->body) || has_exit(&stmt->else_body)) drop_the_gone(lanes, scope);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* In loops that lanes may leave: stops when no lane is left. */
static void stop_when_empty(Lanes *lanes, LaneScope scope) {
  Emit *em = &lanes->gen->em;
  drop_the_gone(lanes, scope);
  em_open_if(em, c_unary(lanes->gen->cx, "!", any_in(lanes, scope.mask)));
  em_break(em);
  em_close(em);
}

static void loop(Gen *gen, const TreeStmt *stmt) {
  Lanes *lanes = gen->execution;
  const LaneScope outer = lanes->scope;
  LaneScope scope = lanes_open_range(lanes, stmt);
  scope.around = &outer;
  const bool is_ragged = lanes_is_ragged(lanes, stmt), may_leave = has_exit(&stmt->body);
  lanes_run(lanes, &stmt->body, scope);
  if (may_leave && is_ragged) drop_the_gone(lanes, scope);
  if (may_leave && !is_ragged) stop_when_empty(lanes, scope);
  CExpr *busy = lanes_stop_when_idle(lanes, stmt, scope);
  if (lanes_watch(lanes, stmt)) lanes_leave_loop(lanes, stmt, &scope, busy);
  lanes_close_range(lanes, stmt, scope);
  if (may_leave && is_ragged) drop_the_gone(lanes, outer);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static CExpr *n_on(Gen *gen) {
  Lanes *lanes = gen->execution;
  return c_call1(gen->cx, "ddr_vcount", name(lanes, lanes->scope.mask));
}

/* Creates strands, in the order of lanes, not of their slots. */
static void bear(Lanes *lanes, const TreeStmt *stmt) {
  Gen *gen = lanes->gen;
  open_most_lanes(lanes, lanes->scope.mask);
  if (lanes->vectors.takes_slots) lanes_declare_slot(lanes);
  lanes_enter(lanes, &(TreeStmtVec){0});
  gen->how->call(gen, stmt);
  lanes_leave(lanes);
  close_lanes(lanes);
}

/* choose.c allows no other statements. */
static void call(Gen *gen, const TreeStmt *stmt) {
  Lanes *lanes = gen->execution;
  if (lanes_is_birth(stmt)) {
    bear(lanes, stmt);
    return;
  }
  if (stmt->kind == TT_REDUCE) {
    lanes_reduce(lanes, stmt);
    return;
  }
  if (stmt->kind != TT_EFFECT || stmt->expr->op != OP_COUNT_PROBE)
    BUG(gen->cx, "a statement that has no form in lanes");
  CExpr *inside = lane_expr(lanes, stmt->expr->args.data[0]);
  CExpr *mask = name(lanes, lanes->scope.mask);
  gen_count_probe(gen, c_call1(gen->cx, "ddr_vcount", both(lanes, mask, inside)));
}

static uint32_t gather(Gen *gen, const TreeStmtVec *stmts, uint32_t first) {
  const uint32_t end = lanes_run_end(stmts, first);
  if (end > first) lanes_gather(gen->execution, stmts, first, end);
  return end - first;
}

/* Where lanes may have left: a test whether any is left, if the rest costs more than the test. The
 * costs of the rest are counted for the lanes that are left. */
static bool guard(Gen *gen, const TreeStmtVec *stmts, uint32_t next) {
  Lanes *lanes = gen->execution;
  const bool is_whole = lanes->scope.depth == 0 && lanes->scope.n_loops == 0;
  if (!lanes_is_way_out(stmts->data[next - 1])) return false;
  if (is_whole && lanes->is_weighed)
    lanes_weigh(lanes, lanes_weight_from(lanes, stmts, next), lanes->scope.mask);
  if (lanes->scope.depth == 0 || lanes_cost(lanes, stmts, next) <= LANES_COST_OF_BRANCH)
    return false;
  em_open_if(&gen->em, any_in(lanes, lanes->scope.mask));
  return true;
}

void lanes_fill(Execution *vectors) {
  vectors->declare = declare;
  vectors->assign = assign;
  vectors->store = store;
  vectors->branch = branch;
  vectors->loop = loop;
  vectors->leave = leave;
  vectors->call = call;
  vectors->n_on = n_on;
  vectors->gather = gather;
  vectors->guard = guard;
}

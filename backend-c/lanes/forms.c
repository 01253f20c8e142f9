/* forms: which values are uniform and which are varying, and how they are held (lanes.h). A value
 * is varying if it is part of the state, if it is computed from a varying value, or if it is
 * assigned under a varying condition.
 */
#include "backend-c/lanes/local.h"

LaneVar *lane_var(const Lanes *lanes, const TreeVar *var) { return map_get(lanes->vars, var); }

LaneForm lane_form_of_type(const Type *ty) {
  switch (type_kind(ty)) {
  case TY_BOOL:
  case TY_INT:
  case TY_TENSOR: return LANES_VECTOR;
  case TY_ROW: return LANES_TAPS;
  case TY_SEQ: return lane_is_places(ty) ? LANES_TAPS : LANES_ARRAY;
  default: return LANES_ARRAY; /* types without vectors */
  }
}

/* Rows of two samples are faster sample by sample. */
static bool is_loaded_in_slices(const TreeExpr *expr) {
  return expr->op == OP_ROW_LOAD && type_row_width(expr->ty) > 2;
}

/* The same where lists may be columns. */
static LaneForm form_of_type(const Lanes *lanes, const Type *ty) {
  return lane_is_columns(lanes, ty) ? LANES_COLUMNS : lane_form_of_type(ty);
}

LaneForm lane_form(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->kind == TX_VAR) {
    const LaneVar *var = lane_var(lanes, expr->var);
    return var ? var->form : LANES_UNIFORM;
  }
  if (expr->op == OP_SAMPLING_VALUE) return LANES_VECTOR;
  if (lane_is_windows(expr)) return LANES_UNIFORM;
  if (expr->op == OP_SPHERE) return LANES_HITS;
  if (expr->op == OP_NEW_STRAND) return LANES_ARRAY; /* of this strand */
  if (lane_makes_list(expr))
    return lane_makes_even(lanes, expr) ? LANES_EVEN : form_of_type(lanes, expr->ty);
  if (lane_is_even_length(lanes, expr)) return LANES_UNIFORM;
  bool is_uniform = true, has_slices = false;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    LaneForm form = lane_form(lanes, expr->args.data[i]);
    is_uniform &= form == LANES_UNIFORM;
    has_slices |= form == LANES_SLICES;
  }
  if (is_uniform) return LANES_UNIFORM;
  if (type_is(expr->ty, TY_ROW) && (has_slices || is_loaded_in_slices(expr))) return LANES_SLICES;
  return lane_is_system(expr) ? LANES_TAPS : form_of_type(lanes, expr->ty);
}

/* ---- names and variables --------------------------------------------------------------------- */

const char *lanes_new_name(Lanes *lanes, const char *hint) {
  Cx *cx = lanes->gen->cx;
  const Name *name = name_from(cx->names, hint);
  for (uint32_t n = 2; map_has(lanes->names, name); n++)
    name = name_from(cx->names, text_format(cx->arena, "%s_%u", hint, n));
  map_put(lanes->names, name, lanes);
  return name->text;
}

TreeVar *lanes_new_var(Lanes *lanes, const char *hint, const Type *ty, LaneForm form) {
  Arena *arena = lanes->gen->cx->arena;
  TreeVar *var = NEW(arena, TreeVar);
  *var = (TreeVar){.name = lanes_new_name(lanes, hint), .ty = ty};
  LaneVar *lane = NEW(arena, LaneVar);
  lane->form = form;
  map_put(lanes->vars, var, lane);
  return var;
}

/* Notes an assignment, in every round of the fixed-point iteration: branches that were uniform may
 * be varying now. */
static void meet(Lanes *lanes, const TreeVar *var, uint32_t depth) {
  LaneVar *lane = lane_var(lanes, var);
  if (!lane) {
    lane = NEW(lanes->gen->cx->arena, LaneVar);
    map_put(lanes->vars, var, lane);
    map_put(lanes->names, name_from(lanes->gen->cx->names, var->name), lanes);
  }
  lane->depth = depth;
}

static void raise_to(Lanes *lanes, const TreeVar *var, LaneForm form) {
  LaneVar *lane = lane_var(lanes, var);
  if (form <= lane->form) return;
  lane->form = form;
  lanes->has_grown = true;
}

static void merge(Lanes *lanes, const TreeVar *var) {
  lane_var(lanes, var)->is_merged = true;
  raise_to(lanes, var, form_of_type(lanes, var->ty));
}

/* ---- statements ------------------------------------------------------------------------------ */

static void visit_all(Lanes *lanes, const TreeStmtVec *stmts, uint32_t depth);

static bool is_varying(const Lanes *lanes, const TreeExpr *expr) {
  return lane_form(lanes, expr) != LANES_UNIFORM;
}

static void visit_for(Lanes *lanes, const TreeStmt *stmt, uint32_t depth) {
  const bool is_ragged = lanes_is_ragged(lanes, stmt);
  meet(lanes, stmt->var, depth + is_ragged);
  raise_to(lanes, stmt->var, lane_form(lanes, stmt->expr));
  visit_all(lanes, &stmt->body, depth + is_ragged);
}

/* Results of a reduction are varying if its range or values are. */
static void visit_reduce(Lanes *lanes, const TreeStmt *stmt, uint32_t depth) {
  if (stmt->reduce.over != OVER_RANGE) return; /* not in lanes */
  visit_for(lanes, stmt, depth);
  for (uint32_t i = 0; i < stmt->vars.len; i++) meet(lanes, stmt->vars.data[i], depth);
  if (lanes_reduces_alike(lanes, stmt)) return;
  for (uint32_t i = 0; i < stmt->vars.len; i++) raise_to(lanes, stmt->vars.data[i], LANES_VECTOR);
}

static void visit(Lanes *lanes, const TreeStmt *stmt, uint32_t depth) {
  switch (stmt->kind) {
  case TT_DECLARE:
    meet(lanes, stmt->var, depth);
    if (stmt->expr) raise_to(lanes, stmt->var, lane_form(lanes, stmt->expr));
    return;
  case TT_ASSIGN:
    raise_to(lanes, stmt->var, lane_form(lanes, stmt->expr));
    if (depth > lane_var(lanes, stmt->var)->depth) merge(lanes, stmt->var);
    return;
  case TT_IF:
    depth += is_varying(lanes, stmt->expr);
    visit_all(lanes, &stmt->body, depth);
    visit_all(lanes, &stmt->else_body, depth);
    return;
  case TT_FOR: visit_for(lanes, stmt, depth); return;
  case TT_REDUCE: visit_reduce(lanes, stmt, depth); return;
  case TT_EFFECT:
  case TT_CALL: /* not in lanes */
  case TT_LEAVE: return;
  }
}

static void visit_all(Lanes *lanes, const TreeStmtVec *stmts, uint32_t depth) {
  for (uint32_t i = 0; i < stmts->len; i++) visit(lanes, stmts->data[i], depth);
}

/* ---- lists that are even only at times ------------------------------------------------------- */

/* Whether a list can be assigned to an even one: it is even, or its elements are known here. Not so
 * a uniform list that is a variable or comes from elsewhere: its elements are no vectors. */
static bool can_be_even(const Lanes *lanes, const TreeExpr *expr) {
  if (lane_form(lanes, expr) == LANES_EVEN) return true;
  if (expr->kind == TX_VAR || lane_form(lanes, expr) != LANES_UNIFORM) return false;
  switch (expr->op) {
  case OP_SEQ: return true;
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND: return can_be_even(lanes, expr->args.data[0]);
  case OP_SEQ_CONCAT:
    return can_be_even(lanes, expr->args.data[0]) && can_be_even(lanes, expr->args.data[1]);
  default: return false;
  }
}

/* Variables that are even, but not by all of their assignments, are not. */
static void settle(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const bool is_set = (stmt->kind == TT_DECLARE || stmt->kind == TT_ASSIGN) && stmt->expr;
    if (is_set && lane_var(lanes, stmt->var)->form == LANES_EVEN && !can_be_even(lanes, stmt->expr))
      raise_to(lanes, stmt->var, form_of_type(lanes, stmt->var->ty));
    settle(lanes, &stmt->body);
    settle(lanes, &stmt->else_body);
  }
}

void lanes_find_forms(Lanes *lanes) {
  for (uint32_t i = 0; i < lanes->fn->params.len; i++) {
    const TreeVar *param = lanes->fn->params.data[i];
    if (!param) continue;
    meet(lanes, param, 0);
    raise_to(lanes, param, form_of_type(lanes, param->ty));
  }
  do {
    do {
      lanes->has_grown = false;
      visit_all(lanes, lanes->body, 0);
    } while (lanes->has_grown);
    settle(lanes, lanes->body);
  } while (lanes->has_grown);
}

/* ---- lane by lane ------------------------------------------------------------------------------
 * Note [Alone]. A branch that mostly consists of code without vector instructions is executed in a
 * loop over its active lanes, with the code for one strand. Usually few lanes are active in it.
 * Such are windows of samples beyond a border, which are loaded tap by tap, where borders.c leaves
 * them: one sum over a window is enough. */

enum { MOST_OPS_IN_VECTORS = 6 };

static uint32_t count_each_expr(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->kind == TX_VAR) return 0;
  bool is_each = lane_is_each(lanes, expr) && lane_form(lanes, expr) == LANES_VECTOR;
  is_each &= expr->op != OP_STRAND_STATE && expr->op != OP_SEQ_LEN; /* loads */
  uint32_t n = !is_each ? 0 : expr->op == OP_WINDOW_DOT ? MOST_OPS_IN_VECTORS + 1 : 1;
  for (uint32_t i = 0; i < expr->args.len; i++) n += count_each_expr(lanes, expr->args.data[i]);
  return n;
}

/* Counts the operations that are done lane by lane, without those in branches. */
static uint32_t count_each(const Lanes *lanes, const TreeStmtVec *stmts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (!stmt->expr) continue; /* holds no statements either */
    n += count_each_expr(lanes, lanes_value(stmt));
    for (uint32_t k = 0; stmt->kind == TT_REDUCE && k < stmt->values.len; k++)
      n += count_each_expr(lanes, stmt->values.data[k]);
    if (stmt->kind == TT_IF && is_varying(lanes, stmt->expr)) continue;
    n += count_each(lanes, &stmt->body) + count_each(lanes, &stmt->else_body);
  }
  return n;
}

/* Whether the expression cannot be read by one lane alone. */
static bool reads_together(const Lanes *lanes, const TreeExpr *expr) {
  const LaneForm form = lane_form(lanes, expr);
  const bool is_list = form == LANES_EVEN || form == LANES_COLUMNS;
  if (form == LANES_SLICES || form == LANES_HITS || is_list || lane_is_windows(expr)) return true;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (reads_together(lanes, expr->args.data[i])) return true;
  return false;
}

static bool any_reads_together(const Lanes *lanes, const TreeStmt *stmt) {
  if (stmt->expr && reads_together(lanes, lanes_value(stmt))) return true;
  for (uint32_t k = 0; k < stmt->values.len; k++)
    if (stmt->values.data[k] && reads_together(lanes, stmt->values.data[k])) return true;
  return false;
}

/* Whether statements may be walked lane by lane: no exit, no row loaded in slices, no query, and no
 * change of a sequence. */
static bool may_walk_alone(const Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_ASSIGN && lane_var(lanes, stmt->var)->form == LANES_TAPS) return false;
    if (stmt->kind == TT_LEAVE || any_reads_together(lanes, stmt)) return false;
    if (!may_walk_alone(lanes, &stmt->body) || !may_walk_alone(lanes, &stmt->else_body))
      return false;
  }
  return true;
}

static void make_scalars(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_DECLARE || stmt->kind == TT_FOR || stmt->kind == TT_REDUCE)
      lane_var(lanes, stmt->var)->form = LANES_UNIFORM;
    for (uint32_t k = 0; k < stmt->vars.len; k++)
      lane_var(lanes, stmt->vars.data[k])->form = LANES_UNIFORM;
    make_scalars(lanes, &stmt->body);
    make_scalars(lanes, &stmt->else_body);
  }
}

bool lanes_is_walked_alone(const Lanes *lanes, const TreeStmtVec *stmts) {
  return count_each(lanes, stmts) > MOST_OPS_IN_VECTORS && may_walk_alone(lanes, stmts);
}

bool lanes_walk_alone(Lanes *lanes, const TreeStmtVec *stmts) {
  if (!lanes_is_walked_alone(lanes, stmts)) return false;
  make_scalars(lanes, stmts);
  return true;
}

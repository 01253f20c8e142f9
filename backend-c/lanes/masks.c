/* masks: which assignments and branches need a mask (lanes.h).
 *
 * Only lanes that reach the declaration of a variable ever read it. So before the first assignment
 * its value does not matter in any lane: that assignment needs no mask, unless a loop comes back to
 * it. In a branch behind the declaration, the condition of the branch suffices to merge values:
 * what lanes get that were inactive before does not matter. A short branch with nothing but such
 * assignments needs no mask.
 */
#include "backend-c/lanes/local.h"

/* Branches with exits are skipped, because they are rare. */
bool lanes_is_skipped(const Lanes *lanes, const TreeStmtVec *stmts) {
  return tree_exits(stmts, NULL) != 0 || lanes_cost(lanes, stmts, 0) > LANES_COST_OF_BRANCH;
}

/* Whether the condition suffices for merging. Not with --profile, which counts the lanes of masks.
 */
static bool is_by_test(const Lanes *lanes, const TreeVar *var, uint32_t depth) {
  return !lanes->gen->options->is_profiled && depth == lane_var(lanes, var)->depth + 1;
}

CExpr *lanes_merged(Lanes *lanes, const TreeVar *var, CExpr *value) {
  Cx *cx = lanes->gen->cx;
  const LaneScope scope = lanes->scope;
  const LaneVar *lane = lane_var(lanes, var);
  CExpr *old = c_name(cx, var->name);
  if (scope.depth == lane->depth) return value;
  const bool is_first = lane->is_unset && lane->n_loops == scope.n_loops;
  if (is_first && is_by_test(lanes, var, scope.depth)) return value;
  if (scope.mask) return lane_select(lanes, var->ty, c_name(cx, scope.mask), value, old);
  CExpr *test = c_name(cx, scope.test);
  return scope.is_else ? lane_select(lanes, var->ty, test, old, value)
                       : lane_select(lanes, var->ty, test, value, old);
}

/* ---- is a mask needed? ----------------------------------------------------------------------- */

static bool asks_lane_by_lane(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->op == OP_SPHERE || lane_is_of_list(lanes, expr) || lane_is_windows(expr)) return true;
  if (lane_is_list(expr->ty) && lane_form(lanes, expr) == LANES_ARRAY) return true;
  if (lane_form(lanes, expr) == LANES_COLUMNS || lane_is_of_columns(lanes, expr)) return true;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (asks_lane_by_lane(lanes, expr->args.data[i])) return true;
  return false;
}

static bool value_uses_mask(const Lanes *lanes, const TreeStmt *stmt) {
  const bool is_array = stmt->var && lane_var(lanes, stmt->var)->form == LANES_ARRAY;
  if (is_array && lane_is_list(stmt->var->ty)) return true;
  return stmt->expr && asks_lane_by_lane(lanes, stmt->expr);
}

static bool assignment_uses_mask(const Lanes *lanes, const TreeStmt *stmt, uint32_t depth) {
  const LaneVar *lane = lane_var(lanes, stmt->var);
  if (lane->form == LANES_UNIFORM || depth == lane->depth) return value_uses_mask(lanes, stmt);
  return lane->form != LANES_VECTOR || !is_by_test(lanes, stmt->var, depth) ||
         value_uses_mask(lanes, stmt);
}

static bool is_varying(const Lanes *lanes, const TreeExpr *expr) {
  return lane_form(lanes, expr) != LANES_UNIFORM;
}

/* Whether a branch uses the mask around it: masks of inner branches are made from it. */
static bool branch_uses_mask(const Lanes *lanes, const TreeStmt *stmt, uint32_t depth) {
  depth += is_varying(lanes, stmt->expr);
  return lanes_uses_mask(lanes, &stmt->body, depth) ||
         lanes_uses_mask(lanes, &stmt->else_body, depth);
}

static bool uses_mask(const Lanes *lanes, const TreeStmt *stmt, uint32_t depth) {
  switch (stmt->kind) {
  case TT_DECLARE: return value_uses_mask(lanes, stmt);
  case TT_ASSIGN: return assignment_uses_mask(lanes, stmt, depth);
  case TT_IF: return branch_uses_mask(lanes, stmt, depth);
  case TT_FOR:
    return lanes_is_ragged(lanes, stmt) || tree_goes_on(lanes->gen->cx, stmt) ||
           lanes_uses_mask(lanes, &stmt->body, depth);
  case TT_EFFECT:
  case TT_CALL:
  case TT_REDUCE:
  case TT_LEAVE: return true;
  }
  return true;
}

bool lanes_uses_mask(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t depth) {
  if (stmts->len > 0 && map_has(lanes->alone, stmts->data[0])) return true;
  if (lanes_is_skipped(lanes, stmts)) return true;
  for (uint32_t i = 0; i < stmts->len; i++)
    if (uses_mask(lanes, stmts->data[i], depth)) return true;
  return false;
}

/* Only branches and loops do. */
bool lanes_ask_mask(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++)
    if (stmts->data[i]->kind != TT_DECLARE && stmts->data[i]->kind != TT_LEAVE) return true;
  return false;
}

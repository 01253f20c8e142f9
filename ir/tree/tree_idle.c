/* tree_idle: loops whose remaining rounds do nothing (tree.h). The language has no statement that
 * ends a loop, so programs write
 *
 *   foreach (int k in 0..n) { if (light > 0.01 && ...) { ...; light *= ...; } }
 *
 * and returns from loops of functions become a flag of this kind (ir/high/from_tast_early.c).
 */
#include "frontend/base/map.h"
#include "ir/tree/tree.h"

typedef enum Truth { IS_FALSE, IS_TRUE, IS_UNKNOWN } Truth;

/* A round in which a condition does not hold. */
typedef struct Round {
  const TreeExpr *cond;
  Map *inner; /* the variables declared in it, to Truth or NULL: not known */
} Round;

static Truth truths[] = {IS_FALSE, IS_TRUE};

static Truth truth_of_constant(const TreeExpr *expr) { return expr->attr.b ? IS_TRUE : IS_FALSE; }

static Truth truth_of_var(const Round *round, const TreeVar *var) {
  const Truth *known = map_get(round->inner, var);
  return known ? *known : IS_UNKNOWN;
}

static Truth truth_of(const Round *round, const TreeExpr *expr) {
  if (expr == round->cond) return IS_FALSE;
  if (expr->kind == TX_VAR) return truth_of_var(round, expr->var);
  if (expr->op == OP_CONST_BOOL) return truth_of_constant(expr);
  if (expr->op == OP_NOT) {
    const Truth truth = truth_of(round, expr->args.data[0]);
    return truth == IS_UNKNOWN ? truth : truth == IS_TRUE ? IS_FALSE : IS_TRUE;
  }
  if (expr->op != OP_BAND) return IS_UNKNOWN;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (truth_of(round, expr->args.data[i]) == IS_FALSE) return IS_FALSE;
  return IS_UNKNOWN;
}

static bool is_idle(Round *round, const TreeStmtVec *stmts);

static void set(Round *round, const TreeStmt *stmt) {
  const bool is_bool = stmt->expr && type_is(stmt->expr->ty, TY_BOOL);
  const Truth truth = is_bool ? truth_of(round, stmt->expr) : IS_UNKNOWN;
  map_put(round->inner, stmt->var, truth == IS_UNKNOWN ? NULL : &truths[truth]);
}

/* What an arm that may or may not run assigns is not known afterwards. */
static void forget(Round *round, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_ASSIGN) map_put(round->inner, stmt->var, NULL);
    forget(round, &stmt->body);
    forget(round, &stmt->else_body);
  }
}

static bool is_branch_idle(Round *round, const TreeStmt *stmt) {
  const Truth truth = truth_of(round, stmt->expr);
  if (truth != IS_UNKNOWN) return is_idle(round, truth == IS_TRUE ? &stmt->body : &stmt->else_body);
  if (!is_idle(round, &stmt->body) || !is_idle(round, &stmt->else_body)) return false;
  forget(round, &stmt->body);
  forget(round, &stmt->else_body);
  return true;
}

static bool is_idle(Round *round, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    switch (stmt->kind) {
    case TT_ASSIGN:
      if (!map_has(round->inner, stmt->var)) return false;
      set(round, stmt);
      break;
    case TT_DECLARE: set(round, stmt); break;
    case TT_IF:
      if (!is_branch_idle(round, stmt)) return false;
      break;
    default: return false; /* loops, exits and effects */
    }
  }
  return true;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool is_declared(const TreeStmtVec *stmts, const TreeVar *var) {
  for (uint32_t i = 0; i < stmts->len; i++)
    if (stmts->data[i]->kind == TT_DECLARE && stmts->data[i]->var == var) return true;
  return false;
}

/* Whether the expression has the same value in the next round, unless something is assigned to a
 * variable from outside; and costs little. */
static bool lasts(const TreeStmt *loop, const TreeExpr *expr, uint32_t *n_ops) {
  enum { MOST_OPS = 8 };
  if (expr->kind == TX_VAR) return expr->var != loop->var && !is_declared(&loop->body, expr->var);
  if (op_effect(expr->op) != EFFECT_PURE || ++*n_ops > MOST_OPS) return false;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    const TypeKind kind = type_kind(expr->args.data[i]->ty);
    if (kind != TY_BOOL && kind != TY_INT && kind != TY_TENSOR) return false;
    if (!lasts(loop, expr->args.data[i], n_ops)) return false;
  }
  return true;
}

/* The condition, or a part without which it does not hold. */
static const TreeExpr *lasting_part(const TreeStmt *loop, const TreeExpr *cond) {
  uint32_t n_ops = 0;
  if (lasts(loop, cond, &n_ops)) return cond;
  if (cond->kind == TX_VAR || cond->op != OP_BAND) return NULL;
  const TreeExpr *part = lasting_part(loop, cond->args.data[0]);
  return part ? part : lasting_part(loop, cond->args.data[1]);
}

const TreeExpr *tree_goes_on(Cx *cx, const TreeStmt *loop) {
  uint32_t first = 0;
  while (first < loop->body.len && loop->body.data[first]->kind == TT_DECLARE) first++;
  if (first == loop->body.len || loop->body.data[first]->kind != TT_IF) return NULL;
  Round round = {.cond = lasting_part(loop, loop->body.data[first]->expr),
                 .inner = map_new(cx->scratch)};
  return round.cond && is_idle(&round, &loop->body) ? round.cond : NULL;
}

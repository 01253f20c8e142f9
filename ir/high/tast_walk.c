/* Tast walk: questions about statements and expressions that from_tast asks before it lowers them.
 * One walk visits every node; a question is a pair of callbacks.
 */
#include "ir/high/local.h"

typedef struct Visitor {
  void (*stmt)(void *context, const TStmt *stmt);
  void (*expr)(void *context, const TExpr *expr);
  void *context;
} Visitor;

static void walk_expr(const Visitor *visitor, const TExpr *expr) {
  if (!expr) return;
  if (visitor->expr) visitor->expr(visitor->context, expr);
  for (uint32_t i = 0; i < expr->args.len; i++) walk_expr(visitor, expr->args.data[i]);
}

static void walk_stmt(const Visitor *visitor, const TStmt *stmt) {
  if (!stmt) return;
  if (visitor->stmt) visitor->stmt(visitor->context, stmt);
  walk_expr(visitor, stmt->expr);
  for (uint32_t i = 0; i < stmt->args.len; i++) walk_expr(visitor, stmt->args.data[i]);
  for (uint32_t i = 0; i < stmt->body.len; i++) walk_stmt(visitor, stmt->body.data[i]);
  walk_stmt(visitor, stmt->then_stmt);
  walk_stmt(visitor, stmt->else_stmt);
}

/* ---- variables ------------------------------------------------------------------------------- */

typedef struct VarVisit {
  VarFn *visit;
  void *context;
} VarVisit;

static void visit_assignment(void *context, const TStmt *stmt) {
  const VarVisit *vars = context;
  if (stmt->kind == TS_ASSIGN) vars->visit(vars->context, stmt->var);
}

void stmt_each_assigned(const TStmt *stmt, VarFn *visit, void *context) {
  VarVisit vars = {visit, context};
  walk_stmt(&(Visitor){.stmt = visit_assignment, .context = &vars}, stmt);
}

static void visit_use(void *context, const TExpr *expr) {
  const VarVisit *vars = context;
  if (expr->kind == TE_VAR) vars->visit(vars->context, expr->u.var);
}

void stmt_each_read(const TStmt *stmt, VarFn *visit, void *context) {
  VarVisit vars = {visit, context};
  walk_stmt(&(Visitor){.expr = visit_use, .context = &vars}, stmt);
}

/* ---- control --------------------------------------------------------------------------------- */

static void note_return(void *context, const TStmt *stmt) {
  bool *found = context;
  if (stmt->kind == TS_RETURN) *found = true;
}

bool stmt_has_return(const TStmt *stmt) {
  bool found = false;
  walk_stmt(&(Visitor){.stmt = note_return, .context = &found}, stmt);
  return found;
}

bool stmt_ends(const TStmt *stmt) {
  if (!stmt) return false;
  if (stmt->kind == TS_RETURN) return true;
  if (stmt->kind == TS_IF) return stmt_ends(stmt->then_stmt) && stmt_ends(stmt->else_stmt);
  if (stmt->kind != TS_BLOCK) return false;
  for (uint32_t i = 0; i < stmt->body.len; i++)
    if (stmt_ends(stmt->body.data[i])) return true;
  return false;
}

/* ---- effects --------------------------------------------------------------------------------- */

static void note_print(void *context, const TStmt *stmt) {
  bool *found = context;
  if (stmt->kind == TS_PRINT) *found = true;
}

/* No function calls itself, even indirectly. */
static void note_printing_call(void *context, const TExpr *expr) {
  bool *found = context;
  if (expr->kind == TE_CALL && !*found) *found = fun_prints(expr->u.fun);
}

bool fun_prints(const TFun *fun) {
  bool found = false;
  walk_stmt(&(Visitor){note_print, note_printing_call, &found}, fun->body);
  return found;
}

bool expr_prints(const TExpr *expr) {
  bool found = false;
  walk_expr(&(Visitor){.expr = note_printing_call, .context = &found}, expr);
  return found;
}

/* ---- cost ------------------------------------------------------------------------------------ */

#define MAX_CHEAP_OPS 4 /* about what a mispredicted branch costs in tensor operations */

typedef struct Cost {
  uint32_t n_ops;
  bool is_pure;
} Cost;

static void add_cost(void *context, const TExpr *expr) {
  Cost *cost = context;
  switch (expr->kind) {
  case TE_CONST:
  case TE_COERCE:
  case TE_TENSOR:
  case TE_AND:
  case TE_OR: return;
  case TE_SLICE:
    if (expr->args.len > 1) cost->is_pure = false; /* the index may be out of range */
    return;
  case TE_VAR: /* reading a field means expanding it */
    if (type_is_abstract(expr->ty)) cost->is_pure = false;
    return;
  case TE_BUILTIN:
    cost->n_ops++;
    if (expr->u.builtin.row->lowering != LOWER_EIN && expr->u.builtin.row->lowering != LOWER_OP)
      cost->is_pure = false;
    return;
  default: cost->is_pure = false; /* calls, probes, sequences: expensive or not pure */
  }
}

bool expr_is_cheap(const TExpr *expr) {
  Cost cost = {.is_pure = true};
  walk_expr(&(Visitor){.expr = add_cost, .context = &cost}, expr);
  return cost.is_pure && cost.n_ops <= MAX_CHEAP_OPS;
}

static void find_division(void *context, const TExpr *expr) {
  if (expr->kind != TE_BUILTIN) return;
  const BuiltinId id = expr->u.builtin.row->id;
  if (id != BI_DIV_II && id != BI_MOD_II) return;
  const TExpr *divisor = expr->args.data[1];
  if (divisor->kind != TE_CONST || divisor->u.value->i == 0) *(bool *)context = true;
}

bool expr_may_divide_by_zero(const TExpr *expr) {
  bool found = false;
  walk_expr(&(Visitor){.expr = find_division, .context = &found}, expr);
  return found;
}

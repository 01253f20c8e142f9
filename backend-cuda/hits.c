/* hits: a query whose result is only indexed, or asked for its length. Such a result need not be a
 * sequence: it can lie in the thread's stripe of shared memory (ddr/device/near.h).
 *
 *   const ddr_hits near = ddr_hits_of2(block, x, y, radius, slot);
 */
#include "backend-cuda/local.h"

/* ---- uses of the result ---------------------------------------------------------------------- */

/* What is known of `var`, the result of a query, and of its function. */
typedef struct Fate {
  const Gen *gen;
  const TreeVar *var;
  uint32_t n_queries; /* of the function: a thread has one stripe, so only one may use it */
  bool is_kept;       /* used in another way, which needs a sequence */
} Fate;

static bool is_query(const TreeExpr *expr) {
  return expr && expr->kind == TX_OP && expr->op == OP_SPHERE;
}

static bool is_int(const TreeExpr *expr, int64_t value) {
  return expr->kind == TX_OP && expr->op == OP_CONST_INT && expr->attr.i == value;
}

static bool is_of(const TreeExpr *expr, const TreeVar *var) {
  return expr->kind == TX_OP && (expr->op == OP_SEQ_LEN || expr->op == OP_SEQ_INDEX) &&
         expr->args.data[0]->kind == TX_VAR && expr->args.data[0]->var == var;
}

static void follow_expr(Fate *fate, const TreeExpr *expr) {
  if (!expr) return;
  if (expr->kind == TX_VAR) {
    fate->is_kept |= expr->var == fate->var;
    return;
  }
  fate->n_queries += is_query(expr);
  if (expr->op == OP_CALL && gen_needs(fate->gen, expr->callee) & NEED_QUERIES) fate->n_queries++;
  for (uint32_t i = is_of(expr, fate->var); i < expr->args.len; i++)
    follow_expr(fate, expr->args.data[i]);
}

static void follow_stmts(Fate *fate, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    follow_expr(fate, stmt->expr);
    follow_expr(fate, stmt->limit);
    for (uint32_t k = 0; k < stmt->values.len; k++) follow_expr(fate, stmt->values.data[k]);
    follow_stmts(fate, &stmt->body);
    follow_stmts(fate, &stmt->else_body);
  }
}

/* Whether `var`, declared with the result of a query, need not be a sequence. */
static bool is_hits(const Gen *gen, const TreeVar *var) {
  Fate fate = {.gen = gen, .var = var};
  if (!type_is_dynamic_seq(var->ty) || !type_is(type_elem(var->ty), TY_STRAND)) return false;
  if (var->is_mutable) return false;
  follow_stmts(&fate, &gen->fn->body);
  return !fate.is_kept && fate.n_queries == 1;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* isub(length(var), 1) */
static bool is_last_index(const TreeExpr *expr, const TreeVar *var) {
  if (!expr || expr->kind != TX_OP || expr->op != OP_ISUB) return false;
  const TreeExpr *length = expr->args.data[0], *one = expr->args.data[1];
  return is_of(length, var) && length->op == OP_SEQ_LEN && is_int(one, 1);
}

/* Notes the variables of loops from 0 to the last index of `var`, and `var` for them: as indices of
 * it they are not clamped. `last`: the variables that have the last index. */
static void note_loops(Map *each, Map *last, TreeVar *var, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const TreeExpr *limit = stmt->limit;
    if (stmt->kind == TT_DECLARE && !stmt->var->is_mutable && is_last_index(stmt->expr, var))
      map_put(last, stmt->var, stmt->var);
    if (stmt->kind == TT_FOR && !stmt->var->is_mutable && is_int(stmt->expr, 0) &&
        (is_last_index(limit, var) || (limit->kind == TX_VAR && map_has(last, limit->var))))
      map_put(each, stmt->var, var);
    note_loops(each, last, var, &stmt->body);
    note_loops(each, last, var, &stmt->else_body);
  }
}

/* ---- code ------------------------------------------------------------------------------------ */

static const DeviceVars *vars_of(const Gen *gen) { return gen->execution; }
static Map *hits_of(const Gen *gen) { return vars_of(gen)->hits; }

bool device_declare_hits(Gen *gen, const TreeStmt *stmt) {
  if (!is_query(stmt->expr) || !is_hits(gen, stmt->var)) return false;
  map_put(hits_of(gen), stmt->var, stmt->var);
  note_loops(vars_of(gen)->each, map_new(gen->cx->arena), stmt->var, &gen->fn->body);
  gen_declare(gen, "ddr_hits", stmt->var, gen_strand_op(gen, stmt->expr, "ddr_hits_of"));
  return true;
}

CExpr *device_of_hits(Gen *gen, const TreeExpr *expr) {
  if (expr->kind != TX_OP || (expr->op != OP_SEQ_LEN && expr->op != OP_SEQ_INDEX)) return NULL;
  const TreeExpr *seq = expr->args.data[0];
  if (seq->kind != TX_VAR || !map_has(hits_of(gen), seq->var)) return NULL;
  CExpr *hits = gen_expr(gen, seq);
  if (expr->op == OP_SEQ_LEN) return c_call1(gen->cx, "ddr_hits_length", hits);
  const TreeExpr *at = expr->args.data[1];
  const bool is_each = at->kind == TX_VAR && map_get(vars_of(gen)->each, at->var) == seq->var;
  return c_call2(gen->cx, is_each ? "ddr_hits_each" : "ddr_hits_slot", hits, gen_expr(gen, at));
}

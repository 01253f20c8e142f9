/* Nest: values become expressions. Constants and lanes of rows are repeated at every use. A value
 * with one use in its own block becomes part of that expression, if the line stays readable and no
 * effect is in between. Every other value becomes a constant variable where it is defined.
 *
 * A value with a name from the source keeps it, unless its one use stores it.
 */
#include "ir/low-to-tree/local.h"

#include <string.h>

#define MAX_WIDTH 72  /* estimated columns of an expression inside another */
#define MAX_STORED 96 /* of one that makes a whole statement */

static bool is_literal(OpId op) {
  return op == OP_CONST_BOOL || op == OP_CONST_INT || op == OP_CONST_REAL ||
         op == OP_CONST_STRING || op == OP_CONST_OFFSET;
}

static size_t op_width(const TreeExpr *expr) {
  switch (expr->op) {
  case OP_CONST_ROW:
  case OP_ROW_PACK:
  case OP_ROW_DOT:
  case OP_ROW_LOAD:
  case OP_SAMPLE_ADDR:
  case OP_CORNER:
  case OP_CORNER_WITHIN:
  case OP_SUPPORT_WITHIN:
  case OP_SEQ:
  case OP_SEQ_COPY:
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND:
  case OP_SEQ_CONCAT:
  case OP_GLOBAL_LOAD: return 16;
  default: return expr->args.len == 0 || expr->args.len > 2 ? 8 : 3; /* literal, call, operator */
  }
}

static size_t expr_width(const TreeExpr *expr) {
  if (expr->kind == TX_VAR) return strlen(expr->var->name);
  size_t width = op_width(expr);
  for (uint32_t i = 0; i < expr->args.len; i++) width += expr_width(expr->args.data[i]);
  return width;
}

/* Properties of an image become variables, and so do samples that may be copied, since a copy needs
 * a name (tree_may_copy). */
static bool is_image_fact(OpId op) {
  return op == OP_IMAGE_AXIS_LEN || op == OP_IMAGE_STRIDE || op == OP_IMAGE_STEP ||
         op == OP_IMAGE_ORIGIN || op == OP_IMAGE_MATRIX;
}

static bool is_store(const Inst *inst) {
  return inst->op == OP_JUMP || inst->op == OP_NEXT || inst->op == OP_LEAVE ||
         inst->op == OP_GLOBAL_STORE;
}

/* Whether the use is the limit of a loop, which would be evaluated in every round. */
static bool is_loop_limit(const Use *use) { return inst_is_loop(use->user) && use->arg == 1; }

static bool is_sum(const TreeExpr *expr) { return expr->op == OP_ROW_FMA && expr->args.len == 3; }

static uint32_t n_summands(const TreeExpr *sum) {
  if (sum->kind == TX_VAR) return 0;
  return is_sum(sum) ? n_summands(sum->args.data[2]) + 1 : 1;
}

/* Whether a sum of rows becomes a variable although it has one use. A sum over as many rows as a
 * row has samples is divided into halves: as one expression it would keep all its rows live, and
 * several such sums would need more registers than there are. */
static bool is_due(const Use *use, const TreeExpr *expr) {
  const bool goes_on = use->user->op == OP_ROW_FMA && use->arg == 2;
  if (!goes_on || !is_sum(expr) || expr->args.data[0]->kind != TX_VAR) return false;
  return 2 * n_summands(expr) >= type_row_width(expr->ty);
}

static bool may_nest(const Value *value, const TreeExpr *expr) {
  const Use *use = value->uses;
  if (use->next || use->user->block != value->def->block || is_loop_limit(use)) return false;
  if (is_due(use, expr)) return false;
  if (is_image_fact(expr->op) || tree_may_copy(expr)) return false;
  if (is_store(use->user) || use->user->op == OP_BRANCH) return expr_width(expr) <= MAX_STORED;
  bool has_own_name = value->name && expr->op != OP_GLOBAL_LOAD; /* a global's is its field's */
  return !has_own_name && expr_width(expr) <= MAX_WIDTH;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static void forget_waiting(Structure *s, const Value *value) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < s->waiting.len; i++)
    if (s->waiting.data[i] != value) s->waiting.data[n_kept++] = s->waiting.data[i];
  s->waiting.len = n_kept;
}

TreeExpr *nest_use(Structure *s, Value *value, Span span) {
  TreeExpr *expr = map_get(s->exprs, value);
  if (expr) {
    if (s->waiting.len > 0) forget_waiting(s, value);
    return expr;
  }
  Place *place = place_of(s, value);
  if (!place) BUG(s->cx, "value %%%u is used before its definition", value->id);
  return tree_var_expr(s->cx, place->var, span);
}

static TreeExpr *expr_of(Structure *s, const Inst *inst, const Type *ty) {
  TreeExpr *expr = NEW(s->cx->arena, TreeExpr);
  *expr =
      (TreeExpr){.kind = TX_OP, .ty = ty, .span = inst->span, .op = inst->op, .attr = inst->attr};
  if (inst->op == OP_CALL) {
    expr->callee = map_get(s->callees, inst->attr.func);
    ASSERT(s->cx, expr->callee);
  }
  for (uint32_t i = 0; i < inst->n_args; i++)
    vec_push(s->cx->arena, &expr->args, nest_use(s, inst->args[i], inst->span));
  return expr;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void declare(Structure *s, Value *value, TreeExpr *expr, TreeStmtVec *out) {
  place_declare(s, place_new(s, value, NULL), expr, expr->span, out);
}

/* Expressions that read what an effect may change are evaluated before it. */
static void settle_waiting(Structure *s, TreeStmtVec *out) {
  ValueVec waiting = s->waiting;
  s->waiting = (ValueVec){0};
  for (uint32_t i = 0; i < waiting.len; i++) {
    TreeExpr *expr = map_get(s->exprs, waiting.data[i]);
    map_put(s->exprs, waiting.data[i], NULL);
    declare(s, waiting.data[i], expr, out);
  }
}

static void add_effect(Structure *s, TreeExpr *expr, TreeStmtVec *out) {
  TreeStmt *stmt = tree_stmt(s->cx, TT_EFFECT, expr->span);
  stmt->expr = expr;
  vec_push(s->cx->arena, out, stmt);
}

static bool has_used_result(const Inst *inst) {
  for (uint32_t i = 0; i < inst->n_results; i++)
    if (value_is_used(inst->results[i])) return true;
  return false;
}

/* A call may print: it stays where it is and is never dropped. */
static void nest_call(Structure *s, Inst *inst, TreeStmtVec *out) {
  TreeExpr *expr = expr_of(s, inst, inst->n_results == 1 ? inst->results[0]->ty : NULL);
  settle_waiting(s, out);
  if (inst->n_results == 1 && has_used_result(inst)) {
    declare(s, inst->results[0], expr, out);
    return;
  }
  if (inst->n_results <= 1) {
    add_effect(s, expr, out);
    return;
  }
  TreeStmt *stmt = tree_stmt(s->cx, TT_CALL, inst->span);
  stmt->expr = expr;
  const char *hint = text_format(s->cx->arena, "%s_result", expr->callee->name);
  stmt->var = NEW(s->cx->arena, TreeVar);
  *stmt->var = (TreeVar){.name = spell_unique(s->spell, hint), .ty = expr->callee->result};
  for (uint32_t i = 0; i < inst->n_results; i++) {
    Value *result = inst->results[i];
    TreeVar *var = value_is_used(result) ? place_new(s, result, NULL)->var : NULL;
    vec_push(s->cx->arena, &stmt->vars, var);
  }
  vec_push(s->cx->arena, out, stmt);
}

/* Whether the instruction is a lane of a row that is in a variable: it needs no variable of its
 * own. The row must then be kept as long as its lanes are used. */
static bool is_lane(Structure *s, const Inst *inst) {
  Place *row = inst->op == OP_ROW_GET ? place_of(s, inst->args[0]) : NULL;
  if (!row || row->var->is_mutable) return false;
  row->is_fixed = true;
  return true;
}

static bool stores_global(const Structure *s, uint32_t index) {
  for (uint32_t i = 0; i < s->fn->blocks.len; i++)
    for (const Inst *inst = s->fn->blocks.data[i]->first; inst; inst = inst->next)
      if (inst->op == OP_GLOBAL_STORE && inst->attr.var.index == index) return true;
  return false;
}

/* Whether a global is an array that is read in place, because this function does not change it. */
static bool is_array_in_place(const Structure *s, const Inst *inst) {
  return inst->op == OP_GLOBAL_LOAD && type_is_fixed_seq(inst->results[0]->ty) &&
         !stores_global(s, inst->attr.var.index);
}

/* Expressions that still wait have their one use in a value that is not used: they are dropped. */
void nest_begin(Structure *s) { s->waiting.len = 0; }

void nest_inst(Structure *s, Inst *inst, TreeStmtVec *out) {
  if (inst->op == OP_CALL) {
    nest_call(s, inst, out);
    return;
  }
  Effect effect = op_effect(inst->op);
  if (effect == EFFECT_WRITE || effect == EFFECT_IO) {
    TreeExpr *expr = expr_of(s, inst, NULL);
    settle_waiting(s, out);
    add_effect(s, expr, out);
    return;
  }
  ASSERT(s->cx, inst->n_results == 1);
  Value *value = inst->results[0];
  if (!value_is_used(value)) return;
  TreeExpr *expr = expr_of(s, inst, value->ty);
  if (is_array_in_place(s, inst)) {
    map_put(s->exprs, value, expr);
    return;
  }
  bool is_free = is_literal(inst->op) || is_lane(s, inst);
  if (!is_free && !may_nest(value, expr)) {
    declare(s, value, expr, out);
    return;
  }
  map_put(s->exprs, value, expr);
  if (tree_is_read(expr)) vec_push(s->cx->arena, &s->waiting, value);
}

/* split: divides expressions into statements of one form each (lanes.h). An op without vector code
 * becomes a variable of its own, computed lane by lane from variables. So do operands that a row
 * uses once per place or slice, and rows in slices whose taps are needed.
 */
#include "backend-c/lanes/local.h"

typedef struct Split {
  Lanes *lanes;
  TreeStmtVec out;
} Split;

static TreeExpr *split(Split *s, TreeExpr *expr);

static Arena *arena_of(const Split *s) { return s->lanes->gen->cx->arena; }

static bool is_even(const Split *s, const TreeExpr *expr) {
  return lane_form(s->lanes, expr) == LANES_EVEN;
}

static bool is_columns(const Split *s, const TreeExpr *expr) {
  return lane_form(s->lanes, expr) == LANES_COLUMNS;
}

static bool is_leaf(const Split *s, const TreeExpr *expr) {
  return expr->kind == TX_VAR || lane_form(s->lanes, expr) == LANES_UNIFORM;
}

/* Makes a variable for an expression that is split already. */
static TreeExpr *hoist(Split *s, TreeExpr *expr, const char *hint) {
  Cx *cx = s->lanes->gen->cx;
  TreeVar *var = lanes_new_var(s->lanes, hint, expr->ty, lane_form(s->lanes, expr));
  TreeStmt *stmt = tree_stmt(cx, TT_DECLARE, expr->span);
  stmt->var = var;
  stmt->expr = expr;
  vec_push(cx->arena, &s->out, stmt);
  return tree_var_expr(cx, var, expr->span);
}

static const char *hint_of(const TreeExpr *expr) {
  if (lane_is_list(expr->ty)) return "list";
  switch (type_kind(expr->ty)) {
  case TY_BOOL: return "test";
  case TY_INT: return "n";
  case TY_OFFSET: return "step";
  case TY_ADDR: return "voxel";
  case TY_ROW: return "row";
  case TY_STRAND: return "other";
  case TY_SEQ: return type_is_dynamic_seq(expr->ty) ? "near" : "system";
  default: return "t";
  }
}

static TreeExpr *split_to_leaf(Split *s, TreeExpr *expr) {
  TreeExpr *flat = split(s, expr);
  return is_leaf(s, flat) ? flat : hoist(s, flat, hint_of(flat));
}

/* A factor that is used for every place of a row: a variable, or a place of one. */
static TreeExpr *split_factor(Split *s, TreeExpr *expr) {
  TreeExpr *flat = split(s, expr);
  bool is_place = flat->kind == TX_OP && flat->op == OP_ROW_GET;
  return is_place || is_leaf(s, flat) ? flat : hoist(s, flat, hint_of(flat));
}

/* A row in taps. */
static TreeExpr *split_taps(Split *s, TreeExpr *expr) {
  Cx *cx = s->lanes->gen->cx;
  TreeExpr *row = split(s, expr);
  if (lane_form(s->lanes, row) != LANES_SLICES) return row;
  if (row->kind != TX_VAR) row = hoist(s, row, "row");
  lane_var(s->lanes, row->var)->is_kept = true;
  TreeVar *taps = map_get(s->lanes->taps, row->var);
  if (!taps) {
    const char *hint = text_format(cx->arena, "%s_taps", row->var->name);
    taps = hoist(s, row, hint)->var;
    lane_var(s->lanes, taps)->form = LANES_TAPS;
    map_put(s->lanes->taps, row->var, taps);
  }
  return tree_var_expr(cx, taps, row->span);
}

/* A sequence whose places are read one by one: a variable, or an op that makes it place by place.
 */
static TreeExpr *split_places(Split *s, TreeExpr *expr) {
  TreeExpr *flat = split(s, expr);
  return flat->kind == TX_VAR || lane_is_by_places(flat) ? flat : hoist(s, flat, hint_of(flat));
}

/* An address: a variable, and at most one uniform step. */
static TreeExpr *split_address(Split *s, TreeExpr *expr) {
  if (expr->kind == TX_OP && expr->op == OP_ADDR_ADD &&
      lane_form(s->lanes, expr->args.data[1]) == LANES_UNIFORM) {
    TreeExpr *flat = NEW(arena_of(s), TreeExpr);
    *flat = *expr;
    flat->args = (TreeExprVec){0};
    vec_push(arena_of(s), &flat->args, split_to_leaf(s, expr->args.data[0]));
    vec_push(arena_of(s), &flat->args, expr->args.data[1]);
    return flat;
  }
  return split_to_leaf(s, expr);
}

static TreeExpr *split_arg(Split *s, const TreeExpr *expr, uint32_t i) {
  TreeExpr *arg = expr->args.data[i];
  switch (expr->op) {
  case OP_ROW_DOT:
  case OP_ROW_GET: return split_taps(s, arg);
  case OP_WINDOW_DOT:
    if (!lane_is_window_dot(s->lanes, expr)) break;
    return i == 0 ? split_to_leaf(s, arg) : split_taps(s, arg);
  case OP_ROW_FMA:
  case OP_ROW_SCALE: return i == 1 ? split_factor(s, arg) : split(s, arg);
  case OP_ROW_LOAD: return split_address(s, arg);
  case OP_STRAND_STATE: return split_to_leaf(s, arg);
  default: break; /* as its form says */
  }
  if (expr->op == OP_SELECT && lane_is_by_places(expr))
    return i == 0 ? split_to_leaf(s, arg) : split_places(s, arg);
  if (lane_form(s->lanes, arg) == LANES_TAPS && type_is(arg->ty, TY_SEQ))
    return split_to_leaf(s, arg);
  if (is_even(s, arg) && !is_even(s, expr) && !lane_is_of_even(s->lanes, expr))
    return split_to_leaf(s, arg);
  if (is_columns(s, arg)) return split_to_leaf(s, arg);
  bool is_each = !type_is(expr->ty, TY_ROW) && lane_is_each(s->lanes, expr);
  if (is_each && lane_form(s->lanes, arg) == LANES_VECTOR) return split_to_leaf(s, arg);
  return split(s, arg);
}

/* An address of samples that may be copied, with the plain one as its second operand. */
static TreeExpr *split_copied(Split *s, const TreeExpr *expr) {
  TreeExpr *flat = NEW(arena_of(s), TreeExpr);
  *flat = *expr;
  flat->args = (TreeExprVec){0};
  vec_push(arena_of(s), &flat->args, expr->args.data[0]);
  vec_push(arena_of(s), &flat->args, split_to_leaf(s, lane_plain_address(s->lanes, expr)));
  return flat;
}

/* The operands split; the op itself stays where it is. */
static TreeExpr *split_args(Split *s, const TreeExpr *expr) {
  if (tree_may_copy(expr)) return split_copied(s, expr);
  TreeExpr *flat = NEW(arena_of(s), TreeExpr);
  *flat = *expr;
  flat->args = (TreeExprVec){0};
  for (uint32_t i = 0; i < expr->args.len; i++)
    vec_push(arena_of(s), &flat->args, split_arg(s, expr, i));
  return flat;
}

static bool is_own_list(const Split *s, const TreeExpr *expr) {
  return lane_is_list(expr->ty) && !is_even(s, expr) && !is_columns(s, expr);
}

/* The same with operands that can be read lane by lane. */
static TreeExpr *split_leaves(Split *s, const TreeExpr *expr) {
  TreeExpr *flat = NEW(arena_of(s), TreeExpr);
  *flat = *expr;
  flat->args = (TreeExprVec){0};
  for (uint32_t i = 0; i < expr->args.len; i++)
    vec_push(arena_of(s), &flat->args, split_to_leaf(s, expr->args.data[i]));
  return flat;
}

/* Whether an expression is computed in a loop over lanes, into a variable; so are queries. */
static bool is_each(const Split *s, const TreeExpr *expr) {
  if (expr->kind == TX_OP && (expr->op == OP_SPHERE || is_own_list(s, expr))) return true;
  if (expr->kind == TX_OP && expr->op == OP_SEQ_INDEX && lane_is_of_hits(s->lanes, expr))
    return true;
  return expr->kind == TX_OP && lane_form(s->lanes, expr) == LANES_VECTOR &&
         lane_is_each(s->lanes, expr);
}

/* Whether an op makes all taps at once. */
static bool makes_taps(const Split *s, const TreeExpr *expr) {
  if (expr->kind == TX_VAR || lane_form(s->lanes, expr) != LANES_TAPS) return false;
  if (type_is(expr->ty, TY_ROW)) return expr->op == OP_ROW_LOAD;
  return lane_is_made_by_lane(s->lanes, expr) || lane_is_system(expr) ||
         lane_is_window(s->lanes, expr);
}

static TreeExpr *split(Split *s, TreeExpr *expr) {
  if (is_leaf(s, expr)) return expr;
  TreeExpr *flat = split_args(s, expr);
  return is_each(s, flat) || makes_taps(s, flat) ? hoist(s, flat, hint_of(flat)) : flat;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* Splits only the operands: an effect has no value. Those of `new` are read lane by lane. */
static TreeExpr *split_effect(Split *s, const TreeStmt *stmt) {
  TreeExpr *flat = NEW(arena_of(s), TreeExpr);
  *flat = *stmt->expr;
  flat->args = (TreeExprVec){0};
  for (uint32_t i = 0; i < stmt->expr->args.len; i++) {
    TreeExpr *arg = stmt->expr->args.data[i];
    vec_push(arena_of(s), &flat->args,
             lanes_is_birth(stmt) ? split_to_leaf(s, arg) : split(s, arg));
  }
  return flat;
}

/* A sequence that is assigned to a variable from whose old value it may be made. */
static TreeExpr *split_new(Split *s, TreeExpr *expr) {
  TreeExpr *flat = split_places(s, expr);
  return is_leaf(s, flat) ? flat : hoist(s, flat, "next");
}

/* A list that each lane has for itself is made lane by lane; its part of an even one is taken from
 * a variable. */
static TreeExpr *split_own(Split *s, TreeExpr *expr) {
  const bool is_op = expr->kind == TX_OP && lane_makes_list(expr);
  const bool is_one = is_op && !s->lanes->has_columns; /* op for each lane */
  if (is_one && (expr->op == OP_SEQ || !is_even(s, expr))) return split_leaves(s, expr);
  TreeExpr *flat = split(s, expr);
  return is_even(s, flat) ? split_to_leaf(s, flat) : flat;
}

/* The whole value of a declaration may be computed lane by lane: it is a variable. */
static TreeExpr *split_value(Split *s, const TreeStmt *stmt) {
  if (!stmt->expr) return NULL;
  if (stmt->kind == TT_EFFECT) return split_effect(s, stmt);
  if (lane_is_places(stmt->expr->ty) && stmt->kind == TT_ASSIGN) return split_new(s, stmt->expr);
  if (lane_is_list(stmt->expr->ty) && lane_var(s->lanes, stmt->var)->form == LANES_ARRAY)
    return split_own(s, stmt->expr);
  if (stmt->kind != TT_DECLARE || stmt->var->is_mutable || is_leaf(s, stmt->expr))
    return split(s, stmt->expr);
  return split_args(s, stmt->expr);
}

/* Taps that are made in a branch cannot be used after it: returns the map before it. */
static Map *open_taps(Lanes *lanes) {
  Map *outer = lanes->taps;
  lanes->taps = map_new(lanes->gen->cx->arena);
  for (uint32_t i = 0; i < map_len(outer); i++)
    map_put(lanes->taps, map_key(outer, i), map_value(outer, i));
  return outer;
}

static void split_stmt(Split *s, const TreeStmt *stmt);

static TreeStmtVec split_body(Lanes *lanes, const TreeStmtVec *stmts, bool is_masked) {
  if (!is_masked || !lanes_walk_alone(lanes, stmts)) return lanes_split(lanes, stmts);
  map_put(lanes->alone, stmts->data[0], lanes);
  return *stmts;
}

/* The values of a reduction are computed at the end of its body. */
static void split_reduce(Split *s, const TreeStmt *stmt) {
  TreeStmt *flat = NEW(arena_of(s), TreeStmt);
  Split body = {.lanes = s->lanes};
  Map *outer = open_taps(s->lanes);
  *flat = *stmt;
  flat->expr = split(s, stmt->expr);
  flat->limit = split_to_leaf(s, stmt->limit);
  flat->values = (TreeExprVec){0};
  for (uint32_t i = 0; i < stmt->body.len; i++) split_stmt(&body, stmt->body.data[i]);
  for (uint32_t i = 0; i < stmt->values.len; i++)
    vec_push(arena_of(s), &flat->values, split(&body, stmt->values.data[i]));
  flat->body = body.out;
  s->lanes->taps = outer;
  vec_push(arena_of(s), &s->out, flat);
}

static void split_stmt(Split *s, const TreeStmt *stmt) {
  if (stmt->kind == TT_REDUCE) {
    split_reduce(s, stmt);
    return;
  }
  TreeStmt *flat = NEW(arena_of(s), TreeStmt);
  *flat = *stmt;
  flat->expr = split_value(s, stmt);
  if (stmt->limit) flat->limit = split_to_leaf(s, stmt->limit);
  flat->values = (TreeExprVec){0};
  for (uint32_t i = 0; i < stmt->values.len; i++) {
    TreeExpr *value = stmt->values.data[i];
    vec_push(arena_of(s), &flat->values, value ? split_own(s, value) : NULL);
  }
  bool is_masked = stmt->kind == TT_IF && lane_form(s->lanes, stmt->expr) != LANES_UNIFORM;
  flat->body = split_body(s->lanes, &stmt->body, is_masked);
  flat->else_body = split_body(s->lanes, &stmt->else_body, is_masked);
  vec_push(arena_of(s), &s->out, flat);
}

TreeStmtVec lanes_split(Lanes *lanes, const TreeStmtVec *stmts) {
  Split s = {.lanes = lanes};
  Map *outer = open_taps(lanes);
  for (uint32_t i = 0; i < stmts->len; i++) split_stmt(&s, stmts->data[i]);
  lanes->taps = outer;
  return s.out;
}

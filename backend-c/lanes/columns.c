/* columns: dynamic sequences in lanes whose lengths may differ: columns of one table of vectors
 * (ddr/lanes/columns.h).
 *
 *   path = path @ head;
 *   const ddr_vcolumns path_2 = DDR_VCOLUMNS_WITH(ddr_vcolumns_append_real, pool, path, mask, ...);
 *
 * What strands have in memory are sequences of their own. A strand's sequence becomes a column when
 * it gets a lane, and a sequence again when it leaves it; so strands should take several steps, and
 * in lock-step, where they never do, each lane has a sequence (lists.c).
 */
#include "backend-c/lanes/local.h"

/* ---- where ----------------------------------------------------------------------------------- */

static bool has_vectors(const Type *ty) { return lane_form_of_type(type_elem(ty)) == LANES_VECTOR; }

/* Whether all lists that the expression makes or reads can be columns. */
static bool fits_expr(const TreeExpr *expr) {
  if (expr->ty && lane_is_list(expr->ty) && !has_vectors(expr->ty)) return false;
  if (expr->kind == TX_VAR) return true;
  if (expr->op == OP_SEQ_DYNAMIC && !lane_is_places(expr->args.data[0]->ty)) return false;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (!fits_expr(expr->args.data[i])) return false;
  return true;
}

static bool fits_all(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->expr && !fits_expr(stmt->expr)) return false;
    for (uint32_t k = 0; k < stmt->values.len; k++)
      if (stmt->values.data[k] && !fits_expr(stmt->values.data[k])) return false;
    if (!fits_all(&stmt->body) || !fits_all(&stmt->else_body)) return false;
  }
  return true;
}

bool lanes_use_columns(const Lanes *lanes) {
  const Gen *gen = lanes->gen;
  const Module *m = gen->program->module;
  if (!gen_uses_pool(gen) || gen_is_lockstep(gen)) return false;
  for (uint32_t i = 0; i < m->state.len; i++)
    if (lane_is_list(m->state.data[i].ty) && !has_vectors(m->state.data[i].ty)) return false;
  return fits_all(lanes->body);
}

bool lanes_own_columns(const Lanes *lanes) {
  return lanes->has_columns && gen_owns_seqs(lanes->gen, FN_UPDATE);
}

bool lane_is_columns(const Lanes *lanes, const Type *ty) {
  return lanes->has_columns && lane_is_list(ty);
}

bool lane_is_of_columns(const Lanes *lanes, const TreeExpr *expr) {
  return expr->kind == TX_OP && (expr->op == OP_SEQ_INDEX || expr->op == OP_SEQ_LEN) &&
         lane_form(lanes, expr->args.data[0]) == LANES_COLUMNS;
}

/* ---- operands -------------------------------------------------------------------------------- */

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static const char *vector_type(Lanes *lanes, const Type *list) {
  return lane_type(lanes, gen_part_type(lanes->gen, list));
}

/* The word of real, int or bool in the names of functions. */
static const char *named(Lanes *lanes, const char *stem, const Type *list) {
  const char *word = lane_word(gen_part_type(lanes->gen, list));
  return text_format(lanes->gen->cx->arena, "ddr_vcolumns_%s_%s", stem, word);
}

static CExpr *n_parts(Lanes *lanes, const Type *list) {
  return c_int(lanes->gen->cx, gen_parts_per_element(list));
}

static CExpr *row_size(Lanes *lanes, const Type *list) {
  Cx *cx = lanes->gen->cx;
  CExpr *vector = c_call1(cx, "sizeof", name(lanes, vector_type(lanes, list)));
  return c_binary(cx, "*", n_parts(lanes, list), vector);
}

static CExpr *mask(Lanes *lanes) { return name(lanes, lanes->scope.mask); }

/* ---- making ---------------------------------------------------------------------------------- */

/* DDR_VCOLUMNS_OF(pool, n, type, parts...) */
static CExpr *of_parts(Lanes *lanes, const TreeExpr *expr, CExprVec parts) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  if (parts.len == 0) return c_call(cx, "ddr_vcolumns_empty", args);
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, c_int(cx, parts.len / gen_parts_per_element(expr->ty)));
  c_push(cx, &args, name(lanes, vector_type(lanes, expr->ty)));
  for (uint32_t i = 0; i < parts.len; i++) c_push(cx, &args, parts.data[i]);
  return c_call(cx, "DDR_VCOLUMNS_OF", args);
}

static CExpr *literal(Lanes *lanes, const TreeExpr *expr) {
  CExprVec parts = {0};
  for (uint32_t i = 0; i < expr->args.len; i++)
    c_push(lanes->gen->cx, &parts, lane_expr(lanes, expr->args.data[i]));
  return of_parts(lanes, expr, parts);
}

static CExpr *of_places(Lanes *lanes, const TreeExpr *expr) {
  const TreeExpr *fixed = expr->args.data[0];
  CExprVec parts = {0};
  const uint32_t n = lane_width(fixed->ty);
  for (uint32_t i = 0; i < n; i++) c_push(lanes->gen->cx, &parts, lane_place(lanes, fixed, i));
  return of_parts(lanes, expr, parts);
}

/* DDR_VCOLUMNS_WITH(fn, pool, list, mask, type, parts...) */
static CExpr *longer(Lanes *lanes, const TreeExpr *expr, const char *stem) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, named(lanes, stem, expr->ty)));
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, lane_columns(lanes, expr->args.data[0]));
  c_push(cx, &args, mask(lanes));
  c_push(cx, &args, name(lanes, vector_type(lanes, expr->ty)));
  for (uint32_t i = 1; i < expr->args.len; i++)
    c_push(cx, &args, lane_expr(lanes, expr->args.data[i]));
  return c_call(cx, "DDR_VCOLUMNS_WITH", args);
}

static CExpr *concatenation(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, lane_columns(lanes, expr->args.data[0]));
  c_push(cx, &args, lane_columns(lanes, expr->args.data[1]));
  c_push(cx, &args, mask(lanes));
  c_push(cx, &args, n_parts(lanes, expr->ty));
  return c_call(cx, named(lanes, "concat", expr->ty), args);
}

static CExpr *range(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, mask(lanes));
  c_push(cx, &args, lane_expr(lanes, expr->args.data[0]));
  c_push(cx, &args, lane_expr(lanes, expr->args.data[1]));
  return c_call(cx, "ddr_vcolumns_range", args);
}

/* ddr_vcolumns_merged_real(pool, mask, yes, no, gang->mask, n): lanes that do not run do not
 * matter.
 */
static CExpr *merged(Lanes *lanes, const Type *ty, CExpr *lanes_in, CExpr *yes, CExpr *no,
                     CExpr *alive) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, lanes_in);
  c_push(cx, &args, yes);
  c_push(cx, &args, no);
  c_push(cx, &args, alive);
  c_push(cx, &args, n_parts(lanes, ty));
  return c_call(cx, named(lanes, "merged", ty), args);
}

static CExpr *running(Lanes *lanes) { return c_arrow(lanes->gen->cx, name(lanes, "gang"), "mask"); }

static CExpr *selected(Lanes *lanes, const TreeExpr *expr) {
  const TreeExpr *cond = expr->args.data[0];
  CExpr *yes = lane_columns(lanes, expr->args.data[1]);
  CExpr *no = lane_columns(lanes, expr->args.data[2]);
  if (lane_form(lanes, cond) == LANES_UNIFORM)
    return c_cond(lanes->gen->cx, gen_expr(lanes->gen, cond), yes, no);
  return merged(lanes, expr->ty, lane_expr(lanes, cond), yes, no, running(lanes));
}

/* A list that all lanes share. */
static CExpr *alike(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, gen_expr(lanes->gen, expr));
  c_push(cx, &args, n_parts(lanes, expr->ty));
  return c_call(cx, named(lanes, "of_alike", expr->ty), args);
}

static CExpr *of_even(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, lane_even_list(lanes, expr));
  c_push(cx, &args, row_size(lanes, expr->ty));
  return c_call(cx, "ddr_vcolumns_of_even", args);
}

CExpr *lane_columns(Lanes *lanes, const TreeExpr *expr) {
  const LaneForm form = lane_form(lanes, expr);
  const bool is_literal = expr->kind == TX_OP && expr->op == OP_SEQ;
  if (form == LANES_UNIFORM) return alike(lanes, expr);
  if (form == LANES_EVEN && !is_literal) return of_even(lanes, expr);
  if (expr->kind == TX_VAR) return name(lanes, expr->var->name);
  switch (expr->op) {
  case OP_SEQ: return literal(lanes, expr);
  case OP_SEQ_DYNAMIC: return of_places(lanes, expr);
  case OP_SEQ_APPEND: return longer(lanes, expr, "append");
  case OP_SEQ_PREPEND: return longer(lanes, expr, "prepend");
  case OP_SEQ_CONCAT: return concatenation(lanes, expr);
  case OP_SEQ_RANGE: return range(lanes, expr);
  case OP_SELECT: return selected(lanes, expr);
  /* No other op makes a list. */
  default: BUG(lanes->gen->cx, "op %s makes no columns", op_text(expr->op));
  }
}

/* ---- reading --------------------------------------------------------------------------------- */

CExpr *lane_in_columns(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  const TreeExpr *list = expr->args.data[0], *idx = expr->args.data[1];
  const bool is_alike = lane_form(lanes, idx) == LANES_UNIFORM;
  const char *fn = is_alike ? "ddr_vcolumns" : "ddr_vcolumns_at";
  CExprVec args = {0};
  c_push(cx, &args, lane_columns(lanes, list));
  if (is_alike) c_push(cx, &args, mask(lanes));
  c_push(cx, &args, is_alike ? gen_expr(lanes->gen, idx) : lane_expr(lanes, idx));
  c_push(cx, &args, n_parts(lanes, list->ty));
  c_push(cx, &args, c_int(cx, expr->attr.i));
  return c_call(cx, text_format(cx->arena, "%s_%s", fn, lane_word(expr->ty)), args);
}

CExpr *lane_of_columns(Lanes *lanes, const Type *ty, CExpr *list, bool is_last) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, c_unary(cx, "&", list));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, n_parts(lanes, ty));
  return c_call(cx, named(lanes, is_last ? "give" : "lane", ty), args);
}

/* ---- statements ------------------------------------------------------------------------------ */

/* The list that an expression makes longer at one end, or NULL. */
static const TreeVar *lengthened(const TreeExpr *expr) {
  const bool is_longer =
      expr->kind == TX_OP && (expr->op == OP_SEQ_APPEND || expr->op == OP_SEQ_PREPEND);
  return is_longer && expr->args.data[0]->kind == TX_VAR ? expr->args.data[0]->var : NULL;
}

/* Whether a list is the value of the variable, with more elements in the lanes of the mask. Other
 * lanes have the same elements in both. */
static bool is_longer(const Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  if (expr->kind != TX_VAR) return lengthened(expr) == var;
  const struct LaneLonger *longer = &lane_var(lanes, expr->var)->longer;
  return longer->list == var && longer->mask == lanes->scope.mask &&
         longer->n_set == lane_var(lanes, var)->n_set && longer->n_loops == lanes->scope.n_loops;
}

/* Notes that the variable begins as a longer list. */
static void note_longer(const Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  const TreeVar *list = lengthened(expr);
  const LaneVar *lane = list ? lane_var(lanes, list) : NULL;
  if (!lane || lane->form != LANES_COLUMNS || lane_form(lanes, expr) != LANES_COLUMNS) return;
  lane_var(lanes, var)->longer = (struct LaneLonger){.list = list,
                                                     .mask = lanes->scope.mask,
                                                     .n_set = lane->n_set,
                                                     .n_loops = lanes->scope.n_loops};
}

void lane_declare_columns(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Emit *em = &lanes->gen->em;
  if (expr && !var->is_mutable) note_longer(lanes, var, expr);
  if (!expr) em_declare_zero(em, "ddr_vcolumns", var->name);
  else if (var->is_mutable) em_declare(em, "ddr_vcolumns", var->name, lane_columns(lanes, expr));
  else em_declare_const(em, "ddr_vcolumns", var->name, lane_columns(lanes, expr));
}

void lane_set_columns(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  LaneVar *lane = lane_var(lanes, var);
  const bool is_merged = lanes->scope.depth > lane->depth && !is_longer(lanes, var, expr);
  lane_assign_columns(lanes, name(lanes, var->name), expr, is_merged ? lanes->scope.mask : NULL);
  lane->n_set++;
}

void lane_assign_columns(Lanes *lanes, CExpr *list, const TreeExpr *expr, const char *lanes_in) {
  CExpr *value = lane_columns(lanes, expr);
  if (lanes_in) value = merged(lanes, expr->ty, name(lanes, lanes_in), value, list, running(lanes));
  em_assign(&lanes->gen->em, list, value);
}

void lane_keep_columns(Lanes *lanes, const Type *ty, CExpr *at_rest, CExpr *value,
                       const char *lanes_in) {
  Cx *cx = lanes->gen->cx;
  CExpr *all = c_call1(cx, "ddr_vbool_all", c_bool(cx, true));
  if (lanes_in) value = merged(lanes, ty, name(lanes, lanes_in), value, at_rest, all);
  em_assign(&lanes->gen->em, at_rest, value);
}

/* ddr_vcolumns_put_real(pool, &rest->path, lane, strand->path, n) */
void lane_move_columns(Lanes *lanes, const Type *ty, CExpr *in_lanes, CExpr *alone, bool is_load) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  if (!is_load) {
    em_assign(&lanes->gen->em, alone, lane_of_columns(lanes, ty, in_lanes, true));
    return;
  }
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, c_unary(cx, "&", in_lanes));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, alone);
  c_push(cx, &args, n_parts(lanes, ty));
  em_expr(&lanes->gen->em, c_call(cx, named(lanes, "put", ty), args));
}

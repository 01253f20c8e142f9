/* even_lists: dynamic sequences that have the same length in all lanes, because no lane is assigned
 * another one than its neighbours: lists that are made at once, or in loops over uniform ranges.
 * One sequence of the runtime holds all of them; its elements are vectors (ddr/lanes/lists.h).
 *
 *   { F(p + [k, 0]) | k in 0..n }      for (...)
 *                                        s = DDR_APPEND(pool, s, ddr_vreal, value);
 *
 * They are made whatever the mask is: what inactive lanes put in does not matter.
 */
#include "backend-c/lanes/local.h"

static bool has_vectors(const Type *ty) {
  return lane_is_list(ty) && lane_form_of_type(type_elem(ty)) == LANES_VECTOR;
}

static bool is_even(const Lanes *lanes, const TreeExpr *expr) {
  return lane_form(lanes, expr) == LANES_EVEN;
}

bool lane_makes_even(const Lanes *lanes, const TreeExpr *expr) {
  if (!has_vectors(expr->ty) || expr->op == OP_SEQ_DYNAMIC || expr->op == OP_SEQ_RANGE)
    return false;
  if (!gen_uses_pool(lanes->gen)) return false; /* there are none but empty ones */
  for (uint32_t i = 0; i < expr->args.len; i++) {
    const TreeExpr *arg = expr->args.data[i];
    if (lane_is_list(arg->ty) && !is_even(lanes, arg)) return false;
  }
  return true;
}

bool lane_is_even_length(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->op != OP_SEQ_LEN || expr->args.data[0]->kind != TX_VAR) return false;
  return is_even(lanes, expr->args.data[0]);
}

bool lane_is_of_even(const Lanes *lanes, const TreeExpr *expr) {
  return expr->op == OP_SEQ_INDEX && is_even(lanes, expr->args.data[0]);
}

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static const char *element_type(Lanes *lanes, const TreeExpr *list) {
  return lane_type(lanes, gen_part_type(lanes->gen, list->ty));
}

static CExpr *element_size(Lanes *lanes, const TreeExpr *list) {
  Cx *cx = lanes->gen->cx;
  CExpr *vector = c_call1(cx, "sizeof", name(lanes, element_type(lanes, list)));
  return c_binary(cx, "*", c_int(cx, gen_parts_per_element(list->ty)), vector);
}

static void push_from(Lanes *lanes, const TreeExpr *expr, uint32_t first, CExprVec *args) {
  for (uint32_t i = first; i < expr->args.len; i++)
    c_push(lanes->gen->cx, args, lane_expr(lanes, expr->args.data[i]));
}

/* DDR_LIST(pool, n, type, parts...) */
static CExpr *literal(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  if (expr->args.len == 0) return c_call(cx, "ddr_seq_empty", args);
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, c_int(cx, expr->args.len / gen_parts_per_element(expr->ty)));
  c_push(cx, &args, name(lanes, element_type(lanes, expr)));
  push_from(lanes, expr, 0, &args);
  return c_call(cx, "DDR_LIST", args);
}

/* fn(pool, list, type, parts...) */
static CExpr *longer(Lanes *lanes, const TreeExpr *expr, const char *fn) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, lane_even_list(lanes, expr->args.data[0]));
  c_push(cx, &args, name(lanes, element_type(lanes, expr)));
  push_from(lanes, expr, 1, &args);
  return c_call(cx, fn, args);
}

static CExpr *concatenation(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "pool"));
  c_push(cx, &args, lane_even_list(lanes, expr->args.data[0]));
  c_push(cx, &args, lane_even_list(lanes, expr->args.data[1]));
  c_push(cx, &args, element_size(lanes, expr));
  return c_call(cx, "ddr_seq_concat", args);
}

CExpr *lane_even_list(Lanes *lanes, const TreeExpr *expr) {
  if (expr->kind == TX_VAR) {
    if (!is_even(lanes, expr)) BUG(lanes->gen->cx, "%s is no even list", expr->var->name);
    return name(lanes, expr->var->name);
  }
  switch (expr->op) {
  case OP_SEQ: return literal(lanes, expr);
  case OP_SEQ_APPEND: return longer(lanes, expr, "DDR_APPEND");
  case OP_SEQ_PREPEND: return longer(lanes, expr, "DDR_PREPEND");
  case OP_SEQ_CONCAT: return concatenation(lanes, expr);
  default: BUG(lanes->gen->cx, "op %s makes no even list", op_text(expr->op));
  }
}

CExpr *lane_in_even(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  const TreeExpr *list = expr->args.data[0], *idx = expr->args.data[1];
  const bool is_alike = lane_form(lanes, idx) == LANES_UNIFORM;
  CExprVec args = {0};
  c_push(cx, &args, lane_even_list(lanes, list));
  c_push(cx, &args, is_alike ? gen_expr(lanes->gen, idx) : lane_expr(lanes, idx));
  c_push(cx, &args, c_int(cx, gen_parts_per_element(list->ty)));
  c_push(cx, &args, c_int(cx, expr->attr.i));
  const char *fn = is_alike ? "ddr_vlist" : "ddr_vlist_at";
  return c_call(cx, text_format(cx->arena, "%s_%s", fn, lane_word(expr->ty)), args);
}

CExpr *lane_of_even(Gen *gen, const TreeVar *list) {
  Cx *cx = gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, c_name(cx, "pool"));
  c_push(cx, &args, c_name(cx, list->name));
  c_push(cx, &args, c_name(cx, "lane"));
  c_push(cx, &args, c_int(cx, gen_parts_per_element(list->ty)));
  const char *word = lane_word(gen_part_type(gen, list->ty));
  return c_call(cx, text_format(cx->arena, "ddr_list_of_lane_%s", word), args);
}

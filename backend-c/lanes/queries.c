/* queries: access to other strands from lanes: queries of a gang, which give a row of hits for each
 * round of a loop (ddr/lanes/hits.h), and states of others.
 *
 *   foreach (particle q in sphere(r))
 *   const ddr_vhits near = ddr_vsphere2(block, gang, mask, x, y, r);
 *   while (...) {
 *     const uint32_t *q = ddr_vhits_at(&near, i);
 */
#include "backend-c/lanes/local.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- queries --------------------------------------------------------------------------------- */

bool lane_is_of_hits(const Lanes *lanes, const TreeExpr *expr) {
  return expr->kind == TX_OP && (expr->op == OP_SEQ_LEN || expr->op == OP_SEQ_INDEX) &&
         lane_form(lanes, expr->args.data[0]) == LANES_HITS;
}

bool lane_is_each_hit(const Lanes *lanes, const TreeExpr *expr) {
  return lane_is_of_hits(lanes, expr) && expr->op == OP_SEQ_INDEX &&
         lane_form(lanes, expr->args.data[1]) != LANES_UNIFORM;
}

bool lane_is_row_of_hits(const Lanes *lanes, const TreeExpr *expr) {
  return lane_is_of_hits(lanes, expr) && expr->op == OP_SEQ_INDEX && !lane_is_each_hit(lanes, expr);
}

/* ddr_vsphere2(block, gang, mask, x, y, radius) */
CExpr *lane_query(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "gang"));
  c_push(cx, &args, name(lanes, lanes->scope.mask));
  for (uint32_t i = 0; i < expr->args.len; i++)
    c_push(cx, &args, lane_expr(lanes, expr->args.data[i]));
  return c_call(cx, text_format(cx->arena, "ddr_vsphere%u", expr->args.len - 1), args);
}

static CExpr *address_of_hits(Lanes *lanes, const TreeExpr *expr) {
  return c_unary(lanes->gen->cx, "&", name(lanes, expr->args.data[0]->var->name));
}

CExpr *lane_row_of_hits(Lanes *lanes, const TreeExpr *expr) {
  return c_call2(lanes->gen->cx, "ddr_vhits_at", address_of_hits(lanes, expr),
                 gen_expr(lanes->gen, expr->args.data[1]));
}

CExpr *lane_hit(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, address_of_hits(lanes, expr));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, gen_expr(lanes->gen, expr->args.data[1]));
  return c_call(cx, "ddr_hit_of_lane", args);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* ddr_vreal_of_hits(&states->pos[1], sizeof *states, others) */
CExpr *lane_state_of_others(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  const VarRef var = expr->attr.var;
  CExpr *states = name(lanes, "states");
  CExpr *first = c_arrow(cx, states, lanes->gen->program->state[var.index].field);
  if (var.component != WHOLE) first = c_index_int(cx, first, var.component);
  CExprVec args = {0};
  c_push(cx, &args, c_unary(cx, "&", first));
  c_push(cx, &args, c_call1(cx, "sizeof", c_unary(cx, "*", states)));
  c_push(cx, &args, name(lanes, expr->args.data[0]->var->name));
  return c_call(cx, text_format(cx->arena, "ddr_v%s_of_hits", lane_word(expr->ty)), args);
}

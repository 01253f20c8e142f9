/* neighbours: what strands read of other strands: references, states, queries. A reference is a
 * slot of the store; its state is that of the start of the superstep in strand code, and the
 * current one in global blocks: callers pass the right `states`. Next: births.c. */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static CExpr *state_of_struct(Gen *gen, CExpr *strand, VarRef var) {
  CExpr *field = c_dot(gen->cx, strand, gen->program->state[var.index].field);
  return var.component == WHOLE ? field : c_index_int(gen->cx, field, var.component);
}

const char *gen_gather_name(Gen *gen, uint32_t var) {
  return text_format(gen->cx->arena, "%s_gather_%s", gen->program->strand,
                     gen->program->state[var].field);
}

CExpr *gen_group_of(Gen *gen, const char *states, CExpr *slot) {
  return c_index(gen->cx, name(gen, states), c_call1(gen->cx, "ddr_group_of", slot));
}

CExpr *gen_lane_of(Gen *gen, CExpr *slot) { return c_call1(gen->cx, "ddr_lane_of", slot); }

/* value_to_lane(&state[ddr_group_of(slot)], ddr_lane_of(slot), strand) */
void gen_move_strand(Gen *gen, const char *mover, CExpr *slot, CExpr *strand) {
  Cx *cx = gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, c_unary(cx, "&", gen_group_of(gen, "state", slot)));
  c_push(cx, &args, gen_lane_of(gen, slot));
  c_push(cx, &args, strand);
  em_expr(&gen->em, c_call(cx, text_format(cx->arena, "%s_%s", gen->program->strand, mover), args));
}

CExpr *gen_vector_of(Gen *gen, CExpr *slot, VarRef var) {
  return state_of_struct(gen, gen_group_of(gen, "states", slot), var);
}

/* states[other].pos[1], or states[ddr_group_of(other)].pos[1][ddr_lane_of(other)]: an element of a
 * vector or a mask */
CExpr *gen_state_of(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  CExpr *slot = gen_expr(gen, expr->args.data[0]);
  if (!gen->has_groups)
    return state_of_struct(gen, c_index(cx, name(gen, "states"), slot), expr->attr.var);
  CExpr *value = c_index(cx, gen_vector_of(gen, slot, expr->attr.var), gen_lane_of(gen, slot));
  return type_is(expr->ty, TY_BOOL) ? c_binary(cx, "!=", value, c_int(cx, 0)) : value;
}

/* ddr_sphere2(block, x, y, radius, slot) */
static CExpr *gen_sphere(Gen *gen, const TreeExpr *expr, const char *fn) {
  CExprVec args = {0};
  c_push(gen->cx, &args, name(gen, "block"));
  gen_args_from(gen, expr, 0, &args);
  c_push(gen->cx, &args, name(gen, "slot"));
  return c_call(gen->cx, text_format(gen->cx->arena, "%s%u", fn, expr->args.len - 1), args);
}

CExpr *gen_strand_op(Gen *gen, const TreeExpr *expr, const char *fn) {
  switch (expr->op) {
  case OP_STRAND_STATE: return gen->how->load_other(gen, expr);
  case OP_SPHERE: return gen_sphere(gen, expr, fn);
  default: BUG(gen->cx, "op %s is not about strands", op_text(expr->op)); /* all others are above */
  }
}

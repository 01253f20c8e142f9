/* neighbours: what strands read of other strands: references, states, queries. A reference is a
 * slot of the store; its state is that of the start of the superstep in strand code, and the
 * current one in global blocks: callers pass the right `states`. Next: births.c. */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* states[other].pos[1] */
CExpr *gen_state_of(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  const VarRef var = expr->attr.var;
  CExpr *strand = c_index(cx, name(gen, "states"), gen_expr(gen, expr->args.data[0]));
  CExpr *field = c_dot(cx, strand, gen->program->state[var.index].field);
  return var.component == WHOLE ? field : c_index_int(cx, field, var.component);
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

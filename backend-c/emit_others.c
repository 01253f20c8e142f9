/* emit_others: what strands have to do with others: references, states, queries, births. A
 * reference is a slot of the store; the state behind it is that of the start of the superstep in
 * strand code, and the current one in global blocks: whoever calls passes the right `states`.
 */
#include "backend-c/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* ---- expressions -------------------------------------------------------------------------------
 */

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
  default: BUG(gen->cx, "op %s is not about strands", op_text(expr->op)); /* all are above */
  }
}

/* ---- births ------------------------------------------------------------------------------------
 */

static const char *birth_name(Gen *gen) {
  return text_format(gen->cx->arena, "%s_new", gen->program->strand);
}

void gen_new_strand(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  gen_context_of(gen, gen_birth_needs(gen), IN_FUNCTION, &args);
  gen_args_from(gen, expr, 0, &args);
  em_expr(&gen->em, c_call(gen->cx, birth_name(gen), args));
}

CExpr *gen_newborn(Gen *gen) { return c_call1(gen->cx, "ddr_new_strand", name(gen, "block")); }

/* Without memory there is no child, which the runtime knows. */
void gen_birth(Gen *gen, const TreeFunc *create) {
  Cx *cx = gen->cx;
  CFunc head = {.qualifiers = gen->how->function, .result = "void", .name = birth_name(gen)};
  CExprVec args = {0};
  gen_context_params(gen, STATES_BEFORE, gen_birth_needs(gen), &head);
  gen_context_args(gen, create, IN_FUNCTION, &args);
  c_push(cx, &args, name(gen, "child"));
  for (uint32_t i = 0; i < create->params.len; i++) {
    const TreeVar *param = create->params.data[i];
    CParam own = {.type = gen_type(gen, param->ty), .name = param->name};
    vec_push(cx->arena, &head.params, own);
    c_push(cx, &args, name(gen, param->name));
  }
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  em_declare(&gen->em, gen_state_pointer(gen), "child", gen->how->newborn(gen));
  em_open_if(&gen->em, c_binary(cx, "==", name(gen, "child"), name(gen, "NULL")));
  em_return(&gen->em, NULL);
  em_close(&gen->em);
  em_expr(&gen->em, c_call(cx, create->name, args));
  gen->how->after_birth(gen, name(gen, "child"));
  em_close(&gen->em);
}

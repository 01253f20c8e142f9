/* births: `new`: the function that creates a strand. */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static const char *birth_name(Gen *gen) {
  return text_format(gen->cx->arena, "%s_new", gen->program->strand);
}

void gen_new_strand(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  gen_context_of(gen, gen_birth_needs(gen), IN_FUNCTION, &args);
  gen_args_from(gen, expr, 0, &args);
  em_expr(&gen->em, c_call(gen->cx, birth_name(gen), args));
  if (gen->update_how && gen->update_how->takes_slots)
    em_expr(&gen->em, c_call2(gen->cx, "ddr_born_of", name(gen, "block"), name(gen, "slot")));
}

CExpr *gen_newborn(Gen *gen) { return c_call1(gen->cx, "ddr_new_strand", name(gen, "block")); }

/* Without memory no strand is created; the runtime records the error. */
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
  gen_trace_birth(gen, false);
  em_expr(&gen->em, c_call(cx, create->name, args));
  gen_trace_birth(gen, true);
  if (gen->how->after_birth) gen->how->after_birth(gen, name(gen, "child"));
  em_close(&gen->em);
}

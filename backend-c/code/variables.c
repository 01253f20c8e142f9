/* variables: what a lock-step program keeps from one superstep to the next, for checkpoints
 * (runtime/src/checkpoint). */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static void describe(Gen *gen, const char *tag, const Type *ty, const TreeName *names, Span span) {
  em_open_row(&gen->em);
  em_member(&gen->em, "name", c_string(gen->cx, names->shown));
  gen_describe_type(gen, ty, span);
  em_member(&gen->em, "offset", gen_offset_of(gen, tag, names->field));
  em_close_row(&gen->em);
}

void gen_variables(Gen *gen) {
  const Module *m = gen->program->module;
  if (!gen_is_lockstep(gen)) return;
  if (m->globals.len > 0) {
    em_blank(&gen->em);
    em_open_table(&gen->em, "static const ddr_variable", "global_variables");
    for (uint32_t i = 0; i < m->globals.len; i++) {
      const Global *global = &m->globals.data[i];
      describe(gen, "globals", global->ty, &gen->program->globals[i], global->span);
    }
    em_close_table(&gen->em);
  }
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_variable", "state_variables");
  for (uint32_t i = 0; i < m->state.len; i++) {
    const StateVar *var = &m->state.data[i];
    describe(gen, gen->program->strand, var->ty, &gen->program->state[i], var->span);
  }
  em_close_table(&gen->em);
}

static CExpr *identity(Gen *gen) {
  const unsigned long long hash = gen->options->identity;
  return c_string(gen->cx, text_format(gen->cx->arena, "%016llx", hash));
}

void gen_variable_members(Gen *gen) {
  const Module *m = gen->program->module;
  if (!gen_is_lockstep(gen)) return;
  em_member(&gen->em, "identity", identity(gen));
  if (m->globals.len > 0) {
    em_member(&gen->em, "n_global_variables", c_int(gen->cx, m->globals.len));
    em_member(&gen->em, "global_variables", name(gen, "global_variables"));
  }
  em_member(&gen->em, "n_state_variables", c_int(gen->cx, m->state.len));
  em_member(&gen->em, "state_variables", name(gen, "state_variables"));
}

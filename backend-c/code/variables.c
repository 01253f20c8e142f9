/* variables: the variables that a lockstep program keeps from one superstep to the next, for
 * checkpoints (runtime/src/checkpoint). */
#include "backend-c/code/local.h"
#include "frontend/base/hash.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static void describe(Gen *gen, const char *tag, const Type *ty, const TreeName *names, Span span) {
  em_open_row(&gen->em);
  em_member(&gen->em, "name", c_string(gen->cx, names->shown));
  gen_describe_type(gen, ty, span);
  em_member(&gen->em, "offset", gen_offset_of(gen, tag, names->field));
  em_close_row(&gen->em);
}

/* Derived globals are computed again when a run resumes, from the globals that were saved. */
static uint32_t n_kept_globals(const Module *m) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->globals.len; i++) n += !m->globals.data[i].is_derived;
  return n;
}

static void describe_globals(Gen *gen) {
  const Module *m = gen->program->module;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_variable", "global_variables");
  for (uint32_t i = 0; i < m->globals.len; i++) {
    const Global *global = &m->globals.data[i];
    if (global->is_derived) continue;
    describe(gen, "globals", global->ty, &gen->program->globals[i], global->span);
  }
  em_close_table(&gen->em);
}

void gen_variables(Gen *gen) {
  const Module *m = gen->program->module;
  if (!gen_is_lockstep(gen)) return;
  if (n_kept_globals(m) > 0) describe_globals(gen);
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_variable", "state_variables");
  for (uint32_t i = 0; i < m->state.len; i++) {
    const StateVar *var = &m->state.data[i];
    describe(gen, gen->program->strand, var->ty, &gen->program->state[i], var->span);
  }
  em_close_table(&gen->em);
}

static uint64_t hash_variable(Gen *gen, uint64_t hash, const Name *name, const Type *ty) {
  return hash_text(hash_text(hash, name->text), type_text(gen->cx, ty));
}

/* Passes may remove variables, so the list of variables is part of the identity. */
static CExpr *identity(Gen *gen) {
  const Module *m = gen->program->module;
  uint64_t hash = gen->options->identity;
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (!m->globals.data[i].is_derived)
      hash = hash_variable(gen, hash, m->globals.data[i].name, m->globals.data[i].ty);
  for (uint32_t i = 0; i < m->state.len; i++)
    hash = hash_variable(gen, hash, m->state.data[i].name, m->state.data[i].ty);
  return c_string(gen->cx, text_format(gen->cx->arena, "%016llx", (unsigned long long)hash));
}

void gen_variable_members(Gen *gen) {
  const Module *m = gen->program->module;
  if (!gen_is_lockstep(gen)) return;
  em_member(&gen->em, "identity", identity(gen));
  if (n_kept_globals(m) > 0) {
    em_member(&gen->em, "n_global_variables", c_int(gen->cx, n_kept_globals(m)));
    em_member(&gen->em, "global_variables", name(gen, "global_variables"));
  }
  em_member(&gen->em, "n_state_variables", c_int(gen->cx, m->state.len));
  em_member(&gen->em, "state_variables", name(gen, "state_variables"));
}

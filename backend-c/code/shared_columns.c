/* shared_columns: the column of what strands read of each other: struct NAME_shared holds the state
 * variables that strand code reads of other strands, as of the start of the superstep. All other
 * variables exist once. A state with dynamic sequences is copied as a whole instead: the runtime
 * looks for their buffers in both columns.
 *
 * The two columns do not swap: Note [The second column] in exchange.c.
 */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* Not if ranks have devices, whose columns are always those of the state. */
bool gen_has_shared(const Gen *gen) {
  const bool has_share = gen->options->has_device && gen->options->workers == BY_RANKS;
  return !has_share && gen_is_dual(gen) && gen_needs_anywhere(gen, NEED_QUERIES) &&
         !gen_owns_seqs(gen, FN_UPDATE);
}

/* If no shared variable ever changes, they are copied when strands are born, and never again. */
bool gen_shares_fixed(const Gen *gen) {
  const Module *m = gen->program->module;
  bool is_fixed = gen_has_shared(gen);
  for (uint32_t i = 0; i < m->state.len; i++)
    is_fixed &= !(m->state.data[i].is_shared && m->state.data[i].is_varying);
  return is_fixed;
}

const char *gen_shared_pointer(Gen *gen) {
  if (!gen_has_shared(gen)) return gen_state_pointer(gen);
  return text_format(gen->cx->arena, "struct %s_shared *", gen->program->strand);
}

void gen_shared_struct(Gen *gen) {
  const Module *m = gen->program->module;
  if (!gen_has_shared(gen)) return;
  em_blank(&gen->em);
  em_open_struct(&gen->em, text_format(gen->cx->arena, "%s_shared", gen->program->strand));
  for (uint32_t i = 0; i < m->state.len; i++)
    if (m->state.data[i].is_shared)
      gen_field(gen, m->state.data[i].ty, gen->program->state[i].field);
  em_close_struct(&gen->em);
}

static void assign_component(Gen *gen, const char *field, uint32_t n_components, uint32_t k) {
  Cx *cx = gen->cx;
  CExpr *dst = c_dot(cx, c_index(cx, name(gen, "shared"), name(gen, "slot")), field);
  CExpr *src = c_dot(cx, c_index(cx, name(gen, "state"), name(gen, "slot")), field);
  if (n_components == 1) em_assign(&gen->em, dst, src);
  else em_assign(&gen->em, c_index_int(cx, dst, k), c_index_int(cx, src, k));
}

static void assign_fields(Gen *gen) {
  const Module *m = gen->program->module;
  for (uint32_t i = 0; i < m->state.len; i++) {
    uint32_t n_components = tree_component_count(m->state.data[i].ty);
    for (uint32_t k = 0; m->state.data[i].is_shared && k < n_components; k++)
      assign_component(gen, gen->program->state[i].field, n_components, k);
  }
}

void gen_share(Gen *gen) {
  if (!gen_has_shared(gen)) return;
  Cx *cx = gen->cx;
  CFunc head = {.qualifiers = "static", .result = "void", .name = "share"};
  const CParam params[] = {{"const ddr_strands *", "strands"},
                           {"int64_t", "begin"},
                           {"int64_t", "end"},
                           {"void *", "before"}};
  for (size_t i = 0; i < sizeof params / sizeof *params; i++)
    vec_push(cx->arena, &head.params, params[i]);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  em_declare(&gen->em, text_format(cx->arena, "const %s", gen_state_pointer(gen)), "state",
             c_arrow(cx, name(gen, "strands"), "state"));
  em_declare(&gen->em, gen_shared_pointer(gen), "shared", name(gen, "before"));
  CParam slot = {.type = "int64_t", .name = "slot"};
  em_open_for(&gen->em, slot, name(gen, "begin"), "<", name(gen, "end"));
  assign_fields(gen);
  em_close(&gen->em);
  em_close(&gen->em);
}

/* emit_sequences: tables of the dynamic sequences in the globals and in states. The runtime copies
 * these sequences between host and device (ddr/device/device.h).
 */
#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* One row: the offset of the sequence in its struct, and the size of an element. */
static void describe(Gen *gen, CExpr *offset, const Type *ty) {
  em_open_row(&gen->em);
  em_member(&gen->em, "offset", offset);
  em_member(&gen->em, "element_size", gen_element_size(gen, ty));
  em_close_row(&gen->em);
}

static CExpr *offset_of_global(Gen *gen, uint32_t i) {
  CExpr *field = name(gen, gen->program->globals[i].field);
  return c_call2(gen->cx, "offsetof", name(gen, "struct globals"), field);
}

static uint32_t gen_globals_table(Gen *gen) {
  const Module *m = gen->program->module;
  uint32_t n = 0;
  if (!gen_owns_seqs(gen, FN_GLOBALS)) return 0;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_seq_place", "global_sequences");
  for (uint32_t i = 0; i < m->globals.len; i++) {
    const Type *ty = m->globals.data[i].ty;
    if (!type_is_dynamic_seq(ty)) continue;
    describe(gen, offset_of_global(gen, i), ty);
    n++;
  }
  em_close_table(&gen->em);
  return n;
}

static uint32_t gen_state_table(Gen *gen) {
  const Module *m = gen->program->module;
  uint32_t n = 0;
  if (!gen_owns_seqs(gen, FN_UPDATE)) return 0;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_seq_place", "state_sequences");
  for (uint32_t i = 0; i < m->state.len; i++) {
    const Type *ty = m->state.data[i].ty;
    if (!type_is_dynamic_seq(ty)) continue;
    describe(gen, device_offset(gen, i, 0), ty);
    n++;
  }
  em_close_table(&gen->em);
  return n;
}

SequenceTables device_gen_sequences(Gen *gen) {
  return (SequenceTables){gen_globals_table(gen), gen_state_table(gen)};
}

void device_describe_sequences(Gen *gen, SequenceTables tables) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  if (tables.n_globals > 0) {
    em_member(em, "n_global_sequences", c_int(cx, tables.n_globals));
    em_member(em, "global_sequences", name(gen, "global_sequences"));
  }
  if (tables.n_states > 0) {
    em_member(em, "n_state_sequences", c_int(cx, tables.n_states));
    em_member(em, "state_sequences", name(gen, "state_sequences"));
  }
}

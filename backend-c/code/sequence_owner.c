/* sequence_owner: ownership of dynamic sequences. New sequences belong to the pool of their block
 * or world; afterwards the state or the globals keep what they refer to and the pool frees the rest
 * (Note [Ownership] in runtime/src/world/sequences.c). Programs without dynamic sequences have no
 * such code.
 */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static const char *of_strand(Gen *gen, const char *what) {
  return text_format(gen->cx->arena, "%s_%s", gen->program->strand, what);
}

bool gen_owns_seqs(const Gen *gen, FuncKind kind) {
  const Module *m = gen->program->module;
  bool is_global = kind == FN_GLOBALS;
  uint32_t n = is_global ? m->globals.len : m->state.len;
  for (uint32_t i = 0; i < n; i++)
    if (type_is_dynamic_seq(is_global ? m->globals.data[i].ty : m->state.data[i].ty)) return true;
  return false;
}

bool gen_uses_pool(const Gen *gen) {
  if (gen_owns_seqs(gen, FN_UPDATE)) return true;
  for (uint32_t i = 0; i < gen->program->funcs.len; i++) {
    const TreeFunc *fn = gen->program->funcs.data[i];
    bool is_strands = fn->kind == FN_CREATE || func_is_method(fn->kind);
    if (is_strands && (gen_needs(gen, fn) & NEED_POOL)) return true;
  }
  return false;
}

/* ---- functions ------------------------------------------------------------------------------- */

static void open_owner(Gen *gen, const char *fn, const char *type, const char *param) {
  CFunc head = {.qualifiers = "static", .result = "void", .name = fn};
  em_param(gen->cx, &head, "ddr_pool *", "pool");
  em_param(gen->cx, &head, type, param);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
}

/* From KEEP on, the sequence may be replaced by a copy. */
typedef enum { LEND, LEAVE, KEEP, GIVE } Deed;

static const char *const verbs[] = {
    [LEND] = "lend", [LEAVE] = "leave", [KEEP] = "keep", [GIVE] = "give"};

static void gen_deed(Gen *gen, Deed deed, const Type *ty, CExpr *seq) {
  if (!type_is_dynamic_seq(ty)) return;
  CExprVec args = {0};
  const bool by_address = deed >= KEEP;
  c_push(gen->cx, &args, name(gen, "pool"));
  c_push(gen->cx, &args, by_address ? c_unary(gen->cx, "&", seq) : seq);
  if (by_address) c_push(gen->cx, &args, gen_element_size(gen, ty));
  em_expr(&gen->em, c_call(gen->cx, text_format(gen->cx->arena, "ddr_seq_%s", verbs[deed]), args));
}

static void gen_global_owner(Gen *gen, Deed deed) {
  const Module *m = gen->program->module;
  open_owner(gen, deed == LEND ? "lend_globals" : "keep_globals",
             deed == LEND ? "const void *" : "void *", "memory");
  gen_declare_globals(gen, deed == LEND);
  for (uint32_t i = 0; i < m->globals.len; i++)
    gen_deed(gen, deed, m->globals.data[i].ty,
             c_arrow(gen->cx, name(gen, "globals"), gen->program->globals[i].field));
  em_close(&gen->em);
}

static void gen_strand_owner(Gen *gen, Deed deed) {
  const Module *m = gen->program->module;
  const char *pointer = gen_state_pointer(gen);
  open_owner(gen, of_strand(gen, verbs[deed]),
             deed < KEEP ? text_format(gen->cx->arena, "const %s", pointer) : pointer, "self");
  for (uint32_t i = 0; i < m->state.len; i++)
    gen_deed(gen, deed, m->state.data[i].ty,
             c_arrow(gen->cx, name(gen, "self"), gen->program->state[i].field));
  em_close(&gen->em);
}

/* Likewise for all strands of the store. */
static void gen_store_owner(Gen *gen, Deed deed) {
  Cx *cx = gen->cx;
  const char *pointer = gen_state_pointer(gen);
  open_owner(gen, text_format(cx->arena, "%s_strands", verbs[deed]),
             deed == LEND ? "const ddr_strands *" : "ddr_strands *", "strands");
  em_declare(&gen->em, deed == LEND ? text_format(cx->arena, "const %s", pointer) : pointer,
             "state", c_arrow(cx, name(gen, "strands"), "state"));
  CParam slot = {.type = "int64_t", .name = "slot"};
  em_open_for(&gen->em, slot, c_int(cx, 0), "<", c_arrow(cx, name(gen, "strands"), "n_slots"));
  CExpr *strand = c_index(cx, name(gen, "state"), name(gen, "slot"));
  em_expr(&gen->em,
          c_call2(cx, of_strand(gen, verbs[deed]), name(gen, "pool"), c_unary(cx, "&", strand)));
  em_close(&gen->em);
  em_close(&gen->em);
}

void gen_owners(Gen *gen) {
  if (gen_owns_seqs(gen, FN_GLOBALS)) {
    gen_global_owner(gen, LEND);
    gen_global_owner(gen, KEEP);
  }
  if (!gen_owns_seqs(gen, FN_UPDATE)) return;
  gen_strand_owner(gen, LEND);
  gen_strand_owner(gen, KEEP);
  if (gen->update_how && gen->update_how->shares_pool) gen_strand_owner(gen, LEAVE);
  if (gen_needs_anywhere(gen, NEED_BIRTHS)) gen_strand_owner(gen, GIVE);
  gen_store_owner(gen, LEND);
  if (gen_is_dual(gen)) gen_store_owner(gen, KEEP);
}

/* ---- in block functions ---------------------------------------------------------------------- */

CExpr *gen_pool_of_block(Gen *gen) { return c_arrow(gen->cx, name(gen, "block"), "pool"); }

/* What others may read until the superstep ends is not lent. */
static void lend_to(Gen *gen, CExpr *pool, CExpr *self) {
  if (!gen_owns_seqs(gen, FN_UPDATE) || gen_is_dual(gen)) return;
  em_expr(&gen->em, c_call2(gen->cx, of_strand(gen, verbs[LEND]), pool, self));
}

void gen_lend(Gen *gen, CExpr *self) { lend_to(gen, gen_pool_of_block(gen), self); }

void gen_enter(Gen *gen, CExpr *self) { lend_to(gen, name(gen, "pool"), self); }

void gen_keep(Gen *gen, CExpr *self) {
  if (!gen_uses_pool(gen)) return;
  if (gen_owns_seqs(gen, FN_UPDATE))
    em_expr(&gen->em, c_call2(gen->cx, of_strand(gen, "keep"), gen_pool_of_block(gen), self));
  em_expr(&gen->em, c_call1(gen->cx, "ddr_pool_sweep", gen_pool_of_block(gen)));
}

void gen_keep_and_leave(Gen *gen, CExpr *self) {
  if (!gen_owns_seqs(gen, FN_UPDATE)) return;
  em_expr(&gen->em, c_call2(gen->cx, of_strand(gen, verbs[KEEP]), name(gen, "pool"), self));
  em_expr(&gen->em, c_call2(gen->cx, of_strand(gen, verbs[LEAVE]), name(gen, "pool"), self));
}

void gen_close_pool(Gen *gen) {
  if (!gen_owns_seqs(gen, FN_UPDATE)) return;
  em_expr(&gen->em, c_call1(gen->cx, "ddr_pool_close", gen_pool_of_block(gen)));
}

void gen_give(Gen *gen, CExpr *child) {
  if (!gen_owns_seqs(gen, FN_UPDATE)) return;
  em_expr(&gen->em, c_call2(gen->cx, of_strand(gen, verbs[GIVE]), name(gen, "pool"), child));
}

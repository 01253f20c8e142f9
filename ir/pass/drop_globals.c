/* drop_globals: removes globals that are never read, and the stores to them.
 *
 *   global "step": real
 *   global_store<"step"> %a          =>      (%a is for dce)
 *
 * Any level.  Needs nothing.  Keeps dom.  Inputs, images and sequences from files stay, because
 * they are set from outside. Works on the whole module, once. Cost linear in it. Next: dce.c.
 */
#include "ir/pass/pass.h"

static void note_reads(const Block *blk, bool *unread) {
  for (const Inst *inst = blk->first; inst; inst = inst->next)
    if (inst_is_op(inst, OP_GLOBAL_LOAD)) unread[inst->attr.var.index] = false;
}

static bool drop_stores(const Block *blk, const bool *unread) {
  bool has_changed = false;
  for (Inst *inst = blk->first, *next; inst; inst = next) {
    next = inst->next;
    if (!inst_is_op(inst, OP_GLOBAL_STORE) || !unread[inst->attr.var.index]) continue;
    inst_remove(inst);
    has_changed = true;
  }
  return has_changed;
}

/* For each global, whether it is never read. */
static bool *find_unread(Arena *scratch, const Module *m) {
  bool *unread = NEWN(scratch, bool, m->globals.len);
  for (uint32_t i = 0; i < m->globals.len; i++) unread[i] = m->globals.data[i].kind == GLOBAL_VAR;
  for (uint32_t f = 0; f < m->funcs.len; f++)
    for (uint32_t i = 0; i < m->funcs.data[f]->blocks.len; i++)
      note_reads(m->funcs.data[f]->blocks.data[i], unread);
  return unread;
}

bool pass_drop_globals(Pass *px, Func *fn) {
  Module *m = px->module;
  if (fn != m->funcs.data[0]) return false; /* with the first function */
  const bool *unread = find_unread(px->cx->scratch, m);
  bool has_changed = false;
  for (uint32_t f = 0; f < m->funcs.len; f++)
    for (uint32_t i = 0; i < m->funcs.data[f]->blocks.len; i++)
      has_changed |= drop_stores(m->funcs.data[f]->blocks.data[i], unread);
  module_remove_globals(m, unread);
  return has_changed;
}

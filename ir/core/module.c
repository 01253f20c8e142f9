/* Module: its tables of globals and of the state. Next: ir.c, verify.c. */
#include <string.h>

#include "ir/core/local.h"

/* ---- globals --------------------------------------------------------------------------------- */

static bool has_global(const Module *m, const Name *name) {
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i].name == name) return true;
  return false;
}

const Name *module_unused_name(const Module *m, const char *prefix) {
  for (uint32_t i = 0;; i++) {
    const Name *name = name_from(m->cx->names, text_format(m->cx->arena, "%s_%u", prefix, i));
    if (!has_global(m, name)) return name;
  }
}

uint32_t module_add_var(Module *m, const char *prefix, const Type *ty, Span span) {
  const Name *name = module_unused_name(m, prefix);
  const Global global = {.kind = GLOBAL_VAR, .name = name, .ty = ty, .span = span};
  vec_push(m->cx->arena, &m->globals, global);
  return m->globals.len - 1;
}

/* Gives attributes of a kind their new numbers. */
static void renumber(const Func *fn, AttrKind kind, const uint32_t *number) {
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      if (op_attr_kind(inst->op) == kind) inst->attr.var.index = number[inst->attr.var.index];
}

void module_remove_globals(Module *m, const bool *dead) {
  uint32_t *number = NEWN(m->cx->scratch, uint32_t, m->globals.len), n_kept = 0;
  for (uint32_t i = 0; i < m->globals.len; i++) {
    number[i] = n_kept;
    if (!dead[i]) m->globals.data[n_kept++] = m->globals.data[i];
  }
  for (uint32_t f = 0; f < m->funcs.len; f++) {
    Func *fn = m->funcs.data[f];
    renumber(fn, ATTR_VAR, number);
    if (fn->kind == FN_SAMPLING) fn->image.index = number[fn->image.index];
  }
  m->globals.len = n_kept;
}

/* ---- state ----------------------------------------------------------------------------------- */

uint32_t module_find_pos(const Module *m) {
  uint32_t i = 0;
  while (i < m->state.len && strcmp(m->state.data[i].name->text, "pos") != 0) i++;
  return i;
}

static void remove_from_leaves(const Func *fn, const bool *dead, uint32_t n) {
  for (uint32_t b = 0; b < fn->blocks.len; b++) {
    Inst *last = block_terminator(fn->blocks.data[b]);
    for (uint32_t i = n; inst_is_op(last, OP_LEAVE) && i-- > 0;)
      if (dead[i]) inst_remove_arg(last, i);
  }
}

void module_remove_state(Module *m, const bool *dead) {
  const uint32_t n = m->state.len;
  uint32_t *number = NEWN(m->cx->scratch, uint32_t, n), n_kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    number[i] = n_kept;
    if (!dead[i]) m->state.data[n_kept++] = m->state.data[i];
  }
  m->state.len = n_kept;
  for (uint32_t f = 0; f < m->funcs.len; f++) {
    Func *fn = m->funcs.data[f];
    renumber(fn, ATTR_STATE, number);
    if (fn->kind != FN_CREATE && !func_is_method(fn->kind)) continue;
    remove_from_leaves(fn, dead, n);
    for (uint32_t i = n; func_is_method(fn->kind) && i-- > 0;)
      if (dead[i]) block_remove_param(fn->blocks.data[0], i);
  }
}

/* constant_globals: replaces loads of a global that is assigned once, before strands begin: by a
 * constant everywhere, and in the function that computes globals by any value.
 *
 *   func globals:                            func globals:
 *     %a = const_real<0.5>                     %a = const_real<0.5>
 *     global_store<"step"> %a                  global_store<"step"> %a
 *     %b = global_load<"step">       =>        (uses of %b read %a)
 *   func update:                             func update:
 *     %c = global_load<"step">                 %c = const_real<0.5>
 *
 * Any level.  Needs dom.  Keeps dom.  Inputs have no stores, so their loads remain. A tensor is
 * constant if its components are; sequences stay in memory, because they are indexed. Expressions
 * of constants are folded where globals are computed, and found here at LOW. Stores are left to
 * drop_globals. Cost linear in the module. Next: drop_globals.c, simplify.c.
 */
#include "ir/analysis/dom.h"
#include "ir/core/build.h"
#include "ir/pass/pass.h"

/* All stores of a global, or at LOW of one component of it. */
typedef struct Assigned {
  const Inst *store;
  bool is_once;
} Assigned;

typedef struct Constants {
  Pass *px;
  Func *fn;
  Assigned **assigned; /* by global, then by component */
} Constants;

/* ---- stores ---------------------------------------------------------------------------------- */

static Assigned *assigned_at(const Constants *k, VarRef var) {
  return &k->assigned[var.index][var.component == WHOLE ? 0 : var.component];
}

/* Whether the instruction runs exactly once in each call of its function. */
static bool is_always_run(const Inst *inst) {
  const Block *blk = inst->fn->blocks.data[0];
  while (blk && blk != inst->block) blk = inst_rest(block_terminator(blk));
  return blk != NULL;
}

static void note_store(const Constants *k, const Inst *store) {
  Assigned *assigned = assigned_at(k, store->attr.var);
  assigned->is_once = !assigned->store && store->fn->kind == FN_GLOBALS && is_always_run(store);
  assigned->store = store;
}

static void find_stores(Constants *k) {
  const Module *m = k->px->module;
  Arena *scratch = k->px->cx->scratch;
  k->assigned = NEWN(scratch, Assigned *, m->globals.len);
  for (uint32_t i = 0; i < m->globals.len; i++)
    k->assigned[i] = NEWN(scratch, Assigned, level_n_components(m->level, m->globals.data[i].ty));
  for (uint32_t f = 0; f < m->funcs.len; f++)
    for (uint32_t i = 0; i < m->funcs.data[f]->blocks.len; i++)
      for (const Inst *inst = m->funcs.data[f]->blocks.data[i]->first; inst; inst = inst->next)
        if (inst_is_op(inst, OP_GLOBAL_STORE)) note_store(k, inst);
}

/* ---- loads ----------------------------------------------------------------------------------- */

static bool is_constant(const Value *value) {
  const Inst *def = value->def;
  if (!def || op_effect(def->op) != EFFECT_PURE) return false;
  if (!inst_is_op(def, OP_CONS)) return def->n_args == 0;
  for (uint32_t i = 0; i < def->n_args; i++)
    if (!is_constant(def->args[i])) return false;
  return true;
}

static Value *copy_constant(Builder *b, const Value *value) {
  const Inst *def = value->def;
  Value **args = NEWN(b->cx->scratch, Value *, def->n_args);
  for (uint32_t i = 0; i < def->n_args; i++) args[i] = copy_constant(b, def->args[i]);
  return build_typed(b, def->op, def->attr, value->ty, args, def->n_args);
}

/* In FN_GLOBALS: whether the load is executed after the store. Blocks are in the order in which
 * they run. */
static bool is_after(const Constants *k, const Inst *load, const Inst *store) {
  if (load->block != store->block) return dom_is_ancestor(k->px->dom, store->block, load->block);
  while (load && load != store) load = load->prev;
  return load != NULL;
}

/* The value to use instead of a load, or NULL. Functions may be called before the store. */
static Value *known_value(const Constants *k, Inst *load) {
  const Assigned *assigned = assigned_at(k, load->attr.var);
  if (!assigned->is_once || k->fn->kind == FN_USER) return NULL;
  if (k->fn->kind == FN_GLOBALS)
    return is_after(k, load, assigned->store) ? assigned->store->args[0] : NULL;
  if (!is_constant(assigned->store->args[0])) return NULL;
  Builder b = build_before(k->px->cx, load);
  return copy_constant(&b, assigned->store->args[0]);
}

bool pass_constant_globals(Pass *px, Func *fn) {
  Constants constants = {.px = px, .fn = fn};
  bool has_changed = false;
  find_stores(&constants);
  for (uint32_t i = 0; i < px->dom->order.len; i++)
    for (Inst *inst = px->dom->order.data[i]->first, *next; inst; inst = next) {
      next = inst->next;
      if (!inst_is_op(inst, OP_GLOBAL_LOAD)) continue;
      Value *known = known_value(&constants, inst);
      if (!known) continue;
      value_replace_uses(inst->results[0], known);
      inst_remove(inst);
      has_changed = true;
    }
  return has_changed;
}

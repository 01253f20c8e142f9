/* hoist_globals: what methods of strands compute from globals alone is computed once, after the
 * globals, and stored in a new global.
 *
 *   func update:                               func globals: ..
 *     %d = global_load<"dir">                    %d = global_load<"dir">
 *     %n = ein<normalize> %d             =>      %n = ein<normalize> %d
 *                                                global_store<"n_0"> %n
 *                                              func update:
 *                                                %n = global_load<"n_0">
 *
 * Level mid. Needs dom. Keeps dom. Globals that a global block assigns do not count. What is moved
 * might never have been computed: but the ops are defined for all operands, and cheap compared with
 * a run; calls are not moved. Cost linear in instructions. Next: hoist_cost.c.
 */
#include "frontend/base/map.h"
#include "frontend/base/text.h"
#include "ir/mid/hoist_cost.h"
#include "ir/mid/local.h"
#include "ir/pass/pass.h"

typedef struct Hoist {
  Pass *px;
  Func *fn;
  Inst *end;      /* of FN_GLOBALS: what is hoisted is computed before it */
  bool *assigned; /* by global: not only by FN_GLOBALS */
  bool *known;    /* by value number: computed from globals alone */
  uint32_t *cost; /* by value number: of computing a known value */
  bool *needed;   /* by value number: used by an instruction that is not moved */
  Map *copies;    /* Value -> its copy in FN_GLOBALS */
} Hoist;

/* ---- what is known --------------------------------------------------------------------------- */

/* Whether a global can hold values of the type: of fixed size, and not images, which are globals
 * already. */
static bool can_keep(const Type *ty) {
  if (type_is(ty, TY_SEQ)) return !type_is_dynamic_seq(ty) && can_keep(type_elem(ty));
  return type_is(ty, TY_BOOL) || type_is(ty, TY_INT) || type_is(ty, TY_TENSOR);
}

static bool is_known(const Hoist *hoist, const Inst *inst) {
  if (inst_is_op(inst, OP_GLOBAL_LOAD)) return !hoist->assigned[inst->attr.var.index];
  if (inst->n_results == 0 || op_effect(inst->op) != EFFECT_PURE) return false;
  bool is_constant = inst->n_args == 0;
  for (uint32_t i = 0; i < inst->n_args; i++)
    if (!hoist->known[inst->args[i]->id]) return false;
  for (uint32_t i = 0; i < inst->n_results; i++)
    if (!is_constant && !can_keep(inst->results[i]->ty)) return false;
  return true;
}

static void find_known(Hoist *hoist) {
  const BlockVec *order = &hoist->px->dom->order;
  for (uint32_t i = 0; i < order->len; i++)
    for (const Inst *inst = order->data[i]->first; inst; inst = inst->next) {
      if (!is_known(hoist, inst)) continue;
      uint32_t cost = hoist_cost_of(inst);
      for (uint32_t a = 0; a < inst->n_args; a++)
        cost = hoist_cost_sum(cost, hoist->cost[inst->args[a]->id]);
      for (uint32_t r = 0; r < inst->n_results; r++) {
        hoist->known[inst->results[r]->id] = true;
        hoist->cost[inst->results[r]->id] = cost;
      }
    }
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static bool is_kept(const Hoist *hoist, const Value *value) {
  return hoist->known[value->id] && hoist->needed[value->id] && can_keep(value->ty) &&
         hoist_pays(hoist->cost[value->id], value->ty);
}

/* Whether the instruction is computed here, so that its operands are needed. */
static bool is_computed_here(const Hoist *hoist, const Inst *inst) {
  if (inst->n_results == 0 || !hoist->known[inst->results[0]->id]) return true;
  for (uint32_t i = 0; i < inst->n_results; i++)
    if (hoist->needed[inst->results[i]->id] && !is_kept(hoist, inst->results[i])) return true;
  return false;
}

static void find_needed(Hoist *hoist) {
  const BlockVec *order = &hoist->px->dom->order;
  for (uint32_t i = order->len; i-- > 0;)
    for (const Inst *inst = order->data[i]->last; inst; inst = inst->prev)
      for (uint32_t a = 0; is_computed_here(hoist, inst) && a < inst->n_args; a++)
        hoist->needed[inst->args[a]->id] = true;
}

/* ---- moving ---------------------------------------------------------------------------------- */

static void keep(Hoist *hoist, Value *value) {
  Cx *cx = hoist->px->cx;
  Builder there = build_before(cx, hoist->end), here = build_before(cx, value->def);
  Value *copy = build_copy(&there, value, hoist->copies);
  const char *name = value->name ? value->name->text : "known";
  const uint32_t global = module_add_var(hoist->px->module, name, value->ty, value->def->span);
  Attr var = {.var = {global, WHOLE}};
  hoist->px->module->globals.data[global].is_derived = true;
  there.span = value->def->span;
  build_effect(&there, OP_GLOBAL_STORE, var, &copy, 1);
  Value *load = build_typed(&here, OP_GLOBAL_LOAD, var, value->ty, NULL, 0);
  load->at = value->at;
  map_put(hoist->copies, load, copy);
  value_replace_uses(value, load);
}

static bool keep_all(Hoist *hoist) {
  const BlockVec *order = &hoist->px->dom->order;
  bool has_changed = false;
  for (uint32_t i = 0; i < order->len; i++)
    for (Inst *inst = order->data[i]->first, *next; inst; inst = next) {
      next = inst->next;
      for (uint32_t r = 0; r < inst->n_results; r++) {
        if (!is_kept(hoist, inst->results[r])) continue;
        keep(hoist, inst->results[r]);
        has_changed = true;
      }
    }
  return has_changed;
}

/* ---- pass ------------------------------------------------------------------------------------ */

/* Whether a function is called only after FN_GLOBALS, and at least once per strand. */
static bool is_for_each_strand(const Func *fn) {
  return fn->kind == FN_ARGS || fn->kind == FN_CREATE || func_is_method(fn->kind);
}

bool pass_hoist_globals(Pass *px, Func *fn) {
  Arena *scratch = px->cx->scratch;
  const Func *globals = module_find_func(px->module, FN_GLOBALS);
  Hoist hoist = {.px = px, .fn = fn, .copies = map_new(scratch)};
  if (!globals || !is_for_each_strand(fn)) return false;
  hoist.end = flow_only_leave(globals);
  if (!hoist.end) return false;
  hoist.assigned = flow_assigned_globals(px->cx, px->module);
  hoist.known = NEWN(scratch, bool, fn->next_value);
  hoist.cost = NEWN(scratch, uint32_t, fn->next_value);
  hoist.needed = NEWN(scratch, bool, fn->next_value);
  find_known(&hoist);
  find_needed(&hoist);
  return keep_all(&hoist);
}

/* uniform_state: a state variable that is born with the same value in all strands, and keeps it,
 * becomes a global.
 *
 *   func create:                         func globals: ..
 *     %a = const_real<0.5>                 %a = const_real<0.5>
 *     leave<active> %x, %a                 global_store<"step_0"> %a
 *   func update:                   =>    func create:
 *     b0(%0 "x", %1 "step"):               leave<active> %x
 *                                        func update:
 *                                          b0(%0 "x"):
 *                                            %1 "step" = global_load<"step_0">
 *
 * Level high or mid. Needs nothing. Keeps dom. People write what their strands have in common
 * beside what is each strand's own: steps, tables, colours. A strand need not store that, and what
 * is computed from it is the same for all: so it may be constant, and lanes share it. The value is
 * computed from constants and from globals that only FN_GLOBALS assigns. Outputs stay, and what
 * strands read of each other. Works on the whole module, once. Cost linear in it. Next:
 * constant_globals.c, hoist_globals.c.
 */
#include "ir/analysis/flow.h"
#include "ir/core/build.h"
#include "ir/pass/pass.h"

typedef struct Uniform {
  Module *m;
  Inst *end;            /* of FN_GLOBALS: values are computed before it */
  Inst *birth;          /* the end of FN_CREATE, whose operands are the first values */
  const bool *assigned; /* by global: not only by FN_GLOBALS */
  bool *known;          /* by value number of FN_CREATE: the same for all strands */
  bool *uniform;        /* by state variable: it becomes a global */
} Uniform;

/* ---- which variables ------------------------------------------------------------------------- */

static bool is_known(const Uniform *u, const Inst *inst) {
  if (inst_is_op(inst, OP_GLOBAL_LOAD)) return !u->assigned[inst->attr.var.index];
  if (op_effect(inst->op) != EFFECT_PURE) return false;
  for (uint32_t i = 0; i < inst->n_args; i++)
    if (!u->known[inst->args[i]->id]) return false;
  return true;
}

/* Blocks are in the order in which they run. */
static void find_known(Uniform *u) {
  const Func *create = u->birth->fn;
  u->known = NEWN(u->m->cx->scratch, bool, create->next_value);
  for (uint32_t b = 0; b < create->blocks.len; b++)
    for (const Inst *inst = create->blocks.data[b]->first; inst; inst = inst->next)
      for (uint32_t i = 0; i < inst->n_results; i++)
        u->known[inst->results[i]->id] = is_known(u, inst);
}

/* Whether the method leaves the variable as it was. */
static bool keeps(const Func *method, uint32_t i) {
  for (uint32_t b = 0; b < method->blocks.len; b++) {
    const Inst *last = block_terminator(method->blocks.data[b]);
    if (inst_is_op(last, OP_LEAVE) && last->args[i] != method->blocks.data[0]->params.data[i])
      return false;
  }
  return true;
}

static bool is_uniform(const Uniform *u, uint32_t i) {
  if (u->m->state.data[i].is_output || !u->known[u->birth->args[i]->id]) return false;
  for (uint32_t f = 0; f < u->m->funcs.len; f++)
    if (func_is_method(u->m->funcs.data[f]->kind) && !keeps(u->m->funcs.data[f], i)) return false;
  return true;
}

static void keep_what_others_read(const Uniform *u, const Func *fn) {
  const uint32_t pos = module_find_pos(u->m); /* which queries read */
  for (uint32_t b = 0; b < fn->blocks.len; b++)
    for (const Inst *inst = fn->blocks.data[b]->first; inst; inst = inst->next) {
      if (inst_is_op(inst, OP_STRAND_STATE)) u->uniform[inst->attr.var.index] = false;
      if (inst_is_op(inst, OP_SPHERE) && pos < u->m->state.len) u->uniform[pos] = false;
    }
}

static bool find_uniform(Uniform *u) {
  bool is_any = false;
  find_known(u);
  u->uniform = NEWN(u->m->cx->scratch, bool, u->m->state.len);
  for (uint32_t i = 0; i < u->m->state.len; i++) u->uniform[i] = is_uniform(u, i);
  for (uint32_t f = 0; f < u->m->funcs.len; f++) keep_what_others_read(u, u->m->funcs.data[f]);
  for (uint32_t i = 0; i < u->m->state.len; i++) is_any |= u->uniform[i];
  return is_any;
}

/* ---- what becomes of them -------------------------------------------------------------------- */

static void load_instead(const Uniform *u, const Func *method, uint32_t i, Attr global) {
  const Block *entry = method->blocks.data[0];
  Builder b = build_before(u->m->cx, entry->first);
  b.span = u->m->state.data[i].span;
  Value *param = entry->params.data[i];
  value_replace_uses(param, build_typed(&b, OP_GLOBAL_LOAD, global, param->ty, NULL, 0));
}

static void make_global(const Uniform *u, uint32_t i, Map *copies) {
  const StateVar *var = &u->m->state.data[i];
  Builder b = build_before(u->m->cx, u->end);
  Value *value = build_copy(&b, u->birth->args[i], copies);
  const uint32_t number = module_add_var(u->m, var->name->text, var->ty, var->span);
  const Attr global = {.var = {number, WHOLE}};
  u->m->globals.data[number].is_derived = true;
  b.span = var->span;
  build_effect(&b, OP_GLOBAL_STORE, global, &value, 1);
  for (uint32_t f = 0; f < u->m->funcs.len; f++)
    if (func_is_method(u->m->funcs.data[f]->kind)) load_instead(u, u->m->funcs.data[f], i, global);
}

bool pass_uniform_state(Pass *px, Func *fn) {
  Module *m = px->module;
  if (fn != m->funcs.data[0]) return false; /* with the first function */
  const Func *globals = module_find_func(m, FN_GLOBALS), *create = module_find_func(m, FN_CREATE);
  if (!globals || !create) return false;
  Uniform u = {.m = m, .end = flow_only_leave(globals), .birth = flow_only_leave(create)};
  u.assigned = flow_assigned_globals(px->cx, m);
  if (!u.end || !u.birth || !find_uniform(&u)) return false;
  Map *copies = map_new(px->cx->scratch);
  for (uint32_t i = 0; i < m->state.len; i++)
    if (u.uniform[i]) make_global(&u, i, copies);
  module_remove_state(m, u.uniform);
  return true;
}

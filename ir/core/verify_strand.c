/* Verifying the ops on strands: queries, states of others, births, and what becomes of all at once.
 * Part of verify.c.
 */
#include "ir/core/local.h"

static void check_state_of(Verifier *v, const Inst *inst) {
  VarRef var = inst->attr.var;
  if (var.index >= v->m->state.len) {
    verify_fail(v, "state variable %u of %u", var.index, v->m->state.len);
    return;
  }
  const Type *ty = v->m->state.data[var.index].ty;
  const Type *want = level_component(v->cx, v->m->level, ty);
  uint64_t n_parts = level_n_components(v->m->level, ty);
  if (n_parts > 1 ? var.component >= n_parts : var.component != WHOLE)
    verify_fail(v, "component %u of a state variable of type %s", var.component,
                type_text(v->cx, ty));
  if (inst->n_args != 1 || !type_is(inst->args[0]->ty, TY_STRAND))
    verify_fail(v, "the operand is not one strand");
  if (inst->n_results != 1 || inst->results[0]->ty != want)
    verify_fail(v, "the result is not the one %s it must be", type_text(v->cx, want));
}

/* A centre of one to three dimensions, and a radius. */
static bool are_ball(const Verifier *v, const Inst *inst) {
  for (uint32_t dim = 1; dim <= 3; dim++) {
    const Type *centre = dim == 1 ? type_real(v->cx) : type_vec(v->cx, dim);
    uint64_t n_parts = level_n_components(v->m->level, centre);
    const Type *part = level_component(v->cx, v->m->level, centre);
    bool fits = inst->n_args == n_parts + 1;
    for (uint32_t i = 0; fits && i < n_parts; i++) fits = inst->args[i]->ty == part;
    if (fits && type_is_real(inst->args[n_parts]->ty)) return true;
  }
  return false;
}

static void check_sphere(Verifier *v, const Inst *inst) {
  if (!are_ball(v, inst)) verify_fail(v, "operands are a centre and a radius");
  const Type *ty = inst->n_results == 1 ? inst->results[0]->ty : NULL;
  if (!ty || !type_is_dynamic_seq(ty) || !type_is(type_elem(ty), TY_STRAND))
    verify_fail(v, "the result is not one sequence of strands");
}

static void check_new(Verifier *v, const Inst *inst) {
  uint32_t pos = 0;
  for (uint32_t i = 0; i < v->m->params.len; i++)
    verify_components(v, v->m->params.data[i].ty, inst->args, inst->n_args, &pos);
  if (pos != inst->n_args) verify_fail(v, "%u operands instead of %u", inst->n_args, pos);
  if (inst->n_results > 0) verify_fail(v, "a birth has no results");
}

bool verify_strand_op(Verifier *v, const Inst *inst) {
  switch (inst->op) {
  case OP_STRAND_STATE: check_state_of(v, inst); return true;
  case OP_SPHERE: check_sphere(v, inst); return true;
  case OP_NEW_STRAND: check_new(v, inst); return true;
  default: return false; /* the others have signatures, or are not about strands */
  }
}

void verify_strand_place(Verifier *v, const Inst *inst) {
  FuncKind kind = v->fn->kind;
  bool is_global = kind == FN_GLOBAL_START || kind == FN_GLOBAL_UPDATE;
  bool is_running = kind == FN_START || kind == FN_UPDATE;
  bool is_placed = true;
  switch (inst->op) {
  case OP_REDUCE: is_placed = is_global || inst->attr.reduce.over == OVER_RANGE; break;
  case OP_STABILIZE_ALL:
  case OP_KILL_ALL: is_placed = is_global; break;
  case OP_SPHERE: is_placed = is_running || kind == FN_STABILIZE; break;
  case OP_NEW_STRAND: is_placed = is_running; break;
  default: return; /* anywhere */
  }
  if (!is_placed) verify_fail(v, "does not belong in this function");
}

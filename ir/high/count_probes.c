/* count_probes: with --profile, counts probes of fields, and those whose position is inside.
 *
 *                               %in = inside %pos, %F
 *                               count_probe %in
 *   %v = probe %F, %pos    =>   %v = probe %F, %pos
 *
 * Level high, first of all, while each probe of the source is one instruction; no pipeline has it,
 * --profile asks for it. Needs nothing. Keeps dom. Cost linear in instructions.
 */
#include "ir/high/local.h"
#include "ir/pass/pass.h"

static bool count_probe(Pass *px, Inst *inst) {
  if (!inst_is_op(inst, OP_PROBE) || inst->n_args != 2) return false;
  Builder b = build_before(px->cx, inst);
  Value *inside = build_op2(&b, OP_INSIDE, inst->args[1], inst->args[0]);
  build_effect(&b, OP_COUNT_PROBE, ATTR_EMPTY, &inside, 1);
  return true;
}

bool pass_count_probes(Pass *px, Func *fn) {
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      has_changed |= count_probe(px, inst);
  return has_changed;
}

/* Effects: lookups over the effect column. Calls are READ: user functions cannot write. */
#include "ir/analysis/effects.h"

bool effects_can_drop(const Inst *inst) {
  Effect effect = op_effect(inst->op);
  return effect == EFFECT_PURE || effect == EFFECT_READ;
}

bool effects_can_merge(const Inst *inst, bool is_read_only) {
  Effect effect = op_effect(inst->op);
  return effect == EFFECT_PURE || (effect == EFFECT_READ && is_read_only);
}

bool effects_is_read_only(const Func *fn) {
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      if (op_effect(inst->op) == EFFECT_WRITE) return false;
  return true;
}

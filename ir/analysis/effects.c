/* Effects: lookups over the effect column. Calls are READ: user functions cannot write, nor do they
 * print. What they record (OP_TRACE), or those they call, is to be heard of each time.
 */
#include "ir/analysis/effects.h"

static bool records(const Func *fn) {
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next) {
      if (inst->op == OP_TRACE) return true;
      if (inst->op == OP_CALL && records(inst->attr.func)) return true;
    }
  }
  return false;
}

static Effect effect_of(const Inst *inst) {
  if (inst->op == OP_CALL && records(inst->attr.func)) return EFFECT_IO;
  return op_effect(inst->op);
}

bool effects_can_drop(const Inst *inst) {
  Effect effect = effect_of(inst);
  return effect == EFFECT_PURE || effect == EFFECT_READ;
}

bool effects_can_merge(const Inst *inst, bool is_read_only) {
  Effect effect = effect_of(inst);
  return effect == EFFECT_PURE || (effect == EFFECT_READ && is_read_only);
}

bool effects_is_read_only(const Func *fn) {
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      if (op_effect(inst->op) == EFFECT_WRITE) return false;
  return true;
}

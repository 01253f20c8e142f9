/* Flow: control is structured, so each question is one walk. */
#include "ir/analysis/flow.h"

bool flow_ends_life(const Block *blk) {
  const Inst *last = block_terminator(blk);
  switch (last->op) {
  case OP_LEAVE: return last->attr.exit == EXIT_STABILIZE || last->attr.exit == EXIT_DIE;
  case OP_JUMP: return flow_ends_life(last->succs[0].block);
  case OP_BRANCH:
    return flow_ends_life(last->succs[0].block) && flow_ends_life(last->succs[1].block);
  case OP_FOREACH:
  case OP_REDUCE: return flow_ends_life(last->succs[1].block);
  default: return false; /* OP_NEXT: another round */
  }
}

Inst *flow_only_leave(const Func *fn) {
  Inst *leave = NULL;
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    Inst *last = block_terminator(fn->blocks.data[i]);
    if (!inst_is_op(last, OP_LEAVE)) continue;
    if (leave) return NULL;
    leave = last;
  }
  return leave;
}

bool *flow_assigned_globals(Cx *cx, const Module *m) {
  bool *assigned = NEWN(cx->scratch, bool, m->globals.len);
  for (uint32_t f = 0; f < m->funcs.len; f++) {
    const Func *fn = m->funcs.data[f];
    for (uint32_t i = 0; fn->kind != FN_GLOBALS && i < fn->blocks.len; i++)
      for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
        if (inst_is_op(inst, OP_GLOBAL_STORE)) assigned[inst->attr.var.index] = true;
  }
  return assigned;
}

/* Flow: questions about what follows a block. Control is structured, so each is one walk. */
#include "ir/mid/local.h"

bool flow_ends_life(const Block *blk) {
  const Inst *last = block_terminator(blk);
  switch (last->op) {
  case OP_LEAVE: return last->attr.exit == EXIT_STABILIZE || last->attr.exit == EXIT_DIE;
  case OP_JUMP: return flow_ends_life(last->succs[0].block);
  case OP_BRANCH:
    return flow_ends_life(last->succs[0].block) && flow_ends_life(last->succs[1].block);
  case OP_FOREACH:
  case OP_REDUCE: return flow_ends_life(last->succs[1].block);
  default: return false; /* next: another round */
  }
}

bool flow_leaves(const Block *blk) {
  const Inst *last = block_terminator(blk);
  switch (last->op) {
  case OP_LEAVE: return true;
  case OP_BRANCH:
    if (flow_leaves(last->succs[0].block) || flow_leaves(last->succs[1].block)) return true;
    return last->merge && flow_leaves(last->merge);
  case OP_FOREACH:
  case OP_REDUCE: return flow_leaves(last->succs[0].block) || flow_leaves(last->succs[1].block);
  default: return false; /* jump, next */
  }
}

/* Region: walks along the structure. Cost linear in the blocks of the region. */
#include "ir/analysis/region.h"

static void add_blocks(Arena *a, BlockVec *blocks, Block *blk) {
  while (blk) {
    const Inst *last = block_terminator(blk);
    vec_push(a, blocks, blk);
    for (uint32_t i = 0; i < inst_n_inner(last); i++) add_blocks(a, blocks, last->succs[i].block);
    blk = inst_rest(last);
  }
}

BlockVec region_blocks(Arena *a, Block *first) {
  BlockVec blocks = {0};
  add_blocks(a, &blocks, first);
  return blocks;
}

Inst *region_end(const Block *first) {
  Inst *last = block_terminator(first);
  while (inst_rest(last)) last = block_terminator(inst_rest(last));
  return last;
}

bool region_leaves(const Block *first) {
  for (const Block *blk = first; blk;) {
    const Inst *last = block_terminator(blk);
    if (last->op == OP_LEAVE) return true;
    for (uint32_t i = 0; i < inst_n_inner(last); i++)
      if (region_leaves(last->succs[i].block)) return true;
    blk = inst_rest(last);
  }
  return false;
}

bool region_arms_leave(const Inst *branch) {
  return region_leaves(branch->succs[0].block) || region_leaves(branch->succs[1].block);
}

Block *region_meets_next(const Block *blk) {
  const Inst *last = block_terminator(blk);
  for (uint32_t i = 0; i < inst_n_inner(last); i++)
    if (region_leaves(last->succs[i].block)) return NULL;
  return inst_rest(last);
}

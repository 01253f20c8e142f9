/* Dom: the tree of blocks, in one walk along the structure. Cost linear in blocks. */
#include "ir/analysis/dom.h"

static void visit(Arena *a, Dom *dom, Block *blk, Block *parent) {
  dom->parent[blk->id] = parent;
  dom->first[blk->id] = dom->order.len;
  vec_push(a, &dom->order, blk);
  const Inst *last = block_terminator(blk);
  if (last->op != OP_JUMP)
    for (uint32_t s = 0; s < last->n_succs; s++) visit(a, dom, last->succs[s].block, blk);
  if (last->merge) visit(a, dom, last->merge, blk);
  dom->last[blk->id] = dom->order.len - 1;
}

Dom *dom_new(Arena *a, const Func *fn) {
  Dom *dom = NEW(a, Dom);
  dom->parent = NEWN(a, Block *, fn->next_block);
  dom->first = NEWN(a, uint32_t, fn->next_block);
  dom->last = NEWN(a, uint32_t, fn->next_block);
  visit(a, dom, fn->blocks.data[0], NULL);
  return dom;
}

bool dom_is_like(const Dom *dom, const Dom *later) {
  if (dom->order.len != later->order.len) return false;
  for (uint32_t i = 0; i < dom->order.len; i++) {
    const uint32_t id = dom->order.data[i]->id;
    if (dom->parent[id] != later->parent[id]) return false;
  }
  return true;
}

Block *dom_parent(const Dom *dom, const Block *blk) { return dom->parent[blk->id]; }

bool dom_is_ancestor(const Dom *dom, const Block *above, const Block *blk) {
  return dom->first[above->id] <= dom->first[blk->id] &&
         dom->first[blk->id] <= dom->last[above->id];
}

bool dom_is_visible(const Dom *dom, const Value *value, const Inst *inst) {
  const Block *home = value->def ? value->def->block : value->block;
  if (home != inst->block) return dom_is_ancestor(dom, home, inst->block);
  if (!value->def) return true;
  const Inst *before = inst->prev;
  while (before && before != value->def) before = before->prev;
  return before != NULL;
}

InstVec dom_jumps_to(const Dom *dom, Arena *a, const Block *merge) {
  InstVec jumps = {0};
  /* The arms are visited between the branch and where they meet. */
  const Block *branch = dom_parent(dom, merge);
  for (uint32_t i = dom->first[branch->id]; i < dom->first[merge->id]; i++) {
    Inst *last = block_terminator(dom->order.data[i]);
    if (last->op == OP_JUMP && last->succs[0].block == merge) vec_push(a, &jumps, last);
  }
  return jumps;
}

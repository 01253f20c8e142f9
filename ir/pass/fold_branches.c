/* fold_branches: a branch on a constant becomes the way it takes; a branch, a loop or a reduction
 * goes when nobody uses what comes of it and nobody hears of it.
 *
 *   branch true, b1(), b2(), merge b3      =>      what b1 does, then what b3 does
 *   b1(): ... jump b3(%x)   b2(): ...
 *
 * Any level.  Needs nothing.  Keeps nothing.  An arm reaches the merge by at most one jump, so the
 * arm, and the merge behind it, are spliced into the blocks before them. Runs after simplify.
 */
#include "frontend/base/bits.h"
#include "ir/analysis/dom.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/region.h"
#include "ir/pass/pass.h"

/* Ends from's block with what the block to does; from's terminator goes. */
static void run_into(Inst *from, const Succ *succ) {
  Block *blk = from->block, *to = succ->block;
  for (uint32_t i = 0; i < to->params.len; i++)
    value_replace_uses(to->params.data[i], from->args[succ->first_arg + i]);
  inst_remove(from);
  block_splice(blk, to);
}

static void take_arm(Pass *px, Inst *branch, uint32_t arm) {
  Func *fn = branch->fn;
  Block *taken = branch->succs[arm].block, *other = branch->succs[1 - arm].block;
  Block *merge = branch->merge;
  Inst *end = region_end(taken), *jump = end->op == OP_JUMP ? end : NULL; /* or it leaves */
  Dom *dom = dom_new(px->cx->scratch, fn);
  bool *dead = NEWN(px->cx->scratch, bool, fn->blocks.len);
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    const Block *blk = fn->blocks.data[i];
    bool is_skipped = merge && !jump && dom_is_ancestor(dom, merge, blk);
    dead[i] = blk == taken || blk == merge || dom_is_ancestor(dom, other, blk) || is_skipped;
  }
  run_into(branch, &branch->succs[arm]);
  if (jump) run_into(jump, &jump->succs[0]);
  func_remove_blocks(fn, dead);
}

/* ---- what does nothing ----------------------------------------------------------------------- */

/* Whether the region that begins there, to its jump or next, has no effects and never leaves; its
 * blocks join `region`. */
static bool does_nothing(const Block *blk, Bits *region) {
  while (blk) {
    const Inst *last = block_terminator(blk);
    bits_set(region, blk->id);
    for (const Inst *inst = blk->first; inst != last; inst = inst->next)
      if (!effects_can_drop(inst)) return false;
    if (last->op == OP_JUMP || last->op == OP_NEXT) return true;
    if (last->op == OP_LEAVE) return false;
    for (uint32_t i = 0; i < inst_n_inner(last); i++)
      if (!does_nothing(last->succs[i].block, region)) return false;
    blk = inst_rest(last);
  }
  return false; /* both ways of a branch leave */
}

static bool is_any_param_used(const Block *blk) {
  for (uint32_t i = 0; i < blk->params.len; i++)
    if (value_is_used(blk->params.data[i])) return true;
  return false;
}

/* What follows the branch or loop takes its place. */
static bool drop_idle(Pass *px, Inst *last) {
  Func *fn = last->fn;
  Block *blk = last->block, *after = inst_rest(last);
  if (!after || is_any_param_used(after)) return false;
  Bits region = bits_new(px->cx->scratch, fn->next_block);
  for (uint32_t i = 0; i < inst_n_inner(last); i++)
    if (!does_nothing(last->succs[i].block, &region)) return false;
  bits_set(&region, after->id);
  bool *dead = NEWN(px->cx->scratch, bool, fn->blocks.len);
  for (uint32_t i = 0; i < fn->blocks.len; i++) dead[i] = bits_has(&region, fn->blocks.data[i]->id);
  inst_remove(last);
  block_splice(blk, after);
  func_remove_blocks(fn, dead);
  return true;
}

/* ---- pass ------------------------------------------------------------------------------------ */

static bool fold(Pass *px, Block *blk) {
  Inst *last = block_terminator(blk);
  if (inst_n_inner(last) == 0) return false;
  const Inst *condition = last->op == OP_BRANCH ? last->args[0]->def : NULL;
  if (!condition || !inst_is_op(condition, OP_CONST_BOOL)) return drop_idle(px, last);
  take_arm(px, last, condition->attr.b ? 0 : 1);
  return true;
}

bool pass_fold_branches(Pass *px, Func *fn) {
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len;) {
    bool has_folded = fold(px, fn->blocks.data[i]);
    has_changed |= has_folded;
    i = has_folded ? 0 : i + 1; /* blocks have moved */
  }
  return has_changed;
}

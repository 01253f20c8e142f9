/* fold_branches: a branch on a constant becomes the way it takes; one whose two ways do nothing
 * goes, and so does a reduction whose result nobody uses.
 *
 *   branch true, b1(), b2(), merge b3      =>      what b1 does, then what b3 does
 *   b1(): ... jump b3(%x)   b2(): ...
 *
 * Any level.  Needs nothing.  Keeps nothing.  An arm reaches the merge by at most one jump, so the
 * arm, and the merge behind it, are spliced into the blocks before them. Runs after simplify.
 */
#include "ir/analysis/dom.h"
#include "ir/analysis/effects.h"
#include "ir/pass/pass.h"

/* The jump that ends an arm; NULL when the arm leaves. */
static Inst *arm_jump(Block *arm) {
  while (arm) {
    Inst *last = block_terminator(arm);
    if (last->op == OP_JUMP) return last;
    arm = inst_is_loop(last) ? last->succs[1].block : last->merge;
  }
  return NULL;
}

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
  Inst *jump = arm_jump(taken);
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

static bool is_empty_arm(const Succ *succ) {
  const Inst *first = succ->block->first;
  return first->op == OP_JUMP && first->n_args == 0 && succ->n_args == 0;
}

/* ---- reductions ------------------------------------------------------------------------------ */

static bool has_effects(const Block *blk) {
  for (const Inst *inst = blk->first; inst; inst = inst->next)
    if (!op_is_terminator(inst->op) && !effects_can_drop(inst)) return true;
  return false;
}

static bool drop_reduction(Pass *px, Inst *reduce) {
  Func *fn = reduce->fn;
  Block *blk = reduce->block, *body = reduce->succs[0].block, *after = reduce->succs[1].block;
  if (value_is_used(after->params.data[0])) return false;
  Dom *dom = dom_new(px->cx->scratch, fn);
  bool *dead = NEWN(px->cx->scratch, bool, fn->blocks.len);
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    bool is_inside = dom_is_ancestor(dom, body, fn->blocks.data[i]);
    if (is_inside && has_effects(fn->blocks.data[i])) return false;
    dead[i] = is_inside || fn->blocks.data[i] == after;
  }
  inst_remove(reduce);
  block_splice(blk, after);
  func_remove_blocks(fn, dead);
  return true;
}

/* ---- pass ------------------------------------------------------------------------------------ */

static bool fold(Pass *px, Block *blk) {
  Inst *branch = block_terminator(blk);
  if (inst_is_op(branch, OP_REDUCE)) return drop_reduction(px, branch);
  if (!inst_is_op(branch, OP_BRANCH)) return false;
  const Inst *condition = branch->args[0]->def;
  if (inst_is_op(condition, OP_CONST_BOOL)) take_arm(px, branch, condition->attr.b ? 0 : 1);
  else if (is_empty_arm(&branch->succs[0]) && is_empty_arm(&branch->succs[1]))
    take_arm(px, branch, 0);
  else return false;
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

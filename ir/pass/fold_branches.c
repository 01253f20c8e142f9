/* fold_branches: replaces a branch on a constant by the arm that is taken, and removes branches,
 * loops and reductions without uses and effects.
 *
 *   branch true, b1(), b2(), merge b3      =>      the instructions of b1, then those of b3
 *   b1(): ... jump b3(%x)   b2(): ...
 *
 * Any level.  Needs nothing.  Keeps nothing.  An arm reaches the merge block by at most one jump,
 * so the arm and the merge block are appended to the blocks before them. Runs after simplify.
 */
#include "frontend/base/bits.h"
#include "ir/analysis/dom.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/region.h"
#include "ir/pass/pass.h"

/* Appends the block of a successor to the block of `from`, in place of this terminator. */
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

/* ---- regions without effects ----------------------------------------------------------------- */

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

/* Removes what computes these values alone: without it, a branch around may show to be idle, too.
 */
static void drop_unused(Pass *px, ValueVec todo) {
  while (todo.len > 0) {
    Inst *inst = vec_pop(&todo)->def;
    if (!inst || !effects_can_drop(inst)) continue;
    bool is_used = !inst->block; /* no longer: it is removed */
    for (uint32_t i = 0; i < inst->n_results; i++) is_used |= value_is_used(inst->results[i]);
    if (is_used) continue;
    for (uint32_t i = 0; i < inst->n_args; i++) vec_push(px->cx->scratch, &todo, inst->args[i]);
    inst_remove(inst);
  }
}

/* Replaces a branch or loop without effects by what follows it. */
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
  ValueVec operands = {0};
  for (uint32_t i = 0; i < last->n_args; i++) vec_push(px->cx->scratch, &operands, last->args[i]);
  inst_remove(last);
  block_splice(blk, after);
  func_remove_blocks(fn, dead);
  drop_unused(px, operands);
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

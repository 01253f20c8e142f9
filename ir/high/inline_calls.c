/* inline_calls: calls of user functions become the functions' bodies.
 *
 *   %y = call<f> %x      =>   the instructions of f over %x; %y is what f would return
 *
 * Level high. Keeps nothing. Callees come before callers, so their own calls are inlined already.
 * The function is copied block by block, and calls are expanded meanwhile. A callee with a return
 * in a place from which structured code cannot jump to the end stays a call, and so does a large
 * one that is called more than once. See Note [Returns in tail position]. Functions that are not
 * called any more are removed.
 */
#include "ir/analysis/region.h"
#include "ir/high/copy.h"

enum { MOST_COPIED = 1000 }; /* instructions of a callee */

/* ---- which callees --------------------------------------------------------------------------- */

static uint32_t count_jumps_to(const Func *fn, const Block *blk) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    const Inst *last = block_terminator(fn->blocks.data[i]);
    for (uint32_t s = 0; s < last->n_succs; s++) n += last->succs[s].block == blk;
  }
  return n;
}

static uint32_t count_insts(const Func *fn) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next) n++;
  return n;
}

static uint32_t count_calls_in(const Func *fn, const Func *callee) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      n += inst_is_op(inst, OP_CALL) && inst->attr.func == callee;
  return n;
}

static uint32_t count_calls(const Func *callee) {
  uint32_t n = 0;
  for (uint32_t f = 0; f < callee->module->funcs.len; f++)
    n += count_calls_in(callee->module->funcs.data[f], callee);
  return n;
}

/* See Note [Growth]. */
static bool is_too_large(const Func *callee) {
  return count_insts(callee) > MOST_COPIED && count_calls(callee) > 1;
}

static bool has_tail_returns(const Func *fn) {
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    const Inst *last = block_terminator(fn->blocks.data[i]);
    if (inst_is_loop(last) && region_leaves(last->succs[0].block)) return false;
    if (inst_is_op(last, OP_BRANCH) && last->merge && region_arms_leave(last) &&
        count_jumps_to(fn, last->merge) > 1)
      return false;
  }
  return true;
}

static bool can_inline(const Func *fn) { return has_tail_returns(fn) && !is_too_large(fn); }

static bool has_work(const Func *fn) {
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      if (inst_is_op(inst, OP_CALL) && can_inline(inst->attr.func)) return true;
  return false;
}

/* ---- what is left ---------------------------------------------------------------------------- */

static void remove_uncalled(const FuncVec *inlined) {
  for (uint32_t i = 0; i < inlined->len; i++) {
    Func *callee = inlined->data[i];
    if (count_calls(callee) == 0) module_remove_func(callee->module, callee);
  }
}

/* ---- pass ------------------------------------------------------------------------------------ */

bool pass_inline_calls(Pass *px, Func *fn) {
  if (!has_work(fn)) return false;
  FuncVec inlined = {0};
  copy_function(px, fn, &(Expansions){.calls = can_inline}, &inlined);
  remove_uncalled(&inlined);
  return true;
}

/* Note [Returns in tail position]
 *
 * A callee's return cannot jump to the end of the call: structured code leaves a branch only at its
 * merge block. But where one arm of a branch returns on every way, the merge block is reached from
 * the other arm alone, and all that follows it can move into that arm; then both arms end the
 * callee, and their values meet in a new merge block:
 *
 *   branch %c, b1, b2, merge b3          branch %c, b1, b2, merge b4(%r)
 *   b1: leave<return>(%u)           =>   b1: jump b4(%u)
 *   b2: jump b3                          b2: (what was b3) jump b4(%v)
 *   b3: leave<return>(%v)                b4(%r): the call's value is %r
 *
 * Where both arms can reach the merge block and one of them may also return, what follows would be
 * copied into both. Such functions, and those with a return in a loop, stay calls; but
 * from_tast_early.c has replaced such returns by flags, and few are left: beyond the limits of
 * merge_exits.c.
 */

/* Note [Growth]
 *
 * A function that calls another one twice, which calls a third one twice, and so on, has as many
 * copies of the last one as there are ways to it: 2^20 for twenty functions. So a callee that is
 * large after its own calls are inlined is copied only to the one place where it is called. Then
 * the program grows by at most MOST_COPIED instructions for each call that it has.
 */

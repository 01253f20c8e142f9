/* hoist_loops: loop-invariant code motion: values that are the same in every round are computed
 * before the loop.
 *
 *   foreach %lo, %hi, b1(..), b2()            %c = probe_group<..> %img, %p
 *   b1(%i: int, ..):                          foreach %lo, %hi, b1(..), b2()
 *     %c = probe_group<..> %img, %p     =>    b1(%i: int, ..):
 *
 * Level mid. Needs dom. Keeps dom. Inner loops first, so that a value can leave several loops. Only
 * instructions that every round executes are moved: a branch may exist in order to avoid them. For
 * a loop of no rounds they are computed in vain, which is harmless. READ ops are moved if the
 * function writes nothing. Cost linear in instructions times the depth of loops.
 */
#include "ir/analysis/effects.h"
#include "ir/mid/local.h"
#include "ir/pass/pass.h"

typedef struct Hoist {
  const Dom *dom;
  Inst *loop;
  bool is_read_only, has_changed;
} Hoist;

/* Whether the value is defined before the loop. */
static bool is_known_before(const Hoist *hoist, const Value *value) {
  const Block *blk = value->def ? value->def->block : value->block;
  return dom_is_ancestor(hoist->dom, blk, hoist->loop->block);
}

static bool can_move(const Hoist *hoist, const Inst *inst) {
  if (inst->n_results == 0 || !effects_can_merge(inst, hoist->is_read_only)) return false;
  for (uint32_t i = 0; i < inst->n_args; i++)
    if (!is_known_before(hoist, inst->args[i])) return false;
  return true;
}

static void move_from(Hoist *hoist, const Block *blk) {
  for (Inst *inst = blk->first, *next; inst != blk->last; inst = next) {
    next = inst->next;
    if (!can_move(hoist, inst)) continue;
    inst_move_before(inst, hoist->loop);
    hoist->has_changed = true;
  }
}

bool pass_hoist_loops(Pass *px, Func *fn) {
  Hoist hoist = {.dom = px->dom, .is_read_only = effects_is_read_only(fn)};
  for (uint32_t i = px->dom->order.len; i-- > 0;) {
    hoist.loop = block_terminator(px->dom->order.data[i]);
    if (!inst_is_loop(hoist.loop)) continue;
    for (const Block *blk = hoist.loop->succs[0].block; blk; blk = region_meets_next(blk))
      move_from(&hoist, blk);
  }
  return hoist.has_changed;
}

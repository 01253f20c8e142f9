/* effort.h: decides at run time between lanes and one strand at a time.
 *
 * A branch costs a gang the same, however few lanes take it: if the control flow of neighbouring
 * strands diverges, one strand at a time is cheaper. Only a run shows that. So programs with long
 * branches have code for both. They add up what steps cost in lanes, and what the same steps would
 * have cost one strand at a time (backend-c/lanes/cost.c), and continue with the cheaper way, in
 * the rest of a visit of a block and in later visits. Both compute the same bits.
 */
#pragma once

#include "ddr/lanes/gang.h"
#include "ddr/program.h"

enum {
  DDR_EFFORT_LEAST = 1 << 18, /* operations in lanes before a decision */
  DDR_EFFORT_SHARE = 16,      /* a visit leaves the lanes only after 1/16 of its strands */
  DDR_EFFORT_AGAIN = 16, /* one of 16 visits is in lanes, even if that seems slower: to measure */
  DDR_EFFORT_AGAIN_WHOLE = 256 /* one of 256, if a visit cannot leave the lanes half way */
};

/* Whether a visit can leave the lanes half way: one with a limit of steps is too short. */
DDR_VFN bool ddr_effort_may_leave(uint32_t max_steps) { return max_steps == 0; }

/* Whether lanes cost more than the other way, by more than n quarters of the latter. */
DDR_VFN bool ddr_effort_is_wasted(uint64_t in_lanes, uint64_t alone, unsigned n) {
  return in_lanes >= DDR_EFFORT_LEAST && in_lanes > alone + n * (alone / 4);
}

/* Called before code with these costs: for the whole gang, and for each active strand alone. */
DDR_VFN void ddr_effort_add(ddr_effort *effort, ddr_vmask mask, uint32_t in_lanes, uint32_t alone) {
  effort->in_lanes += in_lanes;
  effort->alone += (uint64_t)alone * (uint32_t)ddr_vcount(mask);
}

/* Whether lanes were slower in the visits up to now. */
DDR_VFN bool ddr_effort_was_wasted(const ddr_effort *all) {
  return ddr_effort_is_wasted(all->in_lanes, all->alone, 1);
}

/* Whether the strands of the block should run one at a time. */
DDR_VFN bool ddr_runs_alone(ddr_block *block, uint32_t max_steps) {
  const uint32_t again =
      ddr_effort_may_leave(max_steps) ? DDR_EFFORT_AGAIN : DDR_EFFORT_AGAIN_WHOLE;
  return block->effort->n_visits++ % again != 0 && ddr_effort_was_wasted(block->effort);
}

/* During a visit in lanes: if lanes turn out to be slower, the gang takes no further strands. The
 * first strands of a block are not typical of the rest: unless earlier visits agree, the difference
 * must be large. */
DDR_VFN void ddr_effort_judge(const ddr_effort *effort, const ddr_block *block, ddr_queue *queue) {
  if (queue->next >= queue->end || !ddr_effort_may_leave(queue->max_steps)) return;
  if (DDR_EFFORT_SHARE * queue->next < queue->end) return;
  const unsigned n = ddr_effort_was_wasted(block->effort) ? 1 : 2;
  queue->is_left = ddr_effort_is_wasted(effort->in_lanes, effort->alone, n);
  if (!queue->is_left) return;
  queue->next = queue->end;
  block->effort->n_left++;
}

/* After a visit in lanes: adds its costs. Those of earlier visits count less and less. */
DDR_VFN void ddr_effort_keep(ddr_block *block, const ddr_effort *more) {
  ddr_effort *all = block->effort;
  const int n_bits = all->in_lanes > 8 * DDR_EFFORT_LEAST;
  all->in_lanes = (all->in_lanes >> n_bits) + more->in_lanes;
  all->alone = (all->alone >> n_bits) + more->alone;
}

/* effort.h: are strands worth their lanes?
 *
 * A long branch costs all lanes the same, however few take it: where strands side by side go
 * different ways, one strand at a time is cheaper. Only a run shows which it is. So programs with
 * such branches have both, weigh what lanes cost and what the same steps would have cost alone
 * (backend-c/lanes/cost.c), and go on with what is cheaper: the next visits, and the rest of this
 * one. Both compute the same bits: which one ran makes no difference.
 */
#pragma once

#include "ddr/lanes/gang.h"
#include "ddr/program.h"

enum {
  DDR_EFFORT_LEAST = 1 << 18,  /* ops in lanes before anybody judges */
  DDR_EFFORT_SHARE = 16,       /* of a visit: part of its strands before anybody leaves the lanes */
  DDR_EFFORT_AGAIN = 16,       /* of so many visits one is in lanes, to see what they cost now; */
  DDR_EFFORT_AGAIN_WHOLE = 256 /* fewer where it cannot leave them */
};

/* A visit with a limit of steps is over before anybody could judge it. */
DDR_VFN bool ddr_effort_may_leave(uint32_t max_steps) { return max_steps == 0; }

/* By more than n quarters of what it would have been: a draw is for lanes. */
DDR_VFN bool ddr_effort_is_wasted(uint64_t in_lanes, uint64_t alone, unsigned n) {
  return in_lanes >= DDR_EFFORT_LEAST && in_lanes > alone + n * (alone / 4);
}

/* Before something that costs so much in lanes, and so much for each strand alone. */
DDR_VFN void ddr_effort_add(ddr_effort *effort, ddr_vmask mask, uint32_t in_lanes, uint32_t alone) {
  effort->in_lanes += in_lanes;
  effort->alone += (uint64_t)alone * (uint32_t)ddr_vcount(mask);
}

/* So the visits up to now say. */
DDR_VFN bool ddr_effort_was_wasted(const ddr_effort *all) {
  const uint64_t in_lanes = __atomic_load_n(&all->in_lanes, __ATOMIC_RELAXED);
  const uint64_t alone = __atomic_load_n(&all->alone, __ATOMIC_RELAXED);
  return ddr_effort_is_wasted(in_lanes, alone, 1);
}

/* Whether the strands of the block had rather run one at a time. */
DDR_VFN bool ddr_runs_alone(ddr_block *block, uint32_t max_steps) {
  const uint32_t again =
      ddr_effort_may_leave(max_steps) ? DDR_EFFORT_AGAIN : DDR_EFFORT_AGAIN_WHOLE;
  ddr_effort *all = &block->strands->effort;
  const uint32_t n = __atomic_fetch_add(&all->n_visits, 1, __ATOMIC_RELAXED);
  return n % again != 0 && ddr_effort_was_wasted(all);
}

/* During a visit in lanes: where these turn out to be wasted, no further strands are taken. Its
 * first strands, side by side, say less about the rest than whole visits do: unless these agree, it
 * must be plain. */
DDR_VFN void ddr_effort_judge(const ddr_effort *effort, const ddr_block *block, ddr_queue *queue) {
  if (queue->next >= queue->end || !ddr_effort_may_leave(queue->max_steps)) return;
  if (DDR_EFFORT_SHARE * queue->next < queue->end) return;
  const unsigned n = ddr_effort_was_wasted(&block->strands->effort) ? 1 : 2;
  queue->is_left = ddr_effort_is_wasted(effort->in_lanes, effort->alone, n);
  if (!queue->is_left) return;
  queue->next = queue->end;
  __atomic_fetch_add(&block->strands->effort.n_left, 1, __ATOMIC_RELAXED);
}

/* After a visit in lanes: what is long past counts less and less. */
DDR_VFN void ddr_effort_keep(ddr_block *block, const ddr_effort *more) {
  ddr_effort *all = &block->strands->effort;
  const uint64_t in_lanes = __atomic_load_n(&all->in_lanes, __ATOMIC_RELAXED);
  const uint64_t alone = __atomic_load_n(&all->alone, __ATOMIC_RELAXED);
  const int n_bits = in_lanes > 8 * DDR_EFFORT_LEAST;
  __atomic_store_n(&all->in_lanes, (in_lanes >> n_bits) + more->in_lanes, __ATOMIC_RELAXED);
  __atomic_store_n(&all->alone, (alone >> n_bits) + more->alone, __ATOMIC_RELAXED);
}

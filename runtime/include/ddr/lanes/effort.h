/* effort.h: are strands worth their lanes?
 *
 * A long branch costs all lanes the same, however few take it: where strands side by side go
 * different ways, one strand at a time is cheaper. Only a run shows which it is. So programs with
 * such branches have both, weigh what lanes cost and what the same steps would have cost alone
 * (backend-c/lanes/cost.c), and go on with what is cheaper. Both compute the same bits: which one
 * ran makes no difference.
 */
#pragma once

#include "ddr/lanes/lanes.h"
#include "ddr/program.h"

enum {
  DDR_EFFORT_LEAST = 1 << 18, /* ops in lanes before anybody judges */
  DDR_EFFORT_AGAIN = 256      /* of so many visits one is in lanes, to see what they cost now */
};

/* Before something that costs so much in lanes, and so much for each strand alone. */
DDR_VFN void ddr_effort_add(ddr_effort *effort, ddr_vmask mask, uint32_t in_lanes, uint32_t alone) {
  effort->in_lanes += in_lanes;
  effort->alone += (uint64_t)alone * (uint32_t)ddr_vcount(mask);
}

/* Whether the strands of the block had rather run one at a time. */
DDR_VFN bool ddr_runs_alone(ddr_block *block) {
  ddr_effort *all = &block->strands->effort;
  const uint64_t in_lanes = __atomic_load_n(&all->in_lanes, __ATOMIC_RELAXED);
  const uint64_t alone = __atomic_load_n(&all->alone, __ATOMIC_RELAXED);
  const uint32_t n = __atomic_fetch_add(&all->n_visits, 1, __ATOMIC_RELAXED);
  if (in_lanes < DDR_EFFORT_LEAST || n % DDR_EFFORT_AGAIN == 0) return false;
  return in_lanes > alone + alone / 4;
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

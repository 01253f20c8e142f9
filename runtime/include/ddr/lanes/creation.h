/* creation.h: strands that are created together, one in each lane, in consecutive slots.
 */
#pragma once

#include "ddr/lanes/effort.h"

/* The strands from a slot on, as far as the block has them. */
DDR_VFN void ddr_gang_create(ddr_gang *gang, const ddr_block *block, int64_t slot) {
  const int64_t n = block->end - slot;
  *gang = (ddr_gang){.mask = ddr_vbool_all(true), .row = slot};
  for (int lane = 0; lane < DDR_LANES; lane++) gang->slot[lane] = slot + lane;
  if (n >= DDR_LANES) return;
  gang->mask = ddr_vmask_of(((ddr_lane_set)1 << n) - 1);
  gang->row = -1;
  for (int64_t lane = n; lane < DDR_LANES; lane++) gang->slot[lane] = -1;
}

/* The digits of a slot, the last one fastest; the first is what the others leave. */
DDR_VFN void ddr_digits(const ddr_strands *strands, int rank, int64_t slot, int64_t *digit) {
  for (int k = rank - 1; k > 0; k--) {
    digit[k] = slot % strands->len[k];
    slot /= strands->len[k];
  }
  digit[0] = slot;
}

/* Those of the next slot. */
DDR_VFN void ddr_next_digits(const ddr_strands *strands, int rank, int64_t *digit) {
  int k = rank - 1;
  for (; k > 0 && digit[k] == strands->len[k] - 1; k--) digit[k] = 0;
  digit[k]++;
}

/* The value of an iterator. */
DDR_VFN ddr_int ddr_iterator(const ddr_strands *strands, int k, int64_t digit) {
  return (ddr_int)(strands->lo[k] + strands->step * digit);
}

/* The iterators of the strands from a slot on. Mostly they lie in one row of the grid. */
DDR_VFN void ddr_iterators(const ddr_strands *strands, int rank, int64_t slot, ddr_vint *at) {
  int64_t digit[DDR_MAX_ITERATORS];
  const int last = rank - 1;
  ddr_digits(strands, rank, slot, digit);
  if (last == 0 || digit[last] + DDR_LANES <= strands->len[last]) {
    for (int k = 0; k < rank; k++) at[k] = ddr_vint_all(ddr_iterator(strands, k, digit[k]));
    DDR_EVERY_LANE(lane) at[last][lane] = ddr_iterator(strands, last, digit[last] + lane);
    return;
  }
  for (int lane = 0; lane < DDR_LANES; lane++) {
    for (int k = 0; k < rank; k++) at[k][lane] = ddr_iterator(strands, k, digit[k]);
    ddr_next_digits(strands, rank, digit);
  }
}

/* --- one strand at a time (effort.h) ---------------------------------------------------------- */

/* The block function `create` for one strand after the other. */
typedef ddr_status ddr_create(const void *globals, ddr_block *block);

/* The strands in lanes that have left a loop. */
DDR_FN_SELDOM void ddr_create_apart(const ddr_gang *gang, const ddr_block *block,
                                    const void *globals, ddr_create *create) {
  ddr_lane_set apart = gang->apart;
  while (apart != 0) {
    ddr_block one = *block;
    one.begin = gang->slot[ddr_next_lane(&apart)];
    one.end = one.begin + 1;
    create(globals, &one);
  }
}

/* After the gang of a slot: whether those behind it are faster alone, as ddr_effort_judge. */
DDR_VFN bool ddr_creation_is_wasted(const ddr_effort *effort, const ddr_block *block,
                                    int64_t slot) {
  if (DDR_EFFORT_SHARE * (slot - block->begin) < block->end - block->begin) return false;
  const unsigned n = ddr_effort_was_wasted(block->effort) ? 1 : 2;
  return ddr_effort_is_wasted(effort->in_lanes, effort->alone, n);
}

/* The strands behind the gang of a slot. */
DDR_FN_SELDOM ddr_status ddr_create_rest(int64_t slot, const ddr_block *block, const void *globals,
                                         ddr_create *create) {
  ddr_block rest = *block;
  rest.begin = slot + DDR_LANES < block->end ? slot + DDR_LANES : block->end;
  return create(globals, &rest);
}

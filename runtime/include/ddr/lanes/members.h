/* members.h: members of a set of strands, one in each lane, whose values a reduction asks for
 * (ddr/reduce.h).
 */
#pragma once

#include "ddr/lanes/gang.h"
#include "ddr/reduce.h"

/* Whether the strands from the given slot on, one for each lane, are all members. Between phases
 * no strand is dead. */
DDR_VFN bool ddr_are_members(const ddr_strands *strands, int64_t slot, ddr_strand_set set) {
  const uint32_t first = ddr_run_status(set == DDR_SET_STABLE ? DDR_STABLE : DDR_ACTIVE);
  const uint32_t same = ~ddr_run_status(set == DDR_SET_STABLE ? 0 : DDR_NEW);
  uint32_t others = 0, run;
  if (strands->n_slots - slot < DDR_LANES) return false;
  for (int k = 0; k < DDR_RUNS; k++) {
    memcpy(&run, strands->status + slot + DDR_RUN * k, sizeof run);
    others |= (run ^ first) & same;
  }
  return others == 0;
}

/* The members of a set, not of that of all, among as many slots as there are lanes. Who is one
 * cannot be foretold, so slots are not tested one by one. */
DDR_VFN ddr_lane_set ddr_members_here(const ddr_strands *strands, int64_t slot,
                                      ddr_strand_set set) {
  ddr_lane_set found = 0;
  if (strands->n_slots - slot >= DDR_LANES) {
    const ddr_lane_set stable = ddr_ended_in_row(strands->status + slot);
    return set == DDR_SET_STABLE ? stable : DDR_ALL_LANES & ~stable;
  }
  for (int lane = 0; lane < strands->n_slots - slot; lane++)
    found |= (ddr_lane_set)ddr_strand_is(strands, slot + lane, set) << lane;
  return found;
}

/* The slots of the next members, from the given one on, of whom there are enough; returns the slot
 * behind the last of them. */
DDR_VFN int64_t ddr_next_members(const ddr_strands *strands, int64_t slot, ddr_strand_set set,
                                 int64_t *at) {
  if (ddr_are_members(strands, slot, set)) {
    DDR_EACH_LANE(lane) at[lane] = slot + lane;
    return slot + DDR_LANES;
  }
  for (int n = 0; n < DDR_LANES; slot += DDR_LANES) {
    ddr_lane_set found = ddr_members_here(strands, slot, set);
    for (; found != 0 && n < DDR_LANES; n++) at[n] = slot + ddr_next_lane(&found);
  }
  return at[DDR_LANES - 1] + 1;
}

/* Values of these members, to their places in a column. */
DDR_VFN void ddr_vreal_give(ddr_real *given, ddr_vreal x) { memcpy(given, &x, sizeof x); }
DDR_VFN void ddr_vint_give(ddr_int *given, ddr_vint n) { memcpy(given, &n, sizeof n); }
DDR_VFN void ddr_vbool_give(bool *given, ddr_vmask m) {
  const ddr_vbytes bytes = __builtin_convertvector(m, ddr_vbytes) & 1;
  memcpy(given, &bytes, sizeof bytes);
}

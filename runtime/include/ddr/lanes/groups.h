/* groups.h: states that lie in memory as they do in lanes: a group has the strands of as many
 * consecutive slots as there are lanes, and a vector for each of their scalars.
 *
 * Where a step takes few operations, moving strands from structs into vectors and back would take
 * longer than the step. So a gang takes a group as it is, whichever of its strands still run; a
 * block begins with a group. Generated code moves the state (backend-c/lanes/groups.c); the rest is
 * here.
 */
#pragma once

#include "ddr/lanes/gang.h"

/* --- gangs ------------------------------------------------------------------------------------ */

/* The first n strands of a group, as far as they run. */
DDR_VFN ddr_lane_set ddr_group_running(const uint8_t *status, int64_t n) {
  ddr_lane_set running = 0;
  if (n >= DDR_LANES) return DDR_ALL_LANES & ~ddr_ended_in_row(status);
  for (int lane = 0; lane < n; lane++) running |= (ddr_lane_set)(status[lane] <= DDR_NEW) << lane;
  return running;
}

/* Takes the strands of a group that run; false: there are none. */
DDR_VFN bool ddr_gang_take_group(ddr_gang *gang, const ddr_block *block, int64_t slot) {
  const uint8_t *status = block->strands->status + slot;
  bool all_run = block->end - slot >= DDR_LANES;
  for (int run = 0; all_run && run < DDR_RUNS; run++)
    all_run = ddr_run_runs(status + DDR_RUN * run);
  gang->mask = ddr_vbool_all(true);
  gang->dead = (ddr_vmask){0};
  if (all_run) return true;
  const ddr_lane_set running = ddr_group_running(status, block->end - slot);
  gang->mask = ddr_vmask_of(running);
  return running != 0;
}

/* Where the group ends, or the block within it. */
DDR_VFN int64_t ddr_group_end(const ddr_block *block, int64_t slot) {
  return slot + DDR_LANES < block->end ? slot + DDR_LANES : block->end;
}

/* Whether strands of the group may be new; so it is said of each part of a group. */
DDR_VFN bool ddr_group_begins(const ddr_block *block, int64_t slot) {
  uint32_t begun = 0, run;
  if (block->end - slot < DDR_LANES) return true;
  for (int k = 0; k < DDR_RUNS; k++) {
    memcpy(&run, block->strands->status + slot + DDR_RUN * k, sizeof run);
    begun |= run & ~(run >> 1); /* the bit that only DDR_NEW has alone */
  }
  return (begun & ddr_run_status(DDR_NEW)) != 0;
}

/* Whose strands the lanes have, for births. */
DDR_VFN void ddr_gang_number(ddr_gang *gang, int64_t slot) {
  for (int lane = 0; lane < DDR_LANES; lane++) gang->slot[lane] = slot + lane;
}

/* Of the lanes `began`, those whose strands have become stable. */
DDR_VFN ddr_lane_set ddr_group_stable(const ddr_gang *gang, ddr_vmask began) {
  return ddr_vlanes(began & ~gang->mask & ~gang->dead);
}

/* Sets, so that the masks of the gang stay in registers. */
DDR_FN_SELDOM void ddr_group_tell(ddr_lane_set began, ddr_lane_set active, ddr_lane_set dead,
                                  uint8_t *status) {
  while (began != 0) {
    const int lane = ddr_next_lane(&began);
    const ddr_strand_status ended = dead >> lane & 1 ? DDR_DEAD : DDR_STABLE;
    status[lane] = (uint8_t)(active >> lane & 1 ? DDR_ACTIVE : ended);
  }
}

/* The strands in the lanes `began` have made a step, and their states are stored. */
DDR_VFN void ddr_gang_leave_group(const ddr_gang *gang, ddr_vmask began, const ddr_block *block,
                                  int64_t slot) {
  uint8_t *status = block->strands->status + slot;
  const bool are_active = !ddr_vany(~gang->mask);
  if (!are_active && ddr_vany(gang->mask | gang->dead | ~began)) {
    ddr_group_tell(ddr_vlanes(began), ddr_vlanes(gang->mask), ddr_vlanes(gang->dead), status);
    return;
  }
  const uint32_t of_run = ddr_run_status(are_active ? DDR_ACTIVE : DDR_STABLE);
  for (int run = 0; run < DDR_RUNS; run++) memcpy(status + DDR_RUN * run, &of_run, sizeof of_run);
}

/* --- single strands --------------------------------------------------------------------------- */

/* Where a strand is. No slot is negative, which saves C compilers half of the operations. */
DDR_VFN int64_t ddr_group_of(int64_t slot) { return (int64_t)((uint64_t)slot / DDR_LANES); }
DDR_VFN int ddr_lane_of(int64_t slot) { return (int)((uint64_t)slot % DDR_LANES); }

/* Stores a value of one strand. gcc turns an assignment to an element of a vector into a blend of
 * the whole vector, and each one waits for the one before. */
DDR_VFN void ddr_group_put_real(ddr_vreal *of_all, int lane, ddr_real x) {
  ((ddr_real *)of_all)[lane] = x;
}
DDR_VFN void ddr_group_put_int(ddr_vint *of_all, int lane, ddr_int n) {
  ((ddr_int *)of_all)[lane] = n;
}
DDR_VFN void ddr_group_put_bool(ddr_vmask *of_all, int lane, bool is_so) {
  ((ddr_mask_lane *)of_all)[lane] = -(ddr_mask_lane)is_so;
}

/* --- outputs ---------------------------------------------------------------------------------- */

/* The strands of a group from a lane on. */
typedef struct ddr_part {
  int lane, n;
} ddr_part;

/* Those from `slot` to the end of its group, or to `end`. */
DDR_VFN ddr_part ddr_part_of_group(int64_t slot, int64_t end) {
  const int lane = ddr_lane_of(slot), n_there = DDR_LANES - lane;
  return (ddr_part){lane, end - slot < n_there ? (int)(end - slot) : n_there};
}

/* Their values to every n-th element of an array. A whole group takes few instructions, so that a
 * processor loads several groups from memory at a time. */
#define DDR_PART_GATHER(name, vector, lane_type, scalar, test)                                     \
  DDR_VFN void name(ddr_part part, const vector *group, scalar *values, int n) {                   \
    const lane_type *lanes = (const lane_type *)group + part.lane;                                 \
    if (part.n == DDR_LANES) DDR_EVERY_LANE(lane) values[lane * n] = lanes[lane] test;             \
    else                                                                                           \
      for (int k = 0; k < part.n; k++) values[k * n] = lanes[k] test;                              \
  }
DDR_PART_GATHER(ddr_part_gather_real, ddr_vreal, ddr_real, ddr_real, )
DDR_PART_GATHER(ddr_part_gather_int, ddr_vint, ddr_int, ddr_int, )
DDR_PART_GATHER(ddr_part_gather_bool, ddr_vmask, ddr_mask_lane, bool, != 0)
#undef DDR_PART_GATHER

/* --- strands in any slots --------------------------------------------------------------------- */

/* Whether the slots, which ascend, are those of one group. */
DDR_VFN bool ddr_are_group(const int64_t *at) {
  return at[0] % DDR_LANES == 0 && at[DDR_LANES - 1] - at[0] == DDR_LANES - 1;
}

/* Gathers a real, int or truth value of the strands in slots at[lane]: `first` is the vector of the
 * first group; groups are `size` bytes apart. */
#define DDR_V_OF_GROUPS(name, vector)                                                              \
  DDR_VFN vector name(const vector *first, size_t size, const int64_t *at) {                       \
    const char *groups = (const char *)first;                                                      \
    vector values = *(const vector *)(groups + (size_t)at[0] / DDR_LANES * size);                  \
    if (ddr_are_group(at)) return values;                                                          \
    DDR_EVERY_LANE(lane) {                                                                         \
      const size_t slot = (size_t)at[lane];                                                        \
      const vector *group = (const vector *)(groups + slot / DDR_LANES * size);                    \
      values[lane] = (*group)[slot % DDR_LANES];                                                   \
    }                                                                                              \
    return values;                                                                                 \
  }
DDR_V_OF_GROUPS(ddr_vreal_of_groups, ddr_vreal)
DDR_V_OF_GROUPS(ddr_vint_of_groups, ddr_vint)
DDR_V_OF_GROUPS(ddr_vbool_of_groups, ddr_vmask)
#undef DDR_V_OF_GROUPS

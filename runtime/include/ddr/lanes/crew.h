/* crew.h: the lanes of a vector register as a crew that works off a block of strands.
 *
 * Each lane runs one strand. When few are left at it, those that have finished store their strands
 * and take the next ones of the block. Which strands share a crew makes no difference to what they
 * compute. Generated code moves the state (backend-c/lanes/block.c); the rest is here.
 */
#pragma once

#include <string.h>

#include "ddr/lanes/lanes.h"
#include "ddr/lanes/sampling.h"
#include "ddr/program.h"

typedef struct ddr_crew {
  ddr_vmask on;            /* lanes whose strand runs */
  ddr_vmask ended;         /* lanes whose strand is to be stored */
  ddr_vmask n_steps;       /* of each lane's strand in this visit */
  int64_t slot[DDR_LANES]; /* of each lane's strand; -1: idle */
  int n_on;                /* lanes that are on */
  uint32_t n_since;        /* steps since strands were taken */
  uint32_t max_steps;      /* 0: no limit */
  uint32_t most;           /* steps of any strand released */
  uint8_t *status;         /* of all strands */
  int64_t next, end;       /* slots nobody has taken yet */
} ddr_crew;

DDR_VFN void ddr_crew_open(ddr_crew *crew, const ddr_block *block, uint32_t max_steps) {
  *crew = (ddr_crew){.max_steps = max_steps,
                     .status = block->strands->status,
                     .next = block->begin,
                     .end = block->end};
  for (int lane = 0; lane < DDR_LANES; lane++) crew->slot[lane] = -1;
}

/* The slot of a strand that the lane is to run, or -1: it is busy, or none is left. */
DDR_VFN int64_t ddr_crew_take(ddr_crew *crew, int lane) {
  if (crew->slot[lane] >= 0) return -1;
  while (crew->next < crew->end && crew->status[crew->next] > DDR_NEW) crew->next++;
  if (crew->next >= crew->end) return -1;
  crew->on[lane] = -1;
  crew->n_steps[lane] = 0;
  crew->n_on++;
  crew->n_since = 0;
  crew->slot[lane] = crew->next++;
  return crew->slot[lane];
}

/* The slot of lane 0 where the lanes have slots in a row, as they mostly do, else -1. */
DDR_VFN int64_t ddr_crew_row(const ddr_crew *crew) {
  bool is_row = crew->slot[0] >= 0;
  DDR_EACH_LANE(lane) is_row &= crew->slot[lane] == crew->slot[0] + lane;
  return is_row ? crew->slot[0] : -1;
}

/* Value j of each lane's strand; `row` is ddr_crew_row. */
DDR_VFN ddr_vreal ddr_crew_sample(const ddr_samples *samples, int64_t j, const ddr_crew *crew,
                                  int64_t row) {
  ddr_vreal values = {0};
  if (row >= 0) {
    const ddr_real *from = (const ddr_real *)samples->values;
    memcpy(&values, from + j * samples->stride + row - samples->begin, sizeof values);
    return values;
  }
  for (int lane = 0; lane < DDR_LANES; lane++) {
    if (crew->slot[lane] >= 0) values[lane] = ddr_sampling_value(samples, j, crew->slot[lane]);
  }
  return values;
}

/* Before a step. */
DDR_VFN void ddr_crew_step(ddr_crew *crew) {
  crew->n_steps -= crew->on;
  crew->n_since++;
}

/* With a limit of steps all lanes reach it together: none takes another strand before. */
DDR_VFN bool ddr_crew_goes_on(const ddr_crew *crew) {
  if (crew->max_steps > 0) return crew->n_on > 0 && crew->n_since < crew->max_steps;
  return crew->n_on > (crew->next < crew->end ? DDR_LANES * 3 / 4 : 0);
}

/* The limit is reached: strands wait for the next visit. */
DDR_VFN bool ddr_crew_pauses(const ddr_crew *crew) { return crew->max_steps > 0 && crew->n_on > 0; }

/* Of a lane among the `ended`: the slot to store its strand at. The lane is idle then. Else -1. */
DDR_VFN int64_t ddr_crew_release(ddr_crew *crew, int lane, ddr_strand_status status) {
  const int64_t slot = crew->slot[lane];
  if (!crew->ended[lane] || slot < 0) return -1;
  const uint32_t n_steps = (uint32_t)crew->n_steps[lane];
  if (n_steps > crew->most) crew->most = n_steps;
  crew->status[slot] = (uint8_t)status;
  crew->on[lane] = 0;
  crew->n_on--;
  crew->slot[lane] = -1;
  return slot;
}

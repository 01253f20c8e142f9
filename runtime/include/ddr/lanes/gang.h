/* gang.h: a gang is the strands in the lanes of a vector register, which process a block together.
 *
 * Each lane runs one strand. When a strand ends, its final state is kept and its lane masked off,
 * until few lanes are active: then all ended strands are stored, and their lanes take the next
 * strands of the block, from a queue that gangs can share. Which strands share a gang makes no
 * difference to what they compute. Generated code moves the state (backend-c/lanes/exchange.c); the
 * rest is here.
 */
#pragma once

#include <string.h>

#include "ddr/lanes/lanes.h"
#include "ddr/lanes/sampling.h"
#include "ddr/program.h"

enum { DDR_TILE = 16 }; /* strands of a tile, whatever the number of lanes */

typedef struct ddr_gang {
  ddr_vmask mask;          /* lanes whose strand runs */
  ddr_vmask n_steps;       /* of each lane's strand in this visit */
  ddr_vmask dead;          /* lanes whose strand ended by dying */
  int64_t slot[DDR_LANES]; /* of each lane's strand; -1: idle */
  ddr_lane_set busy;       /* lanes that have a strand, whether it runs or has ended */
} ddr_gang;

/* The strands of a block that nobody has taken yet. */
typedef struct ddr_queue {
  int64_t slot;          /* of the next one, which begins a run of */
  int64_t n_in_run;      /* this many side by side, */
  int64_t n_runs;        /* and a tile of as many runs, one below the other, */
  int64_t width;         /* each of this many */
  int64_t next, end;     /* how many strands have been taken, and all of the block */
  int64_t begin;         /* slot of the block's first strand, */
  const uint32_t *slots; /* or the slots of all, or NULL */
  ddr_tiles tiles;
  uint8_t *status;        /* of all strands */
  uint32_t max_steps;     /* 0: no limit */
  uint32_t n_since;       /* steps since strands were taken */
  uint32_t most;          /* steps of any strand released */
  int least;              /* while there are strands to take, more lanes than that go on */
  const bool *is_stopped; /* of the block */
} ddr_queue;

/* Of a block with or without `slots`. */
DDR_VFN int64_t ddr_slot_at(const ddr_block *block, int64_t at) {
  return block->slots ? block->slots[at] : at;
}

DDR_VFN void ddr_gang_open(ddr_gang *gang) {
  *gang = (ddr_gang){0};
  for (int lane = 0; lane < DDR_LANES; lane++) gang->slot[lane] = -1;
}

/* --- the queue -------------------------------------------------------------------------------- */

/* Tiles of a band of rows, from left to right; what the row has beyond the last one is a tile that
 * is narrower. A block has whole rows, of which the last band may have fewer. */
static __attribute__((noinline, unused)) void ddr_queue_open_tile(ddr_queue *queue) {
  if (queue->next == queue->end) return;
  const uint32_t taken = (uint32_t)queue->next, row = (uint32_t)queue->tiles.row;
  const uint32_t band_len = row * (uint32_t)queue->tiles.height;
  const uint32_t first = taken / band_len * band_len, left = (uint32_t)queue->end - first;
  const uint32_t n_rows = (left < band_len ? left : band_len) / row;
  const uint32_t column = (taken - first) / n_rows, width = DDR_TILE / n_rows;
  queue->slot = queue->begin + first + column;
  queue->n_runs = n_rows;
  queue->width = queue->n_in_run = row - column < width ? row - column : width;
}

/* Of a block; `least` is how many lanes are to go on at least, while others take strands. */
DDR_VFN void ddr_queue_open(ddr_queue *queue, const ddr_block *block, uint32_t max_steps,
                            int least) {
  const int64_t n = block->end - block->begin;
  *queue = (ddr_queue){.slot = block->begin,
                       .n_in_run = n,
                       .n_runs = 1,
                       .end = n,
                       .begin = block->begin,
                       .slots = block->slots ? block->slots + block->begin : NULL,
                       .status = block->strands->status,
                       .max_steps = max_steps,
                       .least = least,
                       .is_stopped = block->is_stopped};
  if (!queue->slots) queue->tiles = block->tiles;
  if (queue->tiles.height > 0) ddr_queue_open_tile(queue);
}

/* The slot of the next strand, which there is. */
DDR_VFN int64_t ddr_queue_take(ddr_queue *queue) {
  const int64_t k = queue->next++, slot = queue->slot;
  if (queue->slots) return queue->slots[k];
  queue->slot++;
  if (--queue->n_in_run > 0 || queue->tiles.height == 0) return slot;
  queue->slot += queue->tiles.row - queue->width;
  queue->n_in_run = queue->width;
  if (--queue->n_runs == 0) ddr_queue_open_tile(queue);
  return slot;
}

/* After this step none is made any more: all strands wait for another visit, if it comes. */
DDR_VFN void ddr_queue_stop(ddr_queue *queue) {
  queue->next = queue->end;
  queue->max_steps = 1;
}

/* Before a step. */
DDR_VFN void ddr_queue_step(ddr_queue *queue) {
  queue->n_since++;
  if (ddr_is_stopped(queue->is_stopped)) ddr_queue_stop(queue);
}

/* After a step: whether the gang, with n_running active lanes, goes on. With a limit of steps all
 * lanes reach it together: none takes another strand before. */
DDR_VFN bool ddr_queue_goes_on(const ddr_queue *queue, int n_running) {
  if (queue->max_steps > 0) return n_running > 0 && queue->n_since < queue->max_steps;
  return n_running > (queue->next < queue->end ? queue->least : 0);
}

/* --- strands into lanes ------------------------------------------------------------------------
 */

DDR_VFN ddr_lane_set ddr_gang_idle(const ddr_gang *gang) { return DDR_ALL_LANES & ~gang->busy; }

/* The slot of a strand that the idle lane is to run, or -1: none is left. */
DDR_VFN int64_t ddr_gang_take(ddr_gang *gang, int lane, ddr_queue *queue) {
  while (queue->next < queue->end) {
    const int64_t slot = ddr_queue_take(queue);
    if (queue->status[slot] > DDR_NEW) continue;
    gang->mask[lane] = -1;
    gang->n_steps[lane] = 0;
    gang->busy |= (ddr_lane_set)1 << lane;
    gang->slot[lane] = slot;
    queue->n_since = 0;
    return slot;
  }
  return -1;
}

/* The next strands of the block in a row, one for each lane, where all lanes are idle and as many
 * strands run there: the slot of lane 0's. Else -1, and nothing is taken. */
DDR_VFN int64_t ddr_gang_take_row(ddr_gang *gang, ddr_queue *queue) {
  if (gang->busy != 0 || queue->end - queue->next < DDR_LANES) return -1;
  if (queue->tiles.height > 0 || queue->slots) return -1;
  const int64_t first = queue->slot;
  uint8_t worst = 0;
  for (int lane = 0; lane < DDR_LANES; lane++) worst |= queue->status[first + lane] > DDR_NEW;
  if (worst) return -1;
  gang->mask = ddr_vbool_all(true);
  gang->n_steps = (ddr_vmask){0};
  gang->busy = DDR_ALL_LANES;
  queue->next += DDR_LANES;
  queue->slot += DDR_LANES;
  queue->n_in_run -= DDR_LANES;
  queue->n_since = 0;
  for (int lane = 0; lane < DDR_LANES; lane++) gang->slot[lane] = first + lane;
  return first;
}

/* The slot of lane 0 where the lanes have slots in a row, as they mostly do, else -1. */
DDR_VFN int64_t ddr_gang_row(const ddr_gang *gang) {
  bool is_row = gang->slot[0] >= 0;
  DDR_EACH_LANE(lane) is_row &= gang->slot[lane] == gang->slot[0] + lane;
  return is_row ? gang->slot[0] : -1;
}

/* Value j of each lane's strand; `row` is ddr_gang_row. */
DDR_VFN ddr_vreal ddr_gang_sample(const ddr_samples *samples, int64_t j, const ddr_gang *gang,
                                  int64_t row) {
  ddr_vreal values = {0};
  if (row >= 0) {
    const ddr_real *from = (const ddr_real *)samples->values;
    memcpy(&values, from + j * samples->stride + row - samples->begin, sizeof values);
    return values;
  }
  for (int lane = 0; lane < DDR_LANES; lane++) {
    if (gang->slot[lane] >= 0) values[lane] = ddr_sampling_value(samples, j, gang->slot[lane]);
  }
  return values;
}

/* --- steps -------------------------------------------------------------------------------------
 */

/* Before a step. */
DDR_VFN void ddr_gang_step(ddr_gang *gang) { gang->n_steps -= gang->mask; }

/* Strands end in the lanes `ended`: the caller keeps their final states. */
DDR_VFN void ddr_gang_end(ddr_gang *gang, ddr_vmask ended, ddr_strand_status status) {
  gang->mask &= ~ended;
  if (status == DDR_DEAD) gang->dead |= ended;
}

/* Has the lane a strand, be it one that has ended? */
DDR_VFN bool ddr_gang_has(const ddr_gang *gang, int lane) { return gang->busy >> lane & 1; }

/* --- strands out of lanes ----------------------------------------------------------------------
 */

/* Lanes whose strands have ended, or wait for the next visit, as there is a limit of steps. */
DDR_VFN ddr_lane_set ddr_gang_ended(const ddr_gang *gang, const ddr_queue *queue) {
  return queue->max_steps > 0 ? gang->busy : gang->busy & ~ddr_vlanes(gang->mask);
}

DDR_VFN ddr_strand_status ddr_gang_status(const ddr_gang *gang, int lane) {
  if (gang->mask[lane]) return DDR_ACTIVE;
  return gang->dead[lane] ? DDR_DEAD : DDR_STABLE;
}

/* Of a lane whose strand has ended: the slot to store it at. The lane is idle then. */
DDR_VFN int64_t ddr_gang_release(ddr_gang *gang, int lane, ddr_queue *queue) {
  const int64_t slot = gang->slot[lane];
  const uint32_t n_steps = (uint32_t)gang->n_steps[lane];
  const ddr_strand_status end = ddr_gang_status(gang, lane);
  if (n_steps > queue->most) queue->most = n_steps;
  queue->status[slot] = (uint8_t)end;
  if (end == DDR_ACTIVE) gang->mask[lane] = 0;
  if (end == DDR_DEAD) gang->dead[lane] = 0;
  gang->busy &= ~((ddr_lane_set)1 << lane);
  gang->slot[lane] = -1;
  return slot;
}

/* Where all lanes have ended, with strands in a row: the slot to store lane 0's at. All lanes are
 * idle then. Else -1, and nothing is released. */
DDR_VFN int64_t ddr_gang_release_row(ddr_gang *gang, ddr_queue *queue) {
  if (ddr_gang_ended(gang, queue) != DDR_ALL_LANES) return -1;
  const int64_t first = ddr_gang_row(gang);
  if (first < 0) return -1;
  const bool is_stable = !ddr_vany(gang->mask | gang->dead);
  if (is_stable) memset(queue->status + first, DDR_STABLE, DDR_LANES);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t n_steps = (uint32_t)gang->n_steps[lane];
    queue->most = n_steps > queue->most ? n_steps : queue->most;
    if (!is_stable) queue->status[first + lane] = (uint8_t)ddr_gang_status(gang, lane);
    gang->slot[lane] = -1;
  }
  gang->mask = gang->dead = (ddr_vmask){0};
  gang->busy = 0;
  return first;
}

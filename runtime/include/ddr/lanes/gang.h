/* gang.h: a gang is the strands in the lanes of a vector register, which process a block together.
 *
 * Each lane runs one strand. When a strand ends, its final state is kept and its lane masked off,
 * until few lanes are active: then all ended strands are stored, and their lanes take the next
 * strands of the block, from a queue that gangs can share. Which strands share a gang makes no
 * difference to what they compute. Generated code moves the state (backend-c/lanes/exchange.c); the
 * rest is here.
 *
 * Strands of a tile that began together mostly take the same branches and read the same samples. So
 * a tile runs until all its strands have ended, unless they turn out to end at very different
 * times.
 */
#pragma once

#include <string.h>

#include "ddr/lanes/lanes.h"
#include "ddr/lanes/sampling.h"
#include "ddr/program.h"

enum {
  DDR_TILE = 16,                 /* strands of a tile, whatever the number of lanes */
  DDR_RUN = 4,                   /* strands side by side in a row of a square tile: a run */
  DDR_RUNS = DDR_LANES / DDR_RUN /* runs that fill the lanes */
};

typedef struct ddr_gang {
  ddr_vmask mask;          /* lanes whose strand runs */
  ddr_vmask n_steps;       /* of each lane's strand in this visit */
  ddr_vmask dead;          /* lanes whose strand ended by dying */
  int64_t slot[DDR_LANES]; /* of each lane's strand, or the last one it had; -1: none */
  int64_t row;             /* slot of lane 0, if all lanes have consecutive slots, else -1 */
  int64_t stride;          /* slots from run to run, if all lanes were filled at once, else 0; */
                           /* negative: filled at once, with slots in any order */
  ddr_lane_set busy;       /* lanes that have a strand, whether it runs or has ended */
} ddr_gang;

/* The strands of a block that no gang has taken yet. */
typedef struct ddr_queue {
  int64_t slot;          /* of the next strand */
  int64_t n_in_run;      /* strands left in its run */
  int64_t n_runs;        /* runs left in the tile, this one included */
  int64_t width;         /* strands in a run of the tile */
  int64_t n_more;        /* whole tiles to the right of it, if > 0 */
  int64_t next, end;     /* number of strands taken, and of all in the block */
  int64_t begin;         /* slot of the block's first strand */
  const uint32_t *slots; /* the slots of all strands, or NULL: they are consecutive */
  ddr_tiles tiles;
  uint8_t *status;        /* of all strands */
  uint32_t max_steps;     /* 0: no limit */
  const bool *is_stopped; /* of the block */
  uint32_t most;          /* maximum of the steps of strands that were released */
  int least;              /* lanes are refilled when no more than this many are active */
  bool is_patient;        /* but not before all have ended: so tiles begin */
  bool is_left;           /* the strands not taken yet are to run one at a time (effort.h) */
  uint32_t n_watched;     /* is_patient stays as long as, over some fillings of the lanes, */
  uint64_t n_used;        /* the steps of their strands are at least half of */
  uint64_t n_there;       /* the steps that the lanes had time for */
} ddr_queue;

/* The slot of strand number `at` of a block. */
DDR_VFN int64_t ddr_slot_at(const ddr_block *block, int64_t at) {
  return block->slots ? block->slots[at] : at;
}

DDR_VFN void ddr_gang_open(ddr_gang *gang) {
  *gang = (ddr_gang){0};
  memset(gang->slot, -1, sizeof gang->slot);
  gang->row = -1;
}

/* --- the queue -------------------------------------------------------------------------------- */

/* Opens the next tile. Tiles divide a band of rows from left to right; the last one may be
 * narrower. A block has whole rows; its last band may have fewer of them. */
DDR_FN_SELDOM void ddr_queue_open_tile(ddr_queue *queue) {
  if (queue->next == queue->end) return;
  const uint32_t taken = (uint32_t)queue->next, row = (uint32_t)queue->tiles.row;
  const uint32_t band_len = row * (uint32_t)queue->tiles.height;
  const uint32_t first = taken / band_len * band_len, left = (uint32_t)queue->end - first;
  const uint32_t n_rows = (left < band_len ? left : band_len) / row;
  const uint32_t column = (taken - first) / n_rows, width = DDR_TILE / n_rows;
  queue->slot = queue->begin + first + column;
  queue->n_runs = n_rows;
  queue->width = queue->n_in_run = row - column < width ? row - column : width;
  queue->n_more = (int64_t)((row - column) / width) - 1;
}

/* The queue of a block; see ddr_queue for `least`. */
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
  queue->is_patient = queue->tiles.height > 0;
  if (queue->is_patient) ddr_queue_open_tile(queue);
}

/* Removes the next n strands, which are in one run. */
DDR_VFN void ddr_queue_skip(ddr_queue *queue, int64_t n) {
  queue->next += n;
  if (queue->slots) return;
  queue->slot += n;
  queue->n_in_run -= n;
  if (queue->n_in_run > 0 || queue->tiles.height == 0) return;
  queue->slot += queue->tiles.row - queue->width;
  queue->n_in_run = queue->width;
  if (--queue->n_runs == 0) ddr_queue_open_tile(queue);
}

/* No step is made after this one: running strands wait for the next visit. */
DDR_VFN void ddr_queue_stop(ddr_queue *queue) {
  queue->next = queue->end;
  queue->max_steps = 1;
}

/* The running strands of a block in an order of their own: those of a first kind from the
 * beginning, the others from the end. */
typedef struct ddr_order {
  uint32_t slots[4096];
  int64_t n_first, n_other, end;
} ddr_order;

/* Whether the strands can be ordered: blocks that are larger stay as they are. */
DDR_VFN bool ddr_order_open(ddr_order *order, const ddr_block *block) {
  const int64_t most = sizeof order->slots / sizeof *order->slots;
  order->end = block->end - block->begin;
  order->n_first = order->n_other = 0;
  return order->end <= most && block->end <= UINT32_MAX && !block->slots;
}

DDR_VFN void ddr_order_put(ddr_order *order, const ddr_block *block, int64_t slot, bool is_first) {
  const bool runs = block->strands->status[slot] <= DDR_NEW;
  if (!runs) return;
  order->slots[is_first ? order->n_first : order->end - 1 - order->n_other] = (uint32_t)slot;
  order->n_first += is_first;
  order->n_other += !is_first;
}

/* If there are strands of both kinds, the queue has them in this order. */
DDR_VFN void ddr_order_close(ddr_order *order, ddr_queue *queue) {
  if (order->n_first == 0 || order->n_other == 0) return;
  memmove(order->slots + order->n_first, order->slots + order->end - order->n_other,
          (size_t)order->n_other * sizeof *order->slots);
  queue->end = order->n_first + order->n_other;
  queue->slots = order->slots;
  queue->tiles = (ddr_tiles){0};
  queue->is_patient = false;
}

/* The same where strands of the other kind have nothing to do in this step: it is counted. Whether
 * such a strand is new is one comparison: clang makes two branches of two, and who waits cannot be
 * foretold. */
DDR_VFN void ddr_order_put_or_wait(ddr_order *order, const ddr_block *block, int64_t slot,
                                   bool is_first) {
  uint8_t *own = block->strands->status + slot;
  const unsigned now = *own;
  const bool runs = now <= DDR_NEW, waits = runs & (!is_first);
  order->slots[order->n_first] = (uint32_t)slot;
  order->n_first += runs & is_first;
  order->n_other += waits;
  if (__builtin_expect((now | (unsigned)is_first << 8) == DDR_NEW, 0)) *own = DDR_ACTIVE;
}

/* No gang takes those that wait. */
DDR_VFN void ddr_order_close_first(const ddr_order *order, ddr_queue *queue) {
  if (order->n_other == 0) return;
  queue->most = 1;
  queue->end = order->n_first;
  queue->slots = order->slots;
  queue->tiles = (ddr_tiles){0};
  queue->is_patient = false;
}

/* What decides after each step whether gangs go on. It is a copy of the queue's facts that stays in
 * registers, as only inlined functions get its address. */
typedef struct ddr_pace {
  uint32_t n_left; /* steps up to the limit; without one, UINT32_MAX */
  int few;         /* gangs go on while more lanes than this are active */
  const bool *is_stopped;
} ddr_pace;

/* The pace after strands have been taken. With a limit of steps, all lanes reach it together: no
 * lane takes another strand before. */
DDR_VFN ddr_pace ddr_queue_pace(const ddr_queue *queue) {
  const bool has_limit = queue->max_steps > 0;
  const bool is_refilled = !has_limit && queue->next < queue->end && !queue->is_patient;
  return (ddr_pace){.n_left = has_limit ? queue->max_steps : UINT32_MAX,
                    .few = is_refilled ? queue->least : 0,
                    .is_stopped = queue->is_stopped};
}

/* Counts a step before it is made. */
DDR_VFN void ddr_pace_step(ddr_pace *pace, ddr_queue *queue) {
  pace->n_left--;
  if (!__builtin_expect(ddr_is_stopped(pace->is_stopped), 0)) return;
  pace->n_left = 0;
  ddr_queue_stop(queue);
}

/* Whether gangs with n_running active lanes make another step. */
DDR_VFN bool ddr_pace_goes_on(const ddr_pace *pace, int n_running) {
  return n_running > pace->few && pace->n_left > 0;
}

/* --- strands into lanes ----------------------------------------------------------------------- */

/* Strands that are to run, for as many idle lanes as there are strands: these lanes, whose slots
 * the gang has. */
DDR_VFN ddr_lane_set ddr_gang_take(ddr_gang *gang, ddr_queue *queue) {
  ddr_lane_set idle = DDR_ALL_LANES & ~gang->busy, taken = 0;
  while (idle != 0 && queue->next < queue->end) {
    const int64_t first = queue->slots ? queue->slots[queue->next] : queue->slot;
    const int64_t n = queue->slots ? 1 : queue->n_in_run;
    int64_t k = 0;
    for (; k < n && idle != 0; k++) {
      if (queue->status[first + k] > DDR_NEW) continue;
      const int lane = ddr_next_lane(&idle);
      gang->slot[lane] = first + k;
      taken |= (ddr_lane_set)1 << lane;
    }
    ddr_queue_skip(queue, k);
  }
  if (taken == 0) return 0;
  const ddr_vmask is_taken = ddr_vmask_of(taken);
  gang->mask |= is_taken;
  gang->n_steps &= ~is_taken;
  gang->busy |= taken;
  gang->row = -1;
  gang->stride = 0;
  return taken;
}

/* The slots from run to run, if the next strands of the block fill the lanes: consecutive strands,
 * or runs of a tile. Else 0. */
DDR_VFN int64_t ddr_queue_stride(const ddr_queue *queue) {
  if (queue->slots || queue->end - queue->next < DDR_LANES) return 0;
  if (queue->tiles.height == 0) return DDR_RUN;
  const bool is_whole = queue->n_in_run == DDR_RUN && queue->width == DDR_RUN;
  return is_whole && queue->n_runs >= DDR_RUNS ? queue->tiles.row : 0;
}

/* The bytes of one status for all strands of a run. */
DDR_VFN uint32_t ddr_run_status(ddr_strand_status status) { return 0x01010101u * status; }

DDR_VFN bool ddr_run_runs(const uint8_t *status) {
  uint32_t all;
  memcpy(&all, status, sizeof all);
  return (all & ~ddr_run_status(DDR_NEW)) == 0;
}

/* Removes the strands of ddr_queue_stride. Most tiles have another one to the right. */
DDR_VFN void ddr_queue_skip_all(ddr_queue *queue) {
  if (queue->tiles.height == 0) {
    ddr_queue_skip(queue, DDR_LANES);
    return;
  }
  queue->next += DDR_LANES;
  queue->slot += DDR_RUNS * queue->tiles.row;
  queue->n_runs -= DDR_RUNS;
  if (queue->n_runs > 0) return;
  if (queue->n_more <= 0) {
    ddr_queue_open_tile(queue);
    return;
  }
  queue->n_more--;
  queue->n_runs = DDR_TILE / DDR_RUN;
  queue->slot += DDR_RUN - queue->n_runs * queue->tiles.row;
}

/* Takes the next strands of a block with `slots`, if all lanes are idle and all these strands run.
 */
DDR_VFN bool ddr_gang_take_slots(ddr_gang *gang, ddr_queue *queue) {
  const uint32_t *slots = queue->slots + queue->next;
  bool all_run = gang->busy == 0 && queue->end - queue->next >= DDR_LANES;
  for (int lane = 0; all_run && lane < DDR_LANES; lane++)
    all_run = queue->status[slots[lane]] <= DDR_NEW;
  if (!all_run) return false;
  for (int lane = 0; lane < DDR_LANES; lane++) gang->slot[lane] = slots[lane];
  gang->mask = ddr_vbool_all(true);
  gang->n_steps = (ddr_vmask){0};
  gang->busy = DDR_ALL_LANES;
  gang->row = gang->stride = -1;
  queue->next += DDR_LANES;
  return true;
}

/* Takes the next strands of the block, one for each lane, if all lanes are idle and all these
 * strands run. Else takes nothing, and returns false. */
DDR_VFN bool ddr_gang_take_all(ddr_gang *gang, ddr_queue *queue) {
  if (queue->slots) return ddr_gang_take_slots(gang, queue);
  const int64_t first = queue->slot, stride = gang->busy == 0 ? ddr_queue_stride(queue) : 0;
  if (stride == 0) return false;
  for (int run = 0; run < DDR_RUNS; run++)
    if (!ddr_run_runs(queue->status + first + run * stride)) return false;
  for (int run = 0; run < DDR_RUNS; run++)
    for (int k = 0; k < DDR_RUN; k++) gang->slot[DDR_RUN * run + k] = first + run * stride + k;
  gang->mask = ddr_vbool_all(true);
  gang->n_steps = (ddr_vmask){0};
  gang->busy = DDR_ALL_LANES;
  gang->row = stride == DDR_RUN ? first : -1;
  gang->stride = stride;
  ddr_queue_skip_all(queue);
  return true;
}

/* The same without tiles: returns the slot of lane 0, which those of the other lanes follow, or -1.
 */
DDR_VFN int64_t ddr_gang_take_row(ddr_gang *gang, ddr_queue *queue) {
  const bool may_be_row = queue->tiles.height == 0 && !queue->slots;
  return may_be_row && ddr_gang_take_all(gang, queue) ? gang->row : -1;
}

/* The slot of lane 0, if all lanes have consecutive slots, else -1. */
DDR_VFN int64_t ddr_gang_row(const ddr_gang *gang) { return gang->row; }

/* Value j of a sampling for each lane's strand; `row` is ddr_gang_row. */
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

/* --- steps ------------------------------------------------------------------------------------ */

/* The lanes that sit out the next step: those that have a long branch in it, as long as less than
 * three quarters of the active lanes do. With a limit of steps all lanes take each step. */
DDR_VFN ddr_vmask ddr_gang_waiting(const ddr_gang *gang, const ddr_queue *queue,
                                   ddr_vmask is_long) {
  const ddr_vmask waiting = gang->mask & is_long;
  const bool are_few =
      queue->max_steps == 0 && 4 * ddr_vcount(waiting) < 3 * ddr_vcount(gang->mask);
  return are_few ? waiting : (ddr_vmask){0};
}

/* Counts a step of each active lane. */
DDR_VFN void ddr_gang_step(ddr_gang *gang) { gang->n_steps -= gang->mask; }

/* The strands in the lanes `ended` end: the caller keeps their final states. */
DDR_VFN void ddr_gang_end(ddr_gang *gang, ddr_vmask ended, ddr_strand_status status) {
  gang->mask &= ~ended;
  if (status == DDR_DEAD) gang->dead |= ended;
}

/* Whether the lane has a strand, running or ended. */
DDR_VFN bool ddr_gang_has(const ddr_gang *gang, int lane) { return gang->busy >> lane & 1; }

/* --- strands out of lanes --------------------------------------------------------------------- */

/* The lanes whose strands have ended; with a limit of steps, all lanes that have a strand. */
DDR_VFN ddr_lane_set ddr_gang_ended(const ddr_gang *gang, const ddr_queue *queue) {
  return queue->max_steps > 0 ? gang->busy : gang->busy & ~ddr_vlanes(gang->mask);
}

DDR_VFN ddr_strand_status ddr_gang_status(const ddr_gang *gang, int lane) {
  if (gang->mask[lane]) return DDR_ACTIVE;
  return gang->dead[lane] ? DDR_DEAD : DDR_STABLE;
}

/* Decides whether gangs go on running strands until the last one has ended. Not inlined, like the
 * next functions: two functions release strands. */
DDR_FN_SELDOM void ddr_queue_judge(ddr_queue *queue, const ddr_gang *gang) {
  enum { AT_ONCE = 16 };
  uint32_t longest = 0;
  const ddr_vmask all = gang->n_steps & ddr_vmask_of(gang->busy);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t n_steps = (uint32_t)all[lane];
    queue->n_used += n_steps;
    longest = n_steps > longest ? n_steps : longest;
  }
  queue->n_there += (uint64_t)longest * DDR_LANES;
  if (++queue->n_watched < AT_ONCE) return;
  queue->is_patient = 2 * queue->n_used >= queue->n_there;
  queue->n_watched = 0;
  queue->n_used = queue->n_there = 0;
}

/* Called before strands are stored. */
DDR_VFN void ddr_queue_watch(ddr_queue *queue, const ddr_gang *gang) {
  if (queue->is_patient && gang->busy != 0) ddr_queue_judge(queue, gang);
}

DDR_FN_SELDOM void ddr_queue_raise(ddr_queue *queue, const ddr_gang *gang) {
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t n_steps = (uint32_t)gang->n_steps[lane];
    queue->most = n_steps > queue->most ? n_steps : queue->most;
  }
}

/* Updates the maximum of steps. Idle lanes have been counted already. */
DDR_VFN void ddr_queue_count(ddr_queue *queue, const ddr_gang *gang) {
  if (ddr_vany(gang->n_steps > (ddr_mask_lane)queue->most)) ddr_queue_raise(queue, gang);
}

/* Frees the lanes whose strands have ended, and returns them: the caller stores their states at the
 * slots of the gang. */
DDR_VFN ddr_lane_set ddr_gang_release(ddr_gang *gang, ddr_queue *queue) {
  const ddr_lane_set ended = ddr_gang_ended(gang, queue);
  ddr_queue_watch(queue, gang);
  ddr_queue_count(queue, gang);
  for (ddr_lane_set rest = ended; rest != 0;) {
    const int lane = ddr_next_lane(&rest);
    queue->status[gang->slot[lane]] = (uint8_t)ddr_gang_status(gang, lane);
  }
  gang->dead = (ddr_vmask){0};
  gang->busy &= ~ended;
  gang->mask &= ddr_vmask_of(gang->busy);
  return ended;
}

/* Frees all lanes, if they were filled at once and all their strands have ended. Else does nothing,
 * and returns false. */
DDR_VFN bool ddr_gang_release_all(ddr_gang *gang, ddr_queue *queue) {
  if (gang->stride == 0 || ddr_gang_ended(gang, queue) != DDR_ALL_LANES) return false;
  const bool is_active = !ddr_vany(~gang->mask);
  const bool is_same = gang->stride > 0 && (is_active || !ddr_vany(gang->mask | gang->dead));
  const uint32_t of_run = ddr_run_status(is_active ? DDR_ACTIVE : DDR_STABLE);
  for (int run = 0; is_same && run < DDR_RUNS; run++)
    memcpy(queue->status + gang->slot[DDR_RUN * run], &of_run, sizeof of_run);
  for (int lane = 0; !is_same && lane < DDR_LANES; lane++)
    queue->status[gang->slot[lane]] = (uint8_t)ddr_gang_status(gang, lane);
  ddr_queue_watch(queue, gang);
  ddr_queue_count(queue, gang);
  gang->row = -1;
  gang->mask = gang->dead = (ddr_vmask){0};
  gang->busy = 0;
  return true;
}

/* The same for consecutive slots: returns the slot of lane 0, or -1. */
DDR_VFN int64_t ddr_gang_release_row(ddr_gang *gang, ddr_queue *queue) {
  const int64_t first = gang->row;
  return first >= 0 && ddr_gang_release_all(gang, queue) ? first : -1;
}

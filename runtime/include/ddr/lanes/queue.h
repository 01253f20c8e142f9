/* queue.h: the strands of a block that no gang has taken yet, in the order in which gangs take
 * them: in tiles of a grid, in the order of slots, or in one of their own; and how long gangs run
 * before they take others.
 */
#pragma once

#include <string.h>

#include "ddr/lanes/lanes.h"
#include "ddr/program.h"

enum {
  DDR_TILE = 16,                 /* strands of a tile, whatever the number of lanes */
  DDR_RUN = 4,                   /* strands side by side in a row of a square tile: a run */
  DDR_RUNS = DDR_LANES / DDR_RUN /* runs that fill the lanes */
};

/* A strand that left its lane before it ended, after so many steps in this visit. */
typedef struct ddr_straggler {
  int64_t slot;
  uint32_t n_steps;
} ddr_straggler;

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
  uint32_t n_made;        /* with a limit: the maximum of the steps of running strands; */
  bool is_uneven;         /* others have made fewer */
  const bool *is_stopped; /* of the block */
  uint32_t most;          /* maximum of the steps of strands that were released */
  int least;              /* lanes are refilled when no more than this many are active */
  bool is_patient;        /* but not before all have ended: so tiles begin */
  uint32_t n_spare;       /* so many steps later, if all may have ended by then: rows stay whole */
  int n_kept;             /* how often they did lately */
  bool is_left;           /* the strands not taken yet are to run one at a time (effort.h) */
  int few;                /* when the queue is empty, so few running strands leave the lanes */
  bool is_parting;        /* they leave now */
  int n_apart;            /* strands that are to run alone */
  ddr_straggler apart[DDR_LANES];
  uint32_t n_watched; /* is_patient stays as long as, over some fillings of the lanes, */
  uint64_t n_used;    /* the steps of their strands are at least half of */
  uint64_t n_there;   /* the steps that the lanes had time for */
} ddr_queue;

/* The slot of strand number `at` of a block. */
DDR_VFN int64_t ddr_slot_at(const ddr_block *block, int64_t at) {
  return block->slots ? block->slots[at] : at;
}

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

/* Without tiles: strands that fill all lanes as a row of consecutive slots leave them together,
 * which is faster than one by one, if they end within n_spare steps after it is time to refill the
 * lanes. */
DDR_VFN void ddr_queue_keep_rows(ddr_queue *queue, uint32_t n_spare) {
  enum { KEPT_AT_FIRST = 4 };
  if (queue->tiles.height > 0) return;
  queue->n_spare = n_spare;
  queue->n_kept = KEPT_AT_FIRST;
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
  queue->is_uneven = false;
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
  int few;         /* gangs go on while more lanes than this are active, */
  uint32_t n_more; /* and so many steps with fewer */
  const bool *is_stopped;
} ddr_pace;

/* Steps of few strands in lanes that cost as much as moving the strands out. */
enum { DDR_STEPS_OF_FEW = 8 };

/* Whether running strands leave the lanes when they are few: no other strand waits for a lane. */
DDR_VFN bool ddr_queue_parts(const ddr_queue *queue) {
  return queue->few > 0 && queue->max_steps == 0 && queue->next >= queue->end;
}

/* The pace after strands have been taken. With a limit of steps, lanes mostly reach it together: no
 * lane takes another strand before one does. */
DDR_VFN ddr_pace ddr_queue_pace(const ddr_queue *queue) {
  const bool has_limit = queue->max_steps > 0;
  const bool is_refilled = !has_limit && queue->next < queue->end && !queue->is_patient;
  const bool parts = ddr_queue_parts(queue);
  return (ddr_pace){.n_left = has_limit ? queue->max_steps - queue->n_made : UINT32_MAX,
                    .few = is_refilled ? queue->least
                           : parts     ? queue->few
                                       : 0,
                    .n_more = is_refilled ? queue->n_spare
                              : parts     ? DDR_STEPS_OF_FEW
                                          : 0,
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
DDR_VFN bool ddr_pace_goes_on(ddr_pace *pace, int n_running) {
  if (n_running > pace->few) return pace->n_left > 0;
  if (n_running == 0 || pace->n_more == 0 || pace->n_left == 0) return false;
  pace->n_more--;
  return true;
}

/* After the steps: strands that still run leave the lanes if they are few. */
DDR_VFN void ddr_queue_part(ddr_queue *queue, int n_running) {
  queue->is_parting = ddr_queue_parts(queue) && n_running <= queue->few;
}

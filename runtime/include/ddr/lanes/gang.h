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

#include "ddr/lanes/queue.h"
#include "ddr/lanes/sampling.h"

typedef struct ddr_gang {
  ddr_vmask mask;          /* lanes whose strand runs */
  ddr_vmask n_steps;       /* of each lane's strand in this visit */
  ddr_vmask dead;          /* lanes whose strand ended by dying */
  int64_t slot[DDR_LANES]; /* of each lane's strand, or the last one it had; -1: none */
  int64_t row;             /* slot of lane 0, if all lanes have consecutive slots, else -1 */
  int64_t stride;          /* slots from run to run, if all lanes were filled at once, else 0; */
                           /* negative: filled at once, with slots in any order */
  ddr_lane_set busy;       /* lanes that have a strand, whether it runs or has ended */
  ddr_lane_set apart;      /* lanes whose strand takes this step alone (effort.h) */
} ddr_gang;

DDR_VFN void ddr_gang_open(ddr_gang *gang) {
  *gang = (ddr_gang){0};
  memset(gang->slot, -1, sizeof gang->slot);
  gang->row = -1;
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

typedef uint8_t ddr_vbytes __attribute__((vector_size(DDR_LANES))); /* one for each lane */

/* The bytes of one status for all strands of a run. */
DDR_VFN uint32_t ddr_run_status(ddr_strand_status status) { return 0x01010101u * status; }

DDR_VFN bool ddr_run_runs(const uint8_t *status) {
  uint32_t all;
  memcpy(&all, status, sizeof all);
  return (all & ~ddr_run_status(DDR_NEW)) == 0;
}

/* Of as many strands as there are lanes, those that have ended: bit 1 of their statuses. A product
 * puts those of eight side by side; C compilers convert vectors of bytes one by one. */
DDR_VFN ddr_lane_set ddr_ended_in_row(const uint8_t *status) {
  enum { AT_ONCE = DDR_LANES < 8 ? DDR_LANES : 8 };
  const uint64_t first_bits = UINT64_C(0x0101010101010101), to_top = UINT64_C(0x0102040810204080);
  ddr_lane_set ended = 0;
  for (int lane = 0; lane < DDR_LANES; lane += AT_ONCE) {
    uint64_t all = 0;
    memcpy(&all, status + lane, AT_ONCE);
    ended |= (ddr_lane_set)((all >> 1 & first_bits) * to_top >> 56) << lane;
  }
  return ended;
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

/* The strands in the lanes leave them, and take this step alone: their states before it are in
 * memory. */
DDR_VFN void ddr_gang_give_back(ddr_gang *gang, ddr_vmask lanes) {
  gang->mask &= ~lanes;
  gang->apart |= ddr_vlanes(lanes);
  gang->busy &= ~gang->apart;
  gang->row = -1;
  gang->stride = 0;
}

/* The same for strands that return to their lanes: there, their states are as before it. */
DDR_VFN void ddr_gang_set_aside(ddr_gang *gang, ddr_vmask lanes) {
  gang->apart |= ddr_vlanes(lanes);
}

/* The strands in the lanes `ended` end: the caller keeps their final states. */
DDR_VFN void ddr_gang_end(ddr_gang *gang, ddr_vmask ended, ddr_strand_status status) {
  gang->mask &= ~ended;
  if (status == DDR_DEAD) gang->dead |= ended;
}

/* Whether the lane has a strand, running or ended. */
DDR_VFN bool ddr_gang_has(const ddr_gang *gang, int lane) { return gang->busy >> lane & 1; }

/* --- strands out of lanes --------------------------------------------------------------------- */

/* The lanes whose strands have made all steps up to a limit. */
DDR_VFN ddr_lane_set ddr_gang_at_limit(const ddr_gang *gang, const ddr_queue *queue) {
  if (!queue->is_uneven) return gang->busy;
  ddr_lane_set lanes = 0;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const bool is_there = (uint32_t)gang->n_steps[lane] >= queue->max_steps;
    lanes |= (ddr_lane_set)is_there << lane;
  }
  return lanes & gang->busy;
}

/* The lanes whose strands have ended, or are to leave them. */
DDR_VFN ddr_lane_set ddr_gang_ended(const ddr_gang *gang, const ddr_queue *queue) {
  if (queue->is_parting) return gang->busy;
  const ddr_lane_set ended = gang->busy & ~ddr_vlanes(gang->mask);
  return queue->max_steps > 0 ? ended | ddr_gang_at_limit(gang, queue) : ended;
}

/* Where steps aside bring some strands nearer to a limit than others: how far the next steps go. */
DDR_FN_SELDOM void ddr_gang_approach(const ddr_gang *gang, ddr_queue *queue) {
  uint32_t least = UINT32_MAX, most = 0;
  for (int lane = 0; lane < DDR_LANES && queue->max_steps > 0; lane++) {
    if (!gang->mask[lane]) continue;
    const uint32_t n_steps = (uint32_t)gang->n_steps[lane];
    least = n_steps < least ? n_steps : least;
    most = n_steps > most ? n_steps : most;
  }
  queue->n_made = most;
  queue->is_uneven = least < most;
}

DDR_VFN ddr_strand_status ddr_gang_status(const ddr_gang *gang, int lane) {
  if (gang->mask[lane] || (gang->apart >> lane & 1)) return DDR_ACTIVE;
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

/* Waiting stays worth it as long as four of five rows stay whole. */
DDR_VFN void ddr_queue_judge_row(ddr_queue *queue, bool is_whole) {
  enum { MOST_KEPT = 16, COST_OF_BROKEN = 4 };
  queue->n_kept += is_whole ? 1 : -COST_OF_BROKEN;
  if (queue->n_kept > MOST_KEPT) queue->n_kept = MOST_KEPT;
  if (queue->n_kept < 0) queue->n_spare = 0;
}

/* Called before strands are stored. If none has ended, that tells nothing about rows. */
DDR_VFN void ddr_queue_watch(ddr_queue *queue, const ddr_gang *gang) {
  if (gang->busy == 0) return;
  if (queue->is_patient) ddr_queue_judge(queue, gang);
  else if (queue->n_spare > 0 && (gang->busy & ~ddr_vlanes(gang->mask)) != 0)
    ddr_queue_judge_row(queue, !ddr_vany(gang->mask));
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

/* Notes the strands that leave their lanes without having ended. */
DDR_FN_SELDOM void ddr_queue_note(ddr_queue *queue, const ddr_gang *gang) {
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t is_apart = gang->apart >> lane & 1; /* the last step does not count */
    if (!is_apart && !(queue->is_parting && gang->mask[lane])) continue;
    queue->apart[queue->n_apart++] =
        (ddr_straggler){gang->slot[lane], (uint32_t)gang->n_steps[lane] - is_apart};
  }
}

/* Frees the lanes whose strands have ended, and returns them: the caller stores their states at the
 * slots of the gang. */
DDR_VFN ddr_lane_set ddr_gang_release(ddr_gang *gang, ddr_queue *queue) {
  const ddr_lane_set ended = ddr_gang_ended(gang, queue);
  if (queue->is_parting || gang->apart != 0) ddr_queue_note(queue, gang);
  ddr_queue_watch(queue, gang);
  ddr_queue_count(queue, gang);
  for (ddr_lane_set rest = ended; rest != 0;) {
    const int lane = ddr_next_lane(&rest);
    queue->status[gang->slot[lane]] = (uint8_t)ddr_gang_status(gang, lane);
  }
  gang->dead = (ddr_vmask){0};
  gang->apart = 0;
  gang->busy &= ~ended;
  gang->mask &= ddr_vmask_of(gang->busy);
  return ended;
}

/* Frees all lanes, if they were filled at once and all their strands have ended. Else does nothing,
 * and returns false. */
DDR_VFN bool ddr_gang_release_all(ddr_gang *gang, ddr_queue *queue) {
  if (gang->stride == 0 || queue->is_parting) return false;
  if (ddr_gang_ended(gang, queue) != DDR_ALL_LANES) return false;
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

/* effort.h: decides at run time between lanes and one strand at a time.
 *
 * A branch costs a gang the same, however few lanes take it: if the control flow of neighbouring
 * strands diverges, one strand at a time is cheaper. Only a run shows that. So programs with long
 * branches have code for both. They add up what steps cost in lanes, and what the same steps would
 * have cost one strand at a time (backend-c/lanes/cost.c), and continue with the cheaper way, in
 * the rest of a visit of a block and in later visits. Both compute the same bits.
 *
 * A gang of few strands is slower than these strands alone, too. So few strands get no lanes, and
 * stragglers leave theirs: when no other strand waits for a lane, after some steps; and from a loop
 * that few lanes go on with. In that case the strand takes that step again, alone, from the start.
 * If it has more steps to take, it returns to its lane; but one that is busy in loops of many steps
 * steps aside for more and more of them.
 */
#pragma once

#include "ddr/lanes/gang.h"
#include "ddr/program.h"

enum {
  DDR_EFFORT_LEAST = 1 << 18, /* operations in lanes before a decision */
  DDR_EFFORT_SHARE = 16,      /* a visit leaves the lanes only after 1/16 of its strands */
  DDR_EFFORT_AGAIN = 16, /* one of 16 visits is in lanes, even if that seems slower: to measure */
  DDR_EFFORT_AGAIN_WHOLE = 256 /* one of 256, if a visit cannot leave the lanes half way */
};

/* Whether a visit can leave the lanes half way: one with a limit of steps is too short. */
DDR_VFN bool ddr_effort_may_leave(uint32_t max_steps) { return max_steps == 0; }

/* Whether lanes cost more than the other way, by more than n quarters of the latter. */
DDR_VFN bool ddr_effort_is_wasted(uint64_t in_lanes, uint64_t alone, unsigned n) {
  return in_lanes >= DDR_EFFORT_LEAST && in_lanes > alone + n * (alone / 4);
}

/* Called before code with these costs: for the whole gang, and for each active strand alone. */
DDR_VFN void ddr_effort_add(ddr_effort *effort, ddr_vmask mask, uint32_t in_lanes, uint32_t alone) {
  effort->in_lanes += in_lanes;
  effort->alone += (uint64_t)alone * (uint32_t)ddr_vcount(mask);
}

/* Whether lanes were slower in the visits up to now. */
DDR_VFN bool ddr_effort_was_wasted(const ddr_effort *all) {
  return ddr_effort_is_wasted(all->in_lanes, all->alone, 1);
}

/* Whether the strands of the block should run one at a time. */
DDR_VFN bool ddr_runs_alone(ddr_block *block, uint32_t max_steps) {
  const uint32_t again =
      ddr_effort_may_leave(max_steps) ? DDR_EFFORT_AGAIN : DDR_EFFORT_AGAIN_WHOLE;
  return block->effort->n_visits++ % again != 0 && ddr_effort_was_wasted(block->effort);
}

/* During a visit in lanes: if lanes turn out to be slower, the gang takes no further strands. The
 * first strands of a block are not typical of the rest: unless earlier visits agree, the difference
 * must be large. */
DDR_VFN void ddr_effort_judge(const ddr_effort *effort, const ddr_block *block, ddr_queue *queue) {
  if (queue->next >= queue->end || !ddr_effort_may_leave(queue->max_steps)) return;
  if (DDR_EFFORT_SHARE * queue->next < queue->end) return;
  const unsigned n = ddr_effort_was_wasted(block->effort) ? 1 : 2;
  queue->is_left = ddr_effort_is_wasted(effort->in_lanes, effort->alone, n);
  if (!queue->is_left) return;
  queue->next = queue->end;
  block->effort->n_left++;
}

/* After a visit in lanes: adds its costs. Those of earlier visits count less and less. */
DDR_VFN void ddr_effort_keep(ddr_block *block, const ddr_effort *more) {
  ddr_effort *all = block->effort;
  const int n_bits = all->in_lanes > 8 * DDR_EFFORT_LEAST;
  all->in_lanes = (all->in_lanes >> n_bits) + more->in_lanes;
  all->alone = (all->alone >> n_bits) + more->alone;
}

/* --- stragglers ------------------------------------------------------------------------------- */

/* Whether the strands that run are too few for lanes. */
DDR_VFN bool ddr_are_few(const ddr_block *block, int few) {
  return block->n_active <= few || block->end - block->begin <= few;
}

/* operations before strands leave a loop */
#if defined(DDR_SMALL_SIZES)
enum { DDR_LAG_LEAST = 1 << 8 };
#else
enum { DDR_LAG_LEAST = 1 << 12 };
#endif

enum {
  DDR_LAG_HASTY = DDR_LAG_LEAST / 16, /* the same once two loops in a row */
  DDR_LAG_LONG = DDR_LAG_LEAST / 4,   /* have taken as long as this; */
  DDR_LAG_AGAIN = 16                  /* but one of 16 waits as long as before: to measure */
};

/* What the loops of a step cost in lanes, and the part of it when few lanes were active: those. */
typedef struct ddr_lag {
  uint64_t all, of_few, least; /* so much when few were active, before they leave */
  ddr_vmask few;
} ddr_lag;

/* Before a step that costs as much beside its loops; first where it is one of several. */
DDR_VFN ddr_lag ddr_lag_of(uint32_t cost) { return (ddr_lag){.all = cost, .least = DDR_LAG_LEAST}; }

DDR_VFN ddr_lag ddr_lag_learned(const ddr_effort *effort, uint32_t cost) {
  const bool is_hasty = effort->n_long >= 2 && effort->n_lags % DDR_LAG_AGAIN != 0;
  return (ddr_lag){.all = cost, .least = is_hasty ? DDR_LAG_HASTY : DDR_LAG_LEAST};
}

/* After a round of a loop that goes on in the lanes of a mask: whether these strands are to take
 * their step alone. That repeats what they have computed, so it must have been little, and many
 * rounds. */
DDR_VFN bool ddr_lags(ddr_lag *lag, ddr_vmask mask, uint32_t cost, int few) {
  enum { LEAST_ROUNDS = 16 };
  lag->all += cost;
  if (__builtin_expect(ddr_vcount(mask) > few, 1)) return false;
  lag->of_few += cost;
  lag->few |= mask;
  return lag->of_few > lag->least && lag->of_few >= LEAST_ROUNDS * (uint64_t)cost &&
         2 * lag->of_few > lag->all;
}

/* How long a loop would have been is known only if the gang has waited. */
DDR_FN_SELDOM void ddr_lag_note(ddr_effort *effort, const ddr_lag *lag) {
  effort->n_lags++;
  if (lag->least < DDR_LAG_LEAST) return;
  if (lag->of_few < DDR_LAG_LONG) effort->n_long = 0;
  else if (effort->n_long < 2) effort->n_long++;
}

/* After such a step. */
DDR_VFN void ddr_lag_learn(ddr_effort *effort, const ddr_lag *lag) {
  if (lag->of_few > DDR_LAG_HASTY && 2 * lag->of_few > lag->all) ddr_lag_note(effort, lag);
}

/* The block function `update` for one strand at a time. */
typedef uint32_t ddr_update(const void *globals, ddr_block *block, uint32_t max_steps);

DDR_VFN uint32_t ddr_update_one(const ddr_block *block, int64_t slot, const void *globals,
                                uint32_t max_steps, ddr_update *update) {
  ddr_block one = *block;
  one.begin = slot;
  one.end = slot + 1;
  one.slots = NULL;
  return update(globals, &one, max_steps);
}

/* The strands of a block, which may have slots. */
DDR_FN_SELDOM uint32_t ddr_update_each(const ddr_block *block, const void *globals,
                                       uint32_t max_steps, ddr_update *update) {
  uint32_t most = 0;
  for (int64_t at = block->begin; at < block->end; at++) {
    const uint32_t n_steps =
        ddr_update_one(block, ddr_slot_at(block, at), globals, max_steps, update);
    most = n_steps > most ? n_steps : most;
  }
  return most;
}

/* Those that have left their lanes. */
DDR_FN_SELDOM void ddr_update_stragglers(ddr_queue *queue, const ddr_block *block,
                                         const void *globals, uint32_t max_steps,
                                         ddr_update *update) {
  for (int k = 0; k < queue->n_apart; k++) {
    const ddr_straggler *own = &queue->apart[k];
    const uint32_t n_left = max_steps > 0 ? max_steps - own->n_steps : 0;
    const uint32_t n_steps =
        own->n_steps + ddr_update_one(block, own->slot, globals, n_left, update);
    queue->most = n_steps > queue->most ? n_steps : queue->most;
  }
  queue->n_apart = 0;
  queue->is_parting = false;
}

/* --- steps aside ------------------------------------------------------------------------------ */

/* What the steps of a gang cost, and what its lanes do about it. */
typedef struct ddr_watch {
  uint64_t all, of_few;        /* as ddr_lag, of the steps since a strand stepped aside */
  uint32_t n_steps;            /* the number of these steps */
  bool is_due;                 /* strands step aside now, */
  ddr_lane_set few;            /* those in these lanes */
  uint64_t useful;             /* what all steps cost while more than few lanes were active */
  int64_t slot[DDR_LANES];     /* who stepped aside from the lane last, */
  uint32_t n_aside[DDR_LANES]; /* for how many steps, */
  uint64_t since[DDR_LANES];   /* and `useful` then */
} ddr_watch;

/* Whether few strands took most of the time, also in this step; if not, forgets slowly. */
DDR_FN_SELDOM bool ddr_watch_judge(ddr_watch *watch, uint64_t all, uint64_t of_few) {
  if (2 * watch->of_few > watch->all && 2 * of_few > all) return true;
  watch->all /= 2;
  watch->of_few /= 2;
  watch->n_steps /= 2;
  return false;
}

/* After a step of the gang. */
DDR_VFN void ddr_watch_step(ddr_watch *watch, const ddr_lag *lag, const ddr_gang *gang) {
  watch->all += lag->all;
  watch->of_few += lag->of_few;
  watch->useful += lag->all - lag->of_few;
  watch->n_steps++;
  watch->is_due = gang->apart != 0 || (__builtin_expect(watch->all > DDR_LAG_LEAST, 0) &&
                                       ddr_watch_judge(watch, lag->all, lag->of_few));
  watch->few = watch->is_due ? ddr_vlanes(lag->few) : 0;
}

/* The lanes whose strands step aside. */
DDR_VFN ddr_lane_set ddr_watch_few(const ddr_watch *watch, const ddr_gang *gang) {
  return (gang->apart | watch->few) & ddr_vlanes(gang->mask);
}

/* For how many steps a strand steps aside. Its further steps may be short: then they take less time
 * with others, in lanes. So it is one, unless the gang has lost more time since the strand returned
 * than it has used; then more each time. */
DDR_VFN uint32_t ddr_watch_n_aside(ddr_watch *watch, int lane, int64_t slot) {
  enum { MOST_TIMES = 64 };
  const bool is_same = watch->n_aside[lane] > 0 && watch->slot[lane] == slot;
  const bool has_lost = is_same && watch->useful - watch->since[lane] < 2 * watch->of_few;
  const uint32_t wasted = watch->n_steps > 0 ? watch->n_steps : 1;
  uint32_t n = has_lost ? 4 * watch->n_aside[lane] : 1;
  if (has_lost && n < wasted) n = wasted;
  if (n / MOST_TIMES > wasted) n = MOST_TIMES * wasted;
  watch->slot[lane] = slot;
  watch->since[lane] = watch->useful;
  watch->n_aside[lane] = n;
  return n;
}

/* Takes steps of a strand, whose state is in memory. Returns whether it goes on in its lane. */
DDR_FN_SELDOM bool ddr_step_aside(ddr_watch *watch, ddr_gang *gang, ddr_queue *queue, int lane,
                                  const ddr_block *block, const void *globals, ddr_update *update) {
  const int64_t slot = gang->slot[lane];
  const uint32_t is_again = gang->apart >> lane & 1; /* the last step does not count */
  uint32_t n = ddr_watch_n_aside(watch, lane, slot);
  uint32_t n_steps = (uint32_t)gang->n_steps[lane] - is_again;
  if (queue->max_steps > 0 && n > queue->max_steps - n_steps) n = queue->max_steps - n_steps;
  if (n > 0) n_steps += ddr_update_one(block, slot, globals, n, update);
  gang->n_steps[lane] = (ddr_mask_lane)n_steps;
  if (queue->status[slot] <= DDR_NEW) return true;
  queue->most = n_steps > queue->most ? n_steps : queue->most;
  gang->mask[lane] = 0;
  gang->busy &= ~((ddr_lane_set)1 << lane);
  gang->row = -1;
  gang->stride = 0;
  return false;
}

/* After all have. The gang is not at a limit of steps, even if none has, unless the run was
 * stopped: then all leave their lanes, at any number of steps. */
DDR_VFN void ddr_watch_again(ddr_watch *watch, ddr_gang *gang, ddr_queue *queue) {
  queue->is_uneven = !ddr_is_stopped(queue->is_stopped);
  watch->all = watch->of_few = 0;
  watch->n_steps = 0;
  watch->is_due = false;
  gang->apart = 0;
}

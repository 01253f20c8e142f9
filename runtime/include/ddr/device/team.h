/* team.h: the threads of a block, as a team that compacts its strands.
 *
 * Each thread begins with one strand.  Every few updates the threads meet at a barrier.  If so many
 * strands have ended that fewer warps suffice, the others move to the first threads, in order,
 * through their columns in memory, and warps without strands return.  So warps stay full without
 * a new launch.  If n_few of ddr_grant or fewer strands are left, the team stores them and ends:
 * with those of other blocks they fill the warps of another launch.
 *
 * For update kernels of programs without supersteps whose strands need nothing but their state
 * (backend-cuda/emit_team.c).  In the shim each thread is a team of its own.
 */
#pragma once

#include "ddr/device/device.h"

#if defined(DDR_GPU) || defined(DDR_SHIM)

typedef struct ddr_team {
  const ddr_device_strands *strands;
  ddr_grant grant;
  int64_t slot;     /* of the thread's strand; -1: it has none */
  uint32_t n_steps; /* its updates in this launch */
  uint32_t place;   /* of this thread's strand among the running strands of the block */
  uint32_t n_warps; /* that may have strands */
  uint32_t n_left;  /* strands that run */
  bool is_new;      /* its state is not loaded yet */
  bool runs, moves;
} ddr_team;

DDR_DEVICE_FN ddr_team ddr_team_at(const ddr_device_strands *strands, ddr_grant grant) {
  const bool has_one = DDR_THREAD < strands->n_running;
  const int64_t slot = has_one ? strands->running[DDR_THREAD] : -1;
  const ddr_team team = {strands,          grant, slot,    0,       DDR_IN_BLOCK,
                         DDR_WARPS_OF_ALL, 0,     has_one, has_one, false};
  return team;
}

/* Whether the thread is to load a state. */
DDR_DEVICE_FN bool ddr_team_takes(ddr_team *team) {
  const bool is_new = team->is_new;
  team->is_new = false;
  return is_new;
}

/* The number of updates of the thread's strand at which the team meets next: n more, or a quarter
 * of what it has done, but at most 16, and no more than the launch grants.  A strand that has run
 * for long will probably go on, and after a meeting the thread must load invariants again. */
DDR_DEVICE_FN uint32_t ddr_team_pause(const ddr_team *team, uint32_t n) {
  const uint32_t most = 16, n_left = team->grant.most - team->n_steps;
  if (n < team->n_steps / 4 + 1) n = team->n_steps / 4 + 1;
  if (n > most) n = most;
  return team->n_steps + (n_left < n ? n_left : n);
}

/* The barrier; the team decides whether strands move. */
#if defined(DDR_GPU)
DDR_DEVICE_FN void ddr_team_meet(ddr_team *team) {
  team->n_left = ddr_block_count(team->runs);
  if (team->n_left <= team->grant.n_few) team->n_left = 0;
  team->moves = team->n_left > 0 && ddr_warps_for(team->n_left) < team->n_warps;
}
#else
DDR_DEVICE_FN void ddr_team_meet(ddr_team *team) { /* some threads end early, as if few were left */
  const bool stays = team->grant.n_few == 0 || shim_thread % 3 > 0 || team->n_steps < 2;
  team->n_left = team->runs && stays;
}
#endif

/* The team meets.  True if the thread must store its state: it has no strand afterwards. */
DDR_DEVICE_FN bool ddr_team_gives(ddr_team *team, ddr_strand_status now) {
  team->runs = team->runs && now == DDR_ACTIVE && team->n_steps < team->grant.most;
  ddr_team_meet(team);
  if (team->slot < 0 || (team->n_left > 0 && !team->moves)) return false;
  ddr_strand_is_now(team->strands, team->slot, now);
  if (!team->runs || team->n_left == 0) ddr_count_steps(team->strands, team->slot, team->n_steps);
  return true;
}

#if defined(DDR_GPU)
/* Shared memory: a word for each thread of the block, and one for each warp. */
enum { DDR_TEAM_PLACE_BITS = 10 };

/* Numbers the running strands from 0 to n_left - 1, in their order, and gives each to the thread of
 * its number. */
DDR_DEVICE_FN void ddr_team_move(ddr_team *team) {
  extern __shared__ uint32_t ddr_team_words[];
  uint32_t *const counts = ddr_team_words + blockDim.x;
  const uint32_t warp = DDR_IN_WARPS;
  uint32_t n_in_warp, number = ddr_warp_rank(team->runs, &n_in_warp);
  if (threadIdx.x % DDR_WARP_SIZE == 0) counts[warp] = n_in_warp;
  ddr_block_wait();
  for (uint32_t w = 0; w < warp; w++) number += counts[w];
  if (team->runs) ddr_team_words[number] = team->place | team->n_steps << DDR_TEAM_PLACE_BITS;
  ddr_block_wait();
  team->n_warps = ddr_warps_for(team->n_left);
  team->slot = -1;
  team->runs = team->is_new = threadIdx.x < team->n_left;
  if (!team->runs) return;
  const uint32_t word = ddr_team_words[threadIdx.x];
  team->place = word & ((1u << DDR_TEAM_PLACE_BITS) - 1);
  team->n_steps = word >> DDR_TEAM_PLACE_BITS;
  team->slot = team->strands->running[DDR_THREAD - threadIdx.x + team->place];
}
#else
DDR_DEVICE_FN void ddr_team_move(ddr_team *team) { (void)team; }
#endif

/* Whether the thread goes on: false if its warp has no strands any more, or the team has ended. */
DDR_DEVICE_FN bool ddr_team_goes_on(ddr_team *team) {
  if (team->n_left == 0) return false;
  if (!team->moves) return true;
  ddr_team_move(team);
  return DDR_IN_WARPS < team->n_warps;
}

#endif

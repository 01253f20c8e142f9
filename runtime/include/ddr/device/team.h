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

/* What a thread does until the team meets. */
typedef enum ddr_team_turn {
  DDR_TURN_NONE,
  DDR_TURN_GOES_ON,
  DDR_TURN_BEGINS, /* loads the state of the strand that it has just got */
} ddr_team_turn;

typedef struct ddr_team {
  const ddr_device_strands *strands;
  ddr_grant grant;
  int64_t slot;     /* of the thread's strand; -1: it has none */
  uint32_t n_steps; /* its updates in this launch */
  uint32_t place;   /* of this thread's strand among the running strands of the block */
  uint32_t n_left;  /* strands that run */
  uint32_t n_apt;   /* with more strands than that, the team stays as it is */
  ddr_team_turn turn;
} ddr_team;

/* A team of so many warps moves or ends when n strands or fewer are left. */
#if defined(DDR_GPU)
DDR_DEVICE_FN uint32_t ddr_team_apt(ddr_grant grant, uint32_t n_warps) {
  return max((n_warps - 1) * DDR_WARP_SIZE, grant.n_few);
}
#else
DDR_DEVICE_FN uint32_t ddr_team_apt(ddr_grant grant, uint32_t n_warps) {
  (void)grant;
  return n_warps - 1;
}
#endif

DDR_DEVICE_FN ddr_team ddr_team_at(const ddr_device_strands *strands, ddr_grant grant) {
  const bool has_one = DDR_THREAD < strands->n_running;
  const int64_t slot = has_one ? strands->running[DDR_THREAD] : -1;
  const uint32_t n_apt = ddr_team_apt(grant, DDR_WARPS_OF_ALL);
  const ddr_team_turn turn = has_one ? DDR_TURN_BEGINS : DDR_TURN_NONE;
  const ddr_team team = {strands, grant, slot, 0, DDR_IN_BLOCK, 0, n_apt, turn};
  return team;
}

/* The number of updates of the thread's strand at which the team meets next: n more, or n eighths
 * of what it has done, but at most 16, and no more than the launch grants.  A strand that has run
 * for long will probably go on; the shorter updates are, the greater n is, since a meeting costs as
 * much as n of them, and after it the thread must load invariants again. */
DDR_DEVICE_FN uint32_t ddr_team_pause(const ddr_team *team, uint32_t n) {
  const uint32_t most = 16, more = n < 8 ? team->n_steps / (8 / n) : team->n_steps;
  n = 1 + (more < n - 1 ? n - 1 : more);
  n = team->n_steps + (n < most ? n : most);
  n = n < team->grant.most ? n : team->grant.most;
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(n)); /* nvcc would compute it again for each update */
#endif
  return n;
}

/* After updates. */
DDR_DEVICE_FN void ddr_team_ran(ddr_team *team, ddr_strand_status now) {
  const bool runs = now == DDR_ACTIVE && team->n_steps < team->grant.most;
  team->turn = runs ? DDR_TURN_GOES_ON : DDR_TURN_NONE;
}

/* The barrier, at which the strands that run are counted; true if the team stays as it is. */
DDR_DEVICE_FN bool ddr_team_stays(ddr_team *team) {
  const bool runs = team->turn != DDR_TURN_NONE;
#if defined(DDR_GPU)
  team->n_left = ddr_block_count(runs);
#else /* some threads end early, as if few were left */
  team->n_left = runs && (team->grant.n_few == 0 || shim_thread % 3 > 0 || team->n_steps < 2);
#endif
  return team->n_left > team->n_apt;
}

DDR_DEVICE_FN bool ddr_team_ends(const ddr_team *team) {
#if defined(DDR_GPU)
  return team->n_left <= team->grant.n_few;
#else
  return team->n_left == 0;
#endif
}

/* If the team does not stay: true if the thread must store its state. It has no strand then. */
#if defined(DDR_GPU)
/* All threads of the warp count together, whatever has become of their strands. */
DDR_DEVICE_FN bool ddr_team_gives(ddr_team *team, ddr_strand_status now) {
  const ddr_device_strands *const strands = team->strands;
  const bool is_done = team->turn == DDR_TURN_NONE || ddr_team_ends(team);
  ddr_strand_status became = DDR_ACTIVE;
  uint32_t n_all = 0;
  if (team->slot >= 0) {
    became = now;
    strands->status[team->slot] = (uint8_t)now;
    if (is_done) n_all = strands->n_steps[team->slot] += team->n_steps;
  }
  ddr_warp_count_those(&strands->ended->n, became != DDR_ACTIVE);
  ddr_warp_count_those(&strands->ended->n_dead, became == DDR_DEAD);
  ddr_warp_max_of_all(strands->most_steps, n_all);
  return team->slot >= 0;
}
#else
DDR_DEVICE_FN bool ddr_team_gives(ddr_team *team, ddr_strand_status now) {
  if (team->slot < 0) return false;
  ddr_strand_is_now(team->strands, team->slot, now);
  if (team->turn == DDR_TURN_NONE || ddr_team_ends(team))
    ddr_count_steps(team->strands, team->slot, team->n_steps);
  return true;
}
#endif

#if defined(DDR_GPU)
/* Shared memory: a word for each thread of the block, and one for each warp. */
enum { DDR_TEAM_PLACE_BITS = 10 };

/* Numbers the running strands from 0 to n_left - 1, in their order, and gives each to the thread of
 * its number. False if none is for the thread's warp. */
DDR_DEVICE_FN bool ddr_team_move(ddr_team *team) {
  extern __shared__ uint32_t ddr_team_words[];
  uint32_t *const counts = ddr_team_words + blockDim.x;
  const uint32_t warp = DDR_IN_WARPS, n_warps = ddr_warps_for(team->n_left);
  const bool runs = team->turn != DDR_TURN_NONE, takes = threadIdx.x < team->n_left;
  uint32_t n_in_warp, number = ddr_warp_rank(runs, &n_in_warp);
  if (threadIdx.x % DDR_WARP_SIZE == 0) counts[warp] = n_in_warp;
  ddr_block_wait();
  for (uint32_t w = 0; w < warp; w++) number += counts[w];
  if (runs) ddr_team_words[number] = team->place | team->n_steps << DDR_TEAM_PLACE_BITS;
  ddr_block_wait();
  team->n_apt = ddr_team_apt(team->grant, n_warps);
  team->slot = -1;
  team->turn = takes ? DDR_TURN_BEGINS : DDR_TURN_NONE;
  if (!takes) return warp < n_warps;
  const uint32_t word = ddr_team_words[threadIdx.x];
  team->place = word & ((1u << DDR_TEAM_PLACE_BITS) - 1);
  team->n_steps = word >> DDR_TEAM_PLACE_BITS;
  team->slot = team->strands->running[DDR_THREAD - threadIdx.x + team->place];
  return true;
}
#else
DDR_DEVICE_FN bool ddr_team_move(ddr_team *team) { return team->n_left > 0; }
#endif

/* Then whether the thread goes on: false if its warp has no strands any more, or the team ends. */
DDR_DEVICE_FN bool ddr_team_goes_on(ddr_team *team) {
  return !ddr_team_ends(team) && ddr_team_move(team);
}

#endif

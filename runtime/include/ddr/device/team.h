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
  uint32_t pause;   /* how many those strands have that run when the team meets next: all as many */
  uint32_t n_left;  /* strands that run */
  uint32_t n_apt;   /* with more strands than that, the team stays as it is */
} ddr_team;

#if defined(DDR_GPU)
/* What a block reports at its end. */
typedef struct ddr_team_report {
  uint32_t n_ended, n_dead, most_steps;
} ddr_team_report;

/* Shared memory: the slot of each strand that runs, the report, and a word for each warp. */
DDR_DEVICE_FN int64_t *ddr_team_slots(void) {
  extern __shared__ int64_t ddr_team_memory[];
  return ddr_team_memory;
}
DDR_DEVICE_FN ddr_team_report *ddr_team_report_of(void) {
  return (ddr_team_report *)(ddr_team_slots() + blockDim.x);
}
#endif

/* A team of so many strands moves or ends when those that are left need a warp less. */
#if defined(DDR_GPU)
DDR_DEVICE_FN uint32_t ddr_team_apt(ddr_grant grant, uint32_t n_strands) {
  return max((n_strands - 1) / DDR_WARP_SIZE * DDR_WARP_SIZE, grant.n_few);
}
#else
DDR_DEVICE_FN uint32_t ddr_team_apt(ddr_grant grant, uint32_t n_strands) {
  (void)grant;
  return n_strands - 1;
}
#endif

DDR_DEVICE_FN ddr_team ddr_team_at(const ddr_device_strands *strands, ddr_grant grant) {
  const bool has_one = DDR_THREAD < strands->n_running;
  const int64_t slot = has_one ? strands->running[DDR_THREAD] : -1;
  const uint32_t n_apt = ddr_team_apt(grant, DDR_IN_TEAM);
  const ddr_team team = {strands, grant, slot, 0, 0, 0, n_apt};
#if defined(DDR_GPU)
  const ddr_team_report none = {0, 0, 0};
  if (threadIdx.x == 0) *ddr_team_report_of() = none;
#endif
  return team;
}

/* What the status of its strand is to a thread: new if it has to load the state, since it has just
 * got the strand, dead if it has none. */
DDR_DEVICE_FN ddr_strand_status ddr_team_begins(const ddr_team *team) {
  return team->slot >= 0 ? DDR_NEW : DDR_DEAD;
}

/* Sets the number of updates at which the team meets next: n more, or n eighths of what its strands
 * have done, but at most 16, and no more than the launch grants.  A strand that has run for long
 * will probably go on; the shorter updates are, the greater n is, since a meeting costs as much as
 * n of them, and after it the thread must load invariants again.  All threads of a team call it,
 * those without a strand too, and compute the same. */
DDR_DEVICE_FN void ddr_team_pause(ddr_team *team, uint32_t n) {
  const uint32_t most = 16, more = n < 8 ? team->pause / (8 / n) : team->pause;
  n = 1 + (more < n - 1 ? n - 1 : more);
  n = team->pause + (n < most ? n : most);
  n = n < team->grant.most ? n : team->grant.most;
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(n)); /* nvcc would compute it again for each update */
#endif
  team->pause = n;
}

/* The barrier, at which the strands that run, and may go on, are counted; true if the team stays as
 * it is. */
DDR_DEVICE_FN bool ddr_team_stays(ddr_team *team, ddr_strand_status now) {
#if defined(DDR_GPU)
  team->n_left = ddr_block_count(now == DDR_ACTIVE);
#else /* some threads end early, as if few were left */
  team->n_left =
      now == DDR_ACTIVE && (team->grant.n_few == 0 || shim_thread % 3 > 0 || team->n_steps < 2);
#endif
  if (team->pause == team->grant.most) team->n_left = 0;
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
DDR_DEVICE_FN bool ddr_team_gives(ddr_team *team, ddr_strand_status now) {
  const ddr_device_strands *const strands = team->strands;
  ddr_team_report *const report = ddr_team_report_of();
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+l"(team->slot)); /* nvcc would keep addresses of its state during updates */
#endif
  if (team->slot < 0) return false;
  strands->status[team->slot] = (uint8_t)now;
  if (now == DDR_DEAD) atomicAdd(&report->n_dead, 1u);
  if (now != DDR_ACTIVE) atomicAdd(&report->n_ended, 1u);
  if (now != DDR_ACTIVE || ddr_team_ends(team)) {
    const uint32_t n_all = strands->n_steps[team->slot] + team->n_steps;
    strands->n_steps[team->slot] = n_all;
    atomicMax(&report->most_steps, n_all);
  }
  return true;
}
#else
DDR_DEVICE_FN bool ddr_team_gives(ddr_team *team, ddr_strand_status now) {
  if (team->slot < 0) return false;
  ddr_strand_is_now(team->strands, team->slot, now);
  if (now != DDR_ACTIVE || ddr_team_ends(team))
    ddr_count_steps(team->strands, team->slot, team->n_steps);
  return true;
}
#endif

#if defined(DDR_GPU)
/* Numbers the running strands from 0 to n_left - 1, in their order, and gives each to the thread of
 * its number. False if none is for the thread's warp. */
DDR_DEVICE_FN bool ddr_team_move(ddr_team *team, ddr_strand_status *now) {
  int64_t *const slots = ddr_team_slots();
  uint32_t *const counts = (uint32_t *)(ddr_team_report_of() + 1);
  const uint32_t warp = DDR_IN_WARPS, lane = threadIdx.x % DDR_WARP_SIZE;
  const bool runs = *now == DDR_ACTIVE, takes = threadIdx.x < team->n_left;
  uint32_t n_in_warp, number = ddr_warp_rank(runs, &n_in_warp);
  if (lane == 0) counts[warp] = n_in_warp;
  ddr_block_wait();
  number += ddr_warp_sum(lane < warp ? counts[lane] : 0);
  if (runs) slots[number] = team->slot;
  ddr_block_wait();
  team->n_apt = ddr_team_apt(team->grant, team->n_left);
  team->slot = takes ? slots[threadIdx.x] : -1;
  team->n_steps = team->pause;
  *now = takes ? DDR_NEW : DDR_DEAD;
  return threadIdx.x - lane < team->n_left;
}

/* At the end of the block. */
DDR_DEVICE_FN void ddr_team_reports(const ddr_team *team) {
  const ddr_team_report *const report = ddr_team_report_of();
  const ddr_device_strands *const strands = team->strands;
  ddr_block_wait();
  if (threadIdx.x > 0) return;
  atomicAdd(&strands->ended->n, (unsigned long long)report->n_ended);
  atomicAdd(&strands->ended->n_dead, (unsigned long long)report->n_dead);
  atomicMax(strands->most_steps, report->most_steps);
}
#else
DDR_DEVICE_FN bool ddr_team_move(ddr_team *team, ddr_strand_status *now) {
  (void)now;
  return team->n_left > 0;
}
DDR_DEVICE_FN void ddr_team_reports(const ddr_team *team) { (void)team; /* as it gave */ }
#endif

/* Then whether the thread goes on: false if its warp has no strands any more, or the team ends. */
DDR_DEVICE_FN bool ddr_team_goes_on(ddr_team *team, ddr_strand_status *now) {
  if (!ddr_team_ends(team)) return ddr_team_move(team, now);
  ddr_team_reports(team);
  return false;
}

#endif

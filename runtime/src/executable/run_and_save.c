/* run_and_save.c: see run_and_save.h.
 *
 * Supersteps count from the beginning of the first run, so a resumed run saves what it would have
 * saved without the interruption.
 */
#include "run_and_save.h"

#include <time.h>

#include "runtime/src/checkpoint/checkpoint.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/strands/store.h"

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *save_snapshots(ddr_world *world, const ddr_settings *settings) {
  for (uint32_t k = 0; k < world->program->n_outputs; k++) {
    ddr_snapshot_save(world, k, settings->snapshot_prefixes[k]);
    if (ddr_ranks_agree(world)) return "Error generating snapshot:";
  }
  return NULL;
}

static const char *save_checkpoint(ddr_world *world, const ddr_settings *settings) {
  ddr_checkpoint_save(world, settings->checkpoint);
  return ddr_ranks_agree(world) ? "Error saving checkpoint:" : NULL;
}

static bool is_at_limit(const ddr_world *world, const ddr_settings *settings) {
  return settings->limit > 0 && world->store->n_steps >= settings->limit;
}

/* The number of supersteps until something may have to be saved; 0: run to the end. */
static uint32_t length_of_piece(const ddr_world *world, const ddr_settings *settings) {
  const uint32_t n_done = world->store->n_steps;
  uint32_t n = settings->limit > 0 ? settings->limit - n_done : 0;
  if (settings->period > 0) {
    const uint32_t n_next = settings->period - n_done % settings->period;
    if (n == 0 || n_next < n) n = n_next;
  }
  return settings->checkpoint && settings->between >= 0 ? 1 : n;
}

/* The clock is that of the first rank. */
static bool is_due(const ddr_world *world, const ddr_settings *settings, double *last) {
  if (!settings->checkpoint) return false;
  if (is_at_limit(world, settings)) return true;
  if (settings->between < 0) return false;
  const double now = now_seconds();
  const bool is_time = ddr_ranks_first(world, now - *last >= settings->between) != 0;
  if (is_time) *last = now;
  return is_time;
}

/* At the end of a piece: saves a snapshot after every `period`-th superstep and after the last
 * one. */
static const char *save(ddr_world *world, const ddr_settings *settings, double *last) {
  const bool is_over = world->store->n_active == 0;
  const bool is_shown = is_over || is_at_limit(world, settings) ||
                        (settings->period > 0 && world->store->n_steps % settings->period == 0);
  const char *failure = NULL;
  if (settings->period > 0 && is_shown) failure = save_snapshots(world, settings);
  if (failure || is_over || !is_due(world, settings, last)) return failure;
  return save_checkpoint(world, settings);
}

const char *ddr_run_and_save(ddr_world *world, const ddr_settings *settings) {
  const bool begins = settings->period > 0 && !settings->resume;
  const char *failure = begins ? save_snapshots(world, settings) : NULL;
  double last = now_seconds();
  while (!failure && !is_at_limit(world, settings)) {
    const uint32_t n_steps = ddr_world_run(world, length_of_piece(world, settings));
    if (ddr_ranks_agree(world)) return "Error during execution:";
    if (n_steps == 0) break;
    failure = save(world, settings, &last);
  }
  return failure;
}

/* device_share.c: the strands of one of several ranks, on a device.
 *
 * Phases are those of the host: the device updates this rank's strands, and the host does
 * everything else as it would for its own strands, including the exchange of what strands read of
 * each other.  States stay on the device until they are requested.  After a superstep the host
 * copies from the device the statuses and what other ranks may read, and copies to it what other
 * ranks have sent.
 * Read next: blocks.c (ddr_sched_share), runtime/cuda/rank_share.cu.
 */
#include <stdlib.h>

#include "device.h"
#include "phases.h"
#include "shares.h"

bool ddr_device_has_share(const ddr_world *world) {
  return world->gpu->device && ddr_is_shared_out(world);
}

const char *ddr_device_share_obstacle(const ddr_world *world) {
  const ddr_device_program *program = world->program->device;
  const uint32_t refused = 1u << DDR_HEAP_BIRTHS | 1u << DDR_HEAP_PRINTS;
  if (!ddr_is_shared_out(world)) return NULL;
  if ((program->heaps & refused) == 0 && program->n_state_sequences == 0) return NULL;
  return "of several ranks, strands that print, make strands or keep sequences run on CPUs";
}

/* A device cannot wait for rows during a phase, so all ranks get all rows. */
void ddr_device_meet(ddr_world *world) {
  int64_t n = 0;
  if (!ddr_is_shared_out(world) || !world->program->device) return;
  const size_t n_bytes = (size_t)ddr_n_ranks(world) * sizeof(int64_t);
  int64_t *all = ddr_ranks_memory(world, malloc(n_bytes));
  ddr_ranks_share(world, world->gpu->device != NULL, all);
  for (int r = 0; r < ddr_n_ranks(world); r++) n += all[r];
  free(all);
  world->ranks->have_devices = n > 0;
  if (world->is_verbose)
    ddr_note(world, "%lld of %d ranks use GPUs", (long long)n, ddr_n_ranks(world));
}

/* --- states ----------------------------------------------------------------------------------- */

static bool are_read_in_states(const ddr_program *program) {
  return program->pos_dim > 0 && !program->is_dual;
}

/* Copies newer states to the device: those of own runs, or of all strands if others are read
 * there. */
static const char *tell_states(ddr_world *world) {
  const ddr_device_engine *engine = ddr_device_engine_of(world);
  const ddr_strands *strands = &world->store->strands;
  const ddr_shares *shares = &world->store->shares;
  const int own = ddr_own_rank(world);
  ddr_device *device = world->gpu->device;
  const char *reason = NULL;
  if (are_read_in_states(world->program))
    return engine->tell_part(device, 0, strands->n_slots, DDR_PART_STATE, strands);
  for (int64_t k = shares->begin[own]; k < shares->begin[own + 1] && !reason; k++)
    reason = engine->tell_part(device, shares->runs[k].first, shares->runs[k].count, DDR_PART_STATE,
                               strands);
  return reason;
}

/* Copies what is newer on the host to the device. */
static const char *follow(ddr_world *world) {
  const ddr_strands *strands = &world->store->strands;
  ddr_gpu *gpu = world->gpu;
  const char *reason = gpu->has_old_states ? tell_states(world) : NULL;
  if (!reason && gpu->has_old_rows)
    reason = ddr_device_engine_of(world)->tell_part(gpu->device, 0, strands->n_slots,
                                                    DDR_PART_BEFORE, strands);
  gpu->has_old_states = gpu->has_old_rows = false;
  return reason;
}

/* Copies states of a run to the host. */
static const char *fetch_run(ddr_world *world, ddr_strand_run run, size_t offset, size_t size) {
  return ddr_device_engine_of(world)->fetch_part(world->gpu->device, run.first, run.count,
                                                 DDR_PART_STATE, offset, size,
                                                 &world->store->strands);
}

uint32_t ddr_device_run_share(ddr_world *world, ddr_strand_run run, ddr_part_work work,
                              uint32_t max_steps) {
  const ddr_device_engine *engine = ddr_device_engine_of(world);
  ddr_store *store = world->store;
  uint32_t n_steps = 0;
  const ddr_device_part part = {
      .first = run.first,
      .n = run.count,
      .counts = {store->strands.n_slots, (int64_t)store->n_active, (int64_t)store->n_stable},
      .work = work,
      .max_steps = max_steps,
  };
  if (run.count == 0 || ddr_any_errors(world)) return 0;
  const char *reason = follow(world);
  if (!reason) reason = engine->run_part(world->gpu->device, &part, &store->strands, &n_steps);
  if (!reason && world->program->is_dual)
    reason = engine->fetch_part(world->gpu->device, run.first, run.count, DDR_PART_SHARED, 0,
                                world->program->state_size, &store->strands);
  if (!reason) world->gpu->is_ahead = true;
  if (!reason && work == DDR_WORK_WHOLE) { /* before the device creates the next piece there */
    reason = fetch_run(world, run, 0, world->program->state_size);
    world->gpu->is_ahead = reason != NULL;
  }
  if (reason) ddr_device_fail(world, reason);
  return n_steps;
}

ddr_status ddr_device_mirror_share(ddr_world *world, size_t offset, size_t size) {
  const ddr_shares *shares = &world->store->shares;
  const int own = ddr_own_rank(world);
  const char *reason = NULL;
  if (!ddr_device_has_share(world)) return DDR_OK;
  if (world->gpu->is_lost) return DDR_ERROR; /* the error is recorded */
  if (!world->gpu->is_ahead) return DDR_OK;
  for (int64_t k = shares->begin[own]; k < shares->begin[own + 1] && !reason; k++)
    reason = fetch_run(world, shares->runs[k], offset, size);
  if (reason) return ddr_device_fail(world, reason);
  if (offset == 0 && size >= world->program->state_size) world->gpu->is_ahead = false;
  return DDR_OK;
}

ddr_status ddr_device_mirror_together(ddr_world *world) {
  const ddr_status status = ddr_device_mirror(world, 0, world->program->state_size);
  if (!ddr_is_shared_out(world) || !world->ranks->have_devices) return status;
  return ddr_ranks_agree(world) ? DDR_ERROR : DDR_OK;
}

void ddr_device_states_came(ddr_world *world) {
  world->gpu->has_old_states = world->gpu->device != NULL;
}

void ddr_device_rows_came(ddr_world *world) {
  world->gpu->has_old_rows = world->gpu->device != NULL;
}

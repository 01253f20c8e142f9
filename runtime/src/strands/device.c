/* device.c: runs strands on a GPU: opens it, copies strands to it and back.
 *
 * Without device code or without a device the host does the work, silently unless a device was
 * requested.  If a device fails, its strands are lost, and the run ends. Read next:
 * ddr/device/device.h, runtime/cuda/device.cu.
 */
#include "device.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/src/ranks/ranks.h"
#include "runtime/src/world/values.h"

/* --- which one -------------------------------------------------------------------------------- */

static bool is_block_size(uint32_t n) { return n == 0 || (n >= 32 && n <= 1024 && n % 32 == 0); }

/* Parses the number of a device; -1 for none. */
static bool read_choice(const char *which, int *number, bool *is_any) {
  uint32_t given = 0;
  *number = strcmp(which, "none") == 0 ? -1 : 0;
  *is_any = strcmp(which, "any") == 0 || strcmp(which, "required") == 0;
  if (*number < 0 || *is_any) return true;
  if (!ddr_value_parse_unsigned(which, &given) || given > INT_MAX) return false;
  *number = (int)given;
  return true;
}

ddr_status ddr_set_gpu(ddr_world *world, const char *which, uint32_t block_size) {
  int number;
  bool is_any;
  if (!which) which = getenv("DIDEROT_GPU");
  if (!which || !*which) which = "any";
  if (world->stage > STAGE_NEW)
    return ddr_error(world, "a GPU must be chosen before creating strands");
  if (!is_block_size(block_size))
    return ddr_error(world,
                     "a block of GPU threads cannot have %u of them (expected 32 to 1024, a "
                     "multiple of 32)",
                     (unsigned)block_size);
  if (!read_choice(which, &number, &is_any))
    return ddr_error(world, "cannot use GPU \"%s\" (expected a number, any, none or required)",
                     which);
  world->gpu->number = number;
  world->gpu->is_any = is_any;
  world->gpu->is_needed = strcmp(which, "required") == 0;
  world->gpu->block_size = block_size;
  return DDR_OK;
}

/* --- with it, or without ---------------------------------------------------------------------- */

static const ddr_device_engine *engine_of(const ddr_world *world) {
  return ddr_device_engine_of(world);
}

bool ddr_device_has_all(const ddr_world *world) {
  return world->gpu->device && !ddr_is_shared_out(world);
}

/* No device: an error if one is needed, else a note if `is_told`. */
static ddr_status go_without(ddr_world *world, const char *reason, bool is_told) {
  world->gpu->is_missing = world->gpu->is_needed;
  if (world->gpu->is_needed) return ddr_error(world, "cannot use a GPU: %s", reason);
  if (is_told) ddr_note(world, "no GPU is used: %s", reason);
  return DDR_OK;
}

ddr_status ddr_device_fail(ddr_world *world, const char *reason) {
  world->gpu->is_lost = true;
  return ddr_error(world, "%s", reason);
}

static const char *begin(ddr_world *world) {
  const ddr_device_engine *engine = engine_of(world);
  ddr_gpu *gpu = world->gpu;
  const int number = gpu->is_any ? ddr_number_on_node(world) : gpu->number;
  const char *reason =
      engine->open(world->program, world, number, gpu->is_any, gpu->block_size, &gpu->device);
  if (!reason) reason = engine->upload(gpu->device, world->globals);
  if (reason) return reason;
  return ddr_is_shared_out(world) ? engine->reserve(gpu->device, &world->store->strands)
                                  : engine->create(gpu->device, &world->store->strands);
}

/* Updates the counts; reserves host memory for all strands. */
static ddr_status take_counts(ddr_world *world) {
  const ddr_counts counts = engine_of(world)->count(world->gpu->device);
  if (ddr_strands_reserve(world, counts.n_slots) != DDR_OK) {
    world->gpu->is_lost = true;
    return DDR_ERROR;
  }
  world->store->strands.n_slots = counts.n_slots;
  world->store->n_active = (uint64_t)counts.n_active;
  world->store->n_stable = (uint64_t)counts.n_stable;
  atomic_store(&world->store->n_running, counts.n_active);
  return DDR_OK;
}

ddr_status ddr_device_create(ddr_world *world) {
  if (!world->program->device)
    return world->gpu->is_needed ? go_without(world, "the program has no part for one", false)
                                 : DDR_OK;
  if (world->gpu->number < 0) return go_without(world, "none is wanted", world->is_verbose);
  const char *obstacle = ddr_device_share_obstacle(world);
  if (obstacle) return go_without(world, obstacle, world->is_verbose);
  const char *reason = begin(world);
  if (!reason) {
    if (world->is_verbose) ddr_note(world, "using %s", engine_of(world)->name(world->gpu->device));
    return ddr_is_shared_out(world) ? DDR_OK : take_counts(world);
  }
  /* There is a device, but it could not be used. */
  const bool is_told = world->is_verbose || engine_of(world)->is_there();
  /* Before the device is freed, which owns the reason. */
  const ddr_status status = go_without(world, reason, is_told);
  ddr_device_free(world);
  return status;
}

uint32_t ddr_device_run(ddr_world *world, uint32_t max_steps) {
  uint32_t n_steps = 0;
  const char *reason = engine_of(world)->run(world->gpu->device, max_steps, &n_steps);
  if (reason) ddr_device_fail(world, reason);
  else take_counts(world);
  return n_steps;
}

void ddr_device_end_all(ddr_world *world, ddr_strand_status status) {
  if (ddr_device_upload(world) != DDR_OK) return;
  const char *reason = engine_of(world)->end_all(world->gpu->device, status);
  if (reason) ddr_device_fail(world, reason);
  else take_counts(world);
}

ddr_status ddr_device_upload(ddr_world *world) {
  if (!world->gpu->device) return DDR_OK;
  if (world->gpu->is_lost) return DDR_ERROR; /* the error is recorded */
  const char *reason = engine_of(world)->upload(world->gpu->device, world->globals);
  return reason ? ddr_device_fail(world, reason) : DDR_OK;
}

ddr_status ddr_device_reduce_set(ddr_world *world, const ddr_set_reduction *what, int64_t n,
                                 const void *context, ddr_reduced *results) {
  if (ddr_device_upload(world) != DDR_OK) return DDR_ERROR;
  const char *reason = engine_of(world)->reduce(world->gpu->device, what, n, context, results);
  return reason ? ddr_device_fail(world, reason) : DDR_OK;
}

ddr_status ddr_device_check_presence(ddr_world *world) {
  if (!world->gpu->is_lost) return DDR_OK;
  if (ddr_any_errors(world)) return DDR_ERROR;
  return ddr_error(world, "the strands were lost when their GPU failed");
}

ddr_status ddr_device_show(ddr_world *world, uint32_t idx, bool of_stable,
                           ddr_device_values *values) {
  if (ddr_device_check_presence(world) != DDR_OK) return DDR_ERROR;
  if (!world->gpu->device)
    return ddr_error(world, "%s: the CPU does the work, so the output is in memory of the host",
                     world->program->outputs[idx].name);
  const char *reason = engine_of(world)->show(world->gpu->device, idx, of_stable, values);
  return reason ? ddr_device_fail(world, reason) : DDR_OK;
}

const char *ddr_device_take(ddr_world *world, uint32_t idx, bool of_stable, void *values) {
  const char *reason = engine_of(world)->take(world->gpu->device, idx, of_stable, values);
  world->gpu->is_lost |= reason != NULL;
  return reason;
}

/* Zeroes the host's states, padding included: no strands were created here. */
static void clear_mirror(ddr_world *world) {
  ddr_store *store = world->store;
  if (store->are_unclear)
    memset(store->strands.state, 0, ddr_state_bytes(world->program, store->capacity));
  store->are_unclear = false;
}

ddr_status ddr_device_mirror(ddr_world *world, size_t offset, size_t size) {
  if (!world->gpu->device) return DDR_OK;
  if (ddr_device_check_presence(world) != DDR_OK) return DDR_ERROR;
  if (ddr_device_has_share(world)) return ddr_device_mirror_share(world, offset, size);
  clear_mirror(world);
  const char *reason =
      engine_of(world)->fetch(world->gpu->device, offset, size, &world->store->strands);
  return reason ? ddr_device_fail(world, reason) : DDR_OK;
}

const char *ddr_gpu_name(const ddr_world *world) {
  return world->gpu->device ? engine_of(world)->name(world->gpu->device) : "";
}

void ddr_device_free(ddr_world *world) {
  if (world->gpu->device) engine_of(world)->close(world->gpu->device);
  world->gpu->device = NULL;
}

/* strands.cu: the store of strands on the device: its memory, its initial state, its copy for the
 * host.
 *
 * Read next: commit.cu (how it changes).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/check.h"

enum { CAPACITY_STEP = 256 };

/* --- memory ----------------------------------------------------------------------------------- */

static int64_t rounded_up(int64_t n_slots) {
  return (n_slots + CAPACITY_STEP - 1) / CAPACITY_STEP * CAPACITY_STEP;
}

/* Whether the number of bytes fits into a size_t. */
static bool are_too_many(const ddr_device *device, int64_t n_slots) {
  return (uint64_t)n_slots > SIZE_MAX / 8 / (device->program->state_size + sizeof(int64_t));
}

/* "allocate memory for N strands" */
static void name_purpose(char purpose[DDR_DEVICE_LINE], int64_t n_slots) {
  snprintf(purpose, DDR_DEVICE_LINE, "allocate memory for %lld strands", (long long)n_slots);
}

/* If launches may be repeated, whole columns are saved, also behind the last strand; that memory is
 * initialised, so that no tool reports it as unwritten. */
static const char *reserve_kept(ddr_device *device, const char *purpose, ddr_space *space,
                                size_t n_bytes) {
  const bool is_repeated = device->program->device->heaps != 0;
  return (is_repeated ? ddr_space_reserve_zeros : ddr_space_reserve_for)(device, purpose, space,
                                                                         n_bytes);
}

static const char *reserve_state(ddr_device *device, const char *purpose, int64_t capacity) {
  const char *error =
      reserve_kept(device, purpose, &device->state, (size_t)capacity * device->program->state_size);
  return error ? error : reserve_kept(device, purpose, &device->status, (size_t)capacity);
}

static const char *reserve_spare_state(ddr_device *device, const char *purpose, int64_t capacity) {
  const char *error = reserve_kept(device, purpose, &device->spare_state,
                                   (size_t)capacity * device->program->state_size);
  return error ? error : reserve_kept(device, purpose, &device->spare_status, (size_t)capacity);
}

/* The columns that a commit writes anew. */
static const char *reserve_others(ddr_device *device, const char *purpose, int64_t capacity) {
  const size_t n_bytes = (size_t)capacity * device->program->state_size;
  const char *error =
      ddr_space_reserve_for(device, purpose, &device->running, (size_t)capacity * sizeof(int64_t));
  if (error || !device->program->is_dual) return error;
  return ddr_space_reserve_for(device, purpose, &device->before, n_bytes);
}

static const char *reserve_spare_running(ddr_device *device, const char *purpose,
                                         int64_t capacity) {
  return ddr_space_reserve_for(device, purpose, &device->spare_running,
                               (size_t)capacity * sizeof(int64_t));
}

/* Rounded up, so that records are aligned. */
static uint64_t rounded_size(uint64_t n_bytes) {
  return (n_bytes + sizeof(ddr_birth) - 1) / sizeof(ddr_birth) * sizeof(ddr_birth);
}

static void point_to_spaces(ddr_device *device, int64_t capacity) {
  ddr_device_strands *strands = &device->strands;
  const bool is_dual = device->program->is_dual;
  strands->state.memory = (char *)device->state.memory;
  strands->before.memory = (char *)(is_dual ? device->before.memory : device->state.memory);
  strands->state.capacity = strands->before.capacity = capacity;
  strands->status = (uint8_t *)device->status.memory;
  strands->running = (const int64_t *)device->running.memory;
  strands->birth_size = sizeof(ddr_birth) + rounded_size(device->program->state_size);
}

static const char *reserve_all(ddr_device *device, const char *purpose, int64_t capacity) {
  const char *error = reserve_state(device, purpose, capacity);
  if (!error && device->program->is_collection)
    error = reserve_spare_state(device, purpose, capacity);
  if (!error) error = reserve_others(device, purpose, capacity);
  return error ? error : reserve_spare_running(device, purpose, capacity);
}

static const char *allocate_steps(ddr_device *device, size_t capacity) {
  const char *error =
      reserve_kept(device, "allocate memory", &device->steps, capacity * sizeof(uint32_t));
  device->strands.n_steps = (uint32_t *)device->steps.memory;
  return error;
}

/* The memory in which kernels report to the host. */
static const char *open_outcome(ddr_device *device) {
  ddr_device_strands *strands = &device->strands;
  const char *error = ddr_space_reserve(device, &device->told, sizeof(ddr_outcome));
  if (error) return error;
  ddr_outcome *told = (ddr_outcome *)device->told.memory;
  for (int kind = 0; kind < DDR_N_HEAPS; kind++) strands->heap[kind].n_taken = &told->taken[kind];
  strands->ended = &told->ended;
  strands->most_steps = &told->most_steps;
  return ddr_device_check(device, "clear memory",
                          cudaMemsetAsync(told, 0, sizeof *told, ddr_stream(device)));
}

static const char *allocate_store(ddr_device *device, int64_t n_slots) {
  const ddr_device_program *program = device->program->device;
  const size_t n_columns = program->n_columns * sizeof *program->columns;
  char purpose[DDR_DEVICE_LINE];
  name_purpose(purpose, n_slots);
  if (are_too_many(device, n_slots)) return "there are too many strands";
  const int64_t capacity = rounded_up(n_slots);
  const char *error = reserve_all(device, purpose, capacity);
  if (!error) error = ddr_space_reserve(device, &device->columns, n_columns);
  if (!error) error = ddr_device_copy(device, device->columns.memory, program->columns, n_columns);
  if (!error) error = ddr_device_allocate(device, (void **)&device->n_found, sizeof(int64_t));
  if (!error) error = open_outcome(device);
  if (!error) error = ddr_sequences_begin(device);
  if (!error && !device->program->is_lockstep) error = allocate_steps(device, (size_t)capacity);
  if (!error) point_to_spaces(device, capacity);
  device->strands.n_slots = device->strands.n_running = n_slots; /* none is active yet */
  return error;
}

/* --- growth ----------------------------------------------------------------------------------- */

static const char *reserve_spare(ddr_device *device, int64_t n_slots, int64_t capacity) {
  char purpose[DDR_DEVICE_LINE];
  name_purpose(purpose, n_slots);
  const char *error = reserve_spare_state(device, purpose, capacity);
  return error ? error : reserve_others(device, purpose, capacity);
}

const char *ddr_store_reserve_spare(ddr_device *device, int64_t n_slots, int64_t *capacity) {
  const int64_t now = device->strands.state.capacity, generous = now + now / 2;
  if (are_too_many(device, n_slots)) return "there are too many strands";
  *capacity = now;
  if (n_slots <= now) return reserve_spare(device, n_slots, now);
  if (n_slots < generous) {
    *capacity = rounded_up(generous);
    if (!reserve_spare(device, n_slots, *capacity)) return NULL; /* else fewer may suffice */
  }
  *capacity = rounded_up(n_slots);
  return reserve_spare(device, n_slots, *capacity);
}

/* Columns of another length cannot be reused. */
const char *ddr_store_take_spare(ddr_device *device, int64_t capacity) {
  const bool has_grown = capacity > device->strands.state.capacity;
  char purpose[DDR_DEVICE_LINE];
  name_purpose(purpose, device->strands.n_slots);
  ddr_space_swap(&device->state, &device->spare_state);
  ddr_space_swap(&device->status, &device->spare_status);
  if (has_grown) {
    ddr_space_release(device, &device->spare_state);
    ddr_space_release(device, &device->spare_status);
  }
  const char *error = reserve_spare_running(device, purpose, capacity);
  if (!error) point_to_spaces(device, capacity);
  return error;
}

/* The terms of reductions have memory of their own. */
void ddr_store_free(ddr_device *device) {
  ddr_space_release(device, &device->terms);
  ddr_sequences_free(device);
}

/* --- the beginning ---------------------------------------------------------------------------- */

/* Warps take tiles, but text must come out in rank order. */
static ddr_device_begin begin_of(const ddr_device *device) {
  const ddr_program *program = device->program;
  const bool in_tiles = !program->is_collection && !ddr_prints_wanted(device);
  const ddr_device_begin begin = {(int64_t *)device->running.memory,
                                  ddr_tiles_of(in_tiles ? program->rank : 0, device->strands.len)};
  return begin;
}

void ddr_store_launch_create(ddr_device *device, ddr_grant grant) {
  (void)grant;
  device->program->device->create(&device->launch, device->globals, device->strands, device->begin);
}

const char *ddr_store_allocate(ddr_device *device, const ddr_strands *host) {
  ddr_device_strands *strands = &device->strands;
  memcpy(strands->lo, host->lo, sizeof strands->lo);
  memcpy(strands->len, host->len, sizeof strands->len);
  strands->step = host->step;
  return allocate_store(device, host->n_slots);
}

/* CUDA loads code when it is first used, which takes most of a millisecond. Code that strands may
 * need while they run is loaded with the first world of a device. */
static const char *load_code(ddr_device *device) {
  const ddr_device_strands *strands = &device->strands;
  if (device->number > 1 || strands->n_running == 0) return NULL;
  const char *error = ddr_device_select(device, strands->running, strands->n_running, DDR_THAT_RUN,
                                        (int64_t *)device->spare_running.memory);
  return error ? error : ddr_near_prepare(device);
}

const char *ddr_store_create(ddr_device *device, const ddr_strands *host) {
  const char *error = ddr_store_allocate(device, host);
  if (error || host->n_slots == 0) return error;
  const ddr_grant none = {0, 0, 0, 0};
  device->begin = begin_of(device);
  device->strands.first_created = 0;
  device->strands.n_created = host->n_slots;
  error = ddr_attempt(device, ddr_store_launch_create, none);
  if (!error) error = ddr_store_commit(device);
  if (!error) error = load_code(device);
  if (!error) error = ddr_device_finish(device, "create the strands");
  return error ? error : ddr_prints_release(device, INT64_MAX);
}

/* --- the mirror ------------------------------------------------------------------------------- */

#define SCATTER(size)                                                                              \
  for (int64_t k = 0; k < n; k++) memcpy(dst + (size_t)k * stride, src + (size_t)k * (size), (size))

/* Most scalars have a size that compilers know. */
static void scatter(const char *src, size_t size, char *dst, size_t stride, int64_t n) {
  if (size == 4) SCATTER(4);
  else if (size == 8) SCATTER(8);
  else SCATTER(size);
}
#undef SCATTER

static size_t widest_column(const ddr_device_program *program) {
  size_t most = 0;
  for (uint32_t k = 0; k < program->n_columns; k++) {
    if (program->columns[k].size > most) most = program->columns[k].size;
  }
  return most;
}

static const char *fetch_column(ddr_device *device, const ddr_column *column, char *packed,
                                ddr_strands *host) {
  const ddr_device_strands *strands = &device->strands;
  const char *src = DDR_COLUMN(char, &strands->state, column->offset);
  const char *error =
      ddr_device_copy(device, packed, src, (size_t)column->size * (size_t)strands->n_slots);
  if (!error) error = ddr_device_finish(device, "copy the strands");
  if (error) return error;
  scatter(packed, column->size, (char *)host->state + column->offset, device->program->state_size,
          strands->n_slots);
  return NULL;
}

const char *ddr_store_fetch(ddr_device *device, size_t offset, size_t size, ddr_strands *host) {
  const ddr_device_program *program = device->program->device;
  const size_t n = (size_t)device->strands.n_slots;
  char *packed = (char *)malloc(n * widest_column(program) + 1);
  const char *error =
      packed ? ddr_device_copy(device, host->status, device->strands.status, n) : "out of memory";
  for (uint32_t k = 0; k < program->n_columns && !error; k++) {
    const ddr_column *column = &program->columns[k];
    const bool is_wanted = column->offset >= offset && column->offset - offset < size;
    if (is_wanted) error = fetch_column(device, column, packed, host);
  }
  if (!error) error = ddr_device_finish(device, "copy the strands");
  if (!error) error = ddr_sequences_fetch(device, offset, size, host);
  free(packed);
  return error;
}

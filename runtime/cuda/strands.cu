/* strands.cu: the store of strands on the device: its memory, its beginning, its mirror.
 *
 * Read next: commit.cu (how it changes).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/check.h"

enum { CAPACITY_STEP = 256 };

/* --- memory ----------------------------------------------------------------------------------- */

static const char *reserve_columns(ddr_device *device, size_t capacity) {
  const size_t n_bytes = capacity * device->program->state_size;
  const char *error = ddr_space_reserve(device, &device->state, n_bytes);
  if (!error && device->program->is_dual)
    error = ddr_space_reserve(device, &device->before, n_bytes);
  if (!error && device->program->is_collection)
    error = ddr_space_reserve(device, &device->spare_state, n_bytes);
  return error;
}

static const char *reserve_slots(ddr_device *device, size_t capacity) {
  const size_t n_bytes = capacity * sizeof(int64_t);
  const char *error = ddr_space_reserve(device, &device->status, capacity);
  if (!error && device->program->is_collection)
    error = ddr_space_reserve(device, &device->spare_status, capacity);
  if (!error) error = ddr_space_reserve(device, &device->running, n_bytes);
  return error ? error : ddr_space_reserve(device, &device->spare_running, n_bytes);
}

static void point_to_spaces(ddr_device *device, int64_t capacity) {
  ddr_device_strands *strands = &device->strands;
  const bool is_dual = device->program->is_dual;
  strands->state.memory = (char *)device->state.memory;
  strands->before.memory = (char *)(is_dual ? device->before.memory : device->state.memory);
  strands->state.capacity = strands->before.capacity = capacity;
  strands->status = (uint8_t *)device->status.memory;
  strands->running = (const int64_t *)device->running.memory;
}

/* The most of all comes behind those of the slots. */
static const char *allocate_steps(ddr_device *device, size_t capacity) {
  const char *error = ddr_space_reserve(device, &device->steps, (capacity + 1) * sizeof(uint32_t));
  device->strands.n_steps = (uint32_t *)device->steps.memory;
  device->strands.most_steps = device->strands.n_steps + (error ? 0 : capacity);
  return error;
}

static const char *allocate_store(ddr_device *device, int64_t n_slots) {
  const ddr_device_program *program = device->program->device;
  const int64_t capacity = (n_slots + CAPACITY_STEP - 1) / CAPACITY_STEP * CAPACITY_STEP;
  const size_t state_size = device->program->state_size, n = (size_t)capacity;
  const size_t n_columns = program->n_columns * sizeof *program->columns;
  if (n > SIZE_MAX / 4 / (state_size + sizeof(int64_t))) return "there are too many strands";
  const char *error = reserve_columns(device, n);
  if (!error) error = reserve_slots(device, n);
  if (!error) error = ddr_space_reserve(device, &device->columns, n_columns);
  if (!error) error = ddr_device_copy(device, device->columns.memory, program->columns, n_columns);
  if (!error) error = ddr_device_allocate(device, (void **)&device->n_found, sizeof(int64_t));
  if (!error) error = ddr_sequences_begin(device);
  if (!error && !device->program->is_lockstep) error = allocate_steps(device, n);
  if (!error) point_to_spaces(device, capacity);
  device->strands.n_slots = device->strands.n_running = device->strands.n_active = n_slots;
  return error;
}

void ddr_store_free(ddr_device *device) {
  ddr_space_release(&device->state);
  ddr_space_release(&device->status);
  ddr_space_release(&device->before);
  ddr_space_release(&device->running);
  ddr_space_release(&device->spare_state);
  ddr_space_release(&device->spare_status);
  ddr_space_release(&device->spare_running);
  ddr_space_release(&device->columns);
  ddr_space_release(&device->values);
  ddr_space_release(&device->terms);
  ddr_heaps_free(device);
  ddr_sequences_free(device);
  ddr_near_free(device);
  cudaFree(device->n_found);
  ddr_space_release(&device->steps);
}

/* --- the beginning ---------------------------------------------------------------------------- */

/* Warps of a grid take tiles of 8 by 4 strands: their rays stay close to each other. */
enum { TILE_WIDTH = 8, TILE_HEIGHT = 4 };

/* Slot number `place` in the order of tiles of a plane that is `width` by `height`; those that are
 * no whole tile come row by row. */
DDR_FN int64_t tile_slot(int64_t place, int64_t width, int64_t height) {
  const int64_t n_across = width / TILE_WIDTH, band = width * TILE_HEIGHT;
  const int64_t row = place / band * TILE_HEIGHT, within = place % band;
  const int64_t tile = within / (TILE_WIDTH * TILE_HEIGHT), k = within % (TILE_WIDTH * TILE_HEIGHT);
  if (row + TILE_HEIGHT > height || tile >= n_across) return place;
  return (row + k / TILE_WIDTH) * width + tile * TILE_WIDTH + k % TILE_WIDTH;
}

DDR_KERNEL void begin_kernel(ddr_device_strands strands, int64_t *running, int64_t width,
                             int64_t height) {
  const int64_t thread = DDR_THREAD;
  if (thread >= strands.n_slots) return;
  const int64_t plane = width * height;
  const int64_t within =
      width % TILE_WIDTH == 0 ? tile_slot(thread % plane, width, height) : thread % plane;
  running[thread] = thread / plane * plane + within;
  strands.status[thread] = DDR_NEW;
}

static void begin(ddr_device *device) {
  const ddr_device_strands *strands = &device->strands;
  const uint32_t rank = device->program->rank;
  const int64_t width = rank > 0 ? strands->len[rank - 1] : 1;
  const int64_t height = rank > 1 ? strands->len[rank - 2] : 1;
  DDR_LAUNCH(begin_kernel, &device->launch, strands->n_slots, *strands,
             (int64_t *)device->running.memory, width, height);
}

static void launch_create(ddr_device *device, ddr_grant grant) {
  (void)grant;
  device->program->device->create(&device->launch, device->globals, device->strands);
}

const char *ddr_store_create(ddr_device *device, const ddr_strands *host) {
  ddr_device_strands *strands = &device->strands;
  memcpy(strands->lo, host->lo, sizeof strands->lo);
  memcpy(strands->len, host->len, sizeof strands->len);
  const char *error = allocate_store(device, host->n_slots);
  if (error || host->n_slots == 0) return error;
  begin(device);
  const ddr_grant none = {0, 0};
  error = ddr_device_launched(device, "begin the strands");
  if (!error) error = ddr_attempt(device, launch_create, none);
  if (!error) error = ddr_store_commit(device);
  return error ? error : ddr_device_finish(device, "create the strands");
}

/* --- the mirror ------------------------------------------------------------------------------- */

static void scatter(const char *src, size_t size, char *dst, size_t stride, int64_t n) {
  for (int64_t k = 0; k < n; k++) memcpy(dst + (size_t)k * stride, src + (size_t)k * size, size);
}

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

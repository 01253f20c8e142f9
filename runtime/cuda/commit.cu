/* commit.cu: what happens to the store between two phases: deaths, the second columns, who runs.
 *
 * Slots stay in rank order, as on the host (runtime/src/population.c): the dead leave by a stable
 * compaction.
 */
#include "runtime/cuda/check.h"

/* --- who runs --------------------------------------------------------------------------------- */

static const char *fetch_found(ddr_device *device, int64_t *n) {
  const char *error = ddr_device_copy(device, n, device->n_found, sizeof *n);
  return error ? error : ddr_device_finish(device, "find strands");
}

const char *ddr_store_find_running(ddr_device *device, bool of_all) {
  ddr_device_strands *strands = &device->strands;
  const int64_t *slots = of_all ? NULL : strands->running;
  const int64_t n = of_all ? strands->n_slots : strands->n_running;
  const char *error =
      ddr_device_select(device, slots, n, DDR_THAT_RUN, (int64_t *)device->spare_running.memory);
  if (!error) error = fetch_found(device, &strands->n_running);
  if (error) return error;
  ddr_space_swap(&device->running, &device->spare_running);
  strands->running = (const int64_t *)device->running.memory;
  strands->n_active = strands->n_running;
  strands->n_stable = strands->n_slots - strands->n_running;
  return NULL;
}

/* --- deaths ----------------------------------------------------------------------------------- */

/* What is no scalar is the struct of a fixed sequence. */
DDR_FN void move_value(char *dst, const char *src, int64_t to, int64_t from, uint32_t size) {
  switch (size) {
  case 4: ((uint32_t *)(void *)dst)[to] = ((const uint32_t *)(const void *)src)[from]; return;
  case 8: ((uint64_t *)(void *)dst)[to] = ((const uint64_t *)(const void *)src)[from]; return;
  default: break;
  }
  for (uint32_t k = 0; k < size; k++) dst[to * size + k] = src[from * size + k];
}

/* One thread for each slot and column, slots fastest. */
DDR_KERNEL void compact_kernel(ddr_device_strands strands, const ddr_column *columns,
                               uint32_t n_columns, const int64_t *kept, int64_t n_kept,
                               ddr_columns to, uint8_t *status) {
  const int64_t slot = DDR_THREAD % n_kept, k = DDR_THREAD / n_kept;
  if (k > n_columns) return;
  if (k == n_columns) {
    status[slot] = strands.status[kept[slot]];
    return;
  }
  const ddr_column column = columns[k];
  move_value(DDR_COLUMN(char, &to, column.offset), DDR_COLUMN(char, &strands.state, column.offset),
             slot, kept[slot], column.size);
}

/* The living go to the spare columns, which become the strands'. */
static const char *compact(ddr_device *device, int64_t n_kept) {
  ddr_device_strands *strands = &device->strands;
  const uint32_t n_columns = device->program->device->n_columns;
  const ddr_columns to = {(char *)device->spare_state.memory, strands->state.capacity};
  if (n_kept > 0)
    DDR_LAUNCH(compact_kernel, &device->launch, n_kept * (n_columns + 1), *strands,
               (const ddr_column *)device->columns.memory, n_columns,
               (const int64_t *)device->spare_running.memory, n_kept, to,
               (uint8_t *)device->spare_status.memory);
  ddr_space_swap(&device->state, &device->spare_state);
  ddr_space_swap(&device->status, &device->spare_status);
  strands->state.memory = (char *)device->state.memory;
  if (!device->program->is_dual) strands->before = strands->state;
  strands->status = (uint8_t *)device->status.memory;
  strands->n_slots = n_kept;
  return ddr_device_launched(device, "remove the dead");
}

static const char *remove_dead(ddr_device *device, bool *has_moved) {
  ddr_device_strands *strands = &device->strands;
  int64_t n_kept = 0;
  const char *error = ddr_device_select(device, NULL, strands->n_slots, DDR_THAT_LIVE,
                                        (int64_t *)device->spare_running.memory);
  if (!error) error = fetch_found(device, &n_kept);
  *has_moved = n_kept < strands->n_slots;
  return error || !*has_moved ? error : compact(device, n_kept);
}

/* --- the second columns ----------------------------------------------------------------------- */

static const char *share(ddr_device *device) {
  const ddr_device_program *program = device->program->device;
  const ddr_device_strands *strands = &device->strands;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_columns && !error; k++) {
    const ddr_column *column = &program->columns[k];
    if (!column->is_shared) continue;
    error = ddr_device_copy(device, DDR_COLUMN(char, &strands->before, column->offset),
                            DDR_COLUMN(char, &strands->state, column->offset),
                            (size_t)column->size * (size_t)strands->n_slots);
  }
  return error;
}

const char *ddr_store_commit(ddr_device *device) {
  const ddr_program *program = device->program;
  bool has_moved = false;
  const char *error = program->is_collection ? remove_dead(device, &has_moved) : NULL;
  if (!error) error = ddr_sequences_keep(device);
  if (!error) error = ddr_near_follow(device, !has_moved);
  if (!error && program->is_dual) error = share(device);
  return error ? error : ddr_store_find_running(device, has_moved);
}

/* commit.cu: what happens to the store between two phases: deaths, births, the second columns, and
 * the list of strands that run.
 *
 * Slots stay in rank order, as on the host (runtime/src/strands/population.c): a stable compaction
 * removes the dead, and new strands are added at the end (births.cu).
 */
#include "runtime/cuda/check.h"
#include "runtime/cuda/columns.h"

/* --- who runs --------------------------------------------------------------------------------- */

static const char *fetch_found(ddr_device *device, int64_t *n) {
  const char *error = ddr_device_copy(device, n, device->n_found, sizeof *n);
  return error ? error : ddr_device_finish(device, "find strands");
}

static void take_count(ddr_device *device, int64_t n_running) {
  ddr_device_strands *strands = &device->strands;
  strands->n_running = strands->n_active = n_running;
  strands->n_stable = strands->n_slots - n_running;
  device->n_ended = 0;
}

/* Makes the list of the strands that run, out of n slots. */
static const char *list_running(ddr_device *device, const int64_t *slots, int64_t n) {
  const char *error =
      ddr_device_select(device, slots, n, DDR_THAT_RUN, (int64_t *)device->spare_running.memory);
  if (error) return error;
  ddr_space_swap(&device->running, &device->spare_running);
  device->strands.running = (const int64_t *)device->running.memory;
  return NULL;
}

const char *ddr_store_find_running(ddr_device *device) {
  int64_t n_running = 0;
  const char *error = list_running(device, device->strands.running, device->strands.n_running);
  if (!error) error = fetch_found(device, &n_running);
  if (!error) take_count(device, n_running);
  return error;
}

/* Their number is known, so there is no need to wait for the device. */
const char *ddr_store_drop_ended(ddr_device *device) {
  const int64_t n = device->strands.n_running, n_left = n - device->n_ended;
  const bool is_same = device->n_ended == 0 || n_left == 0;
  const char *error = is_same ? NULL : list_running(device, device->strands.running, n);
  if (!error) take_count(device, n_left);
  return error;
}

/* After slots have moved, and so many strands were born. */
static const char *list_anew(ddr_device *device, int64_t n_born) {
  const int64_t n_running = device->strands.n_running - device->n_ended + n_born;
  const char *error = n_running > 0 ? list_running(device, NULL, device->strands.n_slots) : NULL;
  if (!error) take_count(device, n_running);
  return error;
}

/* --- deaths and births ------------------------------------------------------------------------ */

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
  ddr_move_value(DDR_COLUMN(char, &to, column.offset),
                 DDR_COLUMN(char, &strands.state, column.offset), slot, kept[slot], column.size);
}

/* Copies the living to the spare columns, which become the strands' columns. */
static const char *compact(ddr_device *device, int64_t n_kept, int64_t capacity) {
  ddr_device_strands *strands = &device->strands;
  const uint32_t n_columns = device->program->device->n_columns;
  const ddr_columns to = {(char *)device->spare_state.memory, capacity};
  if (n_kept > 0)
    DDR_LAUNCH(compact_kernel, &device->launch, n_kept * (n_columns + 1), *strands,
               (const ddr_column *)device->columns.memory, n_columns,
               (const int64_t *)device->spare_running.memory, n_kept, to,
               (uint8_t *)device->spare_status.memory);
  const char *error = ddr_device_launched(device, "move the strands");
  strands->n_slots = n_kept;
  return error ? error : ddr_store_take_spare(device, capacity);
}

/* Removes the dead; the new columns have room for the strands that are born. */
static const char *remove_dead(ddr_device *device, int64_t n_born, bool *has_moved) {
  const ddr_device_strands *strands = &device->strands;
  const int64_t n_kept = strands->n_slots - device->n_dead;
  int64_t capacity = 0;
  *has_moved = device->n_dead > 0 || n_kept + n_born > strands->state.capacity;
  if (!*has_moved) return NULL;
  const char *error = ddr_device_select(device, NULL, strands->n_slots, DDR_THAT_LIVE,
                                        (int64_t *)device->spare_running.memory);
  if (!error) error = ddr_store_reserve_spare(device, n_kept + n_born, &capacity);
  if (!error) error = compact(device, n_kept, capacity);
  device->n_dead = 0;
  return error;
}

static const char *renew(ddr_device *device, int64_t *n_born, bool *has_moved) {
  const char *error = ddr_births_count(device, n_born);
  if (!error) error = remove_dead(device, *n_born, has_moved);
  if (!error) error = ddr_births_join(device, *n_born);
  *has_moved |= *n_born > 0;
  return error;
}

/* --- the second columns ----------------------------------------------------------------------- */

/* Adjacent columns are copied at once. */
static const char *share(ddr_device *device) {
  const ddr_device_program *program = device->program->device;
  const ddr_device_strands *strands = &device->strands;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_columns && !error; k++) {
    const ddr_column *first = &program->columns[k], *last = first;
    if (!first->is_shared) continue;
    for (; k + 1 < program->n_columns; k++, last++)
      if (!last[1].is_shared || last[1].offset != last->offset + last->size) break;
    const size_t n_bytes =
        (size_t)(last->offset - first->offset) * (size_t)strands->state.capacity +
        (size_t)last->size * (size_t)strands->n_slots;
    error = ddr_device_copy(device, DDR_COLUMN(char, &strands->before, first->offset),
                            DDR_COLUMN(char, &strands->state, first->offset), n_bytes);
  }
  return error;
}

const char *ddr_store_commit(ddr_device *device) {
  const ddr_program *program = device->program;
  bool has_moved = false;
  int64_t n_born = 0;
  const char *error = program->is_collection ? renew(device, &n_born, &has_moved) : NULL;
  if (!error) error = ddr_sequences_keep(device);
  if (!error) error = ddr_near_follow(device, !has_moved);
  if (!error && program->is_dual) error = share(device);
  if (error) return error;
  return has_moved ? list_anew(device, n_born) : ddr_store_drop_ended(device);
}

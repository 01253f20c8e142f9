/* rank_share.cu: strands that are divided among several ranks: the store has a place for each
 * strand, and the device of a rank runs its share.
 *
 * What happens between phases is done by the host (runtime/src/strands/device_share.c): it says
 * which strands run, and transfers what strands read of each other.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/check.h"

/* --- one phase -------------------------------------------------------------------------------- */

DDR_KERNEL void list_kernel(int64_t first, int64_t n, int64_t *slots) {
  const int64_t thread = DDR_THREAD;
  if (thread < n) slots[thread] = first + thread;
}

/* Which strands of the part run, as the host says; no others run. */
static const char *take_statuses(ddr_device *device, const ddr_device_part *part,
                                 const ddr_strands *host) {
  const ddr_device_strands *strands = &device->strands;
  const char *error = ddr_device_check(
      device, "clear memory",
      cudaMemsetAsync(strands->status, DDR_STABLE, (size_t)strands->n_slots, ddr_stream(device)));
  if (error) return error;
  return ddr_device_copy(device, strands->status + part->first, host->status + part->first,
                         (size_t)part->n);
}

static const char *begin(ddr_device *device, const ddr_device_part *part, const ddr_strands *host) {
  ddr_device_strands *strands = &device->strands;
  strands->n_slots = part->counts.n_slots;
  const char *error = take_statuses(device, part, host);
  if (error) return error;
  DDR_LAUNCH(list_kernel, &device->launch, part->n, part->first, part->n,
             (int64_t *)device->running.memory);
  strands->n_running = part->n;
  error = ddr_device_launched(device, "begin the strands");
  if (!error) error = ddr_store_find_running(device);
  strands->n_active = part->counts.n_active;
  strands->n_stable = part->counts.n_stable;
  return error;
}

/* Only those of the part. */
static const char *create(ddr_device *device, const ddr_device_part *part) {
  const ddr_grant none = {0, 0, 0, 0};
  device->strands.first_created = part->first;
  device->strands.n_created = part->n;
  return ddr_attempt(device, ddr_store_launch_create, none);
}

static const char *update(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  if (!device->program->is_lockstep) return ddr_phase_run_alone(device, max_steps, n_steps);
  *n_steps = 1;
  return ddr_phase_step(device);
}

static const char *stabilize(ddr_device *device) {
  const ddr_grant none = {0, 0, 0, 0};
  const char *error = ddr_near_prepare(device);
  return error ? error : ddr_attempt(device, ddr_phase_launch_stabilize, none);
}

/* Some strands end when they are created. */
static const char *run_whole(ddr_device *device, const ddr_device_part *part, uint32_t *n_steps) {
  const char *error = create(device, part);
  if (!error) error = ddr_store_find_running(device);
  return error ? error : update(device, part->max_steps, n_steps);
}

static const char *run(ddr_device *device, const ddr_device_part *part, uint32_t *n_steps) {
  switch (part->work) {
  case DDR_WORK_CREATE: return create(device, part);
  case DDR_WORK_UPDATE: return update(device, part->max_steps, n_steps);
  case DDR_WORK_WHOLE: return run_whole(device, part, n_steps);
  case DDR_WORK_STABILIZE: return stabilize(device);
  }
  return NULL;
}

const char *ddr_part_run(ddr_device *device, const ddr_device_part *part, ddr_strands *host,
                         uint32_t *n_steps) {
  *n_steps = 0;
  if (part->n == 0) return NULL;
  const char *error = begin(device, part, host);
  if (!error && device->strands.n_running > 0) error = run(device, part, n_steps);
  if (!error)
    error = ddr_device_copy(device, host->status + part->first,
                            device->strands.status + part->first, (size_t)part->n);
  return error ? error : ddr_device_finish(device, "run the strands");
}

/* --- columns and rows ------------------------------------------------------------------------- */

/* Rows of the host that are to be written or read. */
typedef union Rows {
  char *to;
  const char *from;
} Rows;

/* One column of some strands, and where it is in the first of their rows. */
typedef struct Strip {
  char *column;
  Rows row;
  size_t size, row_size;
  int64_t n;
} Strip;

static const char *fetch_strip(ddr_device *device, const Strip *strip, char *packed) {
  const char *error =
      ddr_device_copy(device, packed, strip->column, strip->size * (size_t)strip->n);
  if (!error) error = ddr_device_finish(device, "copy the strands");
  for (int64_t k = 0; k < strip->n && !error; k++)
    memcpy(strip->row.to + (size_t)k * strip->row_size, packed + (size_t)k * strip->size,
           strip->size);
  return error;
}

static const char *tell_strip(ddr_device *device, const Strip *strip, char *packed) {
  for (int64_t k = 0; k < strip->n; k++)
    memcpy(packed + (size_t)k * strip->size, strip->row.from + (size_t)k * strip->row_size,
           strip->size);
  const char *error =
      ddr_device_copy(device, strip->column, packed, strip->size * (size_t)strip->n);
  return error ? error : ddr_device_finish(device, "copy the strands");
}

/* The requested bytes of the rows at `rows`; all columns have room for so many slots. */
typedef struct Wanted {
  int64_t first, n;
  ddr_part_columns which;
  size_t offset, size;
  Rows rows;
  bool is_told; /* true: copied to the device; false: from it */
} Wanted;

static bool is_wanted(const Wanted *wanted, const ddr_column *column) {
  const bool is_in =
      column->offset >= wanted->offset && column->offset - wanted->offset < wanted->size;
  return is_in && (column->is_shared || wanted->which == DDR_PART_STATE);
}

static const char *transfer(ddr_device *device, const Wanted *wanted) {
  const ddr_device_program *program = device->program->device;
  const ddr_columns *columns =
      wanted->which == DDR_PART_BEFORE ? &device->strands.before : &device->strands.state;
  const size_t row_size = device->program->state_size;
  char *packed = (char *)malloc((size_t)wanted->n * row_size + 1);
  const char *error = packed ? NULL : "out of memory";
  Strip strip = {NULL, wanted->rows, 0, row_size, wanted->n};
  for (uint32_t k = 0; k < program->n_columns && !error; k++) {
    const ddr_column *column = &program->columns[k];
    if (!is_wanted(wanted, column)) continue;
    strip.size = column->size;
    strip.column = DDR_COLUMN(char, columns, column->offset) + (size_t)wanted->first * column->size;
    strip.row.from = wanted->rows.from + (size_t)wanted->first * row_size + column->offset;
    error =
        wanted->is_told ? tell_strip(device, &strip, packed) : fetch_strip(device, &strip, packed);
  }
  free(packed);
  return error;
}

const char *ddr_part_fetch(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                           size_t offset, size_t size, ddr_strands *host) {
  const Rows rows = {(char *)host->state};
  const Wanted wanted = {first, n, which, offset, size, rows, false};
  return transfer(device, &wanted);
}

/* Queries use the rows that have been received. */
const char *ddr_part_tell(ddr_device *device, int64_t first, int64_t n, ddr_part_columns which,
                          const ddr_strands *host) {
  const bool is_before = which == DDR_PART_BEFORE;
  Rows rows;
  rows.from = (const char *)(is_before ? host->before : host->state);
  const Wanted wanted = {first, n, which, 0, device->program->state_size, rows, true};
  device->near.is_current = false;
  return transfer(device, &wanted);
}

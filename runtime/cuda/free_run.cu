/* free_run.cu: programs without supersteps that print: many updates of all strands at a time.
 *
 * Strands do not see each other, but their text is ordered: a strand's text comes after that of all
 * strands of lower rank, and must wait for it.  As long as the waiting text fits into memory, all
 * strands run at once.  Otherwise strands of lower rank go ahead, in batches that are halved each
 * time that too much text waits.
 */
#include "runtime/cuda/check.h"

/* Updates per launch, at first, and at most. */
enum { FIRST_STEPS = 16, MOST_STEPS = 1 << 16 };

/* Bytes of text that may wait in each waiting batch. */
#if defined(DDR_SHIM)
enum { MOST_HELD = 1 << 11 };
#else
enum { MOST_HELD = 1 << 26 };
#endif

enum { MOST_BATCHES = 65 }; /* 2^63 strands halved down to one, and one batch of all */

/* The strands from the end of the previous batch to slot `end`. */
typedef struct Batch {
  int64_t end;
  uint32_t n_steps; /* updates of each of them so far */
} Batch;

typedef struct FreeRun {
  ddr_device *device;
  uint32_t max_steps, at_once;
  int64_t first;               /* of the current batch, in the list of strands that run */
  Batch batches[MOST_BATCHES]; /* the last one is the current batch */
  int n_batches;
} FreeRun;

static const char *slot_at(ddr_device *device, int64_t place, int64_t *slot) {
  const char *error = ddr_device_copy(device, slot, device->strands.running + place, sizeof *slot);
  return error ? error : ddr_device_finish(device, "copy the strands");
}

/* The number of running strands with slots before `end`; the list is sorted. */
static const char *count_before(const FreeRun *run, int64_t end, int64_t *n) {
  int64_t low = run->first, high = run->device->strands.n_running;
  const char *error = NULL;
  if (end == INT64_MAX) low = high;
  while (low < high && !error) {
    const int64_t mid = low + (high - low) / 2;
    int64_t slot = 0;
    error = slot_at(run->device, mid, &slot);
    if (slot < end) low = mid + 1;
    else high = mid;
  }
  *n = low - run->first;
  return error;
}

/* The strands of the current batch; `n` of them run. */
static const char *advance(FreeRun *run, int64_t n) {
  ddr_device *device = run->device;
  Batch *batch = &run->batches[run->n_batches - 1];
  const ddr_batch places = {run->first, n, NULL};
  uint32_t n_steps = run->at_once, most = batch->n_steps;
  if (run->max_steps > 0 && n_steps > run->max_steps - most) n_steps = run->max_steps - most;
  const ddr_grant grant = {n_steps, n_steps, 0, 0};
  const int64_t n_before = device->strands.n_running;
  device->batch = places;
  const char *error = ddr_phase_clear_most(device);
  if (!error) error = ddr_phase_advance(device, grant, &most);
  if (error) return error;
  if (most - batch->n_steps < n_steps)
    run->at_once = most > batch->n_steps ? most - batch->n_steps : 1;
  batch->n_steps = most;
  run->at_once = ddr_phase_next_steps(device, run->at_once, n, n_before - device->strands.n_running,
                                      MOST_STEPS);
  return NULL;
}

/* The text of the first running strand needs to wait for nothing. */
static const char *release(const FreeRun *run, int64_t end) {
  int64_t slot = end;
  const char *error = NULL;
  if (run->device->prints.n_held == 0) return NULL;
  if (run->first < run->device->strands.n_running) error = slot_at(run->device, run->first, &slot);
  return error ? error : ddr_prints_release(run->device, slot < end ? slot + 1 : end);
}

/* The first half of the n strands goes ahead if too much text waits. */
static const char *halve(FreeRun *run, int64_t n) {
  Batch *batch = &run->batches[run->n_batches - 1];
  Batch half = *batch;
  const uint64_t most = (uint64_t)run->n_batches * MOST_HELD;
  if (n < 2 || run->n_batches == MOST_BATCHES || run->device->prints.n_held <= most) return NULL;
  const char *error = slot_at(run->device, run->first + n / 2, &half.end);
  run->batches[run->n_batches++] = half;
  return error;
}

/* The rest of the batch has used up its steps. */
static const char *finish(FreeRun *run, int64_t n_left, uint32_t *n_steps) {
  const Batch *batch = &run->batches[--run->n_batches];
  if (batch->n_steps > *n_steps) *n_steps = batch->n_steps;
  run->first += n_left;
  return ddr_prints_release(run->device, batch->end);
}

static const char *step(FreeRun *run, uint32_t *n_steps) {
  const Batch *batch = &run->batches[run->n_batches - 1];
  int64_t n = 0;
  const char *error = count_before(run, batch->end, &n);
  if (error) return error;
  if (n == 0 || (run->max_steps > 0 && batch->n_steps == run->max_steps))
    return finish(run, n, n_steps);
  error = advance(run, n);
  if (!error) error = release(run, batch->end);
  if (!error) error = count_before(run, batch->end, &n);
  return error ? error : halve(run, n);
}

const char *ddr_phase_run_in_order(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  FreeRun run = {device, max_steps, FIRST_STEPS, 0, {{INT64_MAX, 0}}, 1};
  const char *error = NULL;
  while (run.n_batches > 0 && !error && !ddr_any_errors(device->prints.world))
    error = step(&run, n_steps);
  return error ? error : ddr_store_commit(device);
}

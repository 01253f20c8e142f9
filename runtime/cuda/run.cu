/* run.cu: phases: launches of the program's own kernels.
 *
 * Read next: free_run.cu (programs without supersteps that print), launch_retry.cu, commit.cu.
 */
#include "runtime/cuda/check.h"

/* Updates of a strand per launch. A warp whose strands have mostly ended leaves early, but not
 * before it has made some progress; a launch that lasts too long would block a display.  With a
 * limit, or if strands take memory, all strands make the same number of updates: few at first, then
 * as many as the launch before allows (ddr_phase_next_steps). */
static const uint32_t least_steps = 4, most_steps = 1 << 14;

/* A block whose running strands fill at most three quarters of a warp leaves, so that they are
 * compacted with others. Only while running strands occupy more than an eighth of the device: with
 * fewer, the additional launch costs more than it gains. */
static const uint32_t few_strands = 24;

static uint32_t few_that_leave(const ddr_device *device) {
  return device->strands.n_running > device->facts->n_threads / 8 ? few_strands : 0;
}

/* Bytes of sequences, and of records of printed text, that a launch of several updates shall take
 * at most. */
enum { MUCH_TAKEN = 1 << 28, MUCH_PRINTED = DDR_MOST_PRINTED / 2 };

enum { MOST_GROWTH = 8 }; /* from one launch to the next */

static void launch_update(ddr_device *device, ddr_grant grant) {
  ddr_device_strands strands = device->strands;
  if (device->batch.in_order) strands.running = device->batch.in_order;
  strands.running += device->batch.first;
  strands.n_running = device->batch.n;
  device->program->device->update(&device->launch, device->globals, strands, grant);
}

static void take_all(ddr_device *device) {
  const ddr_batch all = {0, device->strands.n_running, NULL};
  device->batch = all;
}

const char *ddr_phase_step(ddr_device *device) {
  const ddr_grant one = {1, 1, 0, 0};
  const char *error = ddr_near_prepare(device);
  take_all(device);
  if (!error) error = ddr_near_order(device, &device->batch.in_order);
  return error ? error : ddr_attempt(device, launch_update, one);
}

static const char *superstep(ddr_device *device) {
  const char *error = ddr_phase_step(device);
  if (!error) error = ddr_store_commit(device);
  return error ? error : ddr_prints_release(device, INT64_MAX);
}

const char *ddr_phase_clear_most(ddr_device *device) {
  uint32_t *most = device->strands.most_steps;
  device->outcome.most_steps = 0;
  return ddr_device_check(device, "clear memory",
                          cudaMemsetAsync(most, 0, sizeof *most, ddr_stream(device)));
}

static const char *clear_steps(ddr_device *device) {
  const ddr_device_strands *strands = &device->strands;
  const size_t n_bytes = (size_t)strands->n_slots * sizeof *strands->n_steps;
  const char *error = ddr_device_check(
      device, "clear memory", cudaMemsetAsync(strands->n_steps, 0, n_bytes, ddr_stream(device)));
  return error ? error : ddr_phase_clear_most(device);
}

const char *ddr_phase_advance(ddr_device *device, ddr_grant grant, uint32_t *most) {
  const char *error = ddr_attempt(device, launch_update, grant);
  if (error) return error;
  *most = device->outcome.most_steps;
  error = ddr_sequences_keep(device);
  return error ? error : ddr_store_drop_ended(device);
}

/* n, or fewer if so many took more bytes than they shall. */
static uint64_t that_take(uint64_t n, uint64_t n_taken, uint64_t n_steps, uint64_t most) {
  const uint64_t n_fit = n_taken > 0 ? (most * n_steps) / n_taken : n;
  return n < n_fit ? n : n_fit;
}

/* If the same share of the strands ends in each update as in the n of the launch before, a quarter
 * of the threads of the next one wait for others, on average: the more strands end, the sooner the
 * others are compacted. */
uint32_t ddr_phase_next_steps(const ddr_device *device, uint32_t n, int64_t n_ran, int64_t n_ended,
                              uint32_t most) {
  const unsigned long long *taken = device->outcome.taken;
  const uint64_t n_grown = (uint64_t)MOST_GROWTH * n, n_least = n > 1 ? n / 2 : 1;
  uint64_t next = n_ended > 0 ? (uint64_t)n * (uint64_t)n_ran / (2 * (uint64_t)n_ended) : n_grown;
  next = next < n_grown ? next : n_grown;
  next = that_take(next, taken[DDR_HEAP_SEQUENCES], n, MUCH_TAKEN);
  next = that_take(next, taken[DDR_HEAP_PRINTS], n, MUCH_PRINTED);
  if (next < n_least) next = n_least;
  return (uint32_t)(next < most ? next : most);
}

/* Strands do not see each other. */
const char *ddr_phase_run_alone(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  const bool do_as_many = max_steps > 0 || device->program->device->heaps != 0;
  ddr_grant grant = {least_steps, do_as_many ? least_steps : most_steps, 0, 0};
  const char *error = clear_steps(device);
  while (device->strands.n_running > 0 && (max_steps == 0 || *n_steps < max_steps) && !error) {
    const uint32_t n_before = *n_steps;
    if (max_steps > 0 && grant.most > max_steps - n_before)
      grant.least = grant.most = max_steps - n_before;
    if (!do_as_many) grant.n_few = few_that_leave(device);
    take_all(device);
    const int64_t n_ran = device->strands.n_running;
    error = ddr_phase_advance(device, grant, n_steps);
    const int64_t n_ended = n_ran - device->strands.n_running;
    const uint32_t n = *n_steps - n_before; /* less than granted if there was no memory for more */
    if (do_as_many && !error)
      grant.least = grant.most = ddr_phase_next_steps(device, n, n_ran, n_ended, most_steps);
  }
  return error;
}

static const char *run_free(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  if (!ddr_prints_wanted(device)) {
    const char *error = ddr_phase_run_alone(device, max_steps, n_steps);
    return error ? error : ddr_store_commit(device);
  }
  const char *error = clear_steps(device);
  return error ? error : ddr_phase_run_in_order(device, max_steps, n_steps);
}

const char *ddr_phase_run(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  *n_steps = 0;
  if (!device->program->is_lockstep) return run_free(device, max_steps, n_steps);
  *n_steps = 1;
  return superstep(device);
}

/* --- the end of all --------------------------------------------------------------------------- */

DDR_KERNEL void end_kernel(ddr_device_strands strands, ddr_strand_status status) {
  const int64_t thread = DDR_THREAD;
  if (thread >= strands.n_running) return;
  strands.status[strands.running[thread]] = (uint8_t)status;
}

void ddr_phase_launch_stabilize(ddr_device *device, ddr_grant grant) {
  (void)grant;
  device->program->device->stabilize(&device->launch, device->globals, device->strands);
}

const char *ddr_phase_end_all(ddr_device *device, ddr_strand_status status) {
  const ddr_device_program *program = device->program->device;
  const ddr_device_strands *strands = &device->strands;
  if (strands->n_running == 0) return NULL;
  const bool has_method = status == DDR_STABLE && program->stabilize;
  const ddr_grant none = {0, 0, 0, 0};
  const char *error = has_method ? ddr_near_prepare(device) : NULL;
  if (!error && has_method) error = ddr_attempt(device, ddr_phase_launch_stabilize, none);
  if (error) return error;
  DDR_LAUNCH(end_kernel, &device->launch, strands->n_running, *strands, status);
  error = ddr_device_launched(device, "end the strands");
  device->n_ended = strands->n_running;
  if (status == DDR_DEAD) device->n_dead += strands->n_running;
  if (!error) error = ddr_store_commit(device);
  return error ? error : ddr_prints_release(device, INT64_MAX);
}

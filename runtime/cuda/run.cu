/* run.cu: phases: launches of the program's own kernels. */
#include "runtime/cuda/check.h"

/* Updates per launch, at first; doubled from launch to launch, so that few strands that live long
 * cost few launches, and many that end soon are compacted soon. */
enum { FIRST_STEPS = 16, MOST_STEPS = 1 << 16 };

/* Bytes of sequences: a launch that takes more was long enough. */
enum { MUCH = 1 << 28 };

static void launch_update(ddr_device *device, uint32_t max_steps) {
  device->program->device->update(&device->launch, device->globals, device->strands, max_steps,
                                  device->most);
}

static const char *update(ddr_device *device, uint32_t max_steps) {
  const char *error =
      ddr_device_check(device, "clear memory",
                       cudaMemsetAsync(device->most, 0, sizeof *device->most, ddr_stream(device)));
  return error ? error : ddr_attempt(device, launch_update, max_steps);
}

static const char *superstep(ddr_device *device) {
  const char *error = ddr_near_prepare(device);
  if (!error) error = update(device, 1);
  return error ? error : ddr_store_commit(device);
}

/* Nobody sees what the others do: most of them end in few launches. */
static const char *run_free(ddr_device *device, uint32_t max_steps, uint32_t *n_steps) {
  const char *error = NULL;
  uint32_t at_once = FIRST_STEPS;
  while (device->strands.n_running > 0 && (max_steps == 0 || *n_steps < max_steps) && !error) {
    uint32_t n = at_once, most = 0;
    if (max_steps > 0 && n > max_steps - *n_steps) n = max_steps - *n_steps;
    error = update(device, n);
    if (!error) error = ddr_device_copy(device, &most, device->most, sizeof most);
    if (!error) error = ddr_sequences_keep(device);
    if (!error) error = ddr_store_find_running(device, false);
    *n_steps += most;
    if (device->taken[DDR_HEAP_SEQUENCES] > MUCH && at_once > 1) at_once /= 2;
    else if (at_once < MOST_STEPS) at_once *= 2;
  }
  return error ? error : ddr_store_commit(device);
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

static void launch_stabilize(ddr_device *device, uint32_t argument) {
  (void)argument;
  device->program->device->stabilize(&device->launch, device->globals, device->strands);
}

const char *ddr_phase_end_all(ddr_device *device, ddr_strand_status status) {
  const ddr_device_program *program = device->program->device;
  const ddr_device_strands *strands = &device->strands;
  if (strands->n_running == 0) return NULL;
  const bool has_method = status == DDR_STABLE && program->stabilize;
  const char *error = has_method ? ddr_near_prepare(device) : NULL;
  if (!error && has_method) error = ddr_attempt(device, launch_stabilize, 0);
  if (error) return error;
  DDR_LAUNCH(end_kernel, &device->launch, strands->n_running, *strands, status);
  error = ddr_device_launched(device, "end the strands");
  return error ? error : ddr_store_commit(device);
}

/* attempt.cu: launches whose threads take memory of heaps: done again with more until it was
 * enough.
 *
 * A thread that finds a heap exhausted goes on without; what all of them asked for is counted, so
 * that the second attempt suffices unless it asks for more than the first.  In between the store is
 * as it was before.
 */
#include "runtime/cuda/check.h"

#if defined(DDR_SHIM)
enum { FIRST_CAPACITY = 256 }; /* so that tests see second attempts */
#else
enum { FIRST_CAPACITY = 1 << 20 };
#endif

/* --- heaps ------------------------------------------------------------------------------------ */

static const char *reserve_heap(ddr_device *device, int kind, uint64_t n_bytes) {
  ddr_heap *heap = &device->strands.heap[kind];
  const char *error = ddr_space_reserve(device, &device->heap[kind], (size_t)n_bytes);
  heap->memory = (char *)device->heap[kind].memory;
  heap->capacity = error ? 0 : n_bytes;
  return error;
}

/* What outlives its launch shows in tests. */
static void forget(const ddr_heap *heap) {
#if defined(DDR_SHIM)
  if (heap->capacity > 0) memset(heap->memory, 0xff, heap->capacity);
#else
  (void)heap;
#endif
}

static const char *open_heaps(ddr_device *device) {
  const size_t n_bytes = DDR_N_HEAPS * sizeof(unsigned long long);
  const char *error = NULL;
  if (!device->n_taken.memory) {
    error = ddr_space_reserve(device, &device->n_taken, n_bytes);
    for (int kind = 0; kind < DDR_N_HEAPS && !error; kind++) {
      device->strands.heap[kind].n_taken = (unsigned long long *)device->n_taken.memory + kind;
      if (device->program->device->heaps >> kind & 1)
        error = reserve_heap(device, kind, FIRST_CAPACITY);
    }
  }
  for (int kind = 0; kind < DDR_N_HEAPS; kind++) forget(&device->strands.heap[kind]);
  if (error) return error;
  return ddr_device_check(device, "clear memory",
                          cudaMemsetAsync(device->n_taken.memory, 0, n_bytes, ddr_stream(device)));
}

/* Where threads asked for DDR_HEAP_NEVER. */
static const char *const too_much[DDR_N_HEAPS] = {
    "cannot allocate memory for new strands: there are too many",
    "cannot print: there is too much",
    "cannot extend a sequence: it is too long",
};

/* What was taken is in device->taken; *is_enough: it was there. */
static const char *look_at_heaps(ddr_device *device, bool *is_enough) {
  const char *error =
      ddr_device_copy(device, device->taken, device->n_taken.memory, sizeof device->taken);
  if (!error) error = ddr_device_finish(device, "run the strands");
  *is_enough = true;
  for (int kind = 0; kind < DDR_N_HEAPS && !error; kind++)
    if (device->taken[kind] >= DDR_HEAP_NEVER) error = too_much[kind];
  for (int kind = 0; kind < DDR_N_HEAPS && !error; kind++) {
    if (device->taken[kind] <= device->strands.heap[kind].capacity) continue;
    *is_enough = false;
    error = reserve_heap(device, kind, device->taken[kind] + device->taken[kind] / 2);
  }
  return error;
}

void ddr_heaps_free(ddr_device *device) {
  for (int kind = 0; kind < DDR_N_HEAPS; kind++) ddr_space_release(&device->heap[kind]);
  ddr_space_release(&device->n_taken);
  ddr_space_release(&device->saved_state);
  ddr_space_release(&device->saved_status);
}

/* --- the store -------------------------------------------------------------------------------- */

static const char *save(ddr_device *device) {
  const size_t n_bytes = device->state.n_bytes, n_slots = (size_t)device->strands.n_slots;
  const char *error = ddr_space_reserve(device, &device->saved_state, n_bytes);
  if (!error) error = ddr_space_reserve(device, &device->saved_status, n_slots);
  if (!error)
    error = ddr_device_copy(device, device->saved_state.memory, device->state.memory, n_bytes);
  if (error) return error;
  return ddr_device_copy(device, device->saved_status.memory, device->strands.status, n_slots);
}

static const char *restore(ddr_device *device) {
  const char *error = ddr_device_copy(device, device->state.memory, device->saved_state.memory,
                                      device->state.n_bytes);
  if (error) return error;
  return ddr_device_copy(device, device->strands.status, device->saved_status.memory,
                         (size_t)device->strands.n_slots);
}

/* --- attempts --------------------------------------------------------------------------------- */

static const char *launch(ddr_device *device, ddr_attempted *phase, uint32_t argument) {
  phase(device, argument);
  return ddr_device_launched(device, "run the strands");
}

const char *ddr_attempt(ddr_device *device, ddr_attempted *phase, uint32_t argument) {
  bool is_enough = false;
  if (device->program->device->heaps == 0) return launch(device, phase, argument);
  const char *error = save(device);
  while (!error && !is_enough) {
    error = open_heaps(device);
    if (!error) error = launch(device, phase, argument);
    if (!error) error = look_at_heaps(device, &is_enough);
    if (!error && !is_enough) error = restore(device);
  }
  return error;
}

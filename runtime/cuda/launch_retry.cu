/* launch_retry.cu: launches whose threads take memory from heaps; they are repeated with more
 * memory until it is enough.
 *
 * A thread that finds a heap exhausted goes on without memory; all requests are counted, so that
 * the second attempt suffices unless it requests more than the first.  Between attempts the store
 * is restored.
 */
#include <string.h>

#include "runtime/cuda/check.h"

#if defined(DDR_SHIM)
enum { FIRST_CAPACITY = 256 }; /* so that tests see second attempts */
#else
enum { FIRST_CAPACITY = 1 << 20 };
#endif

/* --- heaps ------------------------------------------------------------------------------------ */

static const char *const purposes[] = {"allocate memory for new strands",
                                       "allocate memory for printed text",
                                       "allocate memory for sequences"};

static const char *reserve_heap(ddr_device *device, int kind, uint64_t n_bytes) {
  ddr_heap *heap = &device->strands.heap[kind];
  const char *error =
      ddr_space_reserve_for(device, purposes[kind], &device->heap[kind], (size_t)n_bytes);
  heap->memory = (char *)device->heap[kind].memory;
  heap->capacity = device->heap[kind].n_bytes;
  return error;
}

/* In the shim heaps are overwritten, so that tests notice what is used after its launch. */
static void forget(const ddr_heap *heap) {
#if defined(DDR_SHIM)
  if (heap->capacity > 0) memset(heap->memory, 0xff, heap->capacity);
#else
  (void)heap;
#endif
}

static const char *open_heaps(ddr_device *device) {
  const uint32_t heaps = device->program->device->heaps;
  ddr_outcome *told = (ddr_outcome *)device->told.memory;
  const char *error = NULL;
  if (heaps == 0) return NULL;
  for (int kind = 0; kind < DDR_N_HEAPS && !error; kind++) {
    const bool is_first = heaps >> kind & 1 && !device->heap[kind].memory;
    if (is_first) error = reserve_heap(device, kind, FIRST_CAPACITY);
  }
  for (int kind = 0; kind < DDR_N_HEAPS; kind++) forget(&device->strands.heap[kind]);
  if (error) return error;
  return ddr_device_check(device, "clear memory",
                          cudaMemsetAsync(told->taken, 0, sizeof told->taken, ddr_stream(device)));
}

/* When threads have requested DDR_HEAP_NEVER. */
static const char *const too_much[DDR_N_HEAPS] = {
    "cannot allocate memory for new strands: there are too many",
    "cannot print: there is too much",
    "cannot extend a sequence: it is too long",
};

static const char *read_outcome(ddr_device *device) {
  const char *error =
      ddr_device_copy(device, &device->outcome, device->told.memory, sizeof device->outcome);
  if (!error) error = ddr_device_finish(device, "run the strands");
  for (int kind = 0; kind < DDR_N_HEAPS && !error; kind++)
    if (device->outcome.taken[kind] >= DDR_HEAP_NEVER) error = too_much[kind];
  return error;
}

static bool was_enough(const ddr_device *device, int kind) {
  return device->outcome.taken[kind] <= device->strands.heap[kind].capacity;
}

static uint64_t bytes_wanted(const ddr_device *device, int kind) {
  const uint64_t n_taken = device->outcome.taken[kind];
  return n_taken + n_taken / 2;
}

/* Replaces the heap by a larger one. */
static const char *ask_for_room(ddr_device *device, bool *is_there) {
  size_t n_free = 0, n_total = 0;
  const char *error = ddr_device_check(device, "ask for memory", cudaMemGetInfo(&n_free, &n_total));
  *is_there = true;
  for (int kind = 0; kind < DDR_N_HEAPS && !error; kind++) {
    const uint64_t n_now = device->strands.heap[kind].capacity;
    if (!was_enough(device, kind)) *is_there &= bytes_wanted(device, kind) <= n_free + n_now;
  }
  return error;
}

static const char *enlarge_heaps(ddr_device *device) {
  const char *error = NULL;
  for (int kind = 0; kind < DDR_N_HEAPS && !error; kind++)
    if (!was_enough(device, kind)) error = reserve_heap(device, kind, bytes_wanted(device, kind));
  return error;
}

static bool was_all_enough(const ddr_device *device) {
  for (int kind = 0; kind < DDR_N_HEAPS; kind++)
    if (!was_enough(device, kind)) return false;
  return true;
}

/* If strands take memory only for births, and each creates few: room for all possible births, so
 * that one attempt suffices. */
static bool foresee_births(ddr_device *device) {
  const ddr_device_program *program = device->program->device;
  const uint64_t n_each = program->births_at_most * device->strands.birth_size;
  const uint64_t most = 4 * (uint64_t)device->state.n_bytes;
  const bool are_few = program->heaps == 1u << DDR_HEAP_BIRTHS && n_each > 0 &&
                       (uint64_t)device->strands.n_running <= most / n_each;
  const uint64_t n_bytes = n_each * (uint64_t)device->strands.n_running;
  if (!are_few) return false;
  if (n_bytes <= device->strands.heap[DDR_HEAP_BIRTHS].capacity) return true;
  return !reserve_heap(device, DDR_HEAP_BIRTHS,
                       n_bytes); /* else attempts may still suffice with less */
}

/* --- the store -------------------------------------------------------------------------------- */

/* Saves what a launch may change, or restores it. */
static const char *move_store(ddr_device *device, bool is_back) {
  const ddr_space *const spaces[] = {&device->state, &device->status, &device->steps};
  ddr_space *const kept[] = {&device->saved_state, &device->saved_status, &device->saved_steps};
  const char *error = NULL;
  for (size_t k = 0; k < sizeof spaces / sizeof *spaces && !error; k++) {
    const size_t n_bytes = spaces[k]->n_bytes;
    if (n_bytes == 0) continue;
    error = ddr_space_reserve(device, kept[k], n_bytes);
    if (error) return error;
    if (is_back) error = ddr_device_copy(device, spaces[k]->memory, kept[k]->memory, n_bytes);
    else error = ddr_device_copy(device, kept[k]->memory, spaces[k]->memory, n_bytes);
  }
  return error;
}

static const char *save(ddr_device *device) { return move_store(device, false); }

static const char *restore(ddr_device *device) {
  const char *error = move_store(device, true);
  if (error) return error;
  return ddr_device_copy(device, device->told.memory, &device->outcome_before,
                         sizeof device->outcome_before);
}

static void count_ended(ddr_device *device) {
  const ddr_ended *now = &device->outcome.ended, *before = &device->outcome_before.ended;
  device->n_ended += (int64_t)(now->n - before->n);
  device->n_dead += (int64_t)(now->n_dead - before->n_dead);
}

/* --- attempts --------------------------------------------------------------------------------- */

static const char *launch(ddr_device *device, ddr_attempted *phase, ddr_grant grant) {
  phase(device, grant);
  return ddr_device_launched(device, "run the strands");
}

/* As many steps as print half of what is allowed; at least one. */
static uint32_t fewer(const ddr_device *device, uint32_t n_steps) {
  const uint64_t n_printed = device->outcome.taken[DDR_HEAP_PRINTS];
  const uint64_t n = n_steps * (uint64_t)DDR_MOST_PRINTED / n_printed / 2;
  return n > 0 ? (uint32_t)n : 1;
}

/* Gets enough memory; or grants fewer steps if the device has no more, even if it seemed to have
 * more (free memory may be in pieces), or if strands print too much. */
static const char *prepare_another(ddr_device *device, ddr_grant *grant) {
  bool is_there = true;
  const char *error = restore(device);
  if (!error && grant->most > 1 && device->outcome.taken[DDR_HEAP_PRINTS] > DDR_MOST_PRINTED) {
    grant->least = grant->most = fewer(device, grant->most);
    return NULL;
  }
  if (!error && grant->most > 1) error = ask_for_room(device, &is_there);
  if (error) return error;
  if (is_there) error = enlarge_heaps(device);
  if (is_there && (!error || grant->most <= 1)) return error;
  grant->least = grant->most /= 2;
  return NULL;
}

const char *ddr_attempt(ddr_device *device, ddr_attempted *phase, ddr_grant grant) {
  bool is_enough = false;
  device->outcome_before = device->outcome;
  const bool is_sure = device->program->device->heaps == 0 || foresee_births(device);
  const char *error = is_sure ? NULL : save(device);
  while (!error && !is_enough) {
    error = open_heaps(device);
    if (!error) error = launch(device, phase, grant);
    if (!error) error = read_outcome(device);
    if (!error) is_enough = was_all_enough(device);
    if (!error && !is_enough) error = prepare_another(device, &grant);
  }
  if (error) return error;
  count_ended(device);
  return ddr_prints_take(device);
}

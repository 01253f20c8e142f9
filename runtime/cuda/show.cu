/* show.cu: outputs in the memory of the device, for clients that use them there, and their copies
 * for the host.
 *
 * Columns hold the values of all strands in rank order, so usually there is nothing to do.  All
 * NaNs get the same bits, as in outputs of the host, to which the values of each strand are copied
 * side by side.
 */
#include <stdlib.h>

#include "runtime/cuda/check.h"
#include "runtime/cuda/columns.h"

/* Scalars of some strands. */
typedef struct ddr_shown {
  char *data;
  int64_t n_strands, strand_step, component_step; /* bytes */
  uint32_t size, n_components;
} ddr_shown;

DDR_KERNEL void unify_nans_kernel(ddr_shown shown) {
  const int64_t k = DDR_THREAD;
  if (k >= shown.n_strands * shown.n_components) return;
  char *at = shown.data + k / shown.n_strands * shown.component_step +
             k % shown.n_strands * shown.strand_step;
  if (shown.size == 4) {
    uint32_t *bits = (uint32_t *)(void *)at;
    if ((*bits & 0x7fffffffu) > 0x7f800000u) *bits = 0x7fc00000u;
  } else {
    uint64_t *bits = (uint64_t *)(void *)at;
    if ((*bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u) *bits = 0x7ff8000000000000u;
  }
}

/* Gathers the values of some slots, one column behind the other. */
DDR_KERNEL void gather_kernel(ddr_shown from, const int64_t *slots, ddr_shown to) {
  const int64_t k = DDR_THREAD;
  if (k >= to.n_strands * to.n_components) return;
  const int64_t component = k / to.n_strands, strand = k % to.n_strands;
  const char *src = from.data + component * from.component_step + slots[strand] * from.strand_step;
  ddr_move_value(to.data + component * to.component_step + strand * to.strand_step, src, 0, 0,
                 to.size);
}

/* Gathers the values of n strands from the first on, those of each strand side by side. */
DDR_KERNEL void pack_kernel(ddr_shown from, int64_t first, int64_t n, char *packed) {
  const int64_t k = DDR_THREAD;
  if (k >= n) return;
  const int64_t strand = (first + k) / from.n_components,
                component = (first + k) % from.n_components;
  const char *src = from.data + component * from.component_step + strand * from.strand_step;
  ddr_move_value(packed + k * from.size, src, 0, 0, from.size);
}

static int64_t n_scalars(const ddr_shown *shown) { return shown->n_strands * shown->n_components; }

static uint32_t size_of(const ddr_program *program, ddr_kind kind) {
  if (kind == DDR_BOOL) return sizeof(bool);
  return kind == DDR_INT ? program->int_size : program->real_size;
}

/* A column for each component, or one of structs: of a fixed sequence. */
static ddr_shown all_of(const ddr_device *device, const ddr_output *output) {
  const ddr_device_program *program = device->program->device;
  const ddr_columns *state = &device->strands.state;
  ddr_shown shown = {DDR_COLUMN(char, state, output->offset), device->strands.n_slots, 0, 0,
                     size_of(device->program, output->kind),  output->n_components};
  shown.strand_step = shown.size;
  shown.component_step = shown.size * state->capacity;
  for (uint32_t k = 0; k < program->n_columns; k++) {
    const ddr_column *column = &program->columns[k];
    if (column->offset != output->offset || column->size == shown.size) continue;
    shown.strand_step = column->size;
    shown.component_step = shown.size;
  }
  return shown;
}

static const char *gather(ddr_device *device, ddr_space *space, const ddr_shown *from,
                          ddr_shown *shown) {
  int64_t *slots = (int64_t *)device->spare_running.memory;
  shown->n_strands = device->strands.n_stable;
  shown->strand_step = shown->size;
  shown->component_step = shown->size * shown->n_strands;
  const int64_t n = n_scalars(shown);
  const char *error = ddr_space_reserve(device, space, (size_t)n * shown->size);
  shown->data = (char *)space->memory;
  if (error || n == 0) return error;
  error = ddr_device_select(device, NULL, from->n_strands, DDR_THAT_ARE_STABLE, slots);
  if (error) return error;
  DDR_LAUNCH(gather_kernel, &device->launch, n, *from, slots, *shown);
  return ddr_device_launched(device, "gather an output");
}

static const char *reserve_shown(ddr_device *device) {
  device->is_shown = true;
  if (device->shown) return NULL;
  device->shown = (ddr_space *)calloc(device->program->n_outputs, sizeof *device->shown);
  return device->shown ? NULL : "out of memory";
}

/* After waiting for the stream; gathered outputs are in the space `shown`. */
static const char *find_output(ddr_device *device, uint32_t idx, bool of_stable, ddr_space *space,
                               ddr_shown *shown) {
  const ddr_output *output = &device->program->outputs[idx];
  const bool are_all = !of_stable || device->strands.n_stable == device->strands.n_slots;
  const ddr_shown all = all_of(device, output);
  *shown = all;
  const char *error = are_all ? NULL : gather(device, space, &all, shown);
  if (error || output->kind != DDR_REAL || n_scalars(shown) == 0) return error;
  DDR_LAUNCH(unify_nans_kernel, &device->launch, n_scalars(shown), *shown);
  return ddr_device_launched(device, "unify NaNs");
}

const char *ddr_show_output(ddr_device *device, uint32_t idx, bool of_stable,
                            ddr_device_values *values) {
  ddr_shown shown;
  const char *error = reserve_shown(device);
  if (error) return error;
  error = find_output(device, idx, of_stable, &device->shown[idx], &shown);
  if (!error) error = ddr_device_finish(device, "gather an output");
  values->data = shown.n_strands > 0 ? shown.data : NULL;
  values->n_strands = shown.n_strands;
  values->strand_step = shown.strand_step;
  values->component_step = shown.component_step;
  return error;
}

static bool is_packed(const ddr_shown *shown) {
  return shown->strand_step == (int64_t)shown->size * shown->n_components &&
         (shown->component_step == shown->size || shown->n_components == 1);
}

/* Copies through memory that is not used between phases, as many strands at a time as fit. */
static const char *take_packed(ddr_device *device, const ddr_shown *shown, char *values) {
  char *packed = (char *)device->spare_running.memory;
  const int64_t n_total = n_scalars(shown);
  const int64_t n_most = (int64_t)(device->spare_running.n_bytes / shown->size);
  const char *error = NULL;
  for (int64_t k = 0; k < n_total && !error; k += n_most) {
    const int64_t n = n_total - k < n_most ? n_total - k : n_most;
    DDR_LAUNCH(pack_kernel, &device->launch, n, *shown, k, n, packed);
    error = ddr_device_launched(device, "pack an output");
    if (!error)
      error = ddr_device_copy(device, values + (size_t)k * shown->size, packed,
                              (size_t)n * shown->size);
  }
  return error;
}

/* Works on a full device, too: columns of a collection have spare columns. */
const char *ddr_show_take(ddr_device *device, uint32_t idx, bool of_stable, void *values) {
  ddr_shown shown;
  const char *error = find_output(device, idx, of_stable, &device->spare_state, &shown);
  const size_t n_bytes = (size_t)n_scalars(&shown) * shown.size;
  if (error || n_bytes == 0) return error;
  error = is_packed(&shown) ? ddr_device_copy(device, values, shown.data, n_bytes)
                            : take_packed(device, &shown, (char *)values);
  return error ? error : ddr_device_finish(device, "copy an output");
}

/* A client may still read an output in a stream of its own: memory that is freed, and not left to
 * the stock, waits for all streams. */
void ddr_show_free(ddr_device *device) {
  if (device->is_shown) ddr_space_release(device, &device->state);
  for (uint32_t k = 0; device->is_shown && device->shown && k < device->program->n_outputs; k++)
    ddr_space_release(device, &device->shown[k]);
  free(device->shown);
}

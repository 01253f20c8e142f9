/* show.cu: outputs in the memory of the device, for clients that use them there, and their copies
 * for the host.
 *
 * Columns hold the values of all strands in rank order, where clients find them.  All NaNs get the
 * same bits, as in outputs of the host, to which the values of each strand are copied side by side.
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

/* Copies a scalar, whose place may be the same. All NaNs become one. */
DDR_FN void show_scalar(char *dst, const char *src, uint32_t size, bool is_real) {
  if (dst != src) ddr_move_value(dst, src, 0, 0, size);
  if (!is_real) return;
  if (size == 4) {
    uint32_t *bits = (uint32_t *)(void *)dst;
    if ((*bits & 0x7fffffffu) > 0x7f800000u) *bits = 0x7fc00000u;
  } else {
    uint64_t *bits = (uint64_t *)(void *)dst;
    if ((*bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u) *bits = 0x7ff8000000000000u;
  }
}

/* The scalar of a strand; `slots` NULL: of all strands. */
DDR_FN char *scalar_of(const ddr_shown *shown, const int64_t *slots, int64_t strand,
                       int64_t component) {
  if (slots) strand = slots[strand];
  return shown->data + component * shown->component_step + strand * shown->strand_step;
}

/* In columns, to other memory or the same. */
DDR_KERNEL void show_kernel(ddr_shown from, const int64_t *slots, ddr_shown to, bool is_real) {
  const int64_t k = DDR_THREAD;
  if (k >= to.n_strands * to.n_components) return;
  const int64_t component = k / to.n_strands, strand = k % to.n_strands;
  show_scalar(scalar_of(&to, NULL, strand, component), scalar_of(&from, slots, strand, component),
              to.size, is_real);
}

/* n scalars from the first on, those of each strand side by side. */
DDR_KERNEL void pack_kernel(ddr_shown from, const int64_t *slots, int64_t first, int64_t n,
                            bool is_real, char *packed) {
  const int64_t k = DDR_THREAD;
  if (k >= n) return;
  const int64_t strand = (first + k) / from.n_components,
                component = (first + k) % from.n_components;
  show_scalar(packed + k * from.size, scalar_of(&from, slots, strand, component), from.size,
              is_real);
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

/* The slots of the strands with an output; NULL: all. */
static const char *find_slots(ddr_device *device, bool of_stable, const int64_t **slots) {
  const ddr_device_strands *strands = &device->strands;
  int64_t *found = (int64_t *)device->spare_running.memory;
  *slots = NULL;
  if (!of_stable || strands->n_stable == strands->n_slots) return NULL;
  *slots = found;
  if (strands->n_stable == 0) return NULL;
  return ddr_device_select(device, NULL, strands->n_slots, DDR_THAT_ARE_STABLE, found);
}

/* Nothing is done where columns are as they shall be. */
static const char *show_columns(ddr_device *device, const ddr_shown *from, const int64_t *slots,
                                const ddr_shown *to, bool is_real) {
  if (n_scalars(to) == 0 || !(slots || is_real)) return NULL;
  DDR_LAUNCH(show_kernel, &device->launch, n_scalars(to), *from, slots, *to, is_real);
  return ddr_device_launched(device, "show an output");
}

/* --- on the device ---------------------------------------------------------------------------- */

static const char *reserve_shown(ddr_device *device) {
  device->is_shown = true;
  if (device->shown) return NULL;
  device->shown = (ddr_space *)calloc(device->program->n_outputs, sizeof *device->shown);
  return device->shown ? NULL : "out of memory";
}

/* The columns, or those of some strands, which are gathered in a space. */
static const char *find_place(ddr_device *device, const int64_t *slots, const ddr_shown *all,
                              ddr_space *space, ddr_shown *shown) {
  *shown = *all;
  if (!slots) return NULL;
  shown->n_strands = device->strands.n_stable;
  shown->strand_step = shown->size;
  shown->component_step = shown->size * shown->n_strands;
  const char *error =
      ddr_space_reserve(device, space, (size_t)n_scalars(shown) * (size_t)shown->size);
  shown->data = (char *)space->memory;
  return error;
}

/* After waiting for the stream. */
static const char *show(ddr_device *device, uint32_t idx, bool of_stable, ddr_shown *shown) {
  const ddr_output *output = &device->program->outputs[idx];
  const ddr_shown all = all_of(device, output);
  const int64_t *slots = NULL;
  const char *error = find_slots(device, of_stable, &slots);
  if (!error) error = find_place(device, slots, &all, &device->shown[idx], shown);
  return error ? error : show_columns(device, &all, slots, shown, output->kind == DDR_REAL);
}

const char *ddr_show_output(ddr_device *device, uint32_t idx, bool of_stable,
                            ddr_device_values *values) {
  ddr_shown shown;
  const char *error = reserve_shown(device);
  if (!error) error = show(device, idx, of_stable, &shown);
  if (!error) error = ddr_device_finish(device, "show an output");
  if (error) return error;
  values->data = shown.n_strands > 0 ? shown.data : NULL;
  values->n_strands = shown.n_strands;
  values->strand_step = shown.strand_step;
  values->component_step = shown.component_step;
  return NULL;
}

/* --- for the host ----------------------------------------------------------------------------- */

static bool is_packed(const ddr_shown *shown) {
  return shown->strand_step == (int64_t)shown->size * shown->n_components &&
         (shown->component_step == shown->size || shown->n_components == 1);
}

/* Memory that is not used between phases, the larger; not that of a list of slots. */
static const ddr_space *room_of(const ddr_device *device, const int64_t *slots) {
  const ddr_space *state = &device->spare_state, *running = &device->spare_running;
  return slots || state->n_bytes > running->n_bytes ? state : running;
}

/* As many scalars at a time as there is room for. */
static const char *take_packed(ddr_device *device, const ddr_shown *shown, const int64_t *slots,
                               bool is_real, char *values) {
  const ddr_space *room = room_of(device, slots);
  char *packed = (char *)room->memory;
  const int64_t n_total = n_scalars(shown), n_most = (int64_t)(room->n_bytes / shown->size);
  const char *error = NULL;
  for (int64_t k = 0; k < n_total && !error; k += n_most) {
    const int64_t n = n_total - k < n_most ? n_total - k : n_most;
    DDR_LAUNCH(pack_kernel, &device->launch, n, *shown, slots, k, n, is_real, packed);
    error = ddr_device_launched(device, "pack an output");
    if (!error)
      error = ddr_device_copy(device, values + (size_t)k * shown->size, packed,
                              (size_t)n * shown->size);
  }
  return error;
}

/* Works on a full device, too: columns of a collection have spare columns, and others have room for
 * a list of slots. */
const char *ddr_show_take(ddr_device *device, uint32_t idx, bool of_stable, void *values) {
  const ddr_output *output = &device->program->outputs[idx];
  const bool is_real = output->kind == DDR_REAL;
  ddr_shown shown = all_of(device, output);
  const int64_t *slots = NULL;
  const char *error = find_slots(device, of_stable, &slots);
  if (slots) shown.n_strands = device->strands.n_stable;
  const size_t n_bytes = (size_t)n_scalars(&shown) * shown.size;
  if (!error && slots) error = ddr_space_reserve(device, &device->spare_state, n_bytes);
  if (error || n_bytes == 0) return error;
  if (slots || !is_packed(&shown)) {
    error = take_packed(device, &shown, slots, is_real, (char *)values);
  } else {
    error = show_columns(device, &shown, NULL, &shown, is_real);
    if (!error) error = ddr_device_copy(device, values, shown.data, n_bytes);
  }
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

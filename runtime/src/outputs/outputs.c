/* outputs.c: gathers an output of the selected strands into a packed array, in rank order.
 *
 * Element components are the fastest axis, then the iterators, the last one fastest; a collection
 * has one axis over its strands.
 * Read next: sequence_outputs.c, nrrd_save.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/store.h"
#include "runtime/src/world/values.h"

/* --- which strands ---------------------------------------------------------------------------- */

bool ddr_output_shows(const ddr_world *world, ddr_selection selection, int64_t slot) {
  return selection == SELECT_ALIVE || world->store->strands.status[slot] == DDR_STABLE;
}

int64_t ddr_output_count(const ddr_world *world, ddr_selection selection) {
  const ddr_strands *strands = &world->store->strands;
  if (selection == SELECT_ALIVE) return strands->n_slots;
  if (ddr_device_has_all(world)) return (int64_t)world->store->n_stable;
  return ddr_count_status(strands->status, strands->n_slots, DDR_STABLE, DDR_STABLE);
}

/* A grid shows all its strands, whatever their status. */
ddr_selection ddr_output_final(const ddr_world *world) {
  return world->program->is_collection ? SELECT_STABLE : SELECT_ALIVE;
}

void ddr_output_place(const ddr_world *world, ddr_selection selection, ddr_array *array) {
  array->is_list = world->program->is_collection;
  array->rank = array->is_list ? 1 : world->program->rank;
  memcpy(array->len, world->store->strands.len, sizeof array->len);
  if (array->is_list) array->len[0] = ddr_output_count(world, selection);
}

bool ddr_output_is_in_states(const ddr_program *program, const ddr_output *output) {
  return !output->gather && program->state_width == 1 && output->kind != DDR_SEQUENCE;
}

bool ddr_output_is_on_device(const ddr_world *world, const ddr_output *output) {
  return ddr_device_has_all(world) && ddr_output_is_in_states(world->program, output);
}

/* A state consists of elements, and a value is a slice of them. */
bool ddr_output_layout(const ddr_world *world, const ddr_output *output, ddr_selection selection,
                       ddr_layout *layout) {
  const ddr_program *program = world->program;
  const size_t size = ddr_value_size(program, output->kind);
  if (!ddr_output_is_in_states(program, output) || ddr_device_has_all(world) ||
      program->state_size % size != 0 || output->offset % size != 0 ||
      ddr_output_count(world, selection) != world->store->strands.n_slots) {
    return false;
  }
  ddr_array array = {.kind = output->kind};
  int64_t len[DDR_MAX_ITERATORS + 1];
  ddr_output_place(world, selection, &array);
  memcpy(len, array.len, sizeof array.len);
  const int rank = (int)array.rank;
  const int64_t first = (int64_t)(output->offset / size);
  len[rank] = (int64_t)(program->state_size / size);
  if (ddr_layout_packed(rank + 1, len, layout) != DDR_ARRAY_OK) return false;
  const ddr_array_status status =
      output->axis == DDR_AXIS_NONE
          ? ddr_layout_fix(layout, rank, first, layout)
          : ddr_layout_slice(layout, rank, first, first + output->n_components, layout);
  return status == DDR_ARRAY_OK;
}

/* --- gathering -------------------------------------------------------------------------------- */

typedef struct {
  int64_t begin, end;
} Slots;

#define GATHER(size)                                                                               \
  for (int64_t slot = slots.begin; slot < slots.end; slot++, dst += (size))                        \
  memcpy(dst, src + (size_t)slot * stride, (size))

/* Each state belongs to one strand: copies the components out of every state. Common sizes are
 * constants, for the compiler. */
static void gather_structs(const ddr_world *world, const ddr_output *output, size_t n_bytes,
                           Slots slots, char *dst) {
  const size_t stride = world->program->state_size;
  const char *src = (const char *)world->store->strands.state + output->offset;
  if (n_bytes == sizeof(float)) GATHER(sizeof(float));
  else if (n_bytes == sizeof(double)) GATHER(sizeof(double));
  else GATHER(n_bytes);
}
#undef GATHER

void ddr_output_gather_slots(const ddr_world *world, const ddr_output *output, size_t n_bytes,
                             int64_t begin, int64_t end, char *dst) {
  if (output->gather) output->gather(&world->store->strands, begin, end, dst);
  else gather_structs(world, output, n_bytes, (Slots){begin, end}, dst);
}

/* Values without components take no memory. */
static bool are_too_many(size_t n_values, size_t n_bytes) {
  return n_bytes > 0 && n_values > PTRDIFF_MAX / n_bytes;
}

void *ddr_output_gather(ddr_world *world, const ddr_output *output, ddr_selection selection,
                        size_t n_bytes) {
  const int64_t n_slots = world->store->strands.n_slots;
  const size_t n_shown = (size_t)ddr_output_count(world, selection);
  if (are_too_many(n_shown, n_bytes)) return NULL;
  char *data = ddr_memory_new(1, n_shown * n_bytes + 1), *dst = data;
  Slots slots = {0, 0};
  while (data && slots.end < n_slots) {
    slots.begin = slots.end;
    while (slots.begin < n_slots && !ddr_output_shows(world, selection, slots.begin)) slots.begin++;
    slots.end = slots.begin;
    while (slots.end < n_slots && ddr_output_shows(world, selection, slots.end)) slots.end++;
    if (slots.begin == slots.end) break;
    ddr_output_gather_slots(world, output, n_bytes, slots.begin, slots.end, dst);
    dst += (size_t)(slots.end - slots.begin) * n_bytes;
  }
  return data;
}

/* --- saving ----------------------------------------------------------------------------------- */

char *ddr_output_name(const ddr_output *output) {
  return ddr_format(output->kind == DDR_SEQUENCE ? "%s" : "%s.nrrd", output->name);
}

ddr_array ddr_output_array(const ddr_world *world, const ddr_output *output,
                           ddr_selection selection) {
  ddr_array array = {
      .kind = output->kind,
      .element_size = ddr_value_size(world->program, output->kind),
      .axis = output->axis,
      .n_components = output->n_components,
  };
  ddr_output_place(world, selection, &array);
  return array;
}

/* Copies values from a device, which unifies NaNs. */
static const char *take(ddr_world *world, const ddr_output *output, ddr_selection selection,
                        size_t n_bytes, ddr_array *array) {
  const size_t n_shown = (size_t)ddr_output_count(world, selection);
  array->data = are_too_many(n_shown, n_bytes) ? NULL : ddr_memory_new(1, n_shown * n_bytes + 1);
  if (!array->data) return "out of memory";
  const uint32_t idx = (uint32_t)(output - world->program->outputs);
  const char *reason = ddr_device_take(world, idx, selection == SELECT_STABLE, array->data);
  if (reason) free(array->data);
  return reason;
}

const char *ddr_output_collect(ddr_world *world, const ddr_output *output, ddr_selection selection,
                               ddr_array *array) {
  *array = ddr_output_array(world, output, selection);
  const size_t n_bytes = output->n_components * array->element_size;
  if (ddr_output_is_on_device(world, output)) return take(world, output, selection, n_bytes, array);
  array->data = ddr_output_gather(world, output, selection, n_bytes);
  if (!array->data) return "out of memory";
  if (!ddr_output_is_in_states(world->program, output)) {
    ddr_nans_unify(output->kind, array->element_size, array->data,
                   (size_t)ddr_output_count(world, selection) * output->n_components);
  }
  return NULL;
}

ddr_status ddr_output_check_saved(ddr_world *world, const ddr_output *output) {
  if (output->n_components > 0) return DDR_OK;
  return ddr_error(world, "%s: values of no components cannot be saved", output->name);
}

/* Saves from the states themselves if they contain nothing else. */
static ddr_status save_array(ddr_world *world, const ddr_output *output, ddr_selection selection,
                             const char *file) {
  ddr_layout layout;
  ddr_array array = ddr_output_array(world, output, selection);
  if (ddr_output_check_saved(world, output) != DDR_OK) return DDR_ERROR;
  if (ddr_output_layout(world, output, selection, &layout) && ddr_layout_is_canonical(&layout)) {
    array.data = (char *)world->store->strands.state + (size_t)layout.offset * array.element_size;
    return ddr_nrrd_save(world, &array, file);
  }
  const char *reason = ddr_output_collect(world, output, selection, &array);
  if (reason) return ddr_error(world, "Error saving \"%s\": %s", file, reason);
  const ddr_status status = ddr_nrrd_save(world, &array, file);
  free(array.data);
  return status;
}

static ddr_status check_shown(ddr_world *world, const ddr_output *output, ddr_selection selection) {
  if (ddr_output_count(world, selection) > 0) return DDR_OK;
  return ddr_error(world, "%s: no %sstrands, so no output", output->name,
                   selection == SELECT_STABLE ? "stable " : "");
}

/* The first rank saves; it has all values now. */
static ddr_status save_here(ddr_world *world, const ddr_output *output, ddr_selection selection,
                            const ddr_files *files) {
  if (!ddr_is_first_rank(world)) return DDR_OK;
  if (output->kind == DDR_SEQUENCE)
    return ddr_output_save_sequences(world, output, selection, files);
  return save_array(world, output, selection, files->whole);
}

ddr_status ddr_output_save(ddr_world *world, uint32_t idx, const char *file) {
  const ddr_output *output = &world->program->outputs[idx];
  const ddr_selection selection = ddr_output_final(world);
  const ddr_files files = {.what = "output", .prefix = file, .suffix = "", .whole = file};
  ddr_status status;
  if (ddr_is_shared_out(world) && check_shown(world, output, selection) != DDR_OK) return DDR_ERROR;
  if (ddr_output_save_by_ranks(world, output, selection, file, &status)) return status;
  if (ddr_output_fetch(world, output) != DDR_OK) return DDR_ERROR;
  if (check_shown(world, output, selection) != DDR_OK) return DDR_ERROR;
  return save_here(world, output, selection, &files);
}

static ddr_status save_snapshot(ddr_world *world, const ddr_output *output,
                                const ddr_files *files) {
  ddr_status status;
  if (ddr_output_save_by_ranks(world, output, SELECT_ALIVE, files->whole, &status)) return status;
  if (ddr_output_fetch(world, output) != DDR_OK) return DDR_ERROR;
  return save_here(world, output, SELECT_ALIVE, files);
}

ddr_status ddr_snapshot_save(ddr_world *world, uint32_t idx, const char *prefix) {
  const ddr_output *output = &world->program->outputs[idx];
  if (ddr_num_strands(world) == 0) {
    return ddr_error(world, "no strands are alive, so there is no snapshot at step %u",
                     (unsigned)world->store->n_steps);
  }
  char suffix[16];
  snprintf(suffix, sizeof suffix, "-%04u", (unsigned)world->store->n_steps);
  char *file = ddr_format("%s%s.nrrd", prefix, suffix);
  if (!file) return ddr_error(world, "Error saving \"%s\": out of memory", prefix);
  const ddr_files files = {.what = "snapshot", .prefix = prefix, .suffix = suffix, .whole = file};
  const ddr_status status = save_snapshot(world, output, &files);
  free(file);
  return status;
}

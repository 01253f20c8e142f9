/* library_outputs.c: outputs of a library's world, as arrays that the client owns (Nrrd) or views
 * of memory that the world owns.
 *
 * Read next: library_written.c, outputs/outputs.c, outputs/sequence_outputs.c,
 * outputs/nrrd_array.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/outputs/outputs.h"
#include "runtime/src/strands/store.h"
#include "runtime/src/world/values.h"

/* Names of the functions that get arrays, for messages. */
static const char *const array_verbs[] = {[DDR_OUTPUT] = "output_get", [DDR_SNAPSHOT] = "snapshot"};
static const char *const view_verbs[] = {
    [DDR_OUTPUT] = "output_view", [DDR_SNAPSHOT] = "snapshot_view"};

ddr_status ddr_library_check_turn(ddr_world *world, uint32_t idx, const char *verb) {
  const char *prefix = world->library->prefix;
  if (world->library->has_strands) return ddr_output_fetch(world, &world->program->outputs[idx]);
  return ddr_error(world, "must call %s_create_strands before %s_%s_%s", prefix, prefix, verb,
                   world->program->outputs[idx].name);
}

ddr_status ddr_library_refuse(ddr_world *world, uint32_t idx, const char *reason) {
  return ddr_error(world, "%s: cannot get the output: %s", world->program->outputs[idx].name,
                   reason);
}

static ddr_selection selection_of(const ddr_world *world, ddr_moment moment) {
  return moment == DDR_SNAPSHOT ? SELECT_ALIVE : ddr_output_final(world);
}

/* An array without strands or without elements becomes an empty Nrrd or view. */
static bool is_empty(const ddr_array *array) {
  for (uint32_t k = 0; k < array->rank; k++) {
    if (array->len[k] == 0) return true;
  }
  return array->n_components == 0;
}

static void clear_if_empty(ddr_array *array) {
  if (!is_empty(array)) return;
  free(array->data);
  array->data = NULL;
}

/* --- arrays of the client --------------------------------------------------------------------- */

static ddr_status give(ddr_world *world, uint32_t idx, ddr_array *array, void *nrrd) {
  clear_if_empty(array);
  if (ddr_nrrd_give(array, nrrd)) return DDR_OK;
  free(array->data);
  return ddr_library_refuse(world, idx, "out of memory");
}

static ddr_status get_nrrd(ddr_world *world, uint32_t idx, ddr_moment moment, void *data) {
  ddr_array array;
  if (ddr_library_check_turn(world, idx, array_verbs[moment]) != DDR_OK) return DDR_ERROR;
  if (!data) return ddr_library_refuse(world, idx, "the nrrd is NULL");
  const ddr_output *output = &world->program->outputs[idx];
  const char *refusal = ddr_output_collect(world, output, selection_of(world, moment), &array);
  if (refusal) return ddr_library_refuse(world, idx, refusal);
  return give(world, idx, &array, data);
}

bool ddr_library_get_nrrd(ddr_world *world, uint32_t idx, ddr_moment moment, void *data) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, get_nrrd(world, idx, moment, data));
}

static ddr_status get_nrrds(ddr_world *world, uint32_t idx, ddr_moment moment, void *lengths,
                            void *data) {
  ddr_array pairs, elements;
  if (ddr_library_check_turn(world, idx, array_verbs[moment]) != DDR_OK) return DDR_ERROR;
  if (!lengths || !data) return ddr_library_refuse(world, idx, "a nrrd is NULL");
  const ddr_output *output = &world->program->outputs[idx];
  const char *refusal =
      ddr_output_collect_sequences(world, output, selection_of(world, moment), &pairs, &elements);
  if (refusal) return ddr_library_refuse(world, idx, refusal);
  const ddr_status status = give(world, idx, &pairs, lengths);
  return give(world, idx, &elements, data) == DDR_OK ? status : DDR_ERROR;
}

bool ddr_library_get_nrrds(ddr_world *world, uint32_t idx, ddr_moment moment, void *lengths,
                           void *data) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, get_nrrds(world, idx, moment, lengths, data));
}

/* --- views ------------------------------------------------------------------------------------ */

static diderot_view_t view_of(const ddr_array *array, const ddr_layout *layout, void *data) {
  const ptrdiff_t size = (ptrdiff_t)array->element_size;
  diderot_view_t view = {.type = ddr_nrrd_sample_type(array), .rank = (uint32_t)layout->rank};
  view.data = (char *)data + layout->offset * size;
  for (int k = 0; k < layout->rank; k++) {
    view.shape[k] = (size_t)layout->len[k];
    view.strides[k] = layout->stride[k] * size;
  }
  return view;
}

static diderot_view_t packed_view(const ddr_array *array) {
  int64_t len[DDR_MAX_ITERATORS + 1];
  ddr_layout layout = {.rank = 0};
  memcpy(len, array->len, sizeof array->len);
  len[array->rank] = array->n_components;
  ddr_layout_packed((int)array->rank + (array->axis != DDR_AXIS_NONE), len, &layout);
  return view_of(array, &layout, array->data);
}

/* Where the values lie in the states, if they can be read there. */
static bool look_at_states(const ddr_world *world, const ddr_output *output,
                           ddr_selection selection, diderot_view_t *view) {
  ddr_layout layout;
  const ddr_array array = {
      .kind = output->kind,
      .element_size = ddr_value_size(world->program, output->kind),
  };
  if (!ddr_output_layout(world, output, selection, &layout)) return false;
  *view = view_of(&array, &layout, world->store->strands.state);
  return true;
}

ddr_status ddr_library_look(ddr_world *world, uint32_t idx, ddr_moment moment,
                            diderot_view_t *values, void **gathered) {
  const ddr_output *output = &world->program->outputs[idx];
  const ddr_selection selection = selection_of(world, moment);
  ddr_array array;
  *gathered = NULL;
  if (look_at_states(world, output, selection, values)) return DDR_OK;
  const char *refusal = ddr_output_collect(world, output, selection, &array);
  if (refusal) return ddr_library_refuse(world, idx, refusal);
  *gathered = array.data;
  *values = packed_view(&array);
  return DDR_OK;
}

static ddr_status view_output(ddr_world *world, uint32_t idx, ddr_moment moment,
                              diderot_view_t *data) {
  void *gathered;
  if (ddr_library_check_turn(world, idx, view_verbs[moment]) != DDR_OK) return DDR_ERROR;
  if (!data) return ddr_library_refuse(world, idx, "the view is NULL");
  if (ddr_library_look(world, idx, moment, data, &gathered) != DDR_OK) return DDR_ERROR;
  if (!gathered) return DDR_OK;
  free(world->library->gathered[idx].data);
  world->library->gathered[idx].data = gathered;
  return DDR_OK;
}

bool ddr_library_view(ddr_world *world, uint32_t idx, ddr_moment moment, diderot_view_t *data) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, view_output(world, idx, moment, data));
}

static ddr_status view_sequences(ddr_world *world, uint32_t idx, ddr_moment moment,
                                 diderot_view_t *lengths, diderot_view_t *data) {
  ddr_array pairs, elements;
  if (ddr_library_check_turn(world, idx, view_verbs[moment]) != DDR_OK) return DDR_ERROR;
  if (!lengths || !data) return ddr_library_refuse(world, idx, "a view is NULL");
  const ddr_output *output = &world->program->outputs[idx];
  const char *refusal =
      ddr_output_collect_sequences(world, output, selection_of(world, moment), &pairs, &elements);
  if (refusal) return ddr_library_refuse(world, idx, refusal);
  ddr_gathered *gathered = &world->library->gathered[idx];
  free(gathered->lengths);
  free(gathered->data);
  *gathered = (ddr_gathered){.lengths = pairs.data, .data = elements.data};
  *lengths = packed_view(&pairs);
  *data = packed_view(&elements);
  return DDR_OK;
}

bool ddr_library_views(ddr_world *world, uint32_t idx, ddr_moment moment, diderot_view_t *lengths,
                       diderot_view_t *data) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, view_sequences(world, idx, moment, lengths, data));
}

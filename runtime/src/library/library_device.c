/* library_device.c: images and outputs of a library's world in memory of a device.
 *
 * Read next: images/given_on_device.c, strands/device.c; library_inputs.c.
 */
#include "local.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/outputs/outputs.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/world/values.h"

ddr_status ddr_library_settle_images(ddr_world *world) {
  return ddr_images_settle(world, world->gpu->number);
}

static diderot_view_t view_of(const ddr_world *world, const ddr_output *output,
                              const ddr_device_values *values) {
  const ddr_program *program = world->program;
  const ddr_array array = {.kind = output->kind,
                           .element_size = ddr_value_size(program, output->kind)};
  diderot_view_t view = {.data = values->data, .type = ddr_nrrd_sample_type(&array)};
  view.rank = program->is_collection ? 1 : program->rank;
  int64_t step = values->strand_step;
  for (uint32_t k = view.rank; k-- > 0;) {
    const int64_t n = program->is_collection ? values->n_strands : world->store->strands.len[k];
    view.shape[k] = (size_t)n;
    view.strides[k] = step;
    step *= n;
  }
  if (output->axis != DDR_AXIS_NONE) {
    view.shape[view.rank] = output->n_components;
    view.strides[view.rank++] = values->component_step;
  }
  return view;
}

static ddr_status view_on_device(ddr_world *world, uint32_t idx, diderot_view_t *data) {
  const char *prefix = world->library->prefix;
  const ddr_output *output = &world->program->outputs[idx];
  ddr_device_values values;
  if (!world->library->has_strands)
    return ddr_error(world, "must call %s_create_strands before %s_output_device_view_%s", prefix,
                     prefix, output->name);
  if (!data) return ddr_library_refuse(world, idx, "the view is NULL");
  const bool of_stable = ddr_output_final(world) == SELECT_STABLE;
  if (ddr_device_show(world, idx, of_stable, &values) != DDR_OK) return DDR_ERROR;
  *data = view_of(world, output, &values);
  return DDR_OK;
}

bool ddr_library_device_view(ddr_world *world, uint32_t idx, diderot_view_t *data) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, view_on_device(world, idx, data));
}

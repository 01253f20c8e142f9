/* outputs.c: gather one output of all strands into a packed array, in rank order.
 *
 * Element components are the fastest axis, then the iterators, the last one fastest.
 * Read next: outputs_seq.c, nrrd_write.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"

/* States of one strand each: copy the components out of every one. */
static void gather_structs(const ddr_world *world, const ddr_output *output, size_t n_bytes,
                           char *dst)
{
  const char *src = (const char *)world->strands.state + output->offset;
  const size_t stride = world->program->state_size;
  for (int64_t slot = 0; slot < world->strands.n_slots; slot++) {
    memcpy(dst + (size_t)slot * n_bytes, src + (size_t)slot * stride, n_bytes);
  }
}

void *ddr_output_gather(ddr_world *world, const ddr_output *output, size_t n_bytes)
{
  const size_t n_slots = (size_t)world->strands.n_slots;
  if (n_slots > PTRDIFF_MAX / n_bytes) return NULL;
  void *data = malloc(n_slots * n_bytes);
  if (!data) return NULL;
  if (output->gather) {
    output->gather(&world->strands, 0, world->strands.n_slots, data);
  } else {
    gather_structs(world, output, n_bytes, data);
  }
  return data;
}

char *ddr_output_name(const ddr_output *output)
{
  return ddr_format(output->kind == DDR_SEQUENCE ? "%s" : "%s.nrrd", output->name);
}

ddr_status ddr_output_save(ddr_world *world, uint32_t idx, const char *file)
{
  const ddr_program *program = world->program;
  const ddr_output *output = &program->outputs[idx];
  if (world->strands.n_slots == 0) {
    return ddr_error(world, "%s: no strands, so no output", output->name);
  }
  if (output->kind == DDR_SEQUENCE) return ddr_output_save_sequences(world, output, file);
  ddr_array array = {
    .kind = output->kind,
    .element_size = ddr_value_size(program, output->kind),
    .axis = output->axis,
    .n_components = output->n_components,
    .rank = program->rank,
  };
  memcpy(array.len, world->strands.len, sizeof array.len);
  array.data = ddr_output_gather(world, output, output->n_components * array.element_size);
  if (!array.data) {
    return ddr_error(world, "Error saving \"%s\": out of memory", file);
  }
  const ddr_status status = ddr_nrrd_save(world, &array, file);
  free(array.data);
  return status;
}

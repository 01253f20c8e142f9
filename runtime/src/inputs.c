/* inputs.c: values of inputs, given by name or by file, and images named in the program.
 *
 * Defaults are stored by the program itself, exactly; only what the caller sets replaces them.
 * Files are loaded later, together, so that a bad command line is found before any file is
 * touched.
 * Read next: nrrd_io.c.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"

size_t ddr_value_size(const ddr_program *program, ddr_kind kind)
{
  switch (kind) {
  case DDR_BOOL: return sizeof(bool);
  case DDR_INT: return program->int_size;
  case DDR_REAL: return program->real_size;
  case DDR_STRING:
  case DDR_IMAGE: return sizeof(void *);
  case DDR_SEQUENCE: return sizeof(ddr_seq);
  }
  return 0;
}

static void *input_place(ddr_world *world, const ddr_input *input)
{
  return (char *)world->globals + input->offset;
}

/* Keeps a copy of `string` for input `idx`, or NULL when memory is short. */
static const char *keep_string(ddr_world *world, uint32_t idx, const char *string)
{
  const size_t n = strlen(string) + 1;
  char *copy = malloc(n);
  if (!copy) return NULL;
  memcpy(copy, string, n);
  free(world->inputs[idx].string);
  world->inputs[idx].string = copy;
  return copy;
}

static ddr_status set_value(ddr_world *world, uint32_t idx, const void *value)
{
  const ddr_input *input = &world->program->inputs[idx];
  void *place = input_place(world, input);
  if (input->kind == DDR_STRING || input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE) {
    const char *string = keep_string(world, idx, value);
    if (!string) return ddr_error(world, "%s: out of memory", input->name);
    if (input->kind == DDR_STRING) memcpy(place, &string, sizeof string);
  } else {
    memcpy(place, value, input->n_components * ddr_value_size(world->program, input->kind));
  }
  world->inputs[idx].is_set = true;
  return DDR_OK;
}

ddr_status ddr_input_set(ddr_world *world, const char *name, const void *value)
{
  if (world->stage != STAGE_NEW) {
    return ddr_error(world, "%s: inputs must be set before creating strands", name);
  }
  for (uint32_t idx = 0; idx < world->program->n_inputs; idx++) {
    if (strcmp(world->program->inputs[idx].name, name) == 0) return set_value(world, idx, value);
  }
  return ddr_error(world, "the program has no input \"%s\"", name);
}

static const ddr_image *load_image(ddr_world *world, const ddr_image_request *request)
{
  ddr_image_list *node = calloc(1, sizeof *node);
  if (!node) {
    ddr_error(world, "%s: out of memory", request->name);
    return NULL;
  }
  if (ddr_nrrd_load(world, request, &node->image) != DDR_OK) {
    free(node);
    return NULL;
  }
  node->next = world->images;
  world->images = node;
  return &node->image;
}

static ddr_status load_image_input(ddr_world *world, const ddr_input *input, const char *file)
{
  const ddr_image_request request = {
    .name = input->name,
    .file = file,
    .dim = input->image_dim,
    .n_components = (int)input->image_components,
    .sample = input->image_sample,
  };
  const ddr_image *image = load_image(world, &request);
  memcpy(input_place(world, input), &image, sizeof image);
  return image ? DDR_OK : DDR_ERROR;
}

/* The elements given in the program stand where there is no file. */
static ddr_status load_sequence_input(ddr_world *world, const ddr_input *input, const char *file)
{
  ddr_seq seq = ddr_seq_empty();
  const size_t size = input->n_components * ddr_value_size(world->program, input->element);
  if (file) {
    seq = ddr_load_sequence(world, input->name, file, input->element, input->n_components);
  } else {
    seq = ddr_seq_from(&world->pool, size, input->n_default_elements, input->default_elements);
  }
  ddr_seq_keep(&world->pool, &seq, size);
  ddr_pool_sweep(&world->pool);
  ddr_pool_close(&world->pool);
  memcpy(input_place(world, input), &seq, sizeof seq);
  return ddr_any_errors(world) ? DDR_ERROR : DDR_OK;
}

static ddr_status load_input(ddr_world *world, uint32_t idx)
{
  const ddr_input *input = &world->program->inputs[idx];
  const ddr_input_value *given = &world->inputs[idx];
  const bool is_file = input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE;
  const char *file = given->is_set ? given->string : input->default_file;
  if (!given->is_set && !input->has_default && !(is_file && file)) {
    return ddr_error(world, "undefined input \"%s\"", input->name);
  }
  if (input->kind == DDR_IMAGE) return load_image_input(world, input, file);
  return is_file ? load_sequence_input(world, input, file) : DDR_OK;
}

ddr_status ddr_world_load_inputs(ddr_world *world)
{
  for (uint32_t idx = 0; idx < world->program->n_inputs; idx++) {
    if (load_input(world, idx) != DDR_OK) return DDR_ERROR;
  }
  return DDR_OK;
}

const ddr_image *ddr_load_image(ddr_world *world, const char *name, const char *file, int dim,
                                int n_components, ddr_sample sample)
{
  const ddr_image_request request = {
    .name = name, .file = file, .dim = dim, .n_components = n_components, .sample = sample};
  return load_image(world, &request);
}

ddr_seq ddr_load_sequence(ddr_world *world, const char *name, const char *file, ddr_kind kind,
                          uint32_t n_components)
{
  const ddr_seq_request request = {
    .name = name, .file = file, .kind = kind, .n_components = n_components};
  ddr_seq seq = ddr_seq_empty();
  ddr_nrrd_load_sequence(world, &request, &seq);
  return seq;
}

/* inputs.c: values of inputs, given by name or by file, and images that the program names.
 *
 * Defaults are stored by the program itself, exactly; only what the caller sets replaces them.
 * Executables load all files together, later, so that an error on the command line is found before
 * any file is touched; libraries load a file when it is set.
 * Read next: prepare.c; images/nrrd_image.c.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "runtime/src/world/values.h"

void *ddr_input_place(const ddr_world *world, uint32_t idx) {
  return (char *)world->globals + world->program->inputs[idx].offset;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Copies n strings for input `idx` into one block, and stores their addresses at `kept`.  n may be
 * 0: the extra byte keeps malloc from returning NULL. */
static bool keep_strings(ddr_world *world, uint32_t idx, const char *const *strings, uint32_t n,
                         const char **kept) {
  size_t size = 1;
  for (uint32_t k = 0; k < n; k++) size += strlen(strings[k]) + 1;
  char *copies = malloc(size), *next = copies;
  if (!copies) return false;
  for (uint32_t k = 0; k < n; k++) {
    const size_t length = strlen(strings[k]) + 1;
    memcpy(next, strings[k], length);
    kept[k] = next;
    next += length;
  }
  free(world->inputs[idx].string);
  world->inputs[idx].string = copies;
  return true;
}

ddr_status ddr_input_store(ddr_world *world, uint32_t idx, const void *value) {
  const ddr_input *input = &world->program->inputs[idx];
  void *place = ddr_input_place(world, idx);
  const char *file = value;
  bool is_good = true;
  if (input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE) {
    is_good = keep_strings(world, idx, (const char *const[]){file}, 1, &file);
  } else if (input->kind == DDR_STRING) {
    const char *const one[] = {value};
    const char *const *strings = input->n_components == 1 ? one : value;
    is_good = keep_strings(world, idx, strings, input->n_components, place);
  } else {
    memcpy(place, value, input->n_components * ddr_value_size(world->program, input->kind));
  }
  if (!is_good) return ddr_error(world, "%s: out of memory", input->name);
  world->inputs[idx].is_set = true;
  return DDR_OK;
}

ddr_status ddr_input_set(ddr_world *world, const char *name, const void *value) {
  if (world->stage != STAGE_NEW) {
    return ddr_error(world, "%s: inputs must be set before creating strands", name);
  }
  for (uint32_t idx = 0; idx < world->program->n_inputs; idx++) {
    if (strcmp(world->program->inputs[idx].name, name) == 0) {
      return ddr_input_store(world, idx, value);
    }
  }
  return ddr_error(world, "the program has no input \"%s\"", name);
}

/* --- images ----------------------------------------------------------------------------------- */

static const ddr_image_list *load_image(ddr_world *world, const ddr_image_request *request) {
  ddr_image_list image = {0};
  if (ddr_nrrd_load(world, request, &image) != DDR_OK) return NULL;
  const ddr_image_list *node = ddr_images_own(world->images, &image);
  if (!node) ddr_error(world, "%s: out of memory", request->name);
  return node;
}

const ddr_image *ddr_load_image(ddr_world *world, const char *name, const char *file, int dim,
                                int n_components, ddr_sample sample) {
  const ddr_image_request request = {
      .name = name, .file = file, .dim = dim, .n_components = n_components, .sample = sample};
  const ddr_image_list *node = load_image(world, &request);
  if (!node) return NULL;
  ddr_images_name(world->images, file, name);
  return &node->image;
}

ddr_image_request ddr_input_request(const ddr_world *world, uint32_t idx, const char *file) {
  const ddr_input *input = &world->program->inputs[idx];
  return (ddr_image_request){
      .name = input->name,
      .file = file,
      .dim = input->image_dim,
      .n_components = (int)input->image_components,
      .sample = input->image_sample,
  };
}

ddr_status ddr_input_take_image(ddr_world *world, uint32_t idx, const ddr_image_list *image) {
  ddr_image_list prepared = *image;
  if (ddr_prepare_image(world, idx, &prepared) != DDR_OK) return DDR_ERROR;
  return ddr_input_take_prepared(world, idx, &prepared);
}

ddr_status ddr_input_take_prepared(ddr_world *world, uint32_t idx, const ddr_image_list *image) {
  ddr_input_value *value = &world->inputs[idx];
  ddr_image_list *node = ddr_images_own(world->images, image);
  if (!node) return ddr_error(world, "%s: out of memory", world->program->inputs[idx].name);
  if (value->image) ddr_images_drop(world->images, value->image);
  value->image = node;
  value->is_set = value->is_loaded = true;
  const ddr_image *shown = &node->image;
  memcpy(ddr_input_place(world, idx), &shown, sizeof shown);
  return DDR_OK;
}

static ddr_status load_image_input(ddr_world *world, uint32_t idx, const char *file) {
  const ddr_image_request request = ddr_input_request(world, idx, file);
  ddr_image_list image = {0};
  if (ddr_nrrd_load(world, &request, &image) != DDR_OK) return DDR_ERROR;
  return ddr_input_take_image(world, idx, &image);
}

/* --- sequences -------------------------------------------------------------------------------- */

ddr_seq ddr_load_sequence(ddr_world *world, const char *name, const char *file, ddr_kind kind,
                          uint32_t n_components) {
  const ddr_seq_request request = {
      .name = name, .file = file, .kind = kind, .n_components = n_components};
  ddr_seq seq = ddr_seq_empty();
  if (ddr_nrrd_load_sequence(world, &request, &seq) == DDR_OK)
    ddr_images_name(world->images, file, name);
  return seq;
}

ddr_seq_request ddr_input_sequence_request(const ddr_world *world, uint32_t idx, const char *file) {
  const ddr_input *input = &world->program->inputs[idx];
  return (ddr_seq_request){
      .name = input->name,
      .file = file,
      .kind = input->element,
      .n_components = input->n_components,
  };
}

/* The old value is lent to the pool, which frees it unless it is used elsewhere. */
void ddr_input_take_sequence(ddr_world *world, uint32_t idx, ddr_seq seq) {
  const ddr_input *input = &world->program->inputs[idx];
  void *place = ddr_input_place(world, idx);
  ddr_seq old;
  memcpy(&old, place, sizeof old);
  ddr_seq_lend(&world->pool, old);
  ddr_seq_keep(&world->pool, &seq,
               input->n_components * ddr_value_size(world->program, input->element));
  memcpy(place, &seq, sizeof seq);
  ddr_pool_sweep(&world->pool);
  ddr_pool_close(&world->pool);
  world->inputs[idx].is_set = world->inputs[idx].is_loaded = true;
}

static ddr_status load_sequence_input(ddr_world *world, uint32_t idx, const char *file) {
  const ddr_seq_request request = ddr_input_sequence_request(world, idx, file);
  ddr_seq seq = ddr_seq_empty();
  if (ddr_nrrd_load_sequence(world, &request, &seq) != DDR_OK) return DDR_ERROR;
  ddr_input_take_sequence(world, idx, seq);
  return DDR_OK;
}

/* Without a file, the elements given in the program are the value. */
static ddr_status store_default_sequence(ddr_world *world, uint32_t idx) {
  const ddr_input *input = &world->program->inputs[idx];
  const size_t size = input->n_components * ddr_value_size(world->program, input->element);
  const int64_t n = input->n_default_elements;
  const ddr_seq seq = ddr_seq_from(&world->pool, size, n, input->default_elements);
  if (seq.length != n) return DDR_ERROR; /* the error is recorded */
  ddr_input_take_sequence(world, idx, seq);
  return DDR_OK;
}

/* --- all of them ------------------------------------------------------------------------------ */

ddr_status ddr_input_load(ddr_world *world, uint32_t idx, const char *file) {
  if (world->program->inputs[idx].kind == DDR_IMAGE) return load_image_input(world, idx, file);
  return load_sequence_input(world, idx, file);
}

static ddr_status settle_input(ddr_world *world, uint32_t idx) {
  const ddr_input *input = &world->program->inputs[idx];
  const ddr_input_value *given = &world->inputs[idx];
  const bool is_file = input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE;
  const char *file = given->is_set ? given->string : input->default_file;
  if (given->is_loaded) return DDR_OK;
  if (!given->is_set && !input->has_default && !(is_file && file)) {
    return ddr_error(world, "undefined input \"%s\"", input->name);
  }
  if (!is_file || (input->kind == DDR_IMAGE && ddr_image_comes_from_another(world))) return DDR_OK;
  return file ? ddr_input_load(world, idx, file) : store_default_sequence(world, idx);
}

ddr_status ddr_world_load_inputs(ddr_world *world) {
  for (uint32_t idx = 0; idx < world->program->n_inputs; idx++) {
    if (settle_input(world, idx) != DDR_OK) return DDR_ERROR;
  }
  return DDR_OK;
}

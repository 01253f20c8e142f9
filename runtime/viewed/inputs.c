/* inputs.c: the inputs of an order.  Images stay from one run to the next; all else is read anew.
 */
#include "runtime/src/inputs/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/world/values.h"

/* The *n_words words that were given for an input; NULL: none. */
static const char **order_words(const Order *order, const char *name, size_t *n_words) {
  size_t at = 0;
  while (at + 1 < order->n_fields) {
    const size_t n = strtoul(order->fields[at + 1], NULL, 10);
    if (n > order->n_fields - at - 2) return NULL;
    if (strcmp(order->fields[at], name) == 0) {
      *n_words = n;
      return order->fields + at + 2;
    }
    at += n + 2;
  }
  return NULL;
}

/* --- images ----------------------------------------------------------------------------------- */

/* The command line's, unless the order has another; NULL: none. */
static const char *wanted_file(const Viewed *viewed, const Order *order, uint32_t idx) {
  const ddr_input *input = &viewed->world->program->inputs[idx];
  const ddr_input_value *given = &viewed->world->inputs[idx];
  size_t n;
  const char **words = order_words(order, input->name, &n);
  if (words && n == 1) return *words;
  return given->string ? given->string : input->default_file;
}

static ddr_status load_image(Viewed *viewed, uint32_t idx, const char *file) {
  char *held = ddr_format("%s", file);
  if (!held) return ddr_error(viewed->world, "out of memory");
  if (ddr_input_load(viewed->world, idx, file) != DDR_OK) {
    free(held);
    return DDR_ERROR;
  }
  free(viewed->files[idx]);
  viewed->files[idx] = held;
  return DDR_OK;
}

static bool has_value(const Viewed *viewed, const Order *order, uint32_t idx) {
  const ddr_input *input = &viewed->world->program->inputs[idx];
  size_t n;
  return input->has_default || input->default_file || viewed->world->inputs[idx].is_set ||
         order_words(order, input->name, &n);
}

/* True also for inputs that are no images. Loads the image, unless it is already loaded. */
static bool has_image(Viewed *viewed, const Order *order, uint32_t idx) {
  if (viewed->world->program->inputs[idx].kind != DDR_IMAGE) return true;
  const char *file = wanted_file(viewed, order, idx);
  if (!file) return false;
  if (viewed->files[idx] && strcmp(viewed->files[idx], file) == 0) return true;
  return load_image(viewed, idx, file) == DDR_OK;
}

bool viewed_load_images(Viewed *viewed, const Order *order, const char **missing) {
  const ddr_program *program = viewed->world->program;
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    *missing = program->inputs[k].name;
    if (!has_value(viewed, order, k) || !has_image(viewed, order, k)) return false;
  }
  *missing = NULL;
  return true;
}

/* --- values ----------------------------------------------------------------------------------- */

static ddr_status store_words(ddr_world *world, uint32_t idx, const char **words) {
  const ddr_input *input = &world->program->inputs[idx];
  const size_t size = ddr_value_size(world->program, input->kind);
  if (input->kind == DDR_SEQUENCE || (input->kind == DDR_STRING && input->n_components == 1))
    return ddr_input_store(world, idx, words[0]);
  char *values = calloc(input->n_components, size);
  if (!values) return ddr_error(world, "out of memory");
  ddr_status status = DDR_OK;
  for (uint32_t k = 0; k < input->n_components && status == DDR_OK; k++) {
    if (!ddr_value_parse(world->program, input->kind, words[k], values + k * size))
      status = ddr_error(world, "%s: cannot read \"%.100s\"", input->name, words[k]);
  }
  if (status == DDR_OK) status = ddr_input_store(world, idx, values);
  free(values);
  return status;
}

ddr_status viewed_set_inputs(ddr_world *world, const Order *order) {
  for (uint32_t k = 0; k < world->program->n_inputs; k++) {
    const ddr_input *input = &world->program->inputs[k];
    size_t n_words = 0;
    const char **words = order_words(order, input->name, &n_words);
    if (!words || input->kind == DDR_IMAGE) continue;
    const size_t n = input->kind == DDR_SEQUENCE ? 1 : input->n_components;
    if (n_words != n)
      return ddr_error(world, "%s: expected %zu values, found %zu", input->name, n, n_words);
    if (store_words(world, k, words) != DDR_OK) return DDR_ERROR;
  }
  return DDR_OK;
}

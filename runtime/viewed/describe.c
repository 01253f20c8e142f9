/* describe.c: what a page must know of a program, as JSON; values are words of the command line. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/run/run.h"
#include "runtime/src/world/values.h"

void json_format(ddr_text *text, const char *format, ...) {
  char chars[256];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(chars, sizeof chars, format, args);
  va_end(args);
  if (n > 0) ddr_text_append(text, chars, (size_t)n < sizeof chars ? (size_t)n : sizeof chars - 1);
}

static const char *kind_name(ddr_kind kind) {
  static const char *const names[] = {
      [DDR_BOOL] = "bool",     [DDR_INT] = "int",     [DDR_REAL] = "real",
      [DDR_STRING] = "string", [DDR_IMAGE] = "image", [DDR_SEQUENCE] = "sequence"};
  return names[kind];
}

static void put_bool(ddr_text *text, const char *name, bool value) {
  json_format(text, ",\"%s\":%s", name, value ? "true" : "false");
}

/* One component as a word from which its value can be read back. */
static void put_word(ddr_text *text, const ddr_program *program, ddr_kind kind, const void *place) {
  ddr_text word = {0};
  const char *string;
  if (kind == DDR_STRING) {
    memcpy(&string, place, sizeof string);
    ddr_text_json(text, string);
    return;
  }
  if (kind == DDR_BOOL) ddr_put_bool(&word, *(const bool *)place);
  else if (kind == DDR_INT && program->int_size == 8) ddr_put_int(&word, *(const int64_t *)place);
  else if (kind == DDR_INT) ddr_put_int(&word, *(const int32_t *)place);
  else if (program->real_size == 8) ddr_put_double(&word, *(const double *)place);
  else ddr_put_float(&word, *(const float *)place);
  ddr_text_json(text, word.chars ? word.chars : "");
  ddr_text_clear(&word);
}

/* The value of the command line, or the default; empty if there is none. */
static void put_value(ddr_text *text, const Viewed *viewed, uint32_t idx) {
  const ddr_world *world = viewed->world;
  const ddr_input *input = &world->program->inputs[idx];
  const ddr_input_value *given = &world->inputs[idx];
  const bool is_file = input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE;
  json_format(text, ",\"value\":[");
  if (is_file) {
    const char *file = given->is_set ? given->string : input->default_file;
    if (file) ddr_text_json(text, file);
  } else if (given->is_set || input->has_default) {
    const char *place = ddr_input_place(world, idx);
    const size_t size = ddr_value_size(world->program, input->kind);
    for (uint32_t k = 0; k < input->n_components; k++) {
      if (k > 0) json_format(text, ",");
      put_word(text, world->program, input->kind, place + k * size);
    }
  }
  json_format(text, "]");
}

static void put_input(ddr_text *text, const Viewed *viewed, uint32_t idx) {
  const ddr_input *input = &viewed->world->program->inputs[idx];
  json_format(text, "%s{\"name\":", idx > 0 ? "," : "");
  ddr_text_json(text, input->name);
  json_format(text, ",\"description\":");
  ddr_text_json(text, input->description);
  json_format(text, ",\"kind\":\"%s\",\"n\":%u", kind_name(input->kind),
              (unsigned)input->n_components);
  if (input->kind == DDR_IMAGE)
    json_format(text, ",\"dim\":%u,\"components\":%u", (unsigned)input->image_dim,
                (unsigned)input->image_components);
  put_bool(text, "optional", input->has_default || input->default_file);
  put_value(text, viewed, idx);
  json_format(text, "}");
}

static void put_output(ddr_text *text, const ddr_program *program, uint32_t idx) {
  const ddr_output *output = &program->outputs[idx];
  json_format(text, "%s{\"name\":", idx > 0 ? "," : "");
  ddr_text_json(text, output->name);
  json_format(text, ",\"kind\":\"%s\",\"n\":%u}", kind_name(output->kind),
              (unsigned)output->n_components);
}

char *viewed_describe(const Viewed *viewed) {
  const ddr_program *program = viewed->world->program;
  ddr_text text = {0};
  json_format(&text, "{\"name\":");
  ddr_text_json(&text, program->name);
  json_format(&text, ",\"rank\":%u", (unsigned)program->rank);
  put_bool(&text, "collection", program->is_collection);
  put_bool(&text, "lockstep", program->is_lockstep);
  put_bool(&text, "thins", ddr_can_thin(viewed->world));
  json_format(&text, ",\"inputs\":[");
  for (uint32_t k = 0; k < program->n_inputs; k++) put_input(&text, viewed, k);
  json_format(&text, "],\"outputs\":[");
  for (uint32_t k = 0; k < program->n_outputs; k++) put_output(&text, program, k);
  json_format(&text, "]}");
  if (!text.is_short) return text.chars;
  ddr_text_clear(&text);
  return NULL;
}

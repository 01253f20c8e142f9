/* options_table.c: the list of a program's options, in the order of the help: fixed options,
 * inputs, outputs, fixed options from OPTION_MEMORY on.
 *
 * Inputs keep their names, even where an option has the same name.
 * Read next: options.c.
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "runtime/src/checkpoint/checkpoint.h"
#include "runtime/src/outputs/outputs.h"
#include "runtime/src/world/values.h"
#include "runtime/src/world/world.h"

typedef enum { ANY, SNAPSHOTS, PARALLEL, IMAGES, GPUS, TRACED, CHECKPOINTS } Where;

static const struct {
  const char *flag, *placeholder, *type, *default_text, *info;
  Where where;
} fixed_options[OPTION_FIXED_COUNT] = {
#define FIXED(id, flag, placeholder, type, default_text, where, info)                              \
  {flag, placeholder, type, default_text, info, where},
#include "options.def"
};

static char *copy(const char *text) { return text ? ddr_format("%s", text) : NULL; }

static const char *type_name(const ddr_program *program, ddr_kind kind) {
  switch (kind) {
  case DDR_BOOL: return "bool";
  case DDR_INT: return program->int_size == 8 ? "long int" : "int";
  case DDR_REAL: return program->real_size == 8 ? "double" : "float";
  case DDR_STRING:
  case DDR_IMAGE:
  case DDR_SEQUENCE: return "string";
  }
  return "";
}

static bool is_named_file(const ddr_input *input) {
  return input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE;
}

static char *input_placeholder(const ddr_input *input) {
  static const char *const reals[] = {[1] = "x", [2] = "x y", [3] = "x y z", [4] = "x y z w"};
  if (input->kind == DDR_REAL && input->n_components <= 4) return copy(reals[input->n_components]);
  if (is_named_file(input)) return copy("str");
  if (input->n_components > 1) return ddr_format("%u values", (unsigned)input->n_components);
  if (input->kind == DDR_INT) return copy("int");
  return copy(input->kind == DDR_BOOL ? "bool" : "str");
}

static char *show_values(const ddr_program *program, ddr_kind kind, size_t n, const char *src) {
  ddr_text text = {0};
  const size_t size = ddr_value_size(program, kind);
  ddr_put_string(&text, "");
  for (size_t k = 0; k < n; k++) {
    if (k > 0) ddr_put_string(&text, " ");
    ddr_value_show(program, kind, src + k * size, &text);
  }
  return text.chars;
}

static char *input_default(const ddr_world *world, const ddr_input *input) {
  if (input->default_file) return copy(input->default_file);
  if (!input->has_default) return NULL;
  if (input->kind == DDR_SEQUENCE) {
    const size_t n = (size_t)input->n_default_elements * input->n_components;
    return show_values(world->program, input->element, n, input->default_elements);
  }
  return show_values(world->program, input->kind, input->n_components,
                     (const char *)world->globals + input->offset);
}

static bool has_images(const ddr_program *program) {
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    if (program->inputs[k].kind == DDR_IMAGE) return true;
  }
  return false;
}

static bool has_fixed(const ddr_program *program, int idx) {
  switch (fixed_options[idx].where) {
  case ANY: return true;
  case SNAPSHOTS: return program->has_snapshots;
  case PARALLEL: return program->is_parallel;
  case IMAGES: return has_images(program);
  case GPUS: return program->device != NULL;
  case TRACED: return program->trace != NULL;
  case CHECKPOINTS: return ddr_has_checkpoints(program);
  }
  return false;
}

static ddr_option build_fixed(int idx) {
  return (ddr_option){
      .flag = copy(fixed_options[idx].flag),
      .placeholder = copy(fixed_options[idx].placeholder ? fixed_options[idx].placeholder : ""),
      .type = copy(fixed_options[idx].type ? fixed_options[idx].type : ""),
      .default_text = idx == OPTION_WORKERS ? ddr_format("%u", (unsigned)ddr_num_cores())
                                            : copy(fixed_options[idx].default_text),
      .info = copy(fixed_options[idx].info),
      .n_words = fixed_options[idx].placeholder ? 1 : 0,
      .has_default = fixed_options[idx].default_text != NULL,
  };
}

static ddr_option build_input(const ddr_world *world, const ddr_input *input) {
  return (ddr_option){
      .flag = copy(input->name),
      .written = input->written,
      .placeholder = input_placeholder(input),
      .type = copy(type_name(world->program, input->kind)),
      .default_text = input_default(world, input),
      .info = copy(input->description),
      .n_words = is_named_file(input) ? 1 : input->n_components,
      .has_default = input->has_default || input->default_file,
  };
}

/* Returns "what", or "what for NAME" where there are several outputs. */
static char *output_info(const ddr_program *program, const ddr_output *output, const char *what) {
  return program->n_outputs == 1 ? copy(what) : ddr_format("%s for %s", what, output->name);
}

static ddr_option build_output(const ddr_program *program, const ddr_output *output) {
  const bool is_only = program->n_outputs == 1, is_prefix = output->kind == DDR_SEQUENCE;
  const char *what = is_prefix ? "specify output-file prefix" : "specify output file";
  return (ddr_option){
      .flag = is_only ? copy("o,output") : ddr_format("o-%s,output-%s", output->name, output->name),
      .placeholder = copy("str"),
      .type = copy("string"),
      .default_text = ddr_output_name(output),
      .info = output_info(program, output, what),
      .n_words = 1,
      .has_default = true,
  };
}

static ddr_option build_snapshot(const ddr_program *program, const ddr_output *output) {
  const bool is_only = program->n_outputs == 1;
  return (ddr_option){
      .flag = is_only ? copy("sp,snapshot-prefix")
                      : ddr_format("sp-%s,snapshot-prefix-%s", output->name, output->name),
      .placeholder = copy("str"),
      .type = copy("string"),
      .default_text = copy(output->name),
      .info = output_info(program, output, "specify snapshot-file prefix"),
      .n_words = 1,
      .has_default = true,
  };
}

static ddr_option *build_fixed_range(const ddr_program *program, ddr_option_list *list,
                                     ddr_option *next, int begin, int end) {
  for (int k = begin; k < end; k++) {
    if (!has_fixed(program, k)) continue;
    list->fixed[k] = next;
    *next++ = build_fixed(k);
  }
  return next;
}

/* Gives every option its part of one array of word positions. */
static bool place_words(ddr_option_list *list) {
  size_t n = 1;
  for (uint32_t k = 0; k < list->n_options; k++) {
    const ddr_option *option = &list->options[k];
    if (!option->flag || !option->placeholder || !option->type || !option->info) return false;
    if (option->has_default && !option->default_text) return false;
    n += option->n_words + 1u;
  }
  list->words = calloc(n, sizeof *list->words);
  if (!list->words) return false;
  n = 0;
  for (uint32_t k = 0; k < list->n_options; k++) {
    list->options[k].words = list->words + n;
    n += list->options[k].n_words + 1u;
  }
  return true;
}

/* --- inputs with the names of options --------------------------------------------------------- */

static bool is_input(const ddr_program *program, const char *name, size_t n) {
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    const char *input = program->inputs[k].name;
    if (strlen(input) == n && strncmp(input, name, n) == 0) return true;
  }
  return false;
}

/* The spellings of an option that no input uses.  A spelling that is left stands for both, after
 * one dash and after two; if none is left, the option is called ddr-NAME. */
static char *spellings_left(const ddr_program *program, char *flag) {
  if (!flag) return NULL;
  const size_t n = strcspn(flag, ",");
  const char *longer = flag[n] ? flag + n + 1 : flag;
  const bool takes_short = is_input(program, flag, n);
  const bool takes_long = is_input(program, longer, strlen(longer));
  if (!takes_short && !takes_long) return flag;
  char *left = takes_short && takes_long ? ddr_format("ddr-%s,ddr-%s", longer, longer)
               : takes_short             ? ddr_format("%s,%s", longer, longer)
                                         : ddr_format("%.*s,%.*s", (int)n, flag, (int)n, flag);
  free(flag);
  return left;
}

/* hest would find these options before the inputs, or instead of them. */
static void leave_names_to_inputs(const ddr_program *program, ddr_option_list *list) {
  for (uint32_t k = 0; k < list->n_options; k++) {
    ddr_option *option = &list->options[k];
    const bool is_of_input = option >= list->inputs && option < list->inputs + program->n_inputs;
    if (!is_of_input) option->flag = spellings_left(program, option->flag);
  }
}

bool ddr_options_build(ddr_world *world, ddr_option_list *list) {
  const ddr_program *program = world->program;
  const uint32_t n_most = OPTION_FIXED_COUNT + program->n_inputs + 2 * program->n_outputs;
  *list = (ddr_option_list){.options = calloc(n_most, sizeof *list->options)};
  if (!list->options) return false;
  ddr_option *next = build_fixed_range(program, list, list->options, 0, OPTION_MEMORY);
  list->inputs = next;
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    *next++ = build_input(world, &program->inputs[k]);
  }
  list->outputs = next;
  for (uint32_t k = 0; k < program->n_outputs; k++) {
    *next++ = build_output(program, &program->outputs[k]);
    if (program->has_snapshots) *next++ = build_snapshot(program, &program->outputs[k]);
  }
  next = build_fixed_range(program, list, next, OPTION_MEMORY, OPTION_FIXED_COUNT);
  list->n_options = (uint32_t)(next - list->options);
  leave_names_to_inputs(program, list);
  return place_words(list);
}

void ddr_options_clear(ddr_option_list *list) {
  for (uint32_t k = 0; k < list->n_options; k++) {
    free(list->options[k].flag);
    free(list->options[k].placeholder);
    free(list->options[k].type);
    free(list->options[k].default_text);
    free(list->options[k].info);
  }
  free(list->options);
  free(list->words);
  *list = (ddr_option_list){0};
}

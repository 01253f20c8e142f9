/* Api: the functions of inputs and outputs. Next: header.c. */
#include <string.h>

#include "backend-c/library/api.h"

static CExpr *name(Api *api, const char *text) { return c_name(api->gen->cx, text); }
static CExpr *number(Api *api, uint32_t value) { return c_int(api->gen->cx, value); }

static const char *join(Api *api, const char *words, const char *id) {
  return text_format(api->gen->cx->arena, "%s_%s", words, id);
}

/* ---- types of values ------------------------------------------------------------------------- */

static const ApiType *scalar_type(Api *api, const Type *ty) {
  Cx *cx = api->gen->cx;
  switch (type_kind(ty)) {
  case TY_BOOL: return api_bool(api);
  case TY_INT:
    return cx->is_long_int ? api_named(api, "int64_t", "long long int")
                           : api_named(api, "int32_t", "int");
  case TY_TENSOR:
    return cx->is_double ? api_named(api, "double", "double") : api_named(api, "float", "float");
  case TY_STRING: return api_pointer(api, api_const(api, api_named(api, "char", "char")));
  default: break;
  }
  BUG(cx, "no value of a library's input is of type %s", type_text(cx, ty));
}

static bool is_file(const Type *ty) { return type_is(ty, TY_IMAGE) || type_is_dynamic_seq(ty); }

static const ApiType *nrrd_type(Api *api) {
  return api_pointer(api, api_named(api, "Nrrd", "Nrrd"));
}

static const ApiType *view_type(Api *api) {
  return api_named(api, "diderot_view_t", "diderot_view_t");
}

static const ApiType *doubles(Api *api) {
  return api_pointer(api, api_const(api, api_named(api, "double", "double")));
}

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef struct Input {
  const Global *global;
  const char *id; /* in the names of functions */
  uint32_t idx;   /* in the program's table */
} Input;

const ApiValueRow api_value_rows[API_VALUE_COUNT] = {
#define VALUE(id, key, words, callee, meaning) {key, words, callee, meaning},
#include "backend-c/library/api_values.def"
};

/* Makes a function of that kind; its parameters and its call follow. */
static ApiFunc *value_func(Api *api, ApiValueId kind, const char *id, const ApiType *result) {
  ApiFunc *fn = api_func(api, join(api, api_value_rows[kind].words, id), result);
  fn->meaning = api_value_rows[kind].meaning;
  return fn;
}

static void value_slot(Api *api, ApiEntry *entry, ApiValueId kind, ApiFunc *fn, CExprVec args) {
  api_call(api, fn, api_value_rows[kind].callee, args);
  api_slot(api, entry, api_value_rows[kind].key, fn);
}

/* A function that passes its last parameter on to the runtime. */
static void add_setter(Api *api, ApiEntry *entry, const Input *input, ApiValueId kind,
                       ApiParam param) {
  ApiFunc *fn = value_func(api, kind, input->id, api_bool(api));
  CExprVec args = {0};
  api_param(api, fn, param);
  c_push(api->gen->cx, &args, number(api, input->idx));
  c_push(api->gen->cx, &args, name(api, param.name));
  value_slot(api, entry, kind, fn, args);
}

static void add_file_setters(Api *api, ApiEntry *entry, const Input *input) {
  const ApiType *text = api_pointer(api, api_const(api, api_named(api, "char", "char")));
  add_setter(api, entry, input, API_VALUE_LOAD, (ApiParam){"file", text, "in"});
  add_setter(api, entry, input, API_VALUE_SET_NRRD, (ApiParam){"nrrd", nrrd_type(api), "in"});
}

/* A pointer to a constant struct that the client fills in. */
static const ApiType *array_type(Api *api, ApiStructId id) {
  const char *ty = api_structs[id].name;
  return api_pointer(api, api_const(api, api_named(api, ty, ty)));
}

/* Parameters for an array of the client, passed as a struct; an image also has a placement in
 * space. */
static void add_array_params(Api *api, ApiFunc *fn, CExprVec *args, const Input *input,
                             ApiParam array) {
  Cx *cx = api->gen->cx;
  api_param(api, fn, array);
  c_push(cx, args, name(api, array.name));
  if (!type_is(input->global->ty, TY_IMAGE)) return;
  api_param(api, fn, (ApiParam){"origin", doubles(api), "in"});
  api_param(api, fn, (ApiParam){"steps", doubles(api), "in"});
  c_push(cx, args, name(api, "origin"));
  c_push(cx, args, name(api, "steps"));
}

static ApiParam array_param(Api *api, bool is_frame) {
  return is_frame ? (ApiParam){"frame", array_type(api, API_FRAME), "in"}
                  : (ApiParam){"view", array_type(api, API_VIEW), "in"};
}

static void add_array_setter(Api *api, ApiEntry *entry, const Input *input, ApiValueId kind) {
  ApiFunc *fn = value_func(api, kind, input->id, api_bool(api));
  CExprVec args = {0};
  c_push(api->gen->cx, &args, number(api, input->idx));
  add_array_params(api, fn, &args, input, array_param(api, kind == API_VALUE_SET_FRAME));
  value_slot(api, entry, kind, fn, args);
}

static bool is_for_devices(const Api *api) { return api->gen->options->device != DEVICE_NONE; }

/* Only pictures and volumes. */
static bool takes_frames(const Type *ty) { return type_is(ty, TY_IMAGE) && type_dim(ty) > 1; }

/* Likewise for memory of a GPU, after the work of a stream. */
static void add_device_setter(Api *api, ApiEntry *entry, const Input *input) {
  Cx *cx = api->gen->cx;
  const bool is_image = type_is(input->global->ty, TY_IMAGE);
  const ApiValueId kind = is_image ? API_VALUE_SET_DEVICE_IMAGE : API_VALUE_SET_DEVICE_SEQUENCE;
  ApiFunc *fn = value_func(api, kind, input->id, api_bool(api));
  CExprVec args = {0};
  c_push(cx, &args, number(api, input->idx));
  add_array_params(api, fn, &args, input, array_param(api, false));
  api_param(api, fn, (ApiParam){"stream", api_pointer(api, api_named(api, "void", "void")), "in"});
  c_push(cx, &args, name(api, "stream"));
  value_slot(api, entry, kind, fn, args);
}

static void add_array_setters(Api *api, ApiEntry *entry, const Input *input) {
  const bool is_image = type_is(input->global->ty, TY_IMAGE);
  add_array_setter(api, entry, input, is_image ? API_VALUE_SET_IMAGE : API_VALUE_SET_SEQUENCE);
  if (!is_image) add_array_setter(api, entry, input, API_VALUE_LEND_SEQUENCE);
  if (takes_frames(input->global->ty)) add_array_setter(api, entry, input, API_VALUE_SET_FRAME);
  if (is_for_devices(api)) add_device_setter(api, entry, input);
}

static void add_value_setter(Api *api, ApiEntry *entry, const Input *input) {
  Cx *cx = api->gen->cx;
  const Type *ty = input->global->ty;
  const ApiType *scalar = scalar_type(api, gen_scalar_type(api->gen, ty));
  const uint64_t count = gen_scalar_count(ty);
  const bool has_strings = type_is(gen_scalar_type(api->gen, ty), TY_STRING);
  const bool is_string = has_strings && count == 1;
  /* The element is const char * already. */
  const ApiType *elem = has_strings ? scalar : api_const(api, scalar);
  const ApiType *param = count > 1 ? api_array(api, elem, count) : scalar;
  const ApiValueId kind = is_string ? API_VALUE_SET_STRING : API_VALUE_SET;
  ApiFunc *fn = value_func(api, kind, input->id, api_bool(api));
  CExpr *value = name(api, "value");
  CExprVec args = {0};
  api_param(api, fn, (ApiParam){"value", param, "in"});
  c_push(cx, &args, number(api, input->idx));
  c_push(cx, &args, is_string || count > 1 ? value : c_unary(cx, "&", value));
  value_slot(api, entry, kind, fn, args);
}

/* The type of a getter's result: an array for the value, or a pointer to it. */
static const ApiType *getter_type(Api *api, const Type *ty) {
  if (is_file(ty)) return api_pointer(api, api_pointer(api, api_named(api, "void", "void")));
  if (type_is(ty, TY_STRING))
    return api_pointer(api, api_pointer(api, api_named(api, "char", "char")));
  const ApiType *scalar = scalar_type(api, gen_scalar_type(api->gen, ty));
  const uint64_t count = gen_scalar_count(ty);
  return count > 1 ? api_array(api, scalar, count) : api_pointer(api, scalar);
}

static void add_getters(Api *api, ApiEntry *entry, const Input *input) {
  Cx *cx = api->gen->cx;
  const Type *ty = input->global->ty;
  ApiFunc *get = value_func(api, API_VALUE_GET, input->id, api_named(api, "void", "void"));
  CExprVec args = {0};
  api_param(api, get, (ApiParam){"value", getter_type(api, ty), "out"});
  c_push(cx, &args, number(api, input->idx));
  c_push(cx, &args, name(api, "value"));
  value_slot(api, entry, API_VALUE_GET, get, args);
  if (!is_file(ty) && !type_is(ty, TY_STRING)) return;
  ApiFunc *size =
      value_func(api, API_VALUE_GET_SIZE, input->id, api_named(api, "size_t", "size_t"));
  CExprVec size_args = {0};
  c_push(cx, &size_args, number(api, input->idx));
  value_slot(api, entry, API_VALUE_GET_SIZE, size, size_args);
}

static void add_input(Api *api, const Global *global, const TreeName *names) {
  const char *id = names->shown;
  const Input input = {.global = global, .id = id, .idx = api->inputs.len};
  ApiEntry entry = {.name = id, .ty = global->ty, .description = global->description};
  entry.written = global->name->text;
  entry.symbol = text_format(api->gen->cx->arena, "%s_input_desc_%s", api->prefix, id);
  entry.has_default = global->value || global->file;
  if (is_file(global->ty)) add_file_setters(api, &entry, &input);
  else add_value_setter(api, &entry, &input);
  if (entry.has_default) add_getters(api, &entry, &input);
  if (is_file(global->ty)) add_array_setters(api, &entry, &input);
  vec_push(api->gen->cx->arena, &api->inputs, entry);
}

void api_add_inputs(Api *api) {
  const TreeProgram *program = api->gen->program;
  const Module *m = program->module;
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i].kind == GLOBAL_INPUT)
      add_input(api, &m->globals.data[i], &program->globals[i]);
}

/* ---- outputs --------------------------------------------------------------------------------- */

typedef struct Getter {
  ApiValueId kind;
  const char *callee_of_two, *moment;
  bool is_view, is_snapshot;
} Getter;

static const Getter getters[] = {
    {API_VALUE_SNAPSHOT, "ddr_library_get_nrrds", "DDR_SNAPSHOT", false, true},
    {API_VALUE_OUTPUT, "ddr_library_get_nrrds", "DDR_OUTPUT", false, false},
    {API_VALUE_SNAPSHOT_VIEW, "ddr_library_views", "DDR_SNAPSHOT", true, true},
    {API_VALUE_OUTPUT_VIEW, "ddr_library_views", "DDR_OUTPUT", true, false},
};

/* A getter of dynamic sequences has two results: the lengths, then the elements. */
static void add_output_getter(Api *api, ApiEntry *entry, const char *id, const Getter *getter) {
  Cx *cx = api->gen->cx;
  const bool is_dynamic = type_is_dynamic_seq(entry->ty);
  const ApiType *place = getter->is_view ? api_pointer(api, view_type(api)) : nrrd_type(api);
  ApiFunc *fn = value_func(api, getter->kind, id, api_bool(api));
  const ApiValueRow *row = &api_value_rows[getter->kind];
  CExprVec args = {0};
  c_push(cx, &args, number(api, api->outputs.len));
  c_push(cx, &args, name(api, getter->moment));
  if (is_dynamic) {
    api_param(api, fn, (ApiParam){"lengths", place, "out"});
    c_push(cx, &args, name(api, "lengths"));
  }
  api_param(api, fn, (ApiParam){"data", place, "out"});
  c_push(cx, &args, name(api, "data"));
  api_call(api, fn, is_dynamic ? getter->callee_of_two : row->callee, args);
  api_slot(api, entry, row->key, fn);
}

/* Whether strands are pixels or voxels. */
static bool is_grid_of_frames(const Module *m) {
  return !m->is_collection && (m->n_iters == 2 || m->n_iters == 3);
}

/* A function that writes an output to an array of the client. */
static void add_output_writer(Api *api, ApiEntry *entry, const char *id, ApiValueId kind) {
  Cx *cx = api->gen->cx;
  const ApiParam param = array_param(api, kind == API_VALUE_WRITE_FRAME);
  ApiFunc *fn = value_func(api, kind, id, api_bool(api));
  CExprVec args = {0};
  api_param(api, fn, param);
  c_push(cx, &args, number(api, api->outputs.len));
  c_push(cx, &args, name(api, param.name));
  value_slot(api, entry, kind, fn, args);
}

/* A function that returns where an output is on the device. */
static void add_device_view(Api *api, ApiEntry *entry, const char *id) {
  Cx *cx = api->gen->cx;
  ApiFunc *fn = value_func(api, API_VALUE_DEVICE_VIEW, id, api_bool(api));
  CExprVec args = {0};
  api_param(api, fn, (ApiParam){"data", api_pointer(api, view_type(api)), "out"});
  c_push(cx, &args, number(api, api->outputs.len));
  c_push(cx, &args, name(api, "data"));
  value_slot(api, entry, API_VALUE_DEVICE_VIEW, fn, args);
}

static void add_output(Api *api, const StateVar *output, const TreeName *names) {
  const char *id = names->shown;
  ApiEntry entry = {.name = id, .written = output->name->text, .ty = output->ty};
  for (size_t i = 0; i < sizeof getters / sizeof getters[0]; i++)
    if (api->gen->options->has_snapshots || !getters[i].is_snapshot)
      add_output_getter(api, &entry, id, &getters[i]);
  if (!type_is_dynamic_seq(entry.ty)) {
    add_output_writer(api, &entry, id, API_VALUE_WRITE_VIEW);
    if (is_grid_of_frames(api->gen->program->module))
      add_output_writer(api, &entry, id, API_VALUE_WRITE_FRAME);
    if (is_for_devices(api)) add_device_view(api, &entry, id);
  }
  vec_push(api->gen->cx->arena, &api->outputs, entry);
}

void api_add_outputs(Api *api) {
  const TreeProgram *program = api->gen->program;
  const Module *m = program->module;
  for (uint32_t i = 0; i < m->state.len; i++)
    if (m->state.data[i].is_output) add_output(api, &m->state.data[i], &program->state[i]);
}

/* ---- frames ---------------------------------------------------------------------------------- */

bool gen_has_frames(const Api *api) {
  if (is_grid_of_frames(api->gen->program->module) && api->outputs.len > 0) return true;
  for (uint32_t i = 0; i < api->inputs.len; i++)
    if (takes_frames(api->inputs.data[i].ty)) return true;
  return false;
}

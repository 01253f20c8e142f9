/* Api: see api.h. Types, functions, and the rows of api.def. Next: api_values.c. */
#include "backend-c/library/api.h"

#include <string.h>

/* ---- structs --------------------------------------------------------------------------------- */

const ApiStruct api_structs[] = {
    [API_VIEW] = {"diderot_view_t", "diderot_view", "DIDEROT_VIEW", "An array anywhere in memory."},
    [API_FRAME] = {"diderot_frame_t", "diderot_frame", "DIDEROT_FRAME",
                   "Frames in a buffer as cameras and decoders lay them out, and which one of them "
                   "is meant."},
};

const ApiField api_fields[] = {
#define FIELD(of, type, name, len, meaning) {API_##of, type, name, len, meaning},
#define CONSTANTS(of, names) {API_##of, NULL, names, 0, NULL},
#include "backend-c/library/api_structs.def"
    {0},
};

/* ---- types ----------------------------------------------------------------------------------- */

static const ApiType *type_new(Api *api, ApiType ty) {
  ApiType *copy = NEW(api->gen->cx->arena, ApiType);
  *copy = ty;
  return copy;
}

const ApiType *api_named(Api *api, const char *name, const char *shown) {
  return type_new(api, (ApiType){.kind = API_NAMED, .name = name, .shown = shown});
}

const ApiType *api_pointer(Api *api, const ApiType *of) {
  return type_new(api, (ApiType){.kind = API_POINTER, .of = of});
}

const ApiType *api_const(Api *api, const ApiType *of) {
  return type_new(api, (ApiType){.kind = API_CONST, .of = of});
}

const ApiType *api_array(Api *api, const ApiType *of, uint64_t len) {
  return type_new(api, (ApiType){.kind = API_ARRAY, .of = of, .len = len});
}

const ApiType *api_bool(Api *api) { return api_named(api, "bool", "bool"); }

static const ApiType *type_count(Api *api) { return api_named(api, "uint32_t", "uint32_t"); }
static const ApiType *type_void(Api *api) { return api_named(api, "void", "void"); }
static const ApiType *char_pointer(Api *api) {
  return api_pointer(api, api_named(api, "char", "char"));
}
static const ApiType *const_char_pointer(Api *api) {
  return api_pointer(api, api_const(api, api_named(api, "char", "char")));
}

/* The callback gets the user's pointer and the text of a statement; returning true ends the run. */
static const ApiType *type_printer(Api *api) {
  ApiType ty = {.kind = API_CALLBACK, .of = api_bool(api)};
  Arena *a = api->gen->cx->arena;
  vec_push(a, &ty.params, ((ApiParam){.ty = api_pointer(api, type_void(api)), .role = "in"}));
  vec_push(a, &ty.params, ((ApiParam){.ty = char_pointer(api), .role = "in"}));
  return type_new(api, ty);
}

/* ---- as C ------------------------------------------------------------------------------------ */

static bool is_pointer(const char *type) { return type[strlen(type) - 1] == '*'; }

const char *api_c_type(Api *api, const ApiType *ty) {
  Arena *a = api->gen->cx->arena;
  switch (ty->kind) {
  case API_NAMED: return ty->name;
  case API_POINTER: {
    const char *of = api_c_type(api, ty->of);
    return text_format(a, is_pointer(of) ? "%s*" : "%s *", of);
  }
  case API_CONST: return text_format(a, "const %s", api_c_type(api, ty->of));
  case API_ARRAY: /* the rest follows the name */
  case API_CALLBACK: return api_c_type(api, ty->of);
  }
  UNREACHABLE(api->gen->cx);
}

static const char *callback_declarator(Api *api, const ApiParam *param) {
  Text text = text_new(api->gen->cx->arena);
  text_addf(&text, "(*%s)(", param->name);
  for (uint32_t i = 0; i < param->ty->params.len; i++)
    text_addf(&text, "%s%s", i > 0 ? ", " : "", api_c_type(api, param->ty->params.data[i].ty));
  text_add(&text, ")");
  return text_str(&text);
}

CParam api_c_param(Api *api, const ApiParam *param) {
  Arena *a = api->gen->cx->arena;
  CParam declared = {.type = api_c_type(api, param->ty), .name = param->name};
  if (param->ty->kind == API_ARRAY)
    declared.name = text_format(a, "%s[%llu]", param->name, (unsigned long long)param->ty->len);
  if (param->ty->kind == API_CALLBACK) declared.name = callback_declarator(api, param);
  return declared;
}

/* ---- functions ------------------------------------------------------------------------------- */

static CExpr *name(Api *api, const char *text) { return c_name(api->gen->cx, text); }

void api_param(Api *api, ApiFunc *fn, ApiParam param) {
  vec_push(api->gen->cx->arena, &fn->params, param);
}

static ApiFunc *bare_func(Api *api, const char *word, const ApiType *result) {
  ApiFunc *fn = NEW(api->gen->cx->arena, ApiFunc);
  *fn = (ApiFunc){.name = text_format(api->gen->cx->arena, "%s_%s", api->prefix, word),
                  .result = result};
  return fn;
}

ApiFunc *api_func(Api *api, const char *word, const ApiType *result) {
  ApiFunc *fn = bare_func(api, word, result);
  api_param(api, fn, (ApiParam){.name = "world", .ty = api->world, .role = "world"});
  return fn;
}

void api_call(Api *api, ApiFunc *fn, const char *callee, CExprVec args) {
  Cx *cx = api->gen->cx;
  CExprVec all = {0};
  c_push(cx, &all, c_cast(cx, "ddr_world *", name(api, "world")));
  for (uint32_t i = 0; i < args.len; i++) c_push(cx, &all, args.data[i]);
  fn->call = c_call(cx, callee, all);
}

void api_slot(Api *api, ApiEntry *entry, const char *key, const ApiFunc *fn) {
  vec_push(api->gen->cx->arena, &entry->slots, ((ApiSlot){.key = key, .fn = fn}));
}

/* ---- the rows -------------------------------------------------------------------------------- */

typedef enum { BOOL, COUNT, TEXT, NAME, WORLD, NOTHING } Result;
typedef enum {
  NONE,
  ALONE,
  STEPS,
  WORKERS,
  FLAG,
  PRINTER,
  INPUT,
  FACTOR,
  OTHER,
  CHOICE,
  STRAND,
  PATH,
  COMM
} Params;
typedef enum { ANY, PARALLEL, IMAGES, HOST, GPUS, RANKS, TRACED } Where;

typedef struct Row {
  const char *entry, *key, *name, *callee, *meaning;
  Result result;
  Params params;
  Where where;
} Row;

static const Row rows[] = {
#define API(entry, key, name, result, params, callee, in, meaning)                                 \
  {entry, key, name, callee, meaning, result, params, in},
#include "backend-c/library/api.def"
};

static const ApiType *result_type(Api *api, Result result) {
  switch (result) {
  case BOOL: return api_bool(api);
  case COUNT: return type_count(api);
  case TEXT: return char_pointer(api);
  case NAME: return const_char_pointer(api);
  case WORLD: return api->world;
  case NOTHING: return type_void(api);
  }
  UNREACHABLE(api->gen->cx);
}

static void add_param(Api *api, ApiFunc *fn, CExprVec *args, ApiParam param) {
  api_param(api, fn, param);
  c_push(api->gen->cx, args, name(api, param.name));
}

static CExprVec add_params(Api *api, ApiFunc *fn, Params params) {
  CExprVec args = {0};
  const ApiType *data = api_pointer(api, type_void(api));
  switch (params) {
  case NONE:
  case ALONE: break;
  case STEPS: add_param(api, fn, &args, (ApiParam){"max_steps", type_count(api), "in"}); break;
  case WORKERS: add_param(api, fn, &args, (ApiParam){"n_workers", type_count(api), "in"}); break;
  case FLAG: add_param(api, fn, &args, (ApiParam){"is_verbose", api_bool(api), "in"}); break;
  case PRINTER:
    add_param(api, fn, &args, (ApiParam){"printer", type_printer(api), "in"});
    add_param(api, fn, &args, (ApiParam){"data", data, "in"});
    break;
  case INPUT:
  case FACTOR:
    add_param(api, fn, &args, (ApiParam){"input", const_char_pointer(api), "in"});
    if (params == FACTOR) add_param(api, fn, &args, (ApiParam){"factor", type_count(api), "in"});
    break;
  case OTHER:
    add_param(api, fn, &args, (ApiParam){"input", const_char_pointer(api), "in"});
    api_param(api, fn, (ApiParam){"other", api->world, "in"});
    c_push(api->gen->cx, &args, c_cast(api->gen->cx, "ddr_world *", name(api, "other")));
    break;
  case COMM:
    add_param(api, fn, &args, (ApiParam){"comm", api_named(api, "int", "int"), "in"});
    break;
  case PATH: add_param(api, fn, &args, (ApiParam){"file", const_char_pointer(api), "in"}); break;
  case CHOICE:
    add_param(api, fn, &args, (ApiParam){"which", const_char_pointer(api), "in"});
    add_param(api, fn, &args, (ApiParam){"block_size", type_count(api), "in"});
    break;
  case STRAND:
    add_param(api, fn, &args, (ApiParam){"strand", const_char_pointer(api), "in"});
    add_param(api, fn, &args, (ApiParam){"max_steps", type_count(api), "in"});
    add_param(api, fn, &args, (ApiParam){"max_records", type_count(api), "in"});
    break;
  }
  return args;
}

/* The one function without a world as its parameter. */
static ApiFunc *new_world(Api *api, const Row *row) {
  Cx *cx = api->gen->cx;
  ApiFunc *fn = bare_func(api, row->name, result_type(api, row->result));
  CExpr *made = c_call2(cx, row->callee, c_unary(cx, "&", name(api, "ddr_program_main")),
                        c_string(cx, api->prefix));
  fn->call = c_cast(cx, api_c_type(api, api->world), made);
  fn->meaning = row->meaning;
  return fn;
}

static const ApiFunc *func_of_row(Api *api, const Row *row) {
  if (row->params == ALONE) return new_world(api, row);
  ApiFunc *fn = api_func(api, row->name, result_type(api, row->result));
  api_call(api, fn, row->callee, add_params(api, fn, row->params));
  fn->meaning = row->meaning;
  return fn;
}

static ApiEntry *entry_named(Api *api, const char *title) {
  ApiEntryVec *entries = &api->runtime;
  if (entries->len == 0 || strcmp(vec_last(entries).name, title) != 0)
    vec_push(api->gen->cx->arena, entries, ((ApiEntry){.name = title}));
  return &vec_last(entries);
}

static bool has_images(const Api *api) {
  const Module *m = api->gen->program->module;
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i].kind == GLOBAL_INPUT && type_is(m->globals.data[i].ty, TY_IMAGE))
      return true;
  return false;
}

static bool is_there(const Api *api, Where where) {
  switch (where) {
  case ANY: return true;
  case PARALLEL: return api->gen->options->workers != BY_ONE_THREAD;
  case IMAGES: return has_images(api);
  case HOST: return api->gen->options->device == DEVICE_NONE;
  case GPUS: return api->gen->options->device != DEVICE_NONE;
  case RANKS: return api->gen->options->workers == BY_RANKS;
  case TRACED: return api->gen->options->is_traced;
  }
  UNREACHABLE(api->gen->cx);
}

static void add_runtime(Api *api) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (!is_there(api, rows[i].where)) continue;
    api_slot(api, entry_named(api, rows[i].entry), rows[i].key, func_of_row(api, &rows[i]));
  }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Two functions could have the same name: of an input by_name_x beside an image x. */
static void check_names(Api *api, Map *seen, const ApiEntryVec *entries) {
  Cx *cx = api->gen->cx;
  for (uint32_t i = 0; i < entries->len; i++) {
    for (uint32_t k = 0; k < entries->data[i].slots.len; k++) {
      const char *text = entries->data[i].slots.data[k].fn->name;
      const Name *key = name_from(cx->names, text);
      if (map_has(seen, key))
        LIMIT(cx, SPAN_NONE, "a library with two functions named %s, where '%s' needs another name",
              text, entries->data[i].name);
      map_put(seen, key, api);
    }
  }
}

Api *api_new(Gen *gen, const char *prefix) {
  Arena *a = gen->cx->arena;
  Api *api = NEW(a, Api);
  const char *world = text_format(a, "%s_world_t", prefix);
  *api = (Api){.gen = gen, .prefix = prefix};
  api->world = api_pointer(api, api_named(api, world, world));
  add_runtime(api);
  api_add_inputs(api);
  api_add_outputs(api);
  Map *seen = map_new(a);
  check_names(api, seen, &api->runtime);
  check_names(api, seen, &api->inputs);
  check_names(api, seen, &api->outputs);
  return api;
}

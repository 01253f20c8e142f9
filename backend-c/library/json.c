/* json: the description of a library for programs that load it (--json). Members and their order
 * are a contract with such programs; new members are added at the end.
 */
#include <string.h>

#include "backend-c/library/api.h"
#include "frontend/base/json.h"

/* ---- types ----------------------------------------------------------------------------------- */

static void put_shape(Json *json, const Shape *shape) {
  json_open_array(json, "shape");
  for (uint32_t i = 0; i < shape->order; i++) json_put_int(json, NULL, shape->dims[i]);
  json_close_array(json);
}

static void put_type(Json *json, const char *key, const Type *ty);

static void put_sequence(Json *json, const Type *ty) {
  const bool is_dynamic = type_is_dynamic_seq(ty);
  json_put_string(json, "kind", is_dynamic ? "dynseq" : "seq");
  put_type(json, "elem-ty", type_elem(ty));
  if (!is_dynamic) json_put_int(json, "size", (int64_t)type_seq_len(ty));
}

static void put_type(Json *json, const char *key, const Type *ty) {
  if (type_is(ty, TY_BOOL) || type_is(ty, TY_INT) || type_is(ty, TY_STRING)) {
    const char *word = type_is(ty, TY_BOOL) ? "bool" : type_is(ty, TY_INT) ? "int" : "string";
    json_put_string(json, key, word);
    return;
  }
  const bool is_flat = json->is_flat;
  json_open_object(json, key);
  json->is_flat = true;
  if (type_is(ty, TY_SEQ)) {
    put_sequence(json, ty);
  } else {
    json_put_string(json, "kind", type_is(ty, TY_IMAGE) ? "image" : "tensor");
    if (type_is(ty, TY_IMAGE)) json_put_int(json, "dimension", type_dim(ty));
    put_shape(json, type_shape(ty));
  }
  json_close_object(json);
  json->is_flat = is_flat;
}

static void put_params(Json *json, const ApiParamVec *params);

static void put_c_type(Json *json, const char *key, const ApiType *ty) {
  static const char *const kinds[] = {
      [API_POINTER] = "*", [API_CONST] = "const", [API_ARRAY] = "[]", [API_CALLBACK] = "*()"};
  if (ty->kind == API_NAMED) {
    json_put_string(json, key, ty->shown);
    return;
  }
  const bool is_flat = json->is_flat;
  json_open_object(json, key);
  json->is_flat = true;
  json_put_string(json, "kind", kinds[ty->kind]);
  if (ty->kind == API_ARRAY) json_put_int(json, "size", (int64_t)ty->len);
  put_c_type(json, ty->kind == API_CALLBACK ? "return-ty" : "arg", ty->of);
  if (ty->kind == API_CALLBACK) put_params(json, &ty->params);
  json_close_object(json);
  json->is_flat = is_flat;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The role of a parameter is given under both spellings that programs look for. */
static void put_role(Json *json, const char *key, const char *role) {
  json_open_array(json, key);
  json_put_string(json, NULL, role);
  json_close_array(json);
}

static void put_params(Json *json, const ApiParamVec *params) {
  const bool is_flat = json->is_flat; /* a parameter is on one line */
  json_open_array(json, "params");
  for (uint32_t i = 0; i < params->len; i++) {
    const ApiParam *param = &params->data[i];
    json_open_object(json, NULL);
    json->is_flat = true;
    if (param->name) json_put_string(json, "name", param->name);
    put_c_type(json, "param-ty", param->ty);
    put_role(json, "attrs", param->role);
    put_role(json, "attrbs", param->role);
    json_close_object(json);
    json->is_flat = is_flat;
  }
  json_close_array(json);
}

static void put_func(Json *json, const char *key, const ApiFunc *fn) {
  json_open_object(json, key);
  put_c_type(json, "return-ty", fn->result);
  json_put_string(json, "name", fn->name);
  put_params(json, &fn->params);
  json_close_object(json);
}

/* Puts the slots from i on that share a key; returns the next slot. */
static uint32_t put_slots(Json *json, const ApiEntry *entry, uint32_t i) {
  const ApiSlot *slots = entry->slots.data;
  uint32_t end = i + 1;
  while (end < entry->slots.len && strcmp(slots[end].key, slots[i].key) == 0) end++;
  if (end == i + 1) {
    put_func(json, slots[i].key, slots[i].fn);
    return end;
  }
  json_open_array(json, slots[i].key);
  for (; i < end; i++) put_func(json, NULL, slots[i].fn);
  json_close_array(json);
  return end;
}

/* ---- entries --------------------------------------------------------------------------------- */

static void put_entries(Json *json, const char *key, const ApiEntryVec *entries, bool are_inputs) {
  json_open_array(json, key);
  for (uint32_t i = 0; i < entries->len; i++) {
    const ApiEntry *entry = &entries->data[i];
    json_open_object(json, NULL);
    json_put_string(json, "name", entry->name);
    if (entry->description) json_put_string(json, "description", entry->description);
    if (entry->ty) put_type(json, "type", entry->ty);
    uint32_t next = are_inputs ? put_slots(json, entry, 0) : 0;
    if (are_inputs) json_put_bool(json, "has-default", entry->has_default);
    while (next < entry->slots.len) next = put_slots(json, entry, next);
    const bool is_spelled = entry->written && strcmp(entry->written, entry->name) != 0;
    if (is_spelled) json_put_string(json, "written", entry->written);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_field(Json *json, const ApiField *field) {
  const bool is_pointer = strchr(field->type, '*') != NULL;
  json_open_object(json, NULL);
  json->is_flat = true;
  json_put_string(json, "name", field->name);
  json_put_string(json, "type", is_pointer ? "void*" : field->type);
  if (field->len > 1) json_put_int(json, "size", field->len);
  json_close_object(json);
  json->is_flat = false;
}

static void put_struct(Json *json, ApiStructId id) {
  json_put_string(json, "name", api_structs[id].name);
  json_open_array(json, "fields");
  for (const ApiField *field = api_fields; field->name != NULL; field++)
    if (field->of == id && field->len > 0) put_field(json, field);
  json_close_array(json);
}

/* Puts the struct diderot_view_t, and the numbers of its types. */
static void put_view(Json *json) {
  static const char *const types[] = {"",       "int8",  "uint8",  "int16",   "uint16", "int32",
                                      "uint32", "int64", "uint64", "float32", "float64"};
  json_open_object(json, "view");
  put_struct(json, API_VIEW);
  json_open_object(json, "types");
  for (int i = 1; i < (int)(sizeof types / sizeof types[0]); i++) json_put_int(json, types[i], i);
  json_close_object(json);
  json_close_object(json);
}

/* Likewise the frame; its types are those of views. */
static void put_frame(Json *json) {
  static const char *const layouts[] = {"NHWC", "NCHW", "420SP"};
  static const char *const sitings[] = {"centred", "left"};
  json_open_object(json, "frame");
  put_struct(json, API_FRAME);
  json_open_object(json, "layouts");
  for (int i = 0; i < (int)(sizeof layouts / sizeof layouts[0]); i++)
    json_put_int(json, layouts[i], i);
  json_close_object(json);
  json_open_object(json, "sitings");
  for (int i = 0; i < (int)(sizeof sitings / sizeof sitings[0]); i++)
    json_put_int(json, sitings[i], i);
  json_close_object(json);
  json_close_object(json);
}

const char *gen_json(Api *api, const LibraryNames *names) {
  const Cx *cx = api->gen->cx;
  Json json = json_new(cx->arena);
  json_open_object(&json, NULL);
  json_put_string(&json, "program", names->stem);
  json_put_string(&json, "source-file", names->source_file);
  json_put_string(&json, "build-cmd", names->command);
  json_put_string(&json, "version", api->gen->options->version);
  json_put_string(&json, "float-size", cx->is_double ? "64" : "32");
  json_put_string(&json, "int-size", cx->is_long_int ? "64" : "32");
  json_put_string(&json, "target", gen_target_macro(api->gen));
  put_entries(&json, "inputs", &api->inputs, true);
  put_entries(&json, "runtime", &api->runtime, false);
  put_entries(&json, "outputs", &api->outputs, false);
  put_view(&json);
  if (gen_has_frames(api)) put_frame(&json);
  json_open_array(&json, "libraries");
  json.is_flat = true;
  for (const char *const *name = names->libraries; *name; name++)
    json_put_string(&json, NULL, *name);
  json_close_array(&json);
  json.is_flat = false;
  json_close_object(&json);
  return text_str(&json.out);
}

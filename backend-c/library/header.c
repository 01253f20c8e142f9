/* header: the header that clients of a library include, in C or C++. It needs Teem for Nrrd, and no
 * other file of ours.
 */
#include <string.h>

#include "backend-c/library/api.h"

static void gen_configuration(Api *api) {
  Emit *em = &api->gen->em;
  const Cx *cx = api->gen->cx;
  em_define(em, cx->is_double ? "DIDEROT_DOUBLE_PRECISION" : "DIDEROT_SINGLE_PRECISION");
  em_define(em, cx->is_long_int ? "DIDEROT_LONGINT" : "DIDEROT_INT");
  em_define(em, gen_target_macro(api->gen));
}

const char *gen_target_macro(const Gen *gen) {
  switch (gen->options->workers) {
  case BY_ONE_THREAD: return "DIDEROT_TARGET_SEQUENTIAL";
  case BY_THREADS: return "DIDEROT_TARGET_PARALLEL";
  case BY_DEVICE:
    return gen->options->device == DEVICE_HIP ? "DIDEROT_TARGET_HIP" : "DIDEROT_TARGET_CUDA";
  case BY_RANKS: return "DIDEROT_TARGET_MPI";
  }
  UNREACHABLE(gen->cx);
}

static void gen_includes(Emit *em) {
  static const char *const headers[] = {"stdbool.h", "stddef.h", "stdint.h", "string.h",
                                        "teem/nrrd.h"};
  em_blank(em);
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) em_include_system(em, headers[i]);
}

/* Shared by all libraries that a client includes. */
static void gen_struct(Emit *em, ApiStructId id) {
  const ApiStruct *shown = &api_structs[id];
  em_blank(em);
  em_open_guard(em, shown->guard);
  em_comment(em, shown->meaning);
  for (const ApiField *field = api_fields; field->name != NULL; field++)
    if (field->of == id && field->len == 0) em_constants(em, field->name);
  em_open_typedef(em, shown->tag);
  for (const ApiField *field = api_fields; field->name != NULL; field++) {
    if (field->of != id || field->len == 0) continue;
    em_comment(em, field->meaning);
    em_field(em, field->type, field->name, field->len);
  }
  em_close_typedef(em, shown->name);
  em_close_guard(em);
}

static void gen_prototype(Api *api, const ApiFunc *fn) {
  const CFunc head = gen_api_head(api, fn);
  em_prototype(&api->gen->em, &head);
}

CFunc gen_api_head(Api *api, const ApiFunc *fn) {
  CFunc head = {.qualifiers = "", .result = api_c_type(api, fn->result), .name = fn->name};
  for (uint32_t i = 0; i < fn->params.len; i++)
    vec_push(api->gen->cx->arena, &head.params, api_c_param(api, &fn->params.data[i]));
  return head;
}

typedef VEC(const char *) Said;

static bool has_string(const Said *list, const char *text) {
  for (uint32_t i = 0; i < list->len; i++)
    if (strcmp(list->data[i], text) == 0) return true;
  return false;
}

/* The purpose of several functions is explained once, at the first of them. */
static void gen_entry(Api *api, const ApiEntry *entry, Said *said) {
  Emit *em = &api->gen->em;
  if (entry->description) em_extern(em, "const char *", entry->symbol);
  for (uint32_t i = 0; i < entry->slots.len; i++) {
    const ApiFunc *fn = entry->slots.data[i].fn;
    if (!has_string(said, fn->meaning)) {
      em_comment(em, fn->meaning);
      vec_push(em->cx->arena, said, fn->meaning);
    }
    gen_prototype(api, fn);
  }
}

static void gen_entries(Api *api, const ApiEntryVec *entries, const char *title) {
  if (entries->len == 0) return;
  em_blank(&api->gen->em);
  em_comment(&api->gen->em, title);
  em_blank(&api->gen->em);
  Said said = {0};
  for (uint32_t i = 0; i < entries->len; i++) gen_entry(api, &entries->data[i], &said);
}

/* _ISO_H_ of iso. */
static const char *guard_name(Cx *cx, const char *stem) {
  char *guard = (char *)arena_strdup(cx->arena, stem, strlen(stem));
  for (char *c = guard; *c; c++) {
    const bool is_lower = *c >= 'a' && *c <= 'z', is_upper = *c >= 'A' && *c <= 'Z';
    const bool is_digit = *c >= '0' && *c <= '9';
    if (is_lower) *c = (char)(*c - 'a' + 'A');
    else if (!is_upper && !is_digit) *c = '_';
  }
  return text_format(cx->arena, "_%s_H_", guard);
}

const char *gen_header(Api *api, const LibraryNames *names) {
  Cx *cx = api->gen->cx;
  Emit *em = &api->gen->em;
  const char *world = text_format(cx->arena, "%s_struct_world", api->prefix);
  *em = (Emit){.cx = cx, .out = text_new(cx->arena)};
  em_comment(em, text_format(cx->arena, "The library %s, made by diderotc %s.", names->stem,
                             api->gen->options->version));
  em_open_guard(em, guard_name(cx, names->stem));
  em_blank(em);
  gen_configuration(api);
  gen_includes(em);
  em_blank(em);
  em_open_c_linkage(em);
  gen_struct(em, API_VIEW);
  if (gen_has_frames(api)) gen_struct(em, API_FRAME);
  em_blank(em);
  em_typedef_struct(em, world, api->world->of->name);
  gen_entries(api, &api->runtime,
              "One run of the program. A bool is true when the call failed. get_errors says why, "
              "and its text is freed with free.");
  gen_entries(api, &api->inputs,
              "Inputs, between init_world and create_strands. An image takes over the data of its "
              "Nrrd, and may read that of its view or frame, until shutdown.");
  gen_entries(api, &api->outputs,
              "Outputs, after create_strands. Nrrds own what they get. A view holds until the next "
              "one of the same output, run or shutdown.");
  em_blank(em);
  em_close_c_linkage(em);
  em_close_guard(em);
  return text_str(&em->out);
}

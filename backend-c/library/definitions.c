/* definitions: the definitions of a library's functions. Each is one call of the runtime
 * (runtime/include/ddr/library.h). Only these functions are visible; everything else in the library
 * is hidden. */
#include <string.h>

#include "backend-c/library/api.h"

static void gen_definition(Api *api, const ApiFunc *fn) {
  Emit *em = &api->gen->em;
  const CFunc head = gen_api_head(api, fn);
  const bool is_void = fn->result->kind == API_NAMED && strcmp(fn->result->name, "void") == 0;
  em_blank(em);
  em_open_func(em, &head);
  if (is_void) em_expr(em, fn->call);
  else em_return(em, fn->call);
  em_close(em);
}

static void gen_description(Api *api, const ApiEntry *entry) {
  if (!entry->description) return;
  em_blank(&api->gen->em);
  em_declare(&api->gen->em, "const char *", entry->symbol,
             c_string(api->gen->cx, entry->description));
}

static void gen_entries(Api *api, const ApiEntryVec *entries) {
  for (uint32_t i = 0; i < entries->len; i++) {
    gen_description(api, &entries->data[i]);
    for (uint32_t k = 0; k < entries->data[i].slots.len; k++)
      gen_definition(api, entries->data[i].slots.data[k].fn);
  }
}

static const char *gen_api(Api *api, const LibraryNames *names) {
  Cx *cx = api->gen->cx;
  Emit *em = &api->gen->em;
  *em = (Emit){.cx = cx, .out = text_new(cx->arena)};
  em_comment(em, text_format(cx->arena, "Functions of the library %s, made by diderotc %s.",
                             names->stem, api->gen->options->version));
  em_blank(em);
  em_pragma(em, "GCC visibility push(default)");
  em_include(em, text_format(cx->arena, "%s.h", names->stem));
  em_pragma(em, "GCC visibility pop");
  em_blank(em);
  em_include(em, "ddr/library.h");
  gen_entries(api, &api->runtime);
  gen_entries(api, &api->inputs);
  gen_entries(api, &api->outputs);
  return text_str(&em->out);
}

void gen_library(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                 const LibraryNames *names, LibraryTexts *texts) {
  Gen gen = {.cx = cx, .program = program, .options = options};
  Api *api = api_new(&gen, names->prefix);
  texts->header = gen_header(api, names);
  texts->functions = gen_api(api, names);
  texts->json = gen_json(api, names);
  texts->visible = text_format(cx->arena, "%s_*", names->prefix);
}

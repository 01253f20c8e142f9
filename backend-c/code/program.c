/* program: emits the whole file of a program for the host. Next: tables.c. */
#include <stdlib.h>
#include <string.h>

#include "backend-c/code/local.h"
#include "backend-c/types/storage.h"

static bool has_images(const Module *m) {
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (type_is(m->globals.data[i].ty, TY_IMAGE)) return true;
  return false;
}

static bool has_other_samples(const Module *m) {
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i].samples != SAMPLE_REAL) return true;
  return false;
}

/* The outside value of a tensor image is an array of constants, like sequences. */
static bool has_outside(const Module *m) {
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i].kind == GLOBAL_INPUT && m->globals.data[i].use.outside) return true;
  return false;
}

typedef VEC(const char *) HeaderVec;

static int by_name(const void *a, const void *b) {
  const char *const *left = a, *const *right = b;
  return strcmp(*left, *right);
}

static bool reduces(const Gen *gen, const Execution *how) {
  uint32_t needs = gen_needs(gen, gen_find(gen, FN_UPDATE)) | how->given_needs;
  if (how->create)
    needs |= gen_needs(gen, gen_find(gen, FN_ARGS)) | gen_needs(gen, gen_find(gen, FN_CREATE));
  return (needs & NEED_REDUCE) != 0;
}

static void add_headers(Gen *gen, const Execution *how, HeaderVec *headers) {
  for (const ExecutionHeader *row = how->headers; row->header; row++)
    if (row->when == HEADER_ALWAYS ||
        (row->when == HEADER_WITH_IMAGES && has_images(gen->program->module)) ||
        (row->when == HEADER_WITH_NARROW && has_other_samples(gen->program->module)) ||
        (row->when == HEADER_WITH_COPIES && gen_needs_anywhere(gen, NEED_COPIES)) ||
        (row->when == HEADER_WITH_WINDOWS && gen_needs_anywhere(gen, NEED_WINDOW)) ||
        (row->when == HEADER_WITH_EIGEN && gen_needs_anywhere(gen, NEED_EIGEN)) ||
        (row->when == HEADER_WITH_LISTS && gen_uses_pool(gen)) ||
        (row->when == HEADER_WITH_GROUPS && gen->has_groups) ||
        (row->when == HEADER_WITH_CREATION && how->create) ||
        (row->when == HEADER_WITH_EFFORT && how->has_both) ||
        (row->when == HEADER_WITH_QUERIES && gen_needs_anywhere(gen, NEED_QUERIES)) ||
        (row->when == HEADER_WITH_REDUCTIONS && reduces(gen, how)) ||
        (row->when == HEADER_WITH_MEMBERS && how->gives_values))
      vec_push(gen->cx->arena, headers, row->header);
}

/* In alphabetical order. */
static void gen_includes(Gen *gen) {
  const bool with_images = has_images(gen->program->module);
  const bool with_others = has_other_samples(gen->program->module);
  const struct {
    bool is_used;
    const char *header;
  } rows[] = {
      {gen->options->has_device, "ddr/device/device.h"},
      {gen_needs_anywhere(gen, NEED_EIGEN), "ddr/eigen.h"},
      {gen->options->is_profiled, "ddr/profile.h"},
      {true, "ddr/program.h"},
      {gen_needs_anywhere(gen, NEED_REDUCE), "ddr/reduce.h"},
      {with_images && !with_others, "ddr/row.h"},
      {with_others, "ddr/row_load.h"},
      {!with_images, "ddr/scalar.h"},
      {gen_n_samplings(gen) > 0, "ddr/lanes/sampling.h"},
      {gen->has_seqs || has_outside(gen->program->module), "ddr/seq.h"},
      {gen->options->is_traced, "ddr/trace.h"},
      {gen_needs_anywhere(gen, NEED_QUERIES), "ddr/host/spatial.h"},
      {with_images, "ddr/tap.h"},
  };
  HeaderVec headers = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].is_used) vec_push(gen->cx->arena, &headers, rows[i].header);
  add_headers(gen, gen->how, &headers);
  if (gen->update_how) add_headers(gen, gen->update_how, &headers);
  qsort(headers.data, headers.len, sizeof *headers.data, by_name);
  for (uint32_t i = 0; i < headers.len; i++)
    if (i == 0 || strcmp(headers.data[i - 1], headers.data[i]) != 0)
      em_include(&gen->em, headers.data[i]);
}

void gen_head(Gen *gen) {
  Emit *em = &gen->em;
  em_comment(em, text_format(gen->cx->arena, "%s, compiled by diderotc %s.", gen->options->program,
                             gen->options->version));
  em_blank(em);
  for (const char *const *all = gen->options->definitions; all && *all; all++) em_define(em, *all);
  if (gen->cx->is_double) em_define(em, "DDR_DOUBLE");
  if (gen->cx->is_long_int) em_define(em, "DDR_LONG_INT");
  gen_includes(gen);
  if (!gen->how->string_header || !gen_needs_anywhere(gen, NEED_STRINGS)) return;
  em_blank(em);
  em_include_system(em, gen->how->string_header);
}

static void gen_func_by(Gen *gen, const TreeFunc *fn, const Execution *how) {
  const Execution *others = gen->how;
  gen->how = how;
  gen_func(gen, fn);
  gen->how = others;
}

static void gen_own_function(Gen *gen, const TreeFunc *fn) {
  const Execution *update = gen->update_how;
  const bool is_done = update && update->method && update->method(gen, fn);
  const bool is_own = fn->kind == FN_USER || fn->kind == FN_CREATE || func_is_method(fn->kind);
  if (!is_done && is_own) gen_func_by(gen, fn, update && fn->kind == FN_UPDATE ? update : gen->how);
  if (fn->kind == FN_CREATE && gen_needs_anywhere(gen, NEED_BIRTHS)) gen_birth(gen, fn);
}

void gen_open(Gen *gen, Cx *cx, const TreeProgram *program, const EmitOptions *options,
              const Execution *how) {
  *gen = (Gen){.cx = cx, .program = program, .options = options, .how = how};
  gen->em =
      (Emit){.cx = cx, .out = text_new(cx->arena), .with_line_marks = options->with_line_marks};
  gen_survey(gen);
}

const char *gen_program(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        GenChoice *choose) {
  Gen gen;
  gen_open(&gen, cx, program, options, &one_strand);
  gen.update_how = choose(&gen);
  gen_head(&gen);
  gen_structs(&gen);
  gen_shared_struct(&gen);
  if (gen.update_how && gen.update_how->structs) gen.update_how->structs(&gen);
  gen_owners(&gen);
  gen_share(&gen);
  for (uint32_t i = 0; i < program->funcs.len; i++) gen_own_function(&gen, program->funcs.data[i]);
  gen_global_functions(&gen);
  gen_block_functions(&gen);
  gen_samplings(&gen);
  gen_tables(&gen);
  return text_str(&gen.em.out);
}

const MemoryPlace *gen_memory(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                              GenChoice *choose) {
  Gen gen;
  gen_open(&gen, cx, program, options, &one_strand);
  const Execution *how = choose(&gen);
  const StorageParts parts = {.has_shared = gen_has_shared(&gen),
                              .is_dual = gen_is_dual(&gen),
                              .has_columns = options->device != DEVICE_NONE,
                              .has_groups = gen.has_groups,
                              .running_title = how ? how->states_title : NULL,
                              .running_axis = how ? how->states_axis : NULL};
  return storage_places(cx, program, &parts);
}

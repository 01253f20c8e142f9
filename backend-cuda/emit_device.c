/* emit_device: the file that nvcc or hipcc compiles. It has the types and functions of the program
 * as on the host, kernels that call them, and the table through which the runtime launches these
 * kernels (ddr/device/device.h). Next: emit_kernels.c.
 */
#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* ---- what a device can run ------------------------------------------------------------------- */

/* Sequences of strings are not copied between host and device: only the pointers to the characters
 * would be. */
static bool has_dynamic_strings(const Type *ty) {
  const bool is_dynamic = type_is_dynamic_seq(ty);
  while (type_is(ty, TY_SEQ)) ty = type_elem(ty);
  return is_dynamic && type_is(ty, TY_STRING);
}

static bool holds_strings(const Type *ty) {
  while (type_is_fixed_seq(ty)) ty = type_elem(ty);
  return type_is(ty, TY_STRING);
}

static bool host_reads_state(const Gen *gen, const Map *funcs) {
  for (uint32_t i = 0; i < gen->program->funcs.len; i++) {
    const TreeFunc *fn = gen->program->funcs.data[i];
    if (!map_has(funcs, fn) && gen_needs(gen, fn) & NEED_STATES) return true;
  }
  return false;
}

static const char *find_obstacle(const Gen *gen, const Map *funcs) {
  const Module *m = gen->program->module;
  if (gen_needs_anywhere(gen, NEED_CHECKS)) return "--debug checks indices and divisors";
  for (uint32_t i = 0; i < m->state.len; i++) {
    if (has_dynamic_strings(m->state.data[i].ty)) return "strands keep sequences of strings";
    if (holds_strings(m->state.data[i].ty) && host_reads_state(gen, funcs))
      return "strands that global code looks at keep strings";
  }
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (has_dynamic_strings(m->globals.data[i].ty)) return "it has global sequences of strings";
  return NULL;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void describe_global(Gen *gen, uint32_t i) {
  CExpr *field = name(gen, gen->program->globals[i].field);
  const char *type = gen_type(gen, gen->program->module->globals.data[i].ty);
  em_open_row(&gen->em);
  em_member(&gen->em, "offset", c_call2(gen->cx, "offsetof", name(gen, "struct globals"), field));
  em_member(&gen->em, "size", c_call1(gen->cx, "sizeof", name(gen, type)));
  em_close_row(&gen->em);
}

static bool is_image(const Type *ty) { return type_is(ty, TY_IMAGE); }

/* Emits a table of the globals for which is_one holds, and returns its length. An empty table is
 * not emitted. */
static uint32_t gen_globals_that(Gen *gen, bool (*is_one)(const Type *), const char *table) {
  const Module *m = gen->program->module;
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->globals.len; i++) n += is_one(m->globals.data[i].ty);
  if (n == 0) return 0;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_column", table);
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (is_one(m->globals.data[i].ty)) describe_global(gen, i);
  em_close_table(&gen->em);
  return n;
}

/* The heap from which strands take memory, for each kind of need. */
static const struct {
  uint32_t need;
  const char *heap;
} heaps[] = {
    {NEED_BIRTHS, "DDR_HEAP_BIRTHS"},
    {NEED_POOL | NEED_QUERIES, "DDR_HEAP_SEQUENCES"},
    {NEED_TEXT, "DDR_HEAP_PRINTS"},
};

static void gen_heaps(Gen *gen, const Map *funcs) {
  Cx *cx = gen->cx;
  uint32_t needs = 0;
  for (uint32_t i = 0; i < map_len(funcs); i++) needs |= gen_needs(gen, map_key(funcs, i));
  CExpr *all = NULL;
  for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) {
    if (!(needs & heaps[i].need)) continue;
    CExpr *bit = c_binary(cx, "<<", c_int(cx, 1), name(gen, heaps[i].heap));
    all = all ? c_binary(cx, "|", all, bit) : bit;
  }
  if (all) em_member(&gen->em, "heaps", all);
}

/* Whether code that runs on the host, even when strands run on a device, reads samples. */
static bool host_reads_samples(const Gen *gen) {
  static const FuncKind kinds[] = {FN_GLOBALS, FN_BOUNDS, FN_GLOBAL_START, FN_GLOBAL_UPDATE};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const TreeFunc *fn = gen_find(gen, kinds[i]);
    if (fn && gen_needs(gen, fn) & NEED_TAPS) return true;
  }
  return false;
}

static void gen_table(Gen *gen, const Map *funcs, uint32_t n_images, uint32_t n_strings,
                      bool has_reductions, bool has_radius, SequenceTables sequences) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CExpr *n_columns = c_binary(cx, "/", c_call1(cx, "sizeof", name(gen, "columns")),
                              c_call1(cx, "sizeof", name(gen, "ddr_column")));
  em_blank(em);
  em_open_record(em, "const ddr_device_program", "ddr_device_main");
  em_member(em, "engine", c_unary(cx, "&", name(gen, "ddr_cuda")));
  em_member(em, "n_columns", n_columns);
  em_member(em, "n_images", c_int(cx, n_images));
  em_member(em, "n_strings", c_int(cx, n_strings));
  gen_heaps(gen, funcs);
  const uint32_t n_births = device_births_at_most(gen);
  if (n_births > 0) em_member(em, "births_at_most", c_int(cx, n_births));
  if (host_reads_samples(gen)) em_member(em, "host_reads_samples", name(gen, "true"));
  device_describe_arguments(gen);
  em_member(em, "columns", name(gen, "columns"));
  em_member(em, "images", name(gen, n_images > 0 ? "images" : "NULL"));
  em_member(em, "strings", name(gen, n_strings > 0 ? "strings" : "NULL"));
  em_member(em, "create", name(gen, "create"));
  em_member(em, "update", name(gen, "update"));
  if (gen_has_stabilize(gen)) em_member(em, "stabilize", name(gen, "stabilize"));
  if (has_reductions) em_member(em, "reductions", name(gen, "reductions"));
  if (has_radius) em_member(em, "radius", name(gen, "radius"));
  device_describe_sequences(gen, sequences);
  em_close_table(em);
}

/* ---- the file -------------------------------------------------------------------------------- */

const char *device_text(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        const char **obstacle) {
  const Execution how = device_thread();
  DeviceVars vars = {.hits = map_new(cx->arena),
                     .voxels = map_new(cx->arena),
                     .offsets = map_new(cx->arena),
                     .rows = map_new(cx->arena),
                     .corners = map_new(cx->arena),
                     .each = map_new(cx->arena)};
  Gen gen;
  gen_open(&gen, cx, program, options, &how);
  gen.execution = &vars;
  const Map *funcs = device_funcs(&gen);
  *obstacle = find_obstacle(&gen, funcs);
  if (*obstacle) return NULL;
  gen_head(&gen);
  em_include(&gen.em, "ddr/device/methods.h");
  gen_structs(&gen);
  gen_shared_struct(&gen);
  device_gen_arguments(&gen);
  for (uint32_t i = 0; i < program->funcs.len; i++) {
    const TreeFunc *fn = program->funcs.data[i];
    if (!map_has(funcs, fn) || fn->kind == FN_ARGS) continue;
    gen_func(&gen, fn);
    if (fn->kind == FN_CREATE && gen_needs_anywhere(&gen, NEED_BIRTHS)) gen_birth(&gen, fn);
  }
  device_gen_columns(&gen);
  device_gen_kernels(&gen);
  const uint32_t n_images = gen_globals_that(&gen, is_image, "images");
  const uint32_t n_strings = gen_globals_that(&gen, holds_strings, "strings");
  const bool has_reductions = device_gen_reductions(&gen);
  const bool has_radius = device_gen_radius(&gen, funcs);
  gen_table(&gen, funcs, n_images, n_strings, has_reductions, has_radius,
            device_gen_sequences(&gen));
  return text_str(&gen.em.out);
}

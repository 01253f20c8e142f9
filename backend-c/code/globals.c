/* globals: code for globals: defaults of inputs, initial values, iterator bounds, and the global
 * blocks.
 */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static void open_function(Gen *gen, const CFunc *head) {
  em_blank(&gen->em);
  em_open_func(&gen->em, head);
}

/* ---- defaults -------------------------------------------------------------------------------- */

static bool has_stored_default(const Global *global) {
  return global->kind == GLOBAL_INPUT && global->value && !type_is(global->ty, TY_IMAGE) &&
         !type_is_dynamic_seq(global->ty);
}

static CExpr *component_value(Gen *gen, const Global *global, uint32_t k) {
  if (type_is(global->ty, TY_SEQ)) return gen_seq_constant(gen, global->value);
  return gen_scalar_constant(gen, global->value, k);
}

static void gen_default(Gen *gen, uint32_t idx) {
  const Global *global = &gen->program->module->globals.data[idx];
  em_source(&gen->em, global->span);
  for (uint32_t k = 0; k < tree_component_count(global->ty); k++)
    em_assign(&gen->em, gen_global(gen, (VarRef){.index = idx, .component = k}),
              component_value(gen, global, k));
}

static void gen_defaults(Gen *gen) {
  const Module *m = gen->program->module;
  CFunc head = {.qualifiers = "static", .result = "void", .name = "defaults"};
  em_param(gen->cx, &head, "void *", "memory");
  open_function(gen, &head);
  bool is_open = false;
  for (uint32_t i = 0; i < m->globals.len; i++) {
    if (!has_stored_default(&m->globals.data[i])) continue;
    if (!is_open) gen_declare_globals(gen, false);
    is_open = true;
    gen_default(gen, i);
  }
  if (!is_open) em_unused(&gen->em, "memory");
  em_close(&gen->em);
}

/* ---- initial values -------------------------------------------------------------------------- */

/* The first arguments of every load: the world, the name of the global and its file. */
static CExprVec load_args(Gen *gen, uint32_t idx) {
  Cx *cx = gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(gen, "world"));
  c_push(cx, &args, c_string(cx, gen->program->globals[idx].shown));
  c_push(cx, &args, c_string(cx, gen->program->module->globals.data[idx].file));
  return args;
}

static void load_image(Gen *gen, uint32_t idx) {
  Cx *cx = gen->cx;
  const Global *global = &gen->program->module->globals.data[idx];
  CExprVec args = load_args(gen, idx);
  c_push(cx, &args, c_int(cx, type_dim(global->ty)));
  c_push(cx, &args, c_int(cx, (int64_t)shape_size(type_shape(global->ty))));
  c_push(cx, &args, gen_sample_type(gen, global->samples));
  CExpr *field = gen_global(gen, (VarRef){.index = idx, .component = WHOLE});
  em_source(&gen->em, global->span);
  em_assign(&gen->em, field, c_call(cx, "ddr_load_image", args));
  em_open_if(&gen->em, c_binary(cx, "==", field, name(gen, "NULL")));
  em_return(&gen->em, name(gen, "DDR_ERROR"));
  em_close(&gen->em);
}

/* On failure the error is recorded, and the sequence is empty. */
static void load_sequence(Gen *gen, uint32_t idx) {
  Cx *cx = gen->cx;
  const Global *global = &gen->program->module->globals.data[idx];
  CExprVec args = load_args(gen, idx);
  c_push(cx, &args, name(gen, gen_kind(gen, gen_scalar_type(gen, global->ty), global->span)));
  c_push(cx, &args, c_int(cx, (int64_t)gen_scalar_count(global->ty)));
  em_source(&gen->em, global->span);
  em_assign(&gen->em, gen_global(gen, (VarRef){.index = idx, .component = WHOLE}),
            c_call(cx, "ddr_load_sequence", args));
  em_open_if(&gen->em, c_call1(cx, "ddr_any_errors", name(gen, "world")));
  em_return(&gen->em, name(gen, "DDR_ERROR"));
  em_close(&gen->em);
}

static bool loads_files(const Gen *gen) {
  const Module *m = gen->program->module;
  for (uint32_t i = 0; i < m->globals.len; i++) {
    GlobalKind kind = m->globals.data[i].kind;
    if (kind == GLOBAL_IMAGE || kind == GLOBAL_SEQ) return true;
  }
  return false;
}

/* Opens a function that gets the world, with the declarations that its body expects. */
static void open_world(Gen *gen, uint32_t needs, bool is_const) {
  if (needs & NEED_GLOBALS) gen_declare_globals(gen, is_const);
  else em_unused(&gen->em, "memory");
  if (needs & NEED_POOL)
    em_declare(&gen->em, "ddr_pool *", "pool",
               c_call1(gen->cx, "ddr_world_pool", name(gen, "world")));
  if (needs & NEED_TEXT)
    em_declare(&gen->em, "ddr_text *", "text",
               c_call1(gen->cx, "ddr_world_text", name(gen, "world")));
  else if (!(needs & (NEED_WORLD | NEED_POOL))) em_unused(&gen->em, "world");
}

static void gen_init(Gen *gen) {
  const TreeFunc *fn = gen_find(gen, FN_GLOBALS);
  const Module *m = gen->program->module;
  CFunc head = {.qualifiers = "static", .result = "ddr_status", .name = "init_globals"};
  em_param(gen->cx, &head, "ddr_world *", "world");
  em_param(gen->cx, &head, "void *", "memory");
  open_function(gen, &head);
  uint32_t needs = fn ? gen_needs(gen, fn) : 0;
  if (loads_files(gen)) needs |= NEED_GLOBALS | NEED_WORLD;
  open_world(gen, needs, false);
  for (uint32_t i = 0; i < m->globals.len; i++) {
    if (m->globals.data[i].kind == GLOBAL_IMAGE) load_image(gen, i);
    if (m->globals.data[i].kind == GLOBAL_SEQ) load_sequence(gen, i);
  }
  if (fn) gen_body(gen, fn);
  else em_return(&gen->em, name(gen, "DDR_OK"));
  em_close(&gen->em);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void gen_bounds(Gen *gen) {
  const TreeFunc *fn = gen_find(gen, FN_BOUNDS);
  if (!fn) BUG(gen->cx, "a program without iterator bounds");
  CFunc head = {.qualifiers = "static", .result = "void", .name = "bounds"};
  em_param(gen->cx, &head, "ddr_world *", "world");
  em_param(gen->cx, &head, "const void *", "memory");
  em_param(gen->cx, &head, "int64_t *", "lo");
  em_param(gen->cx, &head, "int64_t *", "hi");
  open_function(gen, &head);
  open_world(gen, gen_needs(gen, fn), true);
  if (gen->program->module->n_iters == 0) {
    em_unused(&gen->em, "lo");
    em_unused(&gen->em, "hi");
  }
  gen_body(gen, fn);
  em_close(&gen->em);
}

/* ---- global blocks --------------------------------------------------------------------------- */

static void gen_global_block(Gen *gen, const TreeFunc *fn) {
  if (!fn) return;
  gen_member_functions(gen, fn);
  CFunc head = {.qualifiers = "static", .result = "void", .name = fn->name};
  em_param(gen->cx, &head, "ddr_world *", "world");
  em_param(gen->cx, &head, "void *", "memory");
  em_param(gen->cx, &head, "ddr_strands *", "strands");
  open_function(gen, &head);
  uint32_t needs = gen_needs(gen, fn);
  open_world(gen, needs, false);
  if (needs & NEED_STATES)
    em_declare(&gen->em, text_format(gen->cx->arena, "const %s", gen_store_pointer(gen)), "states",
               c_arrow(gen->cx, name(gen, "strands"), "state"));
  else em_unused(&gen->em, "strands");
  gen_body(gen, fn);
  em_close(&gen->em);
}

void gen_global_functions(Gen *gen) {
  gen_defaults(gen);
  gen_init(gen);
  gen_bounds(gen);
  gen_global_block(gen, gen_find(gen, FN_GLOBAL_START));
  gen_global_block(gen, gen_find(gen, FN_GLOBAL_UPDATE));
}

/* From_tast: typed tree to HIGH. This file makes the tables of the module and one Func for each
 * part of the program; statements and expressions are lowered by its neighbours, see local.h.
 * Invariant: only values and plain images are globals; fields and kernels are expanded at each use.
 * Next: from_tast_stmt.c.
 */
#include "ir/high/from_tast.h"

#include <string.h>

#include "ir/high/local.h"

/* ---- globals --------------------------------------------------------------------------------- */

static uint32_t add_global(Unit *unit, Global global) {
  vec_push(unit->cx->arena, &unit->module->globals, global);
  return unit->module->globals.len - 1;
}

static void name_global(Unit *unit, const TVar *var, uint32_t index) {
  uint32_t *boxed = NEW(unit->cx->arena, uint32_t);
  *boxed = index;
  map_put(unit->globals, var, boxed);
}

uint32_t unit_load(Unit *unit, const Name *name, const TExpr *load) {
  Module *m = unit->module;
  bool is_image = load->kind == TE_LOAD_IMAGE;
  GlobalKind kind = is_image ? GLOBAL_IMAGE : GLOBAL_SEQ;
  for (uint32_t i = 0; i < m->globals.len; i++) {
    const Global *global = &m->globals.data[i];
    if (global->kind == kind && global->ty == load->ty &&
        strcmp(global->file, load->u.load.file) == 0)
      return i;
  }
  if (!name) name = module_unused_name(m, is_image ? "image" : "sequence");
  return add_global(unit, (Global){.kind = kind,
                                   .name = name,
                                   .ty = load->ty,
                                   .file = load->u.load.file,
                                   .samples = load->u.load.samples,
                                   .span = load->span});
}

uint32_t unit_hidden_global(Unit *unit, const Name *name, const TExpr *expr) {
  return module_add_var(unit->module, name->text, expr->ty, expr->span);
}

/* Whether the variable is initialised by a load and never assigned. */
static bool is_load(const TVar *var) {
  if (!var->init || var->is_set_globally) return false;
  return var->init->kind == TE_LOAD_IMAGE || var->init->kind == TE_LOAD_SEQ;
}

static void add_inputs(Unit *unit) {
  const TVarVec *inputs = &unit->program->inputs;
  for (uint32_t i = 0; i < inputs->len; i++) {
    const TVar *var = inputs->data[i];
    Global global = {.kind = GLOBAL_INPUT, .name = var->name, .ty = var->ty, .span = var->span};
    global.description = var->input->description;
    global.value = var->input->value;
    if (var->input->load) {
      global.file = var->input->load->u.load.file;
      global.samples = var->input->load->u.load.samples;
    }
    name_global(unit, var, add_global(unit, global));
  }
}

static void add_globals(Unit *unit) {
  const TVarVec *globals = &unit->program->globals;
  for (uint32_t i = 0; i < globals->len; i++) {
    const TVar *var = globals->data[i];
    if (var->kind != TV_GLOBAL) continue;
    if (is_load(var)) {
      name_global(unit, var, unit_load(unit, var->name, var->init));
    } else if (!type_is_abstract(var->ty)) {
      Global global = {.kind = GLOBAL_VAR, .name = var->name, .ty = var->ty, .span = var->span};
      name_global(unit, var, add_global(unit, global));
    }
  }
}

/* ---- strands --------------------------------------------------------------------------------- */

static void add_params(Unit *unit) {
  const TVarVec *params = &unit->program->strand->params;
  for (uint32_t i = 0; i < params->len; i++) {
    const TVar *var = params->data[i];
    StrandParam param = {.name = var->name, .ty = var->ty, .span = var->span};
    vec_push(unit->cx->arena, &unit->module->params, param);
  }
}

static void add_state(Unit *unit, TVar *var) {
  StateVar state = {.name = var->name,
                    .ty = var->ty,
                    .is_output = var->is_output,
                    .is_varying = var->is_varying,
                    .is_shared = var->is_shared,
                    .span = var->span};
  vec_push(unit->cx->arena, &unit->module->state, state);
  vec_push(unit->cx->arena, &unit->state, var);
}

typedef struct ParamSet {
  const TVar *param;
  bool is_read;
} ParamSet;

static void note_param(void *context, const TVar *var) {
  ParamSet *set = context;
  if (var == set->param) set->is_read = true;
}

/* Strand parameters outlive the creation only when a method reads them. */
static bool is_read_by_methods(const TStrand *strand, const TVar *param) {
  ParamSet set = {.param = param};
  stmt_each_read(strand->start, note_param, &set);
  stmt_each_read(strand->update, note_param, &set);
  stmt_each_read(strand->stabilize, note_param, &set);
  return set.is_read;
}

static void add_states(Unit *unit) {
  const TStrand *strand = unit->program->strand;
  for (uint32_t i = 0; i < strand->params.len; i++)
    if (is_read_by_methods(strand, strand->params.data[i])) add_state(unit, strand->params.data[i]);
  for (uint32_t i = 0; i < strand->state.len; i++) add_state(unit, strand->state.data[i]);
}

/* ---- functions of the program ---------------------------------------------------------------- */

Body unit_begin(Unit *unit, FuncKind kind, const char *name, Span span) {
  return body_new(unit, func_new(unit->module, kind, name_from(unit->cx->names, name), span));
}

static void lower_globals(Unit *unit) {
  const TProgram *program = unit->program;
  Body body = unit_begin(unit, FN_GLOBALS, "globals", program->strand->span);
  record_inputs(&body);
  for (uint32_t i = 0; i < program->globals.len; i++) {
    const TVar *var = program->globals.data[i];
    if (!map_has(unit->globals, var) || is_load(var) || !var->init) continue;
    const uint32_t *index = map_get(unit->globals, var);
    Value *value = lower_expr(&body, var->init);
    record_var(&body, var, var->span, value);
    body.b.span = var->span;
    build_effect(&body.b, OP_GLOBAL_STORE, (Attr){.var = {*index, WHOLE}}, &value, 1);
  }
  if (program->initialize) lower_stmt(&body, program->initialize);
  lower_sources(&body);
  if (body.is_open) lower_leave(&body, EXIT_RETURN, program->strand->span);
}

/* The last character. */
static Span brace_of(const TStmt *block) {
  const uint32_t end = block->span.end;
  return (Span){end > block->span.start ? end - 1 : end, end};
}

static void lower_method(Unit *unit, FuncKind kind, const char *name, const TStmt *stmt) {
  if (!stmt) return;
  Body body = unit_begin(unit, kind, name, stmt->span);
  for (uint32_t i = 0; i < unit->state.len; i++) {
    const TVar *var = unit->state.data[i];
    body_set(&body, var, block_add_param(body.b.block, var->ty, var->name));
  }
  lower_stmt(&body, stmt);
  ExitKind end = kind == FN_STABILIZE ? EXIT_STABILIZE : EXIT_ACTIVE;
  if (!body.is_open) return;
  if (kind == FN_UPDATE) record_exit(&body, end, brace_of(stmt));
  lower_leave(&body, end, stmt->span);
}

static void lower_global_block(Unit *unit, FuncKind kind, const char *name, const TStmt *stmt) {
  if (!stmt) return;
  Body body = unit_begin(unit, kind, name, stmt->span);
  lower_stmt(&body, stmt);
  if (body.is_open) lower_leave(&body, EXIT_RETURN, stmt->span);
}

/* Callees before callers: functions of the user in the order of their declaration, then the rest.
 */
static void order_funcs(Unit *unit) {
  FuncVec ordered = {0};
  const TFunVec *funs = &unit->program->functions;
  for (uint32_t i = 0; i < funs->len; i++) {
    Func *fn = map_get(unit->funcs, funs->data[i]);
    if (fn) vec_push(unit->cx->arena, &ordered, fn);
    Func *quiet = map_get(unit->quiet_funcs, funs->data[i]);
    if (quiet) vec_push(unit->cx->arena, &ordered, quiet);
    Func *unchecked = map_get(unit->unchecked_funcs, funs->data[i]);
    if (unchecked) vec_push(unit->cx->arena, &ordered, unchecked);
  }
  for (uint32_t i = 0; i < unit->module->funcs.len; i++) {
    Func *fn = unit->module->funcs.data[i];
    if (fn->kind != FN_USER) vec_push(unit->cx->arena, &ordered, fn);
  }
  unit->module->funcs = ordered;
}

/* ---- entry ----------------------------------------------------------------------------------- */

Module *high_from_tast(Cx *cx, const TProgram *program) {
  const TStrand *strand = program->strand;
  Unit unit = {.cx = cx, .program = program, .module = module_new(cx, LEVEL_HIGH)};
  unit.globals = map_new(cx->arena);
  unit.funcs = map_new(cx->arena);
  unit.quiet_funcs = map_new(cx->arena);
  unit.unchecked_funcs = map_new(cx->arena);

  unit.module->strand_name = strand->name;
  unit.module->n_iters = program->creation->iters.len;
  unit.module->is_collection = program->creation->is_collection;
  add_inputs(&unit);
  add_globals(&unit);
  add_params(&unit);
  add_states(&unit);
  lower_globals(&unit);
  lower_bounds(&unit);
  lower_args(&unit);
  lower_create(&unit);
  lower_method(&unit, FN_START, "start", strand->start);
  lower_method(&unit, FN_UPDATE, "update", strand->update);
  lower_method(&unit, FN_STABILIZE, "stabilize", strand->stabilize);
  lower_global_block(&unit, FN_GLOBAL_START, "global_start", program->start);
  lower_global_block(&unit, FN_GLOBAL_UPDATE, "global_update", program->update);
  order_funcs(&unit);
  return unit.module;
}

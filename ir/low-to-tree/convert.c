/* tree_from_low: a LOW module as a tree program: its names, its functions and their parameters.
 * Next: structure.c.
 */
#include <string.h>

#include "ir/low-to-tree/local.h"

static const char *const taken_names[] = {
#define TAKEN(name) #name,
#include "ir/tree/taken_names.def"
};

static Spell *program_scope(Cx *cx) {
  Spell *spell = spell_new(cx, NULL);
  for (size_t i = 0; i < sizeof taken_names / sizeof taken_names[0]; i++)
    spell_reserve(spell, taken_names[i]);
  return spell;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool is_ascii(Cx *cx, const Name *name) {
  return strcmp(spell_ascii(cx, name->text), name->text) == 0;
}

typedef struct Called { /* a variable of the program */
  const Name *name;
  bool is_public; /* of an input or output */
} Called;

/* The names for options and files. Public names in ASCII do not change, whatever other names are
 * spelled like, and no private name changes a public one. */
static void show_names(Cx *cx, TreeName *names, const Called *sources, uint32_t n) {
  Spell *shown = spell_new(cx, NULL);
  for (uint32_t i = 0; i < n; i++) {
    names[i].shown = sources[i].name->text;
    if (sources[i].is_public && is_ascii(cx, sources[i].name)) spell_reserve(shown, names[i].shown);
  }
  for (uint32_t i = 0; i < n; i++)
    if (sources[i].is_public && !is_ascii(cx, sources[i].name))
      names[i].shown = spell_shown(shown, names[i].shown);
  for (uint32_t i = 0; i < n; i++)
    if (!sources[i].is_public) names[i].shown = spell_shown(shown, names[i].shown);
}

static TreeName *names_of(Cx *cx, const Called *sources, uint32_t n) {
  TreeName *names = NEWN(cx->arena, TreeName, n);
  Spell *fields = spell_new(cx, NULL);
  for (uint32_t i = 0; i < n; i++) names[i].field = spell_unique(fields, sources[i].name->text);
  show_names(cx, names, sources, n);
  return names;
}

static void name_variables(Cx *cx, TreeProgram *program) {
  const Module *m = program->module;
  Called *globals = NEWN(cx->arena, Called, m->globals.len);
  Called *state = NEWN(cx->arena, Called, m->state.len);
  for (uint32_t i = 0; i < m->globals.len; i++)
    globals[i] = (Called){m->globals.data[i].name, m->globals.data[i].kind == GLOBAL_INPUT};
  for (uint32_t i = 0; i < m->state.len; i++)
    state[i] = (Called){m->state.data[i].name, m->state.data[i].is_output};
  program->globals = names_of(cx, globals, m->globals.len);
  program->state = names_of(cx, state, m->state.len);
}

static void list_components(Cx *cx, TreeProgram *program) {
  const Module *m = program->module;
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->state.len; i++) n += tree_component_count(m->state.data[i].ty);
  program->n_components = n;
  for (uint32_t i = 0; i < m->params.len; i++)
    program->n_params += tree_component_count(m->params.data[i].ty);
  program->components = NEWN(cx->arena, StateComponent, n);
  n = 0;
  for (uint32_t i = 0; i < m->state.len; i++)
    for (uint32_t k = 0; k < tree_component_count(m->state.data[i].ty); k++)
      program->components[n++] = (StateComponent){.var = i, .component = k};
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *func_hint(Cx *cx, const TreeProgram *program, const Func *fn) {
  static const char *const hints[] = {[FN_GLOBALS] = "init_globals",
                                      [FN_BOUNDS] = "bounds",
                                      [FN_ARGS] = "args",
                                      [FN_CREATE] = "create",
                                      [FN_START] = "start",
                                      [FN_UPDATE] = "update",
                                      [FN_STABILIZE] = "stabilize",
                                      [FN_GLOBAL_START] = "global_start",
                                      [FN_GLOBAL_UPDATE] = "global_update",
                                      [FN_SAMPLING] = "sampling"};
  if (fn->kind == FN_USER) return text_format(cx->arena, "fn_%s", fn->name->text);
  bool is_strands = fn->kind == FN_CREATE || func_is_method(fn->kind);
  return is_strands ? text_format(cx->arena, "%s_%s", program->strand, hints[fn->kind])
                    : hints[fn->kind];
}

/* Whether a parameter is not read: a state component that is at most stored back, or an iterator
 * that only counts. */
static bool is_idle(const Func *fn, const Value *param) {
  if (fn->kind == FN_ARGS || fn->kind == FN_SAMPLING) return !value_is_used(param);
  if (!func_is_method(fn->kind)) return false;
  for (const Use *use = param->uses; use; use = use->next)
    if (use->user->op != OP_LEAVE || use->arg != param->index) return false;
  return true;
}

static void open_params(Structure *s) {
  const Block *entry = s->fn->blocks.data[0];
  for (uint32_t i = 0; i < entry->params.len; i++) {
    Value *param = entry->params.data[i];
    TreeVar *var = is_idle(s->fn, param) ? NULL : place_new(s, param, NULL)->var;
    vec_push(s->cx->arena, &s->out->params, var);
  }
}

/* The position, then the weights. */
static void describe_sampling(Cx *cx, const Module *m, const Func *fn, TreeFunc *out) {
  const uint32_t dim = type_dim(m->globals.data[fn->image.index].ty);
  out->image = fn->image.index;
  out->group = fn->group;
  out->n_results = dim + tree_component_count(group_weights_type(cx, &fn->group, dim));
  out->result = type_real(cx);
}

static void convert_func(Cx *cx, TreeProgram *program, const Func *fn, Spell *names, Map *callees) {
  TreeFunc *out = NEW(cx->arena, TreeFunc);
  out->kind = fn->kind;
  out->span = fn->span;
  out->name = spell_unique(names, func_hint(cx, program, fn));
  if (fn->kind == FN_USER) {
    out->n_results = tree_component_count(fn->result);
    out->result = tree_component_type(cx, fn->result);
  }
  if (fn->kind == FN_SAMPLING) describe_sampling(cx, program->module, fn, out);
  Structure s = {.cx = cx,
                 .fn = fn,
                 .out = out,
                 .callees = callees,
                 .names = names,
                 .spell = spell_new(cx, names),
                 .places = map_new(cx->arena),
                 .exprs = map_new(cx->arena),
                 .jumps = map_new(cx->arena),
                 .before = map_new(cx->arena),
                 .loop_ends = map_new(cx->arena)};
  open_params(&s);
  structure_body(&s);
  map_put(callees, fn, out);
  vec_push(cx->arena, &program->funcs, out);
}

TreeProgram *tree_from_low(Cx *cx, const Module *module) {
  ASSERT(cx, module->level == LEVEL_LOW);
  TreeProgram *program = NEW(cx->arena, TreeProgram);
  program->module = module;
  Spell *names = program_scope(cx);
  program->strand = spell_unique(names, module->strand_name->text);
  spell_reserve(names, text_format(cx->arena, "%s_new", program->strand));
  spell_reserve(names, text_format(cx->arena, "%s_look_ahead", program->strand));
  name_variables(cx, program);
  list_components(cx, program);
  Map *callees = map_new(cx->arena);
  for (uint32_t i = 0; i < module->funcs.len; i++)
    convert_func(cx, program, module->funcs.data[i], names, callees);
  return program;
}

/* Running passes: makes an analysis when a pass needs it, and drops it when a pass does not keep
 * it; verifies every result, and dumps it on request. Next: pipeline.c.
 */
#include <string.h>

#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/analysis/dom.h"
#include "ir/pass/local.h"

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct PassRow {
  const char *name; /* with hyphens */
  PassFn *run;
  uint32_t from, to, needs, keeps;
  const char *meaning;
} PassRow;

enum { HIGH = LEVEL_HIGH, MID = LEVEL_MID, LOW = LEVEL_LOW };

static const PassRow rows[PASS_COUNT] = {
#define PASS(id, name, from, to, needs, keeps, meaning)                                            \
  [PASS_##id] = {name, pass_##id, from, to, needs, keeps, meaning},
#include "ir/pass/passes.def"
};

const char *pass_name(PassId id) { return rows[id].name; }
uint32_t pass_from(PassId id) { return rows[id].from; }
const char *pass_meaning(PassId id) { return rows[id].meaning; }

PassId pass_find(const char *name) {
  uint32_t id = 0;
  while (id < PASS_COUNT && strcmp(rows[id].name, name) != 0) id++;
  return (PassId)id;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Blocks are walked by recursion. */
enum { MAX_BLOCKS = 50000 };

typedef struct Runner {
  Pass px;
  const RunOptions *options;
  Arena *analyses; /* live as long as the run */
  Map *doms;       /* Func -> Dom; absent when unknown */
} Runner;

static const RunOptions nothing = {0};

static const char *describe(Cx *cx) { return ir_print(cx, cx->module); }

static Runner runner_new(Cx *cx, Module *m, const struct Target *target,
                         const RunOptions *options) {
  Runner runner = {.px = {.cx = cx, .module = m, .target = target},
                   .options = options ? options : &nothing,
                   .analyses = arena_new()};
  runner.doms = map_new(runner.analyses);
  cx->module = m;
  cx->describe_state = describe;
  return runner;
}

static void runner_end(Runner *runner) {
  runner->px.cx->describe_state = NULL;
  runner->px.cx->module = NULL;
  arena_free(runner->analyses);
}

static const Dom *dom_for(Runner *runner, const Func *fn) {
  Dom *dom = map_get(runner->doms, fn);
  if (dom) return dom;
  if (fn->blocks.len > MAX_BLOCKS)
    LIMIT(runner->px.cx, fn->span, "methods and functions of more than %d blocks", MAX_BLOCKS);
  dom = dom_new(runner->analyses, fn);
  map_put(runner->doms, fn, dom);
  return dom;
}

static void check_kept_dom(Runner *runner, const PassRow *row, const Func *fn) {
  Cx *cx = runner->px.cx;
  const Dom *dom = map_get(runner->doms, fn);
  if (dom && !dom_is_like(dom, dom_new(cx->scratch, fn)))
    BUG(cx, "the nesting of blocks is not kept, though passes.def says so of %s", row->name);
}

static void run_on_func(Runner *runner, const PassRow *row, Func *fn) {
  runner->px.dom = row->needs & NEED_DOM ? dom_for(runner, fn) : NULL;
  bool has_changed = row->run(&runner->px, fn);
  if (!has_changed) return;
  if (row->keeps & KEEP_DOM) check_kept_dom(runner, row, fn);
  else map_put(runner->doms, fn, NULL);
}

static void run_on_module(Runner *runner, PassId id) {
  const PassRow *row = &rows[id];
  Cx *cx = runner->px.cx;
  Module *m = runner->px.module;
  if (!(row->from & (uint32_t)m->level))
    BUG(cx, "pass %s does not run at level %s", row->name, level_text(m->level));
  ArenaMark mark = arena_mark(cx->scratch);
  cx->running = row->name;
  FuncVec funcs = {0};
  for (uint32_t i = 0; i < m->funcs.len; i++) vec_push(cx->scratch, &funcs, m->funcs.data[i]);
  for (uint32_t i = 0; i < funcs.len; i++) run_on_func(runner, row, funcs.data[i]);
  bool is_new_level = row->from != row->to;
  if (is_new_level) m->level = (Level)row->to;
  ir_verify(cx, m);
  if (runner->options->dump_after && runner->options->dump_after[id])
    runner->options->dump(runner->options->context, id, ir_print(cx, m));
  if (runner->options->after) runner->options->after(runner->options->context, id, m);
  cx->running = NULL;
  arena_reset(cx->scratch, mark);
}

void run_pass(Cx *cx, Module *m, PassId id, const struct Target *target,
              const RunOptions *options) {
  Runner runner = runner_new(cx, m, target, options);
  run_on_module(&runner, id);
  runner_end(&runner);
}

void run_pipeline(Cx *cx, Module *m, Level to, const struct Target *target,
                  const RunOptions *options) {
  Runner runner = runner_new(cx, m, target, options);
  const bool *disabled = runner.options->disabled;
  for (;;) {
    const Stage *stage = pipeline_stage(m->level);
    for (uint32_t i = 0; i < stage->n_passes; i++)
      if (!disabled || !disabled[stage->passes[i]]) run_on_module(&runner, stage->passes[i]);
    if (stage->level == to || stage->to_next == PASS_COUNT) break;
    run_on_module(&runner, stage->to_next);
  }
  runner_end(&runner);
}

/* functions: the heads of user functions and strand methods, and their parameters for surroundings.
 * Next: statements.c has their bodies, blocks.c and globals.c call them.
 */
#include "backend-c/code/local.h"

void gen_body(Gen *gen, const TreeFunc *fn) {
  gen->fn = fn;
  gen_stmts(gen, &fn->body);
}

static const char *result_type(Gen *gen, const TreeFunc *fn) {
  if (fn->kind == FN_USER && fn->n_results == 1) return gen_type(gen, fn->result);
  return fn->kind == FN_START || fn->kind == FN_UPDATE ? "ddr_strand_status" : "void";
}

static CFunc func_head(Gen *gen, const TreeFunc *fn) {
  CFunc head = {.qualifiers = gen->how->function, .result = result_type(gen, fn), .name = fn->name};
  gen_context_params(gen, STATES_BEFORE, gen_needs(gen, fn), &head);
  if (fn->kind != FN_USER) em_param(gen->cx, &head, gen_state_pointer(gen), "self");
  for (uint32_t i = 0; !func_is_method(fn->kind) && i < fn->params.len; i++) {
    const TreeVar *param = fn->params.data[i];
    if (param) em_param(gen->cx, &head, gen_type(gen, param->ty), param->name);
  }
  if (fn->kind == FN_USER && fn->n_results > 1)
    em_param(gen->cx, &head, text_format(gen->cx->arena, "%s *", gen_type(gen, fn->result)),
             "result");
  return head;
}

static bool is_stored(const TreeStmtVec *stmts, uint32_t component) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_LEAVE && stmt->values.data[component]) return true;
    if (is_stored(&stmt->body, component) || is_stored(&stmt->else_body, component)) return true;
  }
  return false;
}

/* An array that the method does not change is read in place, without a copy. */
static bool stays_in_place(const TreeFunc *fn, uint32_t component) {
  const TreeVar *param = fn->params.data[component];
  return type_is_fixed_seq(param->ty) && !param->is_mutable && !is_stored(&fn->body, component);
}

/* Methods read the components they use once, at the top. */
static void open_params(Gen *gen, const TreeFunc *fn) {
  for (uint32_t i = 0; i < fn->params.len; i++) {
    const TreeVar *param = fn->params.data[i];
    if (!param) continue;
    if (func_is_method(fn->kind) && stays_in_place(fn, i))
      map_put(gen->in_place, param, gen->how->load(gen, i));
    else if (func_is_method(fn->kind))
      gen_declare(gen, gen_type(gen, param->ty), param, gen->how->load(gen, i));
    else if (!tree_stmts_read(&fn->body, param)) em_unused(&gen->em, param->name);
  }
}

/* Whether a method uses its strand; it may change nothing. */
static bool uses_self(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    for (uint32_t k = 0; stmt->kind == TT_LEAVE && k < stmt->values.len; k++)
      if (stmt->values.data[k]) return true;
    if (uses_self(&stmt->body) || uses_self(&stmt->else_body)) return true;
  }
  return false;
}

static bool reads_self(const TreeFunc *fn) {
  for (uint32_t i = 0; func_is_method(fn->kind) && i < fn->params.len; i++)
    if (fn->params.data[i]) return true;
  return false;
}

void gen_func(Gen *gen, const TreeFunc *fn) {
  CFunc head = func_head(gen, fn);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  gen_profile_function(gen);
  gen_trace_method(gen, fn);
  if (fn->kind != FN_USER && !reads_self(fn) && !uses_self(&fn->body)) em_unused(&gen->em, "self");
  open_params(gen, fn);
  gen_body(gen, fn);
  em_close(&gen->em);
}

/* ---- context --------------------------------------------------------------------------------- */

static const Surrounding surroundings[] = {
    {NEED_GLOBALS, "const struct globals *", "globals", NULL, false},
    {NEED_WORLD, "ddr_world *", "world", "world", false},
    {NEED_TEXT, "ddr_text *", "text", "text", false},
    {NEED_POOL, "ddr_pool *", "pool", "pool", false},
    {NEED_BLOCK, "ddr_block *", "block", NULL, false},
    {NEED_STATES, NULL, "states", "before", true},
    {NEED_SLOT, "int64_t", "slot", NULL, false},
    {NEED_SAMPLES, "const ddr_samples *", "samples", NULL, false},
};

enum { N_SURROUNDINGS = sizeof surroundings / sizeof *surroundings };

CExpr *gen_in_block(Gen *gen, const Surrounding *what) {
  CExpr *owner = c_name(gen->cx, "block");
  if (what->is_of_strands) owner = c_arrow(gen->cx, owner, "strands");
  return c_arrow(gen->cx, owner, what->of_block);
}

static CExpr *surrounding(Gen *gen, GenContext place, const Surrounding *what) {
  const bool is_named = place == IN_FUNCTION || !what->of_block;
  return is_named ? c_name(gen->cx, what->name) : gen->how->in_block(gen, what);
}

void gen_context_of(Gen *gen, uint32_t needs, GenContext place, CExprVec *args) {
  for (uint32_t i = 0; i < N_SURROUNDINGS; i++)
    if (needs & surroundings[i].need)
      c_push(gen->cx, args, surrounding(gen, place, &surroundings[i]));
}

void gen_context_args(Gen *gen, const TreeFunc *fn, GenContext place, CExprVec *args) {
  gen_context_of(gen, gen_needs(gen, fn), place, args);
}

void gen_context_params(Gen *gen, StatesSeen seen, uint32_t needs, CFunc *head) {
  const char *states = text_format(gen->cx->arena, "const %s", gen->how->states(gen, seen));
  for (uint32_t i = 0; i < N_SURROUNDINGS; i++) {
    const char *type = surroundings[i].need == NEED_STATES ? states : surroundings[i].type;
    if (needs & surroundings[i].need) em_param(gen->cx, head, type, surroundings[i].name);
  }
}

/* blocks: the functions that the runtime calls with whole blocks of strands (program.h). A
 * strand's state is copied to a local, so that the C compiler keeps it in registers for as many
 * updates as the runtime grants, and stored once. Strands of a collection take turns instead, a few
 * at a time: each of their updates waits for the one before, but not for those of others.
 */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static CExpr *of_block(Gen *gen, const char *field) {
  return c_arrow(gen->cx, name(gen, "block"), field);
}

static CExpr *of_strands(Gen *gen, const char *field) {
  return c_arrow(gen->cx, of_block(gen, "strands"), field);
}

static CExpr *address(Gen *gen, CExpr *a) { return c_unary(gen->cx, "&", a); }

static CExpr *at_slot(Gen *gen, const char *array) {
  return c_index(gen->cx, name(gen, array), name(gen, "slot"));
}

/* fn(globals, ..., self): the first arguments of every method. */
static CExprVec method_args(Gen *gen, const TreeFunc *fn, CExpr *self) {
  CExprVec args = {0};
  gen_context_args(gen, fn, IN_BLOCK, &args);
  c_push(gen->cx, &args, self);
  return args;
}

void gen_open_block_function(Gen *gen, CFunc *head, uint32_t needs) {
  em_blank(&gen->em);
  em_open_func(&gen->em, head);
  if (needs & NEED_GLOBALS) gen_declare_globals(gen, true);
  else em_unused(&gen->em, "memory");
  em_declare(&gen->em, gen_store_pointer(gen), "state", of_strands(gen, "state"));
  if (needs & NEED_SAMPLES)
    em_declare(&gen->em, "const ddr_samples *", "samples",
               c_call1(gen->cx, "ddr_take_samples", name(gen, "block")));
}

static void open_slots_between(Gen *gen, CExpr *begin, CExpr *end) {
  CParam slot = {.type = "int64_t", .name = "slot"};
  em_open_for(&gen->em, slot, begin, "<", end);
}

static void open_slots(Gen *gen) {
  open_slots_between(gen, of_block(gen, "begin"), of_block(gen, "end"));
}

/* Tells the runtime which strand runs, for checks and traces. */
static void name_strand(Gen *gen, uint32_t needs) {
  gen_trace_strand(gen);
  if (needs & NEED_CHECKS)
    em_expr(&gen->em,
            c_call2(gen->cx, "ddr_check_strand", of_block(gen, "text"), name(gen, "slot")));
}

static CExpr *has_no(Gen *gen, const char *fn, const char *of) {
  return c_unary(gen->cx, "!", c_call1(gen->cx, fn, of_block(gen, of)));
}

/* ---- create ---------------------------------------------------------------------------------- */

static CExpr *of_iterator(Gen *gen, const char *field, uint32_t i) {
  return c_index_int(gen->cx, c_arrow(gen->cx, name(gen, "strands"), field), i);
}

/* The last iterator is the fastest: iterator i counts by digit i of the slot, base len[i]. The
 * first digit is what the others leave. */
void gen_declare_iterators(Gen *gen, const TreeFunc *fn) {
  Cx *cx = gen->cx;
  uint32_t first = 0; /* the first one that is read */
  while (first < fn->params.len && !fn->params.data[first]) first++;
  if (first == fn->params.len) return;
  const bool has_rest = fn->params.len > 1;
  if (has_rest) em_declare(&gen->em, "int64_t", "rest", name(gen, "slot"));
  for (uint32_t i = fn->params.len; i-- > first;) {
    const TreeVar *iterator = fn->params.data[i];
    CExpr *digit = name(gen, has_rest ? "rest" : "slot");
    if (i > 0) digit = c_binary(cx, "%", digit, of_iterator(gen, "len", i));
    CExpr *distance = c_binary(cx, "*", c_arrow(cx, name(gen, "strands"), "step"), digit);
    CExpr *value = c_binary(cx, "+", of_iterator(gen, "lo", i), distance);
    if (iterator)
      em_declare_const(&gen->em, "ddr_int", iterator->name, c_cast(cx, "ddr_int", value));
    if (i > first)
      em_assign(&gen->em, name(gen, "rest"),
                c_binary(cx, "/", name(gen, "rest"), of_iterator(gen, "len", i)));
  }
}

void gen_create_strand(Gen *gen, const TreeStmt *args, CExpr *self) {
  const TreeFunc *create = gen_find(gen, FN_CREATE);
  CExprVec all = method_args(gen, create, self);
  for (uint32_t i = 0; i < args->values.len; i++)
    c_push(gen->cx, &all, gen_expr(gen, args->values.data[i]));
  em_expr(&gen->em, c_call(gen->cx, create->name, all));
}

/* For a group, a strand is made as a struct, then put into its lane. */
void gen_initial_strand(Gen *gen, const TreeStmt *args) {
  CExpr *self = address(gen, gen->has_groups ? name(gen, "self") : at_slot(gen, "state"));
  if (gen->has_groups)
    em_declare_zero(&gen->em, text_format(gen->cx->arena, "struct %s", gen->program->strand),
                    "self");
  gen_create_strand(gen, args, self);
  if (gen->has_groups) gen_move_strand(gen, "to_lane", name(gen, "slot"), self);
  gen_keep(gen, self);
  gen_close_pool(gen);
}

bool gen_has_iterators(const TreeFunc *fn) {
  for (uint32_t i = 0; i < fn->params.len; i++)
    if (fn->params.data[i]) return true;
  return false;
}

/* Opens the code that computes the arguments, in the block function itself. */
static void open_args(Gen *gen, uint32_t needs) {
  if (needs & NEED_WORLD) em_declare(&gen->em, "ddr_world *", "world", of_block(gen, "world"));
  if (needs & NEED_TEXT) em_declare(&gen->em, "ddr_text *", "text", of_block(gen, "text"));
  if (needs & NEED_POOL) em_declare(&gen->em, "ddr_pool *", "pool", of_block(gen, "pool"));
}

void gen_create_alone(Gen *gen, const char *function_name) {
  const TreeFunc *args = gen_find(gen, FN_ARGS), *create = gen_find(gen, FN_CREATE);
  CFunc head = {.qualifiers = "static", .result = "ddr_status", .name = function_name};
  em_param(gen->cx, &head, "const void *", "memory");
  em_param(gen->cx, &head, "ddr_block *", "block");
  const uint32_t needs = gen_needs(gen, args) | gen_needs(gen, create);
  gen_open_block_function(gen, &head, needs);
  open_args(gen, gen_needs(gen, args));
  if (gen_has_iterators(args))
    em_declare(&gen->em, "const ddr_strands *", "strands", of_block(gen, "strands"));
  open_slots(gen);
  name_strand(gen, needs);
  gen_trace_creation(gen);
  gen_declare_iterators(gen, args);
  gen_body(gen, args);
  em_close(&gen->em);
  em_return(&gen->em, name(gen, "DDR_OK"));
  em_close(&gen->em);
}

/* ---- methods --------------------------------------------------------------------------------- */

static CExpr *equals(Gen *gen, CExpr *a, const char *constant) {
  return c_binary(gen->cx, "==", a, name(gen, constant));
}

CExpr *gen_is_now(Gen *gen, const char *status) { return equals(gen, name(gen, "now"), status); }

void gen_run_method(Gen *gen, const TreeFunc *fn) {
  CExpr *self = address(gen, name(gen, "self"));
  CExpr *call = c_call(gen->cx, fn->name, method_args(gen, fn, self));
  if (fn->kind == FN_STABILIZE) em_expr(&gen->em, call);
  else em_assign(&gen->em, name(gen, "now"), call);
  gen->how->after_method(gen, fn, self);
}

static void run_method_if(Gen *gen, CExpr *condition, FuncKind kind) {
  const TreeFunc *fn = gen_find(gen, kind);
  if (!fn) return;
  em_open_if(&gen->em, condition);
  gen_run_method(gen, fn);
  em_close(&gen->em);
}

void gen_run_methods(Gen *gen, CExpr *status, GenUpdates *run_updates) {
  run_method_if(gen, equals(gen, status, "DDR_NEW"), FN_START);
  run_updates(gen);
  run_method_if(gen, gen_is_now(gen, "DDR_STABLE"), FN_STABILIZE);
}

/* ---- update ---------------------------------------------------------------------------------- */

/* Whether the budget allows one more step. */
static CExpr *is_granted(Gen *gen) {
  CExprVec args = {0};
  c_push(gen->cx, &args, name(gen, "block"));
  c_push(gen->cx, &args, name(gen, "n_steps"));
  c_push(gen->cx, &args, name(gen, "max_steps"));
  return c_call(gen->cx, "ddr_may_step", args);
}

static void run_updates(Gen *gen) {
  Cx *cx = gen->cx;
  em_declare(&gen->em, "uint32_t", "n_steps", c_int(cx, 0));
  CExpr *goes_on = c_binary(cx, "&&", gen_is_now(gen, "DDR_ACTIVE"), is_granted(gen));
  if (gen_uses_pool(gen))
    goes_on = c_binary(cx, "&&", goes_on, has_no(gen, "ddr_pool_is_short", "pool"));
  if (gen_update_needs(gen) & NEED_CHECKS)
    goes_on = c_binary(cx, "&&", goes_on, has_no(gen, "ddr_has_fault", "text"));
  em_open_while(&gen->em, goes_on);
  gen_run_method(gen, gen_find(gen, FN_UPDATE));
  em_expr(&gen->em, c_step(cx, name(gen, "n_steps")));
  em_close(&gen->em);
}

static void store_strand(Gen *gen) {
  gen_close_pool(gen);
  em_assign(&gen->em, at_slot(gen, "state"), name(gen, "self"));
  em_assign(&gen->em, at_slot(gen, "status"), c_cast(gen->cx, "uint8_t", name(gen, "now")));
}

static void keep_most(Gen *gen) {
  em_open_if(&gen->em, c_binary(gen->cx, ">", name(gen, "n_steps"), name(gen, "most")));
  em_assign(&gen->em, name(gen, "most"), name(gen, "n_steps"));
  em_close(&gen->em);
}

/* Skips a strand that no longer runs, and copies others to a local. */
static void copy_running(Gen *gen) {
  em_open_if(&gen->em, c_binary(gen->cx, ">", at_slot(gen, "status"), name(gen, "DDR_NEW")));
  em_continue(&gen->em);
  em_close(&gen->em);
  em_declare(&gen->em, text_format(gen->cx->arena, "struct %s", gen->program->strand), "self",
             gen->has_groups ? NULL : at_slot(gen, "state"));
  if (gen->has_groups)
    gen_move_strand(gen, "from_lane", name(gen, "slot"), address(gen, name(gen, "self")));
}

/* Opens a loop over the strands that still run, each in a local copy. */
static void open_running(Gen *gen, uint32_t needs) {
  em_declare(&gen->em, "uint8_t *", "status", of_strands(gen, "status"));
  open_slots(gen);
  copy_running(gen);
  name_strand(gen, needs);
}

/* Runs each strand as far as possible before the next one. */
static void update_one_by_one(Gen *gen, uint32_t needs) {
  open_running(gen, needs);
  em_declare(&gen->em, "ddr_strand_status", "now", name(gen, "DDR_ACTIVE"));
  gen_lend(gen, address(gen, name(gen, "self")));
  gen_run_methods(gen, at_slot(gen, "status"), run_updates);
  store_strand(gen);
  keep_most(gen);
  em_close(&gen->em);
}

enum { N_TAKING_TURNS = 8 };

static void run_one_update(Gen *gen) {
  const bool has_start = gen_find(gen, FN_START) != NULL;
  if (has_start) em_open_if(&gen->em, gen_is_now(gen, "DDR_ACTIVE"));
  gen_run_method(gen, gen_find(gen, FN_UPDATE));
  em_assign(&gen->em, name(gen, "is_any_active"), c_bool(gen->cx, true));
  if (has_start) em_close(&gen->em);
}

/* One step of a strand that runs. */
static void take_turn(Gen *gen) {
  copy_running(gen);
  em_declare(&gen->em, "ddr_strand_status", "now", name(gen, "DDR_ACTIVE"));
  gen_run_methods(gen, at_slot(gen, "status"), run_one_update);
  store_strand(gen);
}

/* A few strands take steps in turn until all of them have ended; then the next few. */
static void update_in_turns(Gen *gen) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CExpr *is_any_active = name(gen, "is_any_active");
  CExpr *next = c_binary(cx, "+", name(gen, "first"), c_int(cx, N_TAKING_TURNS));
  CExpr *is_whole = c_binary(cx, "<", next, of_block(gen, "end"));
  CParam first = {.type = "int64_t", .name = "first"};
  em_declare(em, "uint8_t *", "status", of_strands(gen, "status"));
  em_open_for_by(em, first, of_block(gen, "begin"), "<", of_block(gen, "end"),
                 text_format(gen->cx->arena, "%u", N_TAKING_TURNS));
  em_declare_const(em, "int64_t", "end", c_cond(cx, is_whole, next, of_block(gen, "end")));
  em_declare(em, "uint32_t", "n_steps", c_int(cx, 0));
  em_declare(em, "bool", "is_any_active", c_bool(cx, true));
  em_open_while(em, c_binary(cx, "&&", is_any_active, is_granted(gen)));
  em_assign(em, is_any_active, c_bool(cx, false));
  open_slots_between(gen, name(gen, "first"), name(gen, "end"));
  take_turn(gen);
  em_close(em);
  em_open_if(em, is_any_active);
  em_expr(em, c_step(cx, name(gen, "n_steps")));
  em_close(em);
  em_close(em);
  keep_most(gen);
  em_close(em);
}

/* Not if strands get one step per visit, or if their order is observable. */
static bool takes_turns(const Gen *gen, uint32_t needs) {
  return gen->program->module->is_collection && !gen->options->is_traced && !(needs & NEED_TEXT) &&
         !gen_is_lockstep(gen) && !gen_uses_pool(gen);
}

void gen_update_alone(Gen *gen, const char *function_name) {
  const uint32_t needs = gen_update_needs(gen);
  CFunc head = {.qualifiers = "static", .result = "uint32_t", .name = function_name};
  em_param(gen->cx, &head, "const void *", "memory");
  em_param(gen->cx, &head, "ddr_block *", "block");
  em_param(gen->cx, &head, "uint32_t", "max_steps");
  gen_open_block_function(gen, &head, needs);
  em_declare(&gen->em, "uint32_t", "most", c_int(gen->cx, 0));
  if (takes_turns(gen, needs)) update_in_turns(gen);
  else update_one_by_one(gen, needs);
  em_return(&gen->em, name(gen, "most"));
  em_close(&gen->em);
}

/* The function for a global stabilize. */
static void gen_stabilize(Gen *gen, const TreeFunc *stabilize) {
  CFunc head = {.qualifiers = "static", .result = "void", .name = "stabilize"};
  em_param(gen->cx, &head, "const void *", "memory");
  em_param(gen->cx, &head, "ddr_block *", "block");
  gen_open_block_function(gen, &head, gen_needs(gen, stabilize));
  open_running(gen, gen_needs(gen, stabilize));
  gen_lend(gen, address(gen, name(gen, "self")));
  gen_run_method(gen, stabilize);
  gen_close_pool(gen);
  if (gen->has_groups)
    gen_move_strand(gen, "to_lane", name(gen, "slot"), address(gen, name(gen, "self")));
  else em_assign(&gen->em, at_slot(gen, "state"), name(gen, "self"));
  em_close(&gen->em);
  em_close(&gen->em);
}

bool gen_has_stabilize(const Gen *gen) {
  return gen_find(gen, FN_STABILIZE) && gen_needs_anywhere(gen, NEED_STABILIZE_ALL);
}

void gen_block_functions(Gen *gen) {
  if (!gen_find(gen, FN_ARGS) || !gen_find(gen, FN_CREATE) || !gen_find(gen, FN_UPDATE))
    BUG(gen->cx, "a program without creation or update method");
  if (gen->update_how && gen->update_how->create) gen->update_how->create(gen);
  else gen_create_alone(gen, "create");
  if (gen->update_how && gen->update_how->update) gen->update_how->update(gen);
  else gen_update_alone(gen, "update");
  if (gen_has_stabilize(gen)) gen_stabilize(gen, gen_find(gen, FN_STABILIZE));
}

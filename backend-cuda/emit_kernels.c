/* emit_kernels: kernels in which a thread runs one strand. The state stays in registers from the
 * first update of a launch to the last.
 */
#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static const char *struct_name(Gen *gen) {
  return text_format(gen->cx->arena, "struct %s", gen->program->strand);
}

static const char *own(Gen *gen, const char *suffix) {
  return text_format(gen->cx->arena, "%s_%s", gen->program->strand, suffix);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* A function to call for component k, of n, of state variable i. */
typedef void EachComponent(Gen *gen, uint32_t i, uint32_t k, uint32_t n);

static void each_component(Gen *gen, EachComponent *visit) {
  const Module *m = gen->program->module;
  for (uint32_t i = 0; i < m->state.len; i++) {
    uint32_t n = tree_component_count(m->state.data[i].ty);
    for (uint32_t k = 0; k < n; k++) visit(gen, i, k, n);
  }
}

/* field, or field[k] */
static CExpr *field_of(Gen *gen, CExpr *field, uint32_t k, uint32_t n) {
  return n == 1 ? field : c_index_int(gen->cx, field, k);
}

static const char *type_of(Gen *gen, uint32_t i) {
  return gen_type(gen, gen->program->module->state.data[i].ty);
}

/* A component in its column: columns[...][slot]. */
static CExpr *in_column(Gen *gen, uint32_t i, uint32_t k) {
  return c_index(gen->cx, device_column(gen, name(gen, "columns"), i, k), name(gen, "slot"));
}

/* A component in the struct: self->field or self->field[k]. */
static CExpr *in_struct(Gen *gen, uint32_t i, uint32_t k, uint32_t n) {
  CExpr *field = c_arrow(gen->cx, name(gen, "self"), gen->program->state[i].field);
  return field_of(gen, field, k, n);
}

static void load(Gen *gen, uint32_t i, uint32_t k, uint32_t n) {
  em_assign(&gen->em, in_struct(gen, i, k, n), in_column(gen, i, k));
}

static void store(Gen *gen, uint32_t i, uint32_t k, uint32_t n) {
  em_assign(&gen->em, in_column(gen, i, k), in_struct(gen, i, k, n));
}

static void store_varying(Gen *gen, uint32_t i, uint32_t k, uint32_t n) {
  if (gen->program->module->state.data[i].is_varying) store(gen, i, k, n);
}

static bool has_varying(const Gen *gen) {
  const Module *m = gen->program->module;
  for (uint32_t i = 0; i < m->state.len; i++)
    if (m->state.data[i].is_varying) return true;
  return false;
}

static void gen_transfer(Gen *gen, const char *fn, const char *self, EachComponent *visit) {
  Cx *cx = gen->cx;
  CFunc head = {.qualifiers = "DDR_DEVICE_FN", .result = "void", .name = own(gen, fn)};
  em_param(cx, &head, "const ddr_columns *", "columns");
  em_param(cx, &head, "int64_t", "slot");
  em_param(cx, &head, text_format(cx->arena, "%s%s *", self, struct_name(gen)), "self");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  each_component(gen, visit);
  em_close(&gen->em);
}

/* Whether strands read variable i of other strands, in a program whose states are kept twice
 * (dual). If no variable is marked as shared, all are. */
static bool is_shared(const Gen *gen, uint32_t i) {
  if (!gen_is_dual(gen)) return false;
  for (uint32_t k = 0; k < gen->program->module->state.len; k++)
    if (gen->program->module->state.data[k].is_shared)
      return gen->program->module->state.data[i].is_shared;
  return true;
}

static void describe_column(Gen *gen, uint32_t i, uint32_t k, uint32_t n) {
  Cx *cx = gen->cx;
  (void)n;
  em_open_row(&gen->em);
  em_member(&gen->em, "offset", device_offset(gen, i, k));
  em_member(&gen->em, "size", c_call1(cx, "sizeof", name(gen, type_of(gen, i))));
  if (is_shared(gen, i)) em_member(&gen->em, "is_shared", c_bool(cx, true));
  em_close_row(&gen->em);
}

void device_gen_columns(Gen *gen) {
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_column", "columns");
  each_component(gen, describe_column);
  em_close_table(&gen->em);
  gen_transfer(gen, "load", "", load);
  gen_transfer(gen, "store", "const ", store);
  if (has_varying(gen)) gen_transfer(gen, "store_varying", "const ", store_varying);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static CExpr *address(Gen *gen, CExpr *a) { return c_unary(gen->cx, "&", a); }

void device_transfer(Gen *gen, const char *fn, CExpr *slot) {
  CExprVec args = {0};
  c_push(gen->cx, &args, address(gen, c_dot(gen->cx, name(gen, "store"), "state")));
  c_push(gen->cx, &args, slot);
  c_push(gen->cx, &args, address(gen, name(gen, "self")));
  em_expr(&gen->em, c_call(gen->cx, own(gen, fn), args));
}

static void transfer(Gen *gen, const char *fn) { device_transfer(gen, fn, name(gen, "slot")); }

CFunc device_kernel_head(Gen *gen, const char *kernel) {
  CFunc head = {.qualifiers = "DDR_KERNEL", .result = "void", .name = kernel};
  device_globals_param(gen, &head);
  em_param(gen->cx, &head, "ddr_device_strands", "store");
  return head;
}

static CExpr *of_store(Gen *gen, const char *field) {
  return c_dot(gen->cx, name(gen, "store"), field);
}

/* Opens a kernel for n threads; further threads of the last block return at once. */
static void open_kernel(Gen *gen, const CFunc *head, uint32_t needs, CExpr *n) {
  Emit *em = &gen->em;
  em_blank(em);
  em_open_func(em, head);
  device_declare_globals(gen, needs);
  em_declare_const(em, "int64_t", "thread", name(gen, "DDR_THREAD"));
  em_open_if(em, c_binary(gen->cx, ">=", name(gen, "thread"), n));
  em_return(em, NULL);
  em_close(em);
}

/* Declares the slot of the thread's strand, and the `block` that its methods take, if needed. */
static void declare_slot(Gen *gen, CExpr *slot, uint32_t needs) {
  Emit *em = &gen->em;
  em_declare_const(em, "int64_t", "slot", slot);
  if (!(needs & (NEED_WORLD | NEED_STATES | NEED_BLOCK | NEED_TEXT | NEED_POOL))) return;
  em_declare(
      em, "ddr_device_block", "here",
      c_call2(gen->cx, "ddr_device_block_at", address(gen, name(gen, "store")), name(gen, "slot")));
  em_declare(em, "ddr_device_block *", "block", address(gen, name(gen, "here")));
}

/* ddr_strand_begins(&store, &begin, thread) */
static void put_on_list(Gen *gen) {
  CExprVec args = {0};
  c_push(gen->cx, &args, address(gen, name(gen, "store")));
  c_push(gen->cx, &args, address(gen, name(gen, "begin")));
  c_push(gen->cx, &args, name(gen, "thread"));
  em_expr(&gen->em, c_call(gen->cx, "ddr_strand_begins", args));
}

static void gen_create_kernel(Gen *gen) {
  const TreeFunc *args = gen_find(gen, FN_ARGS);
  CFunc head = device_kernel_head(gen, "create_kernel");
  em_param(gen->cx, &head, "ddr_device_begin", "begin");
  const uint32_t needs = gen_needs(gen, args) | gen_needs(gen, gen_find(gen, FN_CREATE));
  open_kernel(gen, &head, needs, of_store(gen, "n_created"));
  put_on_list(gen);
  declare_slot(gen, c_binary(gen->cx, "+", of_store(gen, "first_created"), name(gen, "thread")),
               needs);
  if (gen_has_iterators(args))
    em_declare(&gen->em, "const ddr_device_strands *", "strands", address(gen, name(gen, "store")));
  if (gen_needs(gen, args) & NEED_POOL)
    em_declare(&gen->em, "ddr_pool *", "pool", name(gen, "block"));
  gen_declare_iterators(gen, args);
  em_declare(&gen->em, struct_name(gen), "self", NULL);
  gen_body(gen, args);
  transfer(gen, "store");
  em_close(&gen->em);
}

static void run_one_update(Gen *gen) {
  const bool has_start = gen_find(gen, FN_START) != NULL;
  if (has_start) em_open_if(&gen->em, gen_is_now(gen, "DDR_ACTIVE"));
  gen_run_method(gen, gen_find(gen, FN_UPDATE));
  if (has_start) em_close(&gen->em);
}

/* As many updates as the launch grants. That is at least one, so the loop is a do-while: the
 * compiler can then move invariant loads in front of it. */
static void run_updates(Gen *gen) {
  Cx *cx = gen->cx;
  CExpr *n_steps = name(gen, "n_steps");
  const bool has_start = gen_find(gen, FN_START) != NULL;
  em_assign(&gen->em, c_dot(cx, name(gen, "grant"), "n_together"),
            c_call1(cx, "ddr_n_together", n_steps));
  CExpr *is_granted = c_call2(cx, "ddr_is_granted", name(gen, "grant"), n_steps);
  if (has_start) em_open_if(&gen->em, gen_is_now(gen, "DDR_ACTIVE"));
  em_open_do(&gen->em);
  gen_run_method(gen, gen_find(gen, FN_UPDATE));
  em_expr(&gen->em, c_step(cx, n_steps));
  em_close_do(&gen->em, c_binary(cx, "&&", gen_is_now(gen, "DDR_ACTIVE"), is_granted));
  if (has_start) em_close(&gen->em);
}

/* ddr_FN(&store, slot, value) */
static void tell_store(Gen *gen, const char *fn, const char *value) {
  CExprVec args = {0};
  c_push(gen->cx, &args, address(gen, name(gen, "store")));
  c_push(gen->cx, &args, name(gen, "slot"));
  c_push(gen->cx, &args, name(gen, value));
  em_expr(&gen->em, c_call(gen->cx, fn, args));
}

static void run_methods(Gen *gen) {
  CExpr *status = c_index(gen->cx, of_store(gen, "status"), name(gen, "slot"));
  gen_run_methods(gen, status, gen_is_lockstep(gen) ? run_one_update : run_updates);
  if (has_varying(gen)) transfer(gen, "store_varying");
  tell_store(gen, "ddr_strand_is_now", "now");
}

static CExpr *running_slot(Gen *gen) {
  return c_index(gen->cx, of_store(gen, "running"), name(gen, "thread"));
}

/* For a `stabilize` in a global block: runs the method, and leaves the status alone. */
static void gen_stabilize_kernel(Gen *gen) {
  const TreeFunc *stabilize = gen_find(gen, FN_STABILIZE);
  const uint32_t needs = gen_needs(gen, stabilize);
  CFunc head = device_kernel_head(gen, "stabilize_kernel");
  open_kernel(gen, &head, needs, of_store(gen, "n_running"));
  declare_slot(gen, running_slot(gen), needs);
  em_declare(&gen->em, struct_name(gen), "self", NULL);
  transfer(gen, "load");
  gen_run_method(gen, stabilize);
  if (has_varying(gen)) transfer(gen, "store_varying");
  em_close(&gen->em);
}

static void gen_update_kernel(Gen *gen) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CFunc head = device_kernel_head(gen, "update_kernel");
  em_param(cx, &head, "ddr_grant", "grant");
  const uint32_t needs = gen_update_needs(gen);
  open_kernel(gen, &head, needs, of_store(gen, "n_running"));
  declare_slot(gen, running_slot(gen), needs);
  em_declare(em, struct_name(gen), "self", NULL);
  transfer(gen, "load");
  em_declare(em, "ddr_strand_status", "now", name(gen, "DDR_ACTIVE"));
  if (gen_is_lockstep(gen)) em_unused(em, "grant");
  else em_declare(em, "uint32_t", "n_steps", c_int(cx, 0));
  run_methods(gen);
  if (!gen_is_lockstep(gen)) tell_store(gen, "ddr_count_steps", "n_steps");
  em_close(em);
}

/* ---- launches -------------------------------------------------------------------------------- */

CFunc device_launch_head(Gen *gen, const char *fn) {
  CFunc head = {.qualifiers = "static", .result = "void", .name = fn};
  em_param(gen->cx, &head, "const ddr_launch *", "launch");
  em_param(gen->cx, &head, "const void *", "memory");
  em_param(gen->cx, &head, "ddr_device_strands", "store");
  return head;
}

CExprVec device_launch_args(Gen *gen, const char *kernel, CExpr *n_threads) {
  Cx *cx = gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(gen, kernel));
  c_push(cx, &args, name(gen, "launch"));
  c_push(cx, &args, n_threads);
  c_push(cx, &args, device_globals_argument(gen));
  c_push(cx, &args, name(gen, "store"));
  return args;
}

static void launch(Gen *gen, const char *how, const CFunc *head, const char *kernel, const char *n,
                   const char *const *more) {
  CExprVec args = device_launch_args(gen, kernel, of_store(gen, n));
  for (; *more; more++) c_push(gen->cx, &args, name(gen, *more));
  em_blank(&gen->em);
  em_open_func(&gen->em, head);
  em_expr(&gen->em, c_call(gen->cx, how, args));
  em_close(&gen->em);
}

/* The macro that launches the kernel of a method. If the method makes queries, each thread of a
 * block also gets a stripe of memory for what they find (ddr/device/sort.h). */
static const char *launch_of(Gen *gen, FuncKind kind) {
  const uint32_t needs =
      kind == FN_UPDATE ? gen_update_needs(gen) : gen_needs(gen, gen_find(gen, kind));
  return needs & NEED_QUERIES ? "DDR_LAUNCH_STRIPES" : "DDR_LAUNCH";
}

void device_gen_kernels(Gen *gen) {
  const bool has_teams = device_has_teams(gen) && has_varying(gen);
  const char *how = has_teams ? "DDR_LAUNCH_TEAMS" : launch_of(gen, FN_UPDATE);
  gen_create_kernel(gen);
  if (has_teams) device_gen_team_kernel(gen);
  else gen_update_kernel(gen);
  CFunc create = device_launch_head(gen, "create"), update = device_launch_head(gen, "update");
  em_param(gen->cx, &create, "ddr_device_begin", "begin");
  em_param(gen->cx, &update, "ddr_grant", "grant");
  launch(gen, "DDR_LAUNCH", &create, "create_kernel", "n_created",
         (const char *const[]){"begin", NULL});
  launch(gen, how, &update, "update_kernel", "n_running", (const char *const[]){"grant", NULL});
  if (!gen_has_stabilize(gen)) return;
  gen_stabilize_kernel(gen);
  CFunc stabilize = device_launch_head(gen, "stabilize");
  launch(gen, launch_of(gen, FN_STABILIZE), &stabilize, "stabilize_kernel", "n_running",
         (const char *const[]){NULL});
}

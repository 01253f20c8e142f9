/* one_strand: one strand at a time, in scalars, with its state in a struct that `self` points to.
 * Other execution models are derived from this one (execution.h).
 */
#include "backend-c/code/local.h"

static const char *states(Gen *gen, StatesSeen seen) {
  return seen == STATES_NOW ? gen_store_pointer(gen) : gen_shared_pointer(gen);
}

static CExpr *read(Gen *gen, const TreeVar *var) { return c_name(gen->cx, var->name); }

static CExpr *probe(Gen *gen, const TreeExpr *expr) {
  if (expr->op == OP_SAMPLING_IS_MADE) return gen_is_sampled(gen, expr);
  return gen_sample_at(gen, expr, c_name(gen->cx, "slot"));
}

static void declare(Gen *gen, const TreeStmt *stmt) {
  if (stmt->expr && tree_may_copy(stmt->expr)) {
    gen_declare_copied(gen, stmt->var, stmt->expr);
    return;
  }
  CExpr *init = stmt->expr ? gen_expr(gen, stmt->expr) : NULL;
  gen_declare(gen, gen_type(gen, stmt->var->ty), stmt->var, init);
}

static void assign(Gen *gen, const TreeStmt *stmt) {
  em_assign(&gen->em, c_name(gen->cx, stmt->var->name), gen_expr(gen, stmt->expr));
}

static void store(Gen *gen, uint32_t i, const TreeExpr *value) {
  em_assign(&gen->em, gen_component(gen, i), gen_expr(gen, value));
}

/* The state keeps its sequences; all others of the method are freed. */
static void after_method(Gen *gen, const TreeFunc *fn, CExpr *self) {
  (void)fn;
  gen_keep(gen, self);
}

static const ExecutionHeader headers[] = {
    {HEADER_ALWAYS, "ddr/variant.h"},
    {HEADER_WITH_COPIES, "ddr/host/support.h"},
    {HEADER_WITH_WINDOWS, "ddr/host/window.h"},
    {0},
};

const Execution one_strand = {
    .headers = headers,
    .string_header = "string.h",
    .function = "static inline",
    .states = states,
    .in_block = gen_in_block,
    .read = read,
    .load = gen_component,
    .load_other = gen_state_of,
    .probe = probe,
    .compare_strings = gen_string_test,
    .declare = declare,
    .assign = assign,
    .store = store,
    .branch = gen_if,
    .loop = gen_for,
    .leave = gen_leave,
    .call = gen_call_stmt,
    .n_on = gen_one_on,
    .after_method = after_method,
    .newborn = gen_newborn,
    .after_birth = gen_give,
};

/* thread: the execution model of devices: each thread runs one strand (backend-c/code/execution.h).
 * A strand's own state is a struct, as on the host; the states of others are in columns. Dynamic
 * sequences in states are moved by the runtime.
 */
#include <string.h>

#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static const char *states(Gen *gen, StatesSeen seen) {
  (void)gen, (void)seen; /* one kind of columns for all */
  return "ddr_columns *";
}

/* World, pool and text are one thing on a device, the block (ddr/device/methods.h). */
static CExpr *in_block(Gen *gen, const Surrounding *what) {
  CExpr *block = name(gen, "block");
  if (!what->is_of_strands) return block;
  return c_unary(gen->cx, "&",
                 c_arrow(gen->cx, c_arrow(gen->cx, block, "strands"), what->of_block));
}

/* Whether `var` is a component of `pos` in a program with queries in three dimensions. The index
 * for queries has the positions of all strands in rows, which one load reads. */
static bool is_known_place(const Gen *gen, VarRef var) {
  const StateVar *state = &gen->program->module->state.data[var.index];
  return var.component != WHOLE && gen_needs_anywhere(gen, NEED_QUERIES) &&
         func_is_method(gen->fn->kind) && gen_needs(gen, gen->fn) & NEED_BLOCK &&
         strcmp(state->name->text, "pos") == 0 && tree_component_count(state->ty) == 3;
}

static CExpr *place_of_other(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  c_push(gen->cx, &args, name(gen, "block"));
  c_push(gen->cx, &args, name(gen, "states"));
  c_push(gen->cx, &args, gen_expr(gen, expr->args.data[0]));
  c_push(gen->cx, &args, c_int(gen->cx, expr->attr.var.component));
  return c_call(gen->cx, "ddr_place_of", args);
}

/* ddr_place_of(block, states, other, 1), or DDR_COLUMN(ddr_real, states, offsetof(struct ball,
 * v[1]))[other]
 */
static CExpr *load_other(Gen *gen, const TreeExpr *expr) {
  const VarRef var = expr->attr.var;
  if (is_known_place(gen, var)) return place_of_other(gen, expr);
  const uint32_t component = var.component == WHOLE ? 0 : var.component;
  CExpr *column = device_column(gen, name(gen, "states"), var.index, component);
  return c_index(gen->cx, column, gen_expr(gen, expr->args.data[0]));
}

/* Devices have no strcmp. */
static CExpr *compare_strings(Gen *gen, const TreeExpr *expr) {
  CExpr *a = gen_expr(gen, expr->args.data[0]), *b = gen_expr(gen, expr->args.data[1]);
  CExpr *differ = c_call2(gen->cx, "ddr_strings_differ", a, b);
  return expr->op == OP_STRNE ? differ : c_unary(gen->cx, "!", differ);
}

static bool is_window(const TreeExpr *expr) {
  return expr && expr->kind == TX_OP && op_is_window(expr->op);
}

/* Types that differ on a device: a window is only the place of its samples (ddr/device/window.h),
 * addresses point to pairs of samples (rows.c), and queries may give hits. */
static void declare(Gen *gen, const TreeStmt *stmt) {
  if (device_declare_hits(gen, stmt) || device_declare_place(gen, stmt)) return;
  const Type *ty = stmt->var->ty;
  const char *type = gen_type(gen, ty);
  if (is_window(stmt->expr)) type = "ddr_window";
  CExpr *init = NULL;
  if (type_is(ty, TY_ADDR)) init = device_address(gen, stmt, &type);
  else if (stmt->expr) init = gen_expr(gen, stmt->expr);
  gen_declare(gen, type, stmt->var, init);
}

static void leave(Gen *gen, const TreeStmt *stmt) {
  TreeStmt bare = *stmt;
  bare.values.len = 0;
  if (device_has_stored(gen)) one_strand.leave(gen, &bare);
  else if (gen->fn->kind != FN_ARGS) one_strand.leave(gen, stmt);
  else gen_create_strand(gen, stmt, c_unary(gen->cx, "&", name(gen, "self")));
}

static void after_method(Gen *gen, const TreeFunc *fn, CExpr *self) {
  (void)self;
  const bool makes_any = gen_needs(gen, fn) & (NEED_POOL | NEED_QUERIES);
  if (makes_any && !gen_owns_seqs(gen, FN_UPDATE))
    em_expr(&gen->em, c_call1(gen->cx, "ddr_pool_sweep", name(gen, "block")));
}

static CExpr *newborn(Gen *gen) {
  return c_cast(gen->cx, gen_state_pointer(gen), one_strand.newborn(gen));
}

/* Whether a support fits is asked for all axes without a branch: threads stay together. The cast
 * says that & is meant. */
static CExpr *fits_along_both(Gen *gen, const TreeExpr *expr) {
  if (expr->op != OP_BAND) return NULL;
  const TreeExpr *next = expr->args.data[1];
  if (next->kind != TX_OP || next->op != OP_SUPPORT_WITHIN) return NULL;
  CExpr *fits = c_cast(gen->cx, "int", gen_expr(gen, next));
  return c_binary(gen->cx, "&", gen_expr(gen, expr->args.data[0]), fits);
}

static CExpr *instead(Gen *gen, const TreeExpr *expr) {
  CExpr *found = fits_along_both(gen, expr);
  if (!found) found = device_row(gen, expr);
  if (!found) found = device_image(gen, expr);
  return found ? found : device_of_hits(gen, expr);
}

static const ExecutionHeader headers[] = {
    {HEADER_ALWAYS, "ddr/device/device.h"},
    {HEADER_WITH_IMAGES, "ddr/device/samples.h"},
    {HEADER_WITH_WINDOWS, "ddr/device/window.h"},
    {0},
};

Execution device_thread(void) {
  Execution how = one_strand;
  how.headers = headers;
  how.string_header = NULL;
  how.function = "DDR_DEVICE_FN";
  how.states = states;
  how.in_block = in_block;
  how.instead = instead;
  how.load_other = load_other;
  how.has_pairs = true;
  how.has_turns = true;
  how.picks_elements = true;
  how.probe = NULL; /* only the host computes samples of a whole grid at once */
  how.compare_strings = compare_strings;
  how.declare = declare;
  how.leave = leave;
  how.gather = device_store_early;
  how.after_method = after_method;
  how.newborn = newborn;
  how.after_birth = NULL;
  return how;
}

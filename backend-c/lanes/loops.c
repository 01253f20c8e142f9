/* loops: loops over ranges, and reductions (lanes.h). A lane becomes inactive at the limit of its
 * own range. Round k of a reduction adds value k of each lane, so the result has the same bits as
 * for one strand (ddr/lanes/reals.h).
 *
 *   sum { q.weight | q in sphere(r) }
 *   ddr_vreals_begin(&sum_all);
 *   while (ddr_vany(mask_2)) {
 *     ddr_vreals_add(&sum_all, DDR_SUM, mask_2, ...);
 */
#include "backend-c/lanes/local.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static bool is_varying(const Lanes *lanes, const TreeExpr *expr) {
  return lane_form(lanes, expr) != LANES_UNIFORM;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

bool lanes_is_ragged(const Lanes *lanes, const TreeStmt *stmt) {
  return is_varying(lanes, stmt->expr) || is_varying(lanes, stmt->limit);
}

static void open_alike(Lanes *lanes, const TreeStmt *stmt) {
  Gen *gen = lanes->gen;
  CParam idx = {.type = gen_type(gen, stmt->var->ty), .name = stmt->var->name};
  em_open_for(&gen->em, idx, gen_expr(gen, stmt->expr), "<=", gen_expr(gen, stmt->limit));
}

static void close_alike(Lanes *lanes, const TreeStmt *stmt) {
  Gen *gen = lanes->gen;
  if (!stmt->is_bounded) {
    em_open_if(&gen->em,
               c_binary(gen->cx, "==", name(lanes, stmt->var->name), gen_expr(gen, stmt->limit)));
    em_break(&gen->em);
    em_close(&gen->em);
  }
  em_close(&gen->em);
}

static CExpr *compare_with_limit(Lanes *lanes, const TreeStmt *stmt, const char *fn) {
  TreeExpr *idx = tree_var_expr(lanes->gen->cx, stmt->var, stmt->span);
  return c_call2(lanes->gen->cx, fn, lane_expr(lanes, idx), lane_expr(lanes, stmt->limit));
}

/* A loop with a varying range: a lane becomes inactive at its own limit, before its index is
 * stepped.
 */
static void open_ragged(Lanes *lanes, const TreeStmt *stmt, const char *mask) {
  Emit *em = &lanes->gen->em;
  const bool is_alike = !is_varying(lanes, stmt->expr);
  CExpr *from = is_alike ? gen_expr(lanes->gen, stmt->expr) : lane_expr(lanes, stmt->expr);
  em_declare(em, is_alike ? "ddr_int" : "ddr_vint", stmt->var->name, from);
  em_declare(em, "ddr_vmask", mask,
             c_binary(lanes->gen->cx, "&", name(lanes, lanes->scope.mask),
                      compare_with_limit(lanes, stmt, "ddr_vile")));
  em_open_while(em, c_call1(lanes->gen->cx, "ddr_vany", name(lanes, mask)));
}

static void close_ragged(Lanes *lanes, const TreeStmt *stmt, const char *mask) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  const bool is_alike = !is_varying(lanes, stmt->expr);
  em_assign(em, name(lanes, mask),
            c_binary(cx, "&", name(lanes, mask), compare_with_limit(lanes, stmt, "ddr_vilt")));
  CExpr *one = is_alike ? c_int(cx, 1) : c_call1(cx, "ddr_vint_all", c_int(cx, 1));
  em_assign(em, name(lanes, stmt->var->name),
            c_call2(cx, is_alike ? "ddr_iadd" : "ddr_viadd", name(lanes, stmt->var->name), one));
  em_close(em);
}

LaneScope lanes_open_range(Lanes *lanes, const TreeStmt *stmt) {
  LaneScope scope = lanes->scope;
  scope.n_loops++;
  if (!lanes_is_ragged(lanes, stmt)) {
    open_alike(lanes, stmt);
    return scope;
  }
  scope = (LaneScope){
      .mask = lanes_new_name(lanes, "mask"), .depth = scope.depth + 1, .n_loops = scope.n_loops};
  open_ragged(lanes, stmt, scope.mask);
  return scope;
}

void lanes_close_range(Lanes *lanes, const TreeStmt *stmt, LaneScope scope) {
  if (lanes_is_ragged(lanes, stmt)) close_ragged(lanes, stmt, scope.mask);
  else close_alike(lanes, stmt);
}

CExpr *lanes_stop_when_idle(Lanes *lanes, const TreeStmt *stmt, LaneScope scope) {
  Gen *gen = lanes->gen;
  const TreeExpr *goes_on = tree_goes_on(gen->cx, stmt);
  CExpr *those = name(lanes, scope.mask);
  if (goes_on && !is_varying(lanes, goes_on)) gen_stop_when_idle(gen, stmt);
  if (!goes_on || !is_varying(lanes, goes_on)) return those;
  those = c_binary(gen->cx, "&", those, lane_expr(lanes, goes_on));
  if (lanes_watch(lanes, stmt)) {
    const char *busy = lanes_new_name(lanes, "busy");
    em_declare_const(&gen->em, "ddr_vmask", busy, those);
    those = name(lanes, busy);
  }
  em_open_if(&gen->em, c_unary(gen->cx, "!", c_call1(gen->cx, "ddr_vany", those)));
  em_break(&gen->em);
  em_close(&gen->em);
  return those;
}

/* ---- reductions ------------------------------------------------------------------------------ */

bool lanes_reduces_alike(const Lanes *lanes, const TreeStmt *reduce) {
  bool is_alike = !lanes_is_ragged(lanes, reduce);
  for (uint32_t i = 0; i < reduce->values.len; i++)
    is_alike &= !is_varying(lanes, reduce->values.data[i]);
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) /* lanes may be assigned others later */
    is_alike &= lane_var(lanes, reduce->vars.data[i])->form == LANES_UNIFORM;
  return is_alike;
}

static bool is_variance(const GenResult *result) { return result->kind == REDUCE_VARIANCE; }

/* The first arguments of ddr_vreals_add(&sum_values, DDR_SUM, ...). */
static void push_gathered(Lanes *lanes, const GenResult *result, CExprVec *args) {
  Cx *cx = lanes->gen->cx;
  c_push(cx, args, c_unary(cx, "&", name(lanes, result->gathered->name)));
  if (!is_variance(result)) c_push(cx, args, name(lanes, gen_reduction_name(result->kind)));
}

static CExpr *call_gathered(Lanes *lanes, const GenResult *result, const char *act, CExprVec args) {
  const char *type = is_variance(result) ? "ddr_vvariance" : "ddr_vreals";
  return c_call(lanes->gen->cx, text_format(lanes->gen->cx->arena, "%s_%s", type, act), args);
}

static void declare_result(Lanes *lanes, const GenResult *result) {
  Gen *gen = lanes->gen;
  const Type *ty = result->var->ty;
  CExpr *none = gen_is_on_tree(result) ? NULL : lane_all(lanes, ty, gen_none(gen, result));
  em_declare(&gen->em, lane_type(lanes, ty), result->var->name, none);
}

static void begin(Lanes *lanes, const GenResult *result) {
  Gen *gen = lanes->gen;
  CExprVec args = {0};
  em_declare(&gen->em, is_variance(result) ? "ddr_vvariance" : "ddr_vreals", result->gathered->name,
             NULL);
  c_push(gen->cx, &args, c_unary(gen->cx, "&", name(lanes, result->gathered->name)));
  em_expr(&gen->em, call_gathered(lanes, result, "begin", args));
}

static CExpr *combined(Lanes *lanes, const GenResult *result) {
  Cx *cx = lanes->gen->cx;
  CExpr *so_far = name(lanes, result->var->name), *value = lane_expr(lanes, result->value);
  const char *fn = gen_combiner(lanes->gen, result);
  if (fn) return c_call2(cx, text_format(cx->arena, "ddr_v%s", fn), so_far, value);
  return c_binary(cx, result->kind == REDUCE_ALL ? "&" : "|", so_far, value);
}

/* Adds a value in the lanes of a mask; NULL: in all lanes. */
static void add(Lanes *lanes, const GenResult *result, const char *mask, bool is_second) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  if (!gen_is_on_tree(result)) {
    CExpr *so_far = name(lanes, result->var->name), *next = combined(lanes, result);
    if (mask) next = lane_select(lanes, result->var->ty, name(lanes, mask), next, so_far);
    em_assign(&lanes->gen->em, so_far, next);
    return;
  }
  push_gathered(lanes, result, &args);
  c_push(cx, &args, mask ? name(lanes, mask) : c_call1(cx, "ddr_vbool_all", c_bool(cx, true)));
  c_push(cx, &args, lane_expr(lanes, result->value));
  em_expr(&lanes->gen->em, call_gathered(lanes, result, is_second ? "add_distance" : "add", args));
}

/* A loop over the members; in the second one only variances are computed. */
static bool go_round(Lanes *lanes, const TreeStmt *reduce, bool is_second) {
  const LaneScope outer = lanes->scope;
  LaneScope scope = lanes_open_range(lanes, reduce);
  scope.around = &outer;
  const char *mask = lanes_is_ragged(lanes, reduce) ? scope.mask : NULL;
  bool has_variance = false;
  lanes->scope = scope;
  gen_stmts(lanes->gen, &reduce->body);
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const GenResult result = gen_result(reduce, i);
    has_variance |= is_variance(&result);
    if (!is_second || is_variance(&result)) add(lanes, &result, mask, is_second);
  }
  lanes->scope = outer;
  if (lanes_watch(lanes, reduce)) lanes_leave_loop(lanes, reduce, &scope, name(lanes, scope.mask));
  lanes_close_range(lanes, reduce, scope);
  return has_variance;
}

static void go_again(Lanes *lanes, const TreeStmt *reduce) {
  Gen *gen = lanes->gen;
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const GenResult result = gen_result(reduce, i);
    CExprVec args = {0};
    if (!is_variance(&result)) continue;
    push_gathered(lanes, &result, &args);
    em_expr(&gen->em, call_gathered(lanes, &result, "again", args));
  }
  em_open_block(&gen->em);
  go_round(lanes, reduce, true);
  em_close(&gen->em);
}

static void end(Lanes *lanes, const GenResult *result) {
  CExprVec args = {0};
  push_gathered(lanes, result, &args);
  em_assign(&lanes->gen->em, name(lanes, result->var->name),
            call_gathered(lanes, result, "end", args));
}

static void on_trees(Lanes *lanes, const TreeStmt *reduce,
                     void (*act)(Lanes *, const GenResult *)) {
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const GenResult result = gen_result(reduce, i);
    if (gen_is_on_tree(&result)) act(lanes, &result);
  }
}

/* Trees are large, so each reduction has them in a block of its own. */
static void reduce_each(Lanes *lanes, const TreeStmt *reduce, bool has_trees) {
  if (has_trees) em_open_block(&lanes->gen->em);
  on_trees(lanes, reduce, begin);
  if (go_round(lanes, reduce, false)) go_again(lanes, reduce);
  on_trees(lanes, reduce, end);
  if (has_trees) em_close(&lanes->gen->em);
}

void lanes_reduce(Lanes *lanes, const TreeStmt *reduce) {
  bool has_trees = false;
  if (lanes_reduces_alike(lanes, reduce)) {
    one_strand.call(lanes->gen, reduce);
    return;
  }
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const GenResult result = gen_result(reduce, i);
    declare_result(lanes, &result);
    has_trees |= gen_is_on_tree(&result);
  }
  reduce_each(lanes, reduce, has_trees);
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const TreeVar *result = gen_result(reduce, i).var;
    if (!tree_stmts_read(lanes->body, result)) em_unused(&lanes->gen->em, result->name);
  }
}

/* reductions: over a range they are a loop that keeps the extreme, the integer or truth value so
 * far, or passes reals to a ddr_reals. Over a set of strands the body becomes a function, which the
 * runtime calls for blocks of members, in any thread.
 */
#include <math.h>

#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

const char *gen_reduction_name(Reduction reduction) {
  static const char *const names[] = {
#define REDUCTION(id, ...) [REDUCE_##id] = "DDR_" #id,
#include "ir/core/reductions.def"
  };
  return names[reduction];
}

/* ---- over a range ---------------------------------------------------------------------------- */

GenResult gen_result(const TreeStmt *reduce, uint32_t i) {
  const uint32_t n = reduce->reduce.n_kinds, column = reduce->columns[i];
  const bool is_range = reduce->reduce.over == OVER_RANGE;
  return (GenResult){reduce->reduce.kinds[i], reduce->vars.data[i],
                     is_range ? reduce->vars.data[n + i] : NULL, reduce->values.data[column],
                     column};
}

bool gen_is_on_tree(const GenResult *result) {
  return type_is_real(result->var->ty) && result->kind != REDUCE_MIN && result->kind != REDUCE_MAX;
}

CExpr *gen_none(Gen *gen, const GenResult *result) {
  Cx *cx = gen->cx;
  bool is_real = type_is_real(result->var->ty);
  double infinity = result->kind == REDUCE_MIN ? INFINITY : -INFINITY;
  switch (result->kind) {
  case REDUCE_SUM: return c_int(cx, 0);
  case REDUCE_PRODUCT: return c_int(cx, 1);
  case REDUCE_ALL: return c_bool(cx, true);
  case REDUCE_EXISTS: return c_bool(cx, false);
  case REDUCE_MIN:
  case REDUCE_MAX:
    if (is_real) return c_real(cx, (RealConst){.value = infinity});
    return name(gen, result->kind == REDUCE_MIN ? "DDR_INT_MAX" : "DDR_INT_MIN");
  default: BUG(cx, "%s begins with no value", reduction_text(result->kind)); /* it is on the tree */
  }
}

const char *gen_combiner(const Gen *gen, const GenResult *result) {
  const bool is_real = type_is_real(result->var->ty);
  switch (result->kind) {
  case REDUCE_SUM: return "iadd";
  case REDUCE_PRODUCT: return "imul";
  case REDUCE_MIN: return is_real ? "least" : "imin";
  case REDUCE_MAX: return is_real ? "most" : "imax";
  case REDUCE_ALL:
  case REDUCE_EXISTS: return NULL;
  /* It is on the tree. */
  default: BUG(gen->cx, "%s combines no values", reduction_text(result->kind));
  }
}

static CExpr *combined(Gen *gen, const GenResult *result) {
  Cx *cx = gen->cx;
  CExpr *so_far = name(gen, result->var->name), *value = gen_expr(gen, result->value);
  const char *fn = gen_combiner(gen, result);
  if (fn) return c_call2(cx, text_format(cx->arena, "ddr_%s", fn), so_far, value);
  return c_binary(cx, result->kind == REDUCE_ALL ? "&&" : "||", so_far, value);
}

static void declare_result(Gen *gen, const TreeVar *result, const CExpr *value) {
  const char *type = gen_type(gen, result->ty);
  if (result->is_mutable) em_declare(&gen->em, type, result->name, value);
  else em_declare_const(&gen->em, type, result->name, value);
  if (!tree_stmts_read(&gen->fn->body, result)) em_unused(&gen->em, result->name);
}

static CExpr *gathered(Gen *gen, const GenResult *result) {
  return c_unary(gen->cx, "&", name(gen, result->gathered->name));
}

/* The number of values, if it is known. */
static CExpr *most_values(Gen *gen, const TreeStmt *reduce) {
  const TreeExpr *first = reduce->expr, *last = reduce->limit;
  const bool is_known = first->kind == TX_OP && first->op == OP_CONST_INT && last->kind == TX_OP &&
                        last->op == OP_CONST_INT && first->attr.i >= 0;
  if (!is_known) return name(gen, "INT64_MAX");
  if (last->attr.i < first->attr.i) return c_int(gen->cx, 0);
  const int64_t n_more = last->attr.i - first->attr.i;
  return n_more == INT64_MAX ? name(gen, "INT64_MAX") : c_int(gen->cx, n_more + 1);
}

/* Printed text shows the order of the values, as does the first check that fails. */
static bool takes_turns(Gen *gen, const TreeStmt *reduce) {
  return gen->how->has_turns && !(gen_body_needs(gen, reduce) & NEED_TEXT);
}

/* The type of what gathers reals, or a function for it. */
static const char *of_reals(Gen *gen, const TreeStmt *reduce, const char *suffix) {
  const bool is_in_order = gen->how->has_turns && !takes_turns(gen, reduce);
  return text_format(gen->cx->arena, "ddr_%sreals%s", is_in_order ? "ordered_" : "", suffix);
}

static void begin_result(Gen *gen, const TreeStmt *reduce, const GenResult *result) {
  if (!gen_is_on_tree(result)) {
    em_declare(&gen->em, gen_type(gen, result->var->ty), result->var->name, gen_none(gen, result));
    return;
  }
  CExprVec args = {0};
  c_push(gen->cx, &args, gathered(gen, result));
  c_push(gen->cx, &args, name(gen, gen_reduction_name(result->kind)));
  if (takes_turns(gen, reduce)) c_push(gen->cx, &args, most_values(gen, reduce));
  em_declare(&gen->em, of_reals(gen, reduce, ""), result->gathered->name, NULL);
  em_expr(&gen->em, c_call(gen->cx, of_reals(gen, reduce, "_begin"), args));
}

/* The place of a loop that visits its values in the order of their tree; NULL: the loop counts. */
static CExpr *turns_of(Gen *gen, const TreeStmt *reduce) {
  if (!takes_turns(gen, reduce)) return NULL;
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const GenResult result = gen_result(reduce, i);
    CExpr *reals = name(gen, result.gathered->name);
    if (gen_is_on_tree(&result)) return c_unary(gen->cx, "&", c_dot(gen->cx, reals, "turns"));
  }
  return NULL;
}

static void add_value(Gen *gen, const TreeStmt *reduce, const GenResult *result, CExpr *turns) {
  if (!gen_is_on_tree(result)) {
    em_assign(&gen->em, name(gen, result->var->name), combined(gen, result));
    return;
  }
  CExprVec args = {0};
  c_push(gen->cx, &args, gathered(gen, result));
  if (turns) c_push(gen->cx, &args, turns);
  c_push(gen->cx, &args, gen_expr(gen, result->value));
  em_expr(&gen->em, c_call(gen->cx, of_reals(gen, reduce, "_add"), args));
}

static bool reads_variable(const TreeStmt *reduce) {
  bool reads = tree_stmts_read(&reduce->body, reduce->var);
  for (uint32_t i = 0; i < reduce->values.len; i++)
    reads |= tree_reads(reduce->values.data[i], reduce->var);
  return reads;
}

/* while (ddr_turns_take(&v_values.turns, 0, n)) {
 *   const ddr_int i = ddr_turns_value(&v_values.turns, 0);
 *   (void)i;
 */
static void open_turns(Gen *gen, const TreeStmt *reduce, CExpr *turns) {
  CExprVec args = {0};
  c_push(gen->cx, &args, turns);
  c_push(gen->cx, &args, gen_expr(gen, reduce->expr));
  c_push(gen->cx, &args, gen_expr(gen, reduce->limit));
  em_open_while(&gen->em, c_call(gen->cx, "ddr_turns_take", args));
  CExpr *value = c_call2(gen->cx, "ddr_turns_value", turns, gen_expr(gen, reduce->expr));
  if (!reads_variable(reduce)) return;
  gen_declare(gen, gen_type(gen, reduce->var->ty), reduce->var, value);
  em_unused(&gen->em, reduce->var->name); /* as the index of a single element */
}

/* Runs the loop; the second time only for variances. */
static bool go_round(Gen *gen, const TreeStmt *reduce, bool is_second) {
  CExpr *turns = turns_of(gen, reduce);
  bool has_variance = false;
  if (turns) open_turns(gen, reduce, turns);
  else gen_open_range(gen, reduce);
  gen_stmts(gen, &reduce->body);
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const GenResult result = gen_result(reduce, i);
    has_variance |= result.kind == REDUCE_VARIANCE;
    if (!is_second || result.kind == REDUCE_VARIANCE) add_value(gen, reduce, &result, turns);
  }
  if (turns) em_close(&gen->em);
  else gen_close_range(gen, reduce);
  return has_variance;
}

static void reduce_range(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  const uint32_t n = reduce->reduce.n_kinds;
  for (uint32_t i = 0; i < n; i++) {
    const GenResult result = gen_result(reduce, i);
    begin_result(gen, reduce, &result);
  }
  const bool has_variance = go_round(gen, reduce, false);
  for (uint32_t i = 0; i < n; i++) {
    const GenResult result = gen_result(reduce, i);
    if (result.kind == REDUCE_VARIANCE)
      em_expr(&gen->em, c_call1(cx, of_reals(gen, reduce, "_again"), gathered(gen, &result)));
  }
  if (has_variance) go_round(gen, reduce, true);
  for (uint32_t i = 0; i < n; i++) {
    const GenResult result = gen_result(reduce, i);
    if (gen_is_on_tree(&result))
      declare_result(gen, result.var,
                     c_call1(cx, of_reals(gen, reduce, "_end"), gathered(gen, &result)));
  }
}

/* ---- over a set of strands ------------------------------------------------------------------- */

const char *gen_set_name(ReduceOver over) {
  static const char *const sets[] = {[OVER_RANGE] = "",
                                     [OVER_ALL] = "DDR_SET_ALL",
                                     [OVER_ACTIVE] = "DDR_SET_ACTIVE",
                                     [OVER_STABLE] = "DDR_SET_STABLE"};
  return sets[over];
}

/* Names of helpers, numbered after the results: the function that computes the values of strands;
 * if there are several results, the arrays of requests and results. */
static const char *helper(const TreeStmt *reduce, uint32_t i) {
  return reduce->vars.data[reduce->reduce.n_kinds + i]->name;
}

static const char *tag_of(const TreeStmt *reduce) { return helper(reduce, 0); }

/* The variables from outside that the body reads, by name: first its surroundings, then variables
 * of the global block. */
CParamVec gen_reduction_context(Gen *gen, const TreeStmt *reduce) {
  CFunc taker = {0};
  gen_context_params(gen, STATES_NOW, gen_body_needs(gen, reduce), &taker);
  TreeVarVec vars = tree_free_vars(gen->cx, reduce);
  for (uint32_t i = 0; i < vars.len; i++) {
    CParam param = {.type = gen_type(gen, vars.data[i]->ty), .name = vars.data[i]->name};
    vec_push(gen->cx->arena, &taker.params, param);
  }
  return taker.params;
}

void gen_context_struct(Gen *gen, const char *tag, const CParamVec *context) {
  em_blank(&gen->em);
  em_open_struct(&gen->em, tag);
  for (uint32_t i = 0; i < context->len; i++)
    em_field(&gen->em, context->data[i].type, context->data[i].name, 1);
  em_close_struct(&gen->em);
}

static void open_context(Gen *gen, const char *tag, const CParamVec *context) {
  Cx *cx = gen->cx;
  if (context->len == 0) {
    em_unused(&gen->em, "memory");
    return;
  }
  em_declare(&gen->em, text_format(cx->arena, "const struct %s *", tag), "context",
             name(gen, "memory"));
  for (uint32_t i = 0; i < context->len; i++) {
    CExpr *value = c_arrow(cx, name(gen, "context"), context->data[i].name);
    em_declare_const(&gen->em, context->data[i].type, context->data[i].name, value);
  }
}

const char *gen_column_name(const TreeStmt *reduce, uint32_t column) {
  return reduce->reduce.n_kinds == 1 ? "given" : helper(reduce, 3 + column);
}

static void declare_columns(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  for (uint32_t i = 0; i < reduce->values.len; i++) {
    const char *type = gen_type(gen, reduce->values.data[i]->ty);
    CExprVec args = {0};
    c_push(cx, &args, name(gen, "columns"));
    c_push(cx, &args, name(gen, "DDR_TREE_BLOCK"));
    c_push(cx, &args, c_int(cx, i));
    em_declare(&gen->em, text_format(cx->arena, "%s *", type), gen_column_name(reduce, i),
               reduce->reduce.n_kinds == 1 ? name(gen, "columns") : c_call(cx, "ddr_given", args));
  }
}

static void give_values(Gen *gen, const TreeStmt *reduce) {
  for (uint32_t i = 0; i < reduce->values.len; i++)
    em_assign(&gen->em,
              c_index(gen->cx, name(gen, gen_column_name(reduce, i)), name(gen, "member")),
              gen_expr(gen, reduce->values.data[i]));
}

static void give_members(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  CParam member = {.type = "int64_t", .name = "member"};
  declare_columns(gen, reduce);
  const bool is_begun =
      gen->update_how && gen->update_how->give && gen->update_how->give(gen, reduce);
  em_open_for(&gen->em, member, is_begun ? name(gen, "n_whole") : c_int(cx, 0), "<",
              name(gen, "n_members"));
  CExprVec args = {0};
  c_push(cx, &args, name(gen, "strands"));
  c_push(cx, &args, name(gen, "slot"));
  c_push(cx, &args, name(gen, gen_set_name(reduce->reduce.over)));
  em_assign(&gen->em, name(gen, "slot"), c_call(cx, "ddr_next_member", args));
  if (reads_variable(reduce))
    em_declare_const(&gen->em, "int64_t", reduce->var->name, name(gen, "slot"));
  gen_stmts(gen, &reduce->body);
  give_values(gen, reduce);
  em_expr(&gen->em, c_step(cx, name(gen, "slot")));
  em_close(&gen->em);
}

static const char *kind_name(const Type *ty) {
  return type_is_real(ty) ? "DDR_REAL" : type_is(ty, TY_INT) ? "DDR_INT" : "DDR_BOOL";
}

static CExpr *wanted(Gen *gen, const GenResult *result, bool is_only) {
  CExprVec args = {0};
  c_push(gen->cx, &args, name(gen, gen_reduction_name(result->kind)));
  c_push(gen->cx, &args, name(gen, kind_name(result->var->ty)));
  if (!is_only) c_push(gen->cx, &args, c_int(gen->cx, result->column));
  return c_call(gen->cx, is_only ? "DDR_ONE" : "DDR_RESULT", args);
}

static void gen_wanted(Gen *gen, const TreeStmt *reduce) {
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_set_result", helper(reduce, 1));
  for (uint32_t i = 0; i < reduce->reduce.n_kinds; i++) {
    const GenResult result = gen_result(reduce, i);
    em_element(&gen->em, wanted(gen, &result, false));
  }
  em_close_table(&gen->em);
}

static void gen_members(Gen *gen, const TreeStmt *reduce) {
  static const CParam params[] = {{"const void *", "memory"},
                                  {"const ddr_strands *", "strands"},
                                  {"int64_t", "slot"},
                                  {"int64_t", "n_members"},
                                  {"void *", "columns"}};
  const char *tag = tag_of(reduce);
  CParamVec context = gen_reduction_context(gen, reduce);
  CFunc head = {.qualifiers = "static", .result = "void", .name = tag};
  for (size_t i = 0; i < sizeof params / sizeof *params; i++)
    vec_push(gen->cx->arena, &head.params, params[i]);
  if (context.len > 0) gen_context_struct(gen, tag, &context);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  gen_source(gen, reduce->span);
  open_context(gen, tag, &context);
  give_members(gen, reduce);
  em_close(&gen->em);
  if (reduce->reduce.n_kinds > 1) gen_wanted(gen, reduce);
}

static void gen_members_in(Gen *gen, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_REDUCE && stmt->reduce.over != OVER_RANGE) gen_members(gen, stmt);
    gen_members_in(gen, &stmt->body);
    gen_members_in(gen, &stmt->else_body);
  }
}

void gen_member_functions(Gen *gen, const TreeFunc *fn) {
  gen->fn = fn;
  gen_members_in(gen, &fn->body);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool has_inner_set(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_REDUCE && stmt->reduce.over != OVER_RANGE) return true;
    if (has_inner_set(&stmt->body) || has_inner_set(&stmt->else_body)) return true;
  }
  return false;
}

static bool is_plain(const Type *ty) {
  return type_is(ty, TY_BOOL) || type_is(ty, TY_INT) || type_is(ty, TY_TENSOR) ||
         type_is(ty, TY_OFFSET);
}

/* Prints, sequences and strings in global code need the host, one thread, and one strand at a time.
 */
bool gen_is_of_values(Gen *gen, const TreeStmt *reduce) {
  const uint32_t of_host = NEED_TEXT | NEED_POOL | NEED_BLOCK | NEED_SLOT | NEED_STRINGS;
  TreeVarVec vars = tree_free_vars(gen->cx, reduce);
  for (uint32_t i = 0; i < vars.len; i++)
    if (!is_plain(vars.data[i]->ty)) return false;
  return !(gen_body_needs(gen, reduce) & of_host) && !has_inner_set(&reduce->body);
}

static void collect(Gen *gen, const TreeFunc *fn, const TreeStmtVec *stmts, GenReductionVec *all) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const bool is_set = stmt->kind == TT_REDUCE && stmt->reduce.over != OVER_RANGE;
    if (is_set && gen_is_of_values(gen, stmt))
      vec_push(gen->cx->arena, all, ((GenReduction){fn, stmt}));
    collect(gen, fn, &stmt->body, all);
    collect(gen, fn, &stmt->else_body, all);
  }
}

GenReductionVec gen_set_reductions(Gen *gen) {
  static const FuncKind kinds[] = {FN_GLOBAL_START, FN_GLOBAL_UPDATE};
  GenReductionVec all = {0};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const TreeFunc *fn = gen_find(gen, kinds[i]);
    if (fn) collect(gen, fn, &fn->body, &all);
  }
  return all;
}

static uint32_t number_of(Gen *gen, const TreeStmt *reduce) {
  const GenReductionVec all = gen_set_reductions(gen);
  for (uint32_t i = 0; i < all.len; i++)
    if (all.data[i].reduce == reduce) return i + 1;
  return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Prints and sequences in global code belong to one thread, so members are then visited in
 * order. */
static CExpr *requested_results(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  bool is_in_order = gen_body_needs(gen, reduce) & (NEED_TEXT | NEED_POOL);
  const uint32_t n = reduce->reduce.n_kinds;
  const GenResult first = gen_result(reduce, 0);
  CExprVec args = {0};
  c_push(cx, &args, name(gen, gen_set_name(reduce->reduce.over)));
  c_push(cx, &args, c_bool(cx, is_in_order));
  c_push(cx, &args, name(gen, tag_of(reduce)));
  c_push(cx, &args, c_int(cx, gen->options->has_device ? number_of(gen, reduce) : 0));
  c_push(cx, &args, c_int(cx, n));
  c_push(cx, &args, n == 1 ? wanted(gen, &first, true) : name(gen, helper(reduce, 1)));
  return c_call(cx, "DDR_OVER", args);
}

static CExpr *context_value(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  CParamVec context = gen_reduction_context(gen, reduce);
  if (context.len == 0) return name(gen, "NULL");
  CExprVec args = {0};
  c_push(cx, &args, name(gen, text_format(cx->arena, "struct %s", tag_of(reduce))));
  for (uint32_t i = 0; i < context.len; i++) c_push(cx, &args, name(gen, context.data[i].name));
  return c_call(cx, "DDR_CONTEXT", args);
}

/* The result of a call, as a value of the program. */
static CExpr *converted(Gen *gen, const Type *ty, CExpr *result) {
  return type_is(ty, TY_BOOL) ? result : c_cast(gen->cx, gen_type(gen, ty), result);
}

static CExpr *call_set(Gen *gen, const TreeStmt *reduce, const char *fn, CExpr *results) {
  CExprVec args = {0};
  c_push(gen->cx, &args, name(gen, "world"));
  c_push(gen->cx, &args, requested_results(gen, reduce));
  c_push(gen->cx, &args, context_value(gen, reduce));
  if (results) c_push(gen->cx, &args, results);
  return c_call(gen->cx, fn, args);
}

static void reduce_to_one(Gen *gen, const TreeStmt *reduce) {
  const TreeVar *result = reduce->vars.data[0];
  const char *fn = type_is_real(result->ty)      ? "ddr_reduce_reals"
                   : type_is(result->ty, TY_INT) ? "ddr_reduce_ints"
                                                 : "ddr_reduce_bools";
  CExpr *call = call_set(gen, reduce, fn, NULL);
  declare_result(gen, result, converted(gen, result->ty, call));
}

static void reduce_to_several(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  const uint32_t n = reduce->reduce.n_kinds;
  const char *found = helper(reduce, 2);
  em_declare_array(&gen->em, "ddr_reduced", found, n);
  em_expr(&gen->em, call_set(gen, reduce, "ddr_reduce_set", name(gen, found)));
  for (uint32_t i = 0; i < n; i++) {
    const TreeVar *result = reduce->vars.data[i];
    CExpr *at = c_index(cx, name(gen, found), c_int(cx, i));
    CExpr *value = c_dot(cx, at, type_is_real(result->ty) ? "real" : "integer");
    if (type_is(result->ty, TY_BOOL)) value = c_binary(cx, "!=", value, c_int(cx, 0));
    declare_result(gen, result, converted(gen, result->ty, value));
  }
}

/* ---- any ------------------------------------------------------------------------------------- */

void gen_reduce(Gen *gen, const TreeStmt *reduce) {
  if (reduce->reduce.over == OVER_RANGE) reduce_range(gen, reduce);
  else if (reduce->reduce.n_kinds == 1) reduce_to_one(gen, reduce);
  else reduce_to_several(gen, reduce);
}

/* emit_reduce: reductions. Over a range they are a loop that keeps the extreme, the integer or
 * truth so far, or hands reals to a ddr_reals. Over a set of strands the body becomes a function of
 * its own, which the runtime calls for blocks of members, on any thread.
 */
#include <math.h>

#include "backend-c/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static const char *reduction_name(Reduction reduction) {
  static const char *const names[] = {
#define REDUCTION(id, ...) [REDUCE_##id] = "DDR_" #id,
#include "ir/core/reductions.def"
  };
  return names[reduction];
}

/* ---- over a range ------------------------------------------------------------------------------
 */

/* Sums and products of reals, and what begins with a sum: on the tree. */
static bool is_on_tree(const TreeStmt *reduce) {
  return type_is_real(reduce->vars.data[0]->ty) && reduce->reduce.kind != REDUCE_MIN &&
         reduce->reduce.kind != REDUCE_MAX;
}

static CExpr *none_of(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  bool is_real = type_is_real(reduce->vars.data[0]->ty);
  double infinity = reduce->reduce.kind == REDUCE_MIN ? INFINITY : -INFINITY;
  switch (reduce->reduce.kind) {
  case REDUCE_SUM: return c_int(cx, 0);
  case REDUCE_PRODUCT: return c_int(cx, 1);
  case REDUCE_ALL: return c_bool(cx, true);
  case REDUCE_EXISTS: return c_bool(cx, false);
  case REDUCE_MIN:
  case REDUCE_MAX:
    if (is_real) return c_real(cx, (RealConst){.value = infinity});
    return name(gen, reduce->reduce.kind == REDUCE_MIN ? "DDR_INT_MAX" : "DDR_INT_MIN");
  default:
    BUG(cx, "%s begins with no value", reduction_text(reduce->reduce.kind)); /* on the tree */
  }
}

static CExpr *combined(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  CExpr *so_far = name(gen, reduce->vars.data[0]->name);
  CExpr *value = gen_expr(gen, reduce->values.data[0]);
  bool is_real = type_is_real(reduce->vars.data[0]->ty);
  switch (reduce->reduce.kind) {
  case REDUCE_SUM: return c_call2(cx, "ddr_iadd", so_far, value);
  case REDUCE_PRODUCT: return c_call2(cx, "ddr_imul", so_far, value);
  case REDUCE_MIN: return c_call2(cx, is_real ? "ddr_least" : "ddr_imin", so_far, value);
  case REDUCE_MAX: return c_call2(cx, is_real ? "ddr_most" : "ddr_imax", so_far, value);
  case REDUCE_ALL: return c_binary(cx, "&&", so_far, value);
  case REDUCE_EXISTS: return c_binary(cx, "||", so_far, value);
  default: BUG(cx, "%s combines no values", reduction_text(reduce->reduce.kind)); /* on the tree */
  }
}

static void declare_result(Gen *gen, const TreeStmt *reduce, const CExpr *value) {
  const TreeVar *result = reduce->vars.data[0];
  const char *type = gen_type(gen, result->ty);
  if (result->is_mutable) em_declare(&gen->em, type, result->name, value);
  else em_declare_const(&gen->em, type, result->name, value);
  if (!gen_is_read_in(&gen->fn->body, result)) em_unused(&gen->em, result->name);
}

static void reduce_so_far(Gen *gen, const TreeStmt *reduce) {
  const TreeVar *result = reduce->vars.data[0];
  em_declare(&gen->em, gen_type(gen, result->ty), result->name, none_of(gen, reduce));
  gen_open_range(gen, reduce);
  gen_stmts(gen, &reduce->body);
  em_assign(&gen->em, name(gen, result->name), combined(gen, reduce));
  gen_close_range(gen, reduce);
}

static CExpr *gathered(Gen *gen, const TreeStmt *reduce) {
  return c_unary(gen->cx, "&", name(gen, reduce->vars.data[1]->name));
}

static void add_values(Gen *gen, const TreeStmt *reduce) {
  gen_open_range(gen, reduce);
  gen_stmts(gen, &reduce->body);
  CExpr *value = gen_expr(gen, reduce->values.data[0]);
  em_expr(&gen->em, c_call2(gen->cx, "ddr_reals_add", gathered(gen, reduce), value));
  gen_close_range(gen, reduce);
}

static void reduce_on_tree(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  CExpr *kind = name(gen, reduction_name(reduce->reduce.kind));
  em_declare(&gen->em, "ddr_reals", reduce->vars.data[1]->name, NULL);
  em_expr(&gen->em, c_call2(cx, "ddr_reals_begin", gathered(gen, reduce), kind));
  add_values(gen, reduce);
  if (reduce->reduce.kind == REDUCE_VARIANCE) {
    em_expr(&gen->em, c_call1(cx, "ddr_reals_again", gathered(gen, reduce)));
    add_values(gen, reduce);
  }
  declare_result(gen, reduce, c_call1(cx, "ddr_reals_end", gathered(gen, reduce)));
}

/* ---- over a set of strands ---------------------------------------------------------------------
 */

static const char *set_name(ReduceOver over) {
  static const char *const sets[] = {[OVER_RANGE] = "",
                                     [OVER_ALL] = "DDR_SET_ALL",
                                     [OVER_ACTIVE] = "DDR_SET_ACTIVE",
                                     [OVER_STABLE] = "DDR_SET_STABLE"};
  return sets[over];
}

/* What the body finds around it, by name: first what it needs of the surroundings, then variables
 * of the global block. */
CParamVec gen_reduction_context(Gen *gen, const TreeStmt *reduce) {
  CFunc taker = {0};
  gen_context_params(gen, gen_state_pointer(gen), gen_body_needs(gen, reduce), &taker);
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

static void give_members(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  CParam member = {.type = "int64_t", .name = "member"};
  const char *type = gen_type(gen, reduce->vars.data[0]->ty);
  em_declare(&gen->em, text_format(cx->arena, "%s *", type), "given", name(gen, "values"));
  em_open_for(&gen->em, member, c_int(cx, 0), "<", name(gen, "n_members"));
  CExprVec args = {0};
  c_push(cx, &args, name(gen, "strands"));
  c_push(cx, &args, name(gen, "slot"));
  c_push(cx, &args, name(gen, set_name(reduce->reduce.over)));
  em_assign(&gen->em, name(gen, "slot"), c_call(cx, "ddr_next_member", args));
  if (gen_is_read_in(&reduce->body, reduce->var) || tree_reads(reduce->values.data[0], reduce->var))
    em_declare_const(&gen->em, "int64_t", reduce->var->name, name(gen, "slot"));
  gen_stmts(gen, &reduce->body);
  em_assign(&gen->em, c_index(cx, name(gen, "given"), name(gen, "member")),
            gen_expr(gen, reduce->values.data[0]));
  em_expr(&gen->em, c_step(cx, name(gen, "slot")));
  em_close(&gen->em);
}

static void gen_members(Gen *gen, const TreeStmt *reduce) {
  static const CParam params[] = {{"const void *", "memory"},
                                  {"const ddr_strands *", "strands"},
                                  {"int64_t", "slot"},
                                  {"int64_t", "n_members"},
                                  {"void *", "values"}};
  const char *tag = reduce->vars.data[1]->name;
  CParamVec context = gen_reduction_context(gen, reduce);
  CFunc head = {.qualifiers = "static", .result = "void", .name = tag};
  for (size_t i = 0; i < sizeof params / sizeof *params; i++)
    vec_push(gen->cx->arena, &head.params, params[i]);
  if (context.len > 0) gen_context_struct(gen, tag, &context);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  em_source(&gen->em, reduce->span);
  open_context(gen, tag, &context);
  give_members(gen, reduce);
  em_close(&gen->em);
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

/* ---- numbers -----------------------------------------------------------------------------------
 */

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

/* Prints, sequences and strings of global code are the host's. */
static bool is_for_devices(Gen *gen, const TreeStmt *reduce) {
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
    if (is_set && is_for_devices(gen, stmt))
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

/* ---- calls -------------------------------------------------------------------------------------
 */

/* Prints and sequences of global code belong to one thread. */
static CExpr *what_is_asked(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  bool is_in_order = gen_body_needs(gen, reduce) & (NEED_TEXT | NEED_POOL);
  CExprVec args = {0};
  c_push(cx, &args, name(gen, reduction_name(reduce->reduce.kind)));
  c_push(cx, &args, name(gen, set_name(reduce->reduce.over)));
  c_push(cx, &args, c_bool(cx, is_in_order));
  c_push(cx, &args, name(gen, reduce->vars.data[1]->name));
  const uint32_t number = gen->options->has_device ? number_of(gen, reduce) : 0;
  if (number == 0) return c_call(cx, "DDR_OVER", args);
  c_push(cx, &args, c_int(cx, number));
  return c_call(cx, "DDR_OVER_NUMBERED", args);
}

static CExpr *context_value(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  CParamVec context = gen_reduction_context(gen, reduce);
  if (context.len == 0) return name(gen, "NULL");
  CExprVec args = {0};
  const char *tag = reduce->vars.data[1]->name;
  c_push(cx, &args, name(gen, text_format(cx->arena, "struct %s", tag)));
  for (uint32_t i = 0; i < context.len; i++) c_push(cx, &args, name(gen, context.data[i].name));
  return c_call(cx, "DDR_CONTEXT", args);
}

static void reduce_strands(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  const Type *ty = reduce->vars.data[0]->ty;
  const char *fn = type_is_real(ty)      ? "ddr_reduce_reals"
                   : type_is(ty, TY_INT) ? "ddr_reduce_ints"
                                         : "ddr_reduce_bools";
  CExprVec args = {0};
  c_push(cx, &args, name(gen, "world"));
  c_push(cx, &args, what_is_asked(gen, reduce));
  c_push(cx, &args, context_value(gen, reduce));
  CExpr *result = c_call(cx, fn, args);
  if (!type_is(ty, TY_BOOL)) result = c_cast(cx, gen_type(gen, ty), result);
  declare_result(gen, reduce, result);
}

/* ---- any ---------------------------------------------------------------------------------------
 */

void gen_reduce(Gen *gen, const TreeStmt *reduce) {
  if (reduce->reduce.over != OVER_RANGE) reduce_strands(gen, reduce);
  else if (is_on_tree(reduce)) reduce_on_tree(gen, reduce);
  else reduce_so_far(gen, reduce);
}

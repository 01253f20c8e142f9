/* emit_reductions: kernels for the reductions of global blocks. A thread computes the values of one
 * strand; the runtime reduces them. The host has a function of the same name
 * (backend-c/code/reductions.c). The kernel gets the same context as that function, and reads the
 * local variables of the global block from it.
 */
#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static const char *tag_of(const TreeStmt *reduce) {
  return reduce->vars.data[reduce->reduce.n_kinds]->name;
}

static const char *suffixed(Gen *gen, const TreeStmt *reduce, const char *suffix) {
  return text_format(gen->cx->arena, "%s_%s", tag_of(reduce), suffix);
}

static const char *column_pointer(Gen *gen, const TreeStmt *reduce, uint32_t column) {
  return text_format(gen->cx->arena, "%s *", gen_type(gen, reduce->values.data[column]->ty));
}

static const char *struct_of(Gen *gen, const TreeStmt *reduce) {
  return text_format(gen->cx->arena, "struct %s", tag_of(reduce));
}

/* The last n_vars members of the context are local variables of the global block. */
static void declare_variables(Gen *gen, const CParamVec *context, uint32_t n_vars) {
  for (uint32_t i = context->len - n_vars; i < context->len; i++)
    em_declare_const(&gen->em, context->data[i].type, context->data[i].name,
                     c_dot(gen->cx, name(gen, "context"), context->data[i].name));
}

static void declare_surroundings(Gen *gen, uint32_t needs) {
  Cx *cx = gen->cx;
  CExpr *state = c_dot(cx, name(gen, "store"), "state");
  if (needs & NEED_WORLD) {
    em_declare(&gen->em, "const ddr_device_block", "here",
               c_call2(cx, "ddr_device_block_at", c_unary(cx, "&", name(gen, "store")),
                       name(gen, "slot")));
    em_declare(&gen->em, "const ddr_device_block *", "world", c_unary(cx, "&", name(gen, "here")));
  }
  if (needs & NEED_STATES)
    em_declare(&gen->em, "const ddr_columns *", "states", c_unary(cx, "&", state));
}

static void declare_member(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  CExpr *listed = c_index(cx, name(gen, "slots"), name(gen, "thread"));
  em_declare_const(&gen->em, "int64_t", "slot",
                   c_cond(cx, name(gen, "slots"), listed, name(gen, "thread")));
  em_declare_const(&gen->em, "int64_t", reduce->var->name, name(gen, "slot"));
  em_unused(&gen->em, reduce->var->name);
}

static void give_values(Gen *gen, const TreeStmt *reduce) {
  Cx *cx = gen->cx;
  for (uint32_t i = 0; i < reduce->values.len; i++) {
    const char *type = column_pointer(gen, reduce, i), *given = gen_column_name(reduce, i);
    CExprVec args = {0};
    c_push(cx, &args, name(gen, "columns"));
    c_push(cx, &args, name(gen, "n_members"));
    c_push(cx, &args, c_int(cx, i));
    em_declare(&gen->em, type, given, c_cast(cx, type, c_call(cx, "ddr_given", args)));
    em_assign(&gen->em, c_index(cx, name(gen, given), name(gen, "thread")),
              gen_expr(gen, reduce->values.data[i]));
  }
}

static void gen_kernel(Gen *gen, const TreeStmt *reduce, const CParamVec *context) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  const uint32_t needs = gen_body_needs(gen, reduce);
  const uint32_t n_vars = tree_free_vars(cx, reduce).len;
  CFunc head = device_kernel_head(gen, suffixed(gen, reduce, "kernel"));
  em_param(cx, &head, "const int64_t *DDR_RESTRICT", "slots");
  em_param(cx, &head, "int64_t", "n_members");
  if (n_vars > 0) em_param(cx, &head, struct_of(gen, reduce), "context");
  em_param(cx, &head, "void *", "columns");
  em_blank(em);
  em_open_func(em, &head);
  device_declare_globals(gen, needs);
  if (!(needs & (NEED_STATES | NEED_WORLD))) em_unused(em, "store");
  em_declare_const(em, "int64_t", "thread", name(gen, "DDR_THREAD"));
  em_open_if(em, c_binary(cx, ">=", name(gen, "thread"), name(gen, "n_members")));
  em_return(em, NULL);
  em_close(em);
  em_source(em, reduce->span);
  declare_member(gen, reduce);
  declare_surroundings(gen, needs);
  declare_variables(gen, context, n_vars);
  gen_stmts(gen, &reduce->body);
  give_values(gen, reduce);
  em_close(em);
}

/* *(const struct sum_0 *)context */
static CExpr *context_value(Gen *gen, const TreeStmt *reduce) {
  const char *type = text_format(gen->cx->arena, "const %s *", struct_of(gen, reduce));
  return c_unary(gen->cx, "*", c_cast(gen->cx, type, name(gen, "context")));
}

static void gen_launch(Gen *gen, const TreeStmt *reduce) {
  static const CParam params[] = {{"const int64_t *", "slots"},
                                  {"int64_t", "n_members"},
                                  {"const void *", "context"},
                                  {"void *", "columns"}};
  Cx *cx = gen->cx;
  const bool has_context = tree_free_vars(cx, reduce).len > 0;
  CFunc head = device_launch_head(gen, suffixed(gen, reduce, "launch"));
  for (size_t i = 0; i < sizeof params / sizeof *params; i++)
    em_param(cx, &head, params[i].type, params[i].name);
  CExprVec args = device_launch_args(gen, suffixed(gen, reduce, "kernel"), name(gen, "n_members"));
  c_push(cx, &args, name(gen, "slots"));
  c_push(cx, &args, name(gen, "n_members"));
  if (has_context) c_push(cx, &args, context_value(gen, reduce));
  c_push(cx, &args, name(gen, "columns"));
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  if (!has_context) em_unused(&gen->em, "context");
  em_expr(&gen->em, c_call(cx, "DDR_LAUNCH", args));
  em_close(&gen->em);
}

static void gen_table(Gen *gen, const GenReductionVec *all) {
  em_blank(&gen->em);
  em_open_table(&gen->em, "static ddr_members_launch *const", "reductions");
  for (uint32_t i = 0; i < all->len; i++)
    em_element(&gen->em, name(gen, suffixed(gen, all->data[i].reduce, "launch")));
  em_close_table(&gen->em);
}

bool device_gen_reductions(Gen *gen) {
  const GenReductionVec all = gen_set_reductions(gen);
  for (uint32_t i = 0; i < all.len; i++) {
    const TreeStmt *reduce = all.data[i].reduce;
    const CParamVec context = gen_reduction_context(gen, reduce);
    gen->fn = all.data[i].fn;
    if (tree_free_vars(gen->cx, reduce).len > 0) gen_context_struct(gen, tag_of(reduce), &context);
    gen_kernel(gen, reduce, &context);
    gen_launch(gen, reduce);
  }
  if (all.len > 0) gen_table(gen, &all);
  return all.len > 0;
}

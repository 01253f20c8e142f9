/* samplings: the positions at which the strands of a grid probe images, as functions and a table
 * for the runtime (runtime/include/ddr/lanes/sampling.h), and code that reads the results.
 */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static bool is_sampling(const TreeFunc *fn) { return fn->kind == FN_SAMPLING; }

/* ---- functions ------------------------------------------------------------------------------- */

static void declare_indices(Gen *gen, const TreeFunc *fn) {
  bool has_any = false;
  for (uint32_t i = 0; i < fn->params.len; i++) {
    const TreeVar *param = fn->params.data[i];
    if (!param) continue;
    CExpr *at = c_index_int(gen->cx, name(gen, "at"), i);
    em_declare_const(&gen->em, "ddr_int", param->name, c_cast(gen->cx, "ddr_int", at));
    has_any = true;
  }
  if (!has_any) em_unused(&gen->em, "at");
}

static void gen_place(Gen *gen, const TreeFunc *fn) {
  CFunc head = {.qualifiers = "static", .result = "void", .name = fn->name};
  em_param(gen->cx, &head, "const void *", "memory");
  em_param(gen->cx, &head, "const int64_t *", "at");
  em_param(gen->cx, &head, "void *", "values");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  if (gen_needs(gen, fn) & NEED_GLOBALS) gen_declare_globals(gen, true);
  else em_unused(&gen->em, "memory");
  em_declare(&gen->em, "ddr_real *", "result", name(gen, "values"));
  declare_indices(gen, fn);
  gen_body(gen, fn);
  em_close(&gen->em);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *border_name(Border border) {
  switch (border) {
  case BORDER_NONE: return "DDR_SAMPLING_NONE";
  case BORDER_CLAMP: return "DDR_SAMPLING_CLAMP";
  case BORDER_MIRROR: return "DDR_SAMPLING_MIRROR";
  case BORDER_WRAP: return "DDR_SAMPLING_WRAP";
  case BORDER_CONST: return "DDR_SAMPLING_CONST";
  }
  return "DDR_SAMPLING_NONE";
}

static uint32_t dim_of(const Gen *gen, const TreeFunc *fn) {
  return type_dim(gen->program->module->globals.data[fn->image].ty);
}

static const char *partials_name(Gen *gen, const TreeFunc *fn) {
  return text_format(gen->cx->arena, "%s_partials", fn->name);
}

static void gen_partials(Gen *gen, const TreeFunc *fn) {
  const PartialVec partials = group_partials(gen->cx->arena, &fn->group, dim_of(gen, fn));
  CExprVec orders = {0};
  for (uint32_t i = 0; i < 3 * partials.len; i++)
    c_push(gen->cx, &orders, c_int(gen->cx, partials.data[i / 3].along[i % 3]));
  em_blank(&gen->em);
  em_declare_list(&gen->em, "static const uint8_t", partials_name(gen, fn), orders);
}

static void describe(Gen *gen, const TreeFunc *fn) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  const ProbeGroup *group = &fn->group;
  const TreeName *image = &gen->program->globals[fn->image];
  const uint32_t max_order = group_max_order(group);
  const bool is_smooth = kernel_true_continuity(group->kernel) >= (int32_t)max_order;
  const PartialVec partials = group_partials(cx->arena, group, dim_of(gen, fn));
  em_open_row(em);
  em_member(em, "name", c_string(cx, image->shown));
  em_member(em, "image",
            c_call2(cx, "offsetof", name(gen, "struct globals"), name(gen, image->field)));
  em_member(em, "dim", c_int(cx, dim_of(gen, fn)));
  em_member(em, "n_taps", c_int(cx, 2 * (int64_t)group->kernel->support));
  em_member(em, "max_order", c_int(cx, max_order));
  em_member(em, "is_smooth", c_bool(cx, is_smooth));
  em_member(em, "border", name(gen, border_name(group->border)));
  em_member(em, "n_partials", c_int(cx, partials.len));
  em_member(em, "partials", name(gen, partials_name(gen, fn)));
  em_member(em, "place", name(gen, fn->name));
  em_member(em, "weigh_rows",
            name(gen, text_format(cx->arena, "ddr_weigh_rows%u", 2 * group->kernel->support)));
  em_close_row(em);
}

uint32_t gen_n_samplings(const Gen *gen) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < gen->program->funcs.len; i++)
    n += is_sampling(gen->program->funcs.data[i]);
  return n;
}

void gen_samplings(Gen *gen) {
  const TreeFuncVec *funcs = &gen->program->funcs;
  if (gen_n_samplings(gen) == 0) return;
  for (uint32_t i = 0; i < funcs->len; i++) {
    if (!is_sampling(funcs->data[i])) continue;
    gen_place(gen, funcs->data[i]);
    gen_partials(gen, funcs->data[i]);
  }
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_sampling", "samplings");
  for (uint32_t i = 0; i < funcs->len; i++)
    if (is_sampling(funcs->data[i])) describe(gen, funcs->data[i]);
  em_close_table(&gen->em);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static CExpr *samples_of(Gen *gen, uint32_t number) {
  return c_unary(gen->cx, "&", c_index_int(gen->cx, name(gen, "samples"), number));
}

CExpr *gen_sample_at(Gen *gen, const TreeExpr *expr, CExpr *slot) {
  CExprVec args = gen_sample_args(gen, expr);
  c_push(gen->cx, &args, slot);
  return c_call(gen->cx, gen_spelling(expr->op), args);
}

CExprVec gen_sample_args(Gen *gen, const TreeExpr *value) {
  CExprVec args = {0};
  c_push(gen->cx, &args, samples_of(gen, value->attr.pair.i));
  c_push(gen->cx, &args, c_int(gen->cx, value->attr.pair.j));
  return args;
}

CExpr *gen_is_sampled(Gen *gen, const TreeExpr *expr) {
  return c_call1(gen->cx, gen_spelling(expr->op), samples_of(gen, (uint32_t)expr->attr.i));
}

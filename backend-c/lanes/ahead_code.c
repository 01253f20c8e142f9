/* ahead_code: code for the plan of ahead.c: a struct of the values that a step keeps, the function
 * that computes them from a state, and its call with the state of the next step.
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

const char *lanes_ahead_tag(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "struct %s_ahead", lanes->gen->program->strand);
}

static const char *function_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_look_ahead", lanes->gen->program->strand);
}

static bool is_array(Lanes *lanes, const TreeVar *var) {
  return lane_var(lanes, var)->form == LANES_ARRAY;
}

static void gen_struct(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Arena *arena = gen->cx->arena;
  em_blank(&gen->em);
  em_open_struct(&gen->em, text_format(arena, "%s_ahead", gen->program->strand));
  if (lanes->ahead->test) em_field(&gen->em, "bool", "is_any", 1); /* else there is nothing else */
  for (uint32_t i = 0; i < lanes->ahead->kept.len; i++) {
    const TreeVar *var = lanes->ahead->kept.data[i];
    if (is_array(lanes, var))
      em_field(&gen->em, gen_type(gen, var->ty), text_format(arena, "%s[DDR_LANES]", var->name), 1);
    else em_field(&gen->em, lane_type(lanes, var->ty), var->name, 1);
  }
  em_close_struct(&gen->em);
}

static bool keeps(const Lanes *lanes, const TreeVar *var) {
  for (uint32_t i = 0; i < lanes->ahead->kept.len; i++)
    if (lanes->ahead->kept.data[i] == var) return true;
  return false;
}

/* What is kept gets the names of its fields: in the step all of it; where it is computed, arrays,
 * which are not copied. */
static void name_fields(Lanes *lanes, bool are_all) {
  Arena *arena = lanes->gen->cx->arena;
  LanesAhead *ahead = lanes->ahead;
  for (uint32_t i = 0; i < ahead->kept.len; i++) {
    TreeVar *var = ahead->kept.data[i];
    vec_push(arena, &ahead->names, var->name);
    if (are_all || is_array(lanes, var)) var->name = text_format(arena, "ahead->%s", var->name);
  }
}

void lanes_end_ahead(Lanes *lanes) {
  LanesAhead *ahead = lanes->ahead;
  if (!ahead) return;
  for (uint32_t i = 0; i < ahead->kept.len; i++) ahead->kept.data[i]->name = ahead->names.data[i];
  ahead->names.len = 0;
}

static void keep(Lanes *lanes, const TreeVar *var) {
  Cx *cx = lanes->gen->cx;
  if (!keeps(lanes, var) || is_array(lanes, var)) return;
  em_assign(&lanes->gen->em, c_arrow(cx, name(lanes, "ahead"), var->name), name(lanes, var->name));
}

static void compute(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (keeps(lanes, stmt->var) && is_array(lanes, stmt->var)) {
      gen_source(lanes->gen, stmt->span);
      lane_each(lanes, stmt->var, stmt->expr);
    } else {
      lanes_declare(lanes, stmt);
    }
  }
}

static void keep_all(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++)
    if (stmts->data[i]->var != lanes->ahead->test) keep(lanes, stmts->data[i]->var);
}

static void load_params(Lanes *lanes) {
  for (uint32_t i = 0; i < lanes->fn->params.len; i++) {
    const TreeVar *param = lanes->fn->params.data[i];
    if (lanes->ahead->reads[i])
      em_declare_const(&lanes->gen->em, lane_type(lanes, param->ty), param->name,
                       lanes->gen->how->load(lanes->gen, i));
  }
}

CExpr *lanes_any_ahead(Lanes *lanes) {
  return c_arrow(lanes->gen->cx, name(lanes, "ahead"), "is_any");
}

/* If no lane takes the branch, nothing is kept, not even its condition. */
static void compute_branch(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  const TreeVar *test = lanes->ahead->test;
  CExpr *both = c_binary(cx, "&", name(lanes, "mask"), name(lanes, test->name));
  em_assign(&lanes->gen->em, lanes_any_ahead(lanes), c_call1(cx, "ddr_vany", both));
  em_open_if(&lanes->gen->em, lanes_any_ahead(lanes));
  compute(lanes, &lanes->ahead->inner);
  keep(lanes, test);
  keep_all(lanes, &lanes->ahead->inner);
  em_close(&lanes->gen->em);
}

static void look_ahead(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const LanesAhead *ahead = lanes->ahead;
  CFunc head = {.qualifiers = "DDR_VFN", .result = "void", .name = function_name(lanes)};
  gen_struct(lanes);
  gen_context_params(gen, STATES_BEFORE, lanes_needs(lanes), &head);
  em_param(cx, &head, text_format(cx->arena, "const struct %s *", lanes_tag(lanes)), "self");
  if (ahead->test) em_param(cx, &head, "ddr_vmask", "mask");
  em_param(cx, &head, text_format(cx->arena, "%s *", lanes_ahead_tag(lanes)), "ahead");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  load_params(lanes);
  name_fields(lanes, false);
  compute(lanes, &ahead->outer);
  keep_all(lanes, &ahead->outer);
  if (ahead->test) compute_branch(lanes);
  lanes_end_ahead(lanes);
  em_close(&gen->em);
}

void lanes_plan_ahead(Lanes *lanes, const TreeStmtVec *stmts, CFunc *head) {
  Gen *gen = lanes->gen;
  lanes->ahead = lanes_find_ahead(lanes, stmts);
  if (!lanes->ahead) return;
  gen->how = &lanes->vectors;
  look_ahead(lanes);
  gen->how = &one_strand;
  const char *type = text_format(gen->cx->arena, "%s *", lanes_ahead_tag(lanes));
  em_param(gen->cx, head, text_format(gen->cx->arena, "const %s", type), "ahead");
  em_param(gen->cx, head, type, "next");
}

bool lanes_is_ahead(const Lanes *lanes, const TreeStmtVec *body) {
  return lanes->ahead && lanes->ahead->branch && body == &lanes->ahead->branch->body;
}

void lanes_call_look_ahead(Lanes *lanes, CExpr *self, CExpr *mask, CExpr *ahead, bool is_in_block) {
  CExprVec args = {0};
  Cx *cx = lanes->gen->cx;
  gen_context_of(lanes->gen, lanes_needs(lanes), is_in_block ? IN_BLOCK : IN_FUNCTION, &args);
  c_push(cx, &args, self);
  if (lanes->ahead->test) c_push(cx, &args, mask);
  c_push(cx, &args, ahead);
  em_expr(&lanes->gen->em, c_call(cx, function_name(lanes), args));
}

/* Computes the values for the next step, from the state with which it will begin. */
static void foretell(Lanes *lanes) {
  Gen *gen = lanes->gen;
  const TreeStmt *last = lanes->last;
  em_declare(&gen->em, text_format(gen->cx->arena, "struct %s", lanes_tag(lanes)), "then", NULL);
  for (uint32_t i = 0; i < lanes->fn->params.len; i++) {
    if (!lanes->ahead->reads[i]) continue;
    const TreeExpr *value = last->values.data[i];
    CExpr *now = name(lanes, lanes->fn->params.data[i]->name);
    em_assign(&gen->em, lanes_component_in(lanes, "then", i),
              value ? lane_expr(lanes, value) : now);
  }
}

TreeStmtVec lanes_begin_ahead(Lanes *lanes, TreeStmtVec stmts) {
  Cx *cx = lanes->gen->cx;
  LanesAhead *ahead = lanes->ahead;
  if (!ahead) return stmts;
  name_fields(lanes, true);
  for (uint32_t i = 0; i < ahead->first.len; i++) lanes_declare(lanes, ahead->first.data[i]);
  foretell(lanes);
  lanes_call_look_ahead(lanes, c_unary(cx, "&", name(lanes, "then")), name(lanes, "mask"),
                        name(lanes, "next"), false);
  return ahead->rest;
}

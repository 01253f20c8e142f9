/* method: the function of a method in lanes, around its statements: of the update method, and of
 * the creation of strands, which has their parameters instead of a state before it.
 */
#include "backend-c/lanes/strands.h"

static const LaneScope whole_method = {.mask = "mask"};

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- parameters ------------------------------------------------------------------------------ */

static void load_params(Lanes *lanes) {
  for (uint32_t i = 0; i < lanes->fn->params.len; i++) {
    const TreeVar *param = lanes->fn->params.data[i];
    if (!param) continue;
    const char *type = lane_type(lanes, param->ty);
    CExpr *component = lanes->gen->how->load(lanes->gen, i);
    if (lane_is_list(param->ty)) {
      lane_load_list(lanes, param, component);
      continue;
    }
    if (lane_is_places(param->ty)) {
      lane_load_places(lanes, param, component);
      continue;
    }
    if (param->is_mutable) em_declare(&lanes->gen->em, type, param->name, component);
    else em_declare_const(&lanes->gen->em, type, param->name, component);
  }
}

/* Those of strands, by value; the vectors of a short sequence lie in an array. */
static void push_params(Lanes *lanes, CFunc *head) {
  Cx *cx = lanes->gen->cx;
  for (uint32_t i = 0; i < lanes->fn->params.len; i++) {
    const TreeVar *param = lanes->fn->params.data[i];
    const char *type = lane_type(lanes, param->ty);
    if (lane_is_places(param->ty))
      type = text_format(cx->arena, "const %s *", lane_place_type(lanes, param->ty));
    em_param(cx, head, type, param->name);
  }
}

static void open_params(Lanes *lanes, const TreeStmtVec *stmts) {
  if (!lanes_is_creation(lanes)) {
    load_params(lanes);
    return;
  }
  for (uint32_t i = 0; i < lanes->fn->params.len; i++)
    if (!tree_stmts_read(stmts, lanes->fn->params.data[i]))
      em_unused(&lanes->gen->em, lanes->fn->params.data[i]->name);
}

/* States of newborn strands, which no strand had before, are not at rest. */
static void push_states(Lanes *lanes, CFunc *head) {
  Cx *cx = lanes->gen->cx;
  const char *states = text_format(cx->arena, "struct %s *", lanes_tag(lanes));
  em_param(cx, head, states, "self");
  if (!lanes_is_creation(lanes)) em_param(cx, head, states, "rest");
  if (lanes_have_gang(lanes)) em_param(cx, head, "ddr_gang *", "gang");
  if (lanes->is_weighed) em_param(cx, head, "ddr_effort *", "effort");
  if (lanes_is_creation(lanes)) push_params(lanes, head);
}

/* ---- the function ---------------------------------------------------------------------------- */

/* Whether any component of strands that end there is kept. */
static bool keeps_any(const Lanes *lanes, const TreeStmtVec *stmts) {
  if (!(tree_exits(stmts, NULL) & ~(1u << EXIT_ACTIVE))) return false;
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    if (lanes_changes(lanes, i) && lanes_outlives(lanes, i)) return true;
  return false;
}

/* See return_when_empty. The state of lanes that have left is of no use to anyone. If it is stored
 * all the same, the compiler has one new state at the end instead of two, and copies none. */
static const TreeStmt *find_end(const Lanes *lanes, const TreeStmtVec *stmts) {
  uint32_t i = stmts->len;
  while (i > 0 && !lanes_is_way_out(stmts->data[i - 1])) i--;
  const bool is_end =
      i > 0 && !gen_uses_pool(lanes->gen) && lanes_cost(lanes, stmts, i) <= LANES_COST_OF_BRANCH;
  return is_end ? stmts->data[i - 1] : NULL;
}

const char *lanes_method_name(Lanes *lanes) {
  if (!lanes_have_both(lanes)) return lanes->fn->name;
  return text_format(lanes->gen->cx->arena, "%s_in_lanes", lanes->fn->name);
}

/* What has to be known of the statements before any of them is emitted. */
static TreeStmtVec prepare(Lanes *lanes, CFunc *head) {
  TreeStmtVec stmts = lanes_split(lanes, lanes->body);
  lanes_find_kept(lanes, &stmts);
  lanes_find_others(lanes, &stmts);
  lanes->last = vec_last(&stmts);
  lanes->has_exit = tree_exits(&stmts, lanes->last) != 0;
  lanes->has_continue = tree_exits(&stmts, lanes->last) & 1u << EXIT_ACTIVE;
  lanes_plan_ahead(lanes, &stmts, head);
  lanes->watches = lanes_watch_any(lanes, &stmts);
  lanes->steps_aside = lanes_step_aside(lanes, &stmts);
  lanes->has_continue |= lanes->steps_aside; /* with the step that they take aside */
  if (lanes->watches) em_param(lanes->gen->cx, head, "ddr_lag *", "lag");
  return stmts;
}

static void declare_mask(Lanes *lanes) {
  Gen *gen = lanes->gen;
  const bool is_creation = lanes_is_creation(lanes);
  if (is_creation && !gen->options->is_profiled && !lanes_ask_mask(lanes->body)) return;
  em_declare(&gen->em, "ddr_vmask", "mask", c_arrow(gen->cx, name(lanes, "gang"), "mask"));
  if (is_creation && !lanes->watches && !lanes->is_weighed)
    em_unused(&gen->em, "mask"); /* where all branches are uniform */
}

static void run_method(Lanes *lanes, TreeStmtVec stmts) {
  if (lanes->is_weighed) lanes_weigh(lanes, lanes_weight_from(lanes, &stmts, 0), "mask");
  stmts = lanes_begin_ahead(lanes, stmts);
  lanes_number_loops(lanes, &stmts);
  lanes->end = find_end(lanes, &stmts);
  lanes_run(lanes, &stmts, whole_method);
  lanes_end_ahead(lanes);
}

void lanes_method(Lanes *lanes) {
  Gen *gen = lanes->gen;
  CFunc head = {.qualifiers = "DDR_VFN", .result = "void", .name = lanes_method_name(lanes)};
  gen_context_params(gen, STATES_BEFORE, lanes_needs(lanes), &head);
  push_states(lanes, &head);
  const TreeStmtVec stmts = prepare(lanes, &head);
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  declare_mask(lanes);
  if (!lanes_is_creation(lanes) && !keeps_any(lanes, &stmts)) em_unused(&gen->em, "rest");
  lanes_open_samples(lanes);
  if (lanes_needs(lanes) & NEED_QUERIES)
    em_expr(&gen->em, c_call1(gen->cx, "ddr_ask_together", name(lanes, "block")));
  gen->fn = lanes->fn;
  gen->how = &lanes->vectors;
  open_params(lanes, &stmts);
  run_method(lanes, stmts);
  gen->how = &one_strand;
  em_close(&gen->em);
}

/* company: lanes that wait for each other before a long branch.
 *
 * A long branch costs a gang the same for one lane as for all. Strands that cannot observe each
 * other need not take their steps together: those whose next step has the branch wait, and keep
 * their state, until they are most of the gang. Where the test is made of the state, it is known
 * before the step:
 *
 *   const ddr_vmask waiting = ddr_gang_waiting(&now, &queue, agent_has_long(&self));
 *   const struct agent_lanes then = self;
 *   now.mask &= ~waiting;
 *   ...
 *   agent_rest(&self, &then, waiting);
 *   now.mask |= waiting;
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- where it pays --------------------------------------------------------------------------- */

/* Whether the value is a vector that is computed without a loop over the lanes. */
static bool is_vector(const Lanes *lanes, const TreeExpr *expr) {
  const LaneForm form = lane_form(lanes, expr);
  if (expr->kind == TX_VAR) {
    const TreeStmt *declaration = lanes_declaration_of(lanes, expr->var, lanes->company);
    if (declaration && !is_vector(lanes, declaration->expr)) return false;
    return form == LANES_UNIFORM || form == LANES_VECTOR;
  }
  if (form == LANES_UNIFORM) return true;
  if (form != LANES_VECTOR || lane_is_each(lanes, expr)) return false;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (!is_vector(lanes, expr->args.data[i])) return false;
  return expr->op == OP_SELECT || *lane_spelling(expr->op) != '\0';
}

void lanes_find_company(Lanes *lanes) {
  lanes->company = NO_BRANCH;
  if (lanes->n_gangs > 1 || lanes_is_one_step(lanes) || gen_uses_pool(lanes->gen)) return;
  if (!lanes_may_be_few(lanes)) return;
  lanes->company = lanes_branch_of_state(lanes);
  if (lanes->company == NO_BRANCH) return;
  if (!is_vector(lanes, lanes->body->data[lanes->company]->expr)) lanes->company = NO_BRANCH;
}

/* What is computed ahead is for the next step of all lanes. */
static bool waits(const Lanes *lanes) { return lanes->company != NO_BRANCH && !lanes->ahead; }

/* ---- code ------------------------------------------------------------------------------------ */

static const char *name_of_test(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_has_long", lanes->gen->program->strand);
}

void lanes_company_test(Lanes *lanes) {
  Gen *gen = lanes->gen;
  if (!waits(lanes)) return;
  const TreeStmt *branch = lanes->body->data[lanes->company];
  CFunc head = {.qualifiers = "DDR_VFN", .result = "ddr_vmask", .name = name_of_test(lanes)};
  gen_context_params(gen, STATES_BEFORE, lanes_needs_of_test(lanes, lanes->company), &head);
  em_param(gen->cx, &head, text_format(gen->cx->arena, "const struct %s *", lanes_tag(lanes)),
           "self");
  em_blank(&gen->em);
  em_open_func(&gen->em, &head);
  gen->how = &lanes->vectors;
  gen_source(gen, branch->expr->span);
  lanes_declare_test(lanes, lanes->company, lane_type);
  CExpr *test = lane_expr(lanes, branch->expr);
  em_return(&gen->em, lanes_is_long(lanes, &branch->body) ? test : c_unary(gen->cx, "~", test));
  gen->how = &one_strand;
  em_close(&gen->em);
}

void lanes_open_company(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  if (!waits(lanes)) return;
  CExprVec args = {0}, given = {0};
  gen_context_of(lanes->gen, lanes_needs_of_test(lanes, lanes->company), IN_BLOCK, &given);
  c_push(cx, &given, c_unary(cx, "&", name(lanes, "self")));
  c_push(cx, &args, c_unary(cx, "&", name(lanes, "now")));
  c_push(cx, &args, c_unary(cx, "&", name(lanes, "queue")));
  c_push(cx, &args, c_call(cx, name_of_test(lanes), given));
  em_declare_const(em, "ddr_vmask", "waiting", c_call(cx, "ddr_gang_waiting", args));
  em_declare_const(em, text_format(cx->arena, "struct %s", lanes_tag(lanes)), "then",
                   name(lanes, "self"));
  CExpr *mask = c_dot(cx, name(lanes, "now"), "mask");
  em_assign(em, mask, c_binary(cx, "&", mask, c_unary(cx, "~", name(lanes, "waiting"))));
}

void lanes_close_company(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  if (!waits(lanes)) return;
  CExprVec args = {0};
  if (lanes_own_columns(lanes)) c_push(cx, &args, c_arrow(cx, name(lanes, "block"), "pool"));
  c_push(cx, &args, c_unary(cx, "&", name(lanes, "self")));
  c_push(cx, &args, c_unary(cx, "&", name(lanes, "then")));
  c_push(cx, &args, name(lanes, "waiting"));
  em_expr(em, c_call(cx, lanes_rest_name(lanes), args));
  CExpr *mask = c_dot(cx, name(lanes, "now"), "mask");
  em_assign(em, mask, c_binary(cx, "|", mask, name(lanes, "waiting")));
}

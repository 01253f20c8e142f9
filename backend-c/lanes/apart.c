/* apart: strands that are too few for lanes run one at a time (ddr/lanes/effort.h): where a block
 * has no more, where no others wait for a lane, and where few lanes go on with a loop:
 *
 *   while (ddr_vany(mask_2)) {
 *     ...
 *     if (ddr_lags(lag, mask_2, 40, 1)) {
 *       const ddr_vmask leaving = mask_2;
 *       ddr_gang_give_back(gang, leaving);
 *       mask = mask & ~leaving;
 *       ...
 *       break;
 *     }
 *
 * They take that step again from the start, so it has no effect but on the strand itself.
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static CExpr *address(Lanes *lanes, const char *text) {
  return c_unary(lanes->gen->cx, "&", name(lanes, text));
}

static CExpr *few(Lanes *lanes) { return c_int(lanes->gen->cx, (int64_t)lanes_n_few(lanes)); }

/* Samples are for the strands of a whole block, and births belong to the strand of a gang. A single
 * step without a loop is over too soon. In groups it takes as long as those of about two strands
 * alone, and where no strand of a group runs, next to nothing (ddr/lanes/groups.h). */
bool lanes_may_part(const Lanes *lanes) {
  const Gen *gen = lanes->gen;
  const bool is_creation = lanes_is_creation(lanes);
  const uint32_t needs = is_creation ? gen_needs(gen, lanes->fn) : gen_update_needs(gen);
  if (gen->options->is_profiled || gen->options->is_traced) return false;
  if (lanes->has_groups || needs & (NEED_SAMPLES | NEED_BIRTHS)) return false;
  return (gen_is_lockstep(gen) && !is_creation) || !lanes_is_one_step(lanes) ||
         lanes_has_loop(lanes->body);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Sequences of the state belong to the lanes. */
bool lanes_watch(const Lanes *lanes, const TreeStmt *loop) {
  if (!lanes->may_part || lanes->ahead || gen_owns_seqs(lanes->gen, FN_UPDATE)) return false;
  const bool is_loop = loop->kind == TT_FOR || loop->kind == TT_REDUCE;
  if (!is_loop || lanes->n_gangs > 1 || !lanes_may_be_long(lanes, loop)) return false;
  const bool may_stop = loop->kind == TT_FOR;
  const TreeExpr *goes_on = may_stop ? tree_goes_on(lanes->gen->cx, loop) : NULL;
  return lanes_is_ragged(lanes, loop) || tree_exits(&loop->body, NULL) != 0 ||
         (goes_on && lane_form(lanes, goes_on) != LANES_UNIFORM);
}

bool lanes_watch_any(const Lanes *lanes, const TreeStmtVec *stmts) {
  if (stmts->len > 0 && map_has(lanes->alone, stmts->data[0])) return false;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (lanes_watch(lanes, stmt) || lanes_watch_any(lanes, &stmt->body) ||
        lanes_watch_any(lanes, &stmt->else_body))
      return true;
  }
  return false;
}

/* Fewer than elsewhere, since they repeat what they have done. */
static CExpr *few_in_loop(Lanes *lanes) {
  return c_int(lanes->gen->cx, lanes_n_few(lanes) < 4 ? 1 : 2);
}

static CExpr *lags(Lanes *lanes, const TreeStmt *loop, CExpr *active) {
  enum { MOST_OPS = 256 }; /* of heavier rounds, too, some pass before strands leave */
  Cx *cx = lanes->gen->cx;
  const uint64_t cost = lanes_cost_of_round(lanes, loop);
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "lag"));
  c_push(cx, &args, active);
  c_push(cx, &args, c_int(cx, (int64_t)(cost < MOST_OPS ? cost : MOST_OPS)));
  c_push(cx, &args, few_in_loop(lanes));
  return c_call(cx, "ddr_lags", args);
}

static void drop(Lanes *lanes, const char *mask) {
  Cx *cx = lanes->gen->cx;
  em_assign(&lanes->gen->em, name(lanes, mask),
            c_binary(cx, "&", name(lanes, mask), c_unary(cx, "~", name(lanes, "leaving"))));
}

static void give_back(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  const char *fn = lanes->steps_aside ? "ddr_gang_set_aside" : "ddr_gang_give_back";
  em_expr(&lanes->gen->em, c_call2(cx, fn, name(lanes, "gang"), name(lanes, "leaving")));
}

void lanes_leave_loop(Lanes *lanes, const TreeStmt *loop, const LaneScope *scope, CExpr *active) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  em_open_if(em, lags(lanes, loop, active));
  em_declare_const(em, "ddr_vmask", "leaving", active);
  give_back(lanes);
  const char *last = NULL;
  for (; scope; scope = scope->around) {
    if (scope->mask && scope->mask != last) drop(lanes, scope->mask);
    if (scope->mask) last = scope->mask;
  }
  em_open_if(em, c_unary(cx, "!", c_call1(cx, "ddr_vany", name(lanes, "mask"))));
  em_return(em, NULL);
  em_close(em);
  em_break(em);
  em_close(em);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void push_update(Lanes *lanes, CExprVec *args) {
  static const char *const names[] = {"block", "memory", "max_steps", "update_alone"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    c_push(lanes->gen->cx, args, name(lanes, names[i]));
}

void lanes_run_few(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExprVec args = {0};
  if (!lanes->may_part) return;
  push_update(lanes, &args);
  em_open_if(em, c_call2(cx, "ddr_are_few", name(lanes, "block"), few(lanes)));
  em_return(em, c_call(cx, "ddr_update_each", args));
  em_close(em);
}

void lanes_open_few(Lanes *lanes) {
  if (!lanes->may_part || lanes_is_one_step(lanes)) return;
  em_assign(&lanes->gen->em, c_dot(lanes->gen->cx, name(lanes, "queue"), "few"), few(lanes));
}

void lanes_run_stragglers(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExprVec args = {0};
  if (!lanes->may_part) return;
  CExpr *n_apart = c_dot(cx, name(lanes, "queue"), "n_apart");
  c_push(cx, &args, address(lanes, "queue"));
  push_update(lanes, &args);
  em_open_if(em, c_binary(cx, ">", n_apart, c_int(cx, 0)));
  lanes_sweep(lanes);
  em_expr(em, c_call(cx, "ddr_update_stragglers", args));
  em_close(em);
}

/* ---- which programs choose at run time (see Note [Long branches]) ---------------------------- */

bool lanes_can_weigh(const Lanes *lanes) {
  return !lanes_takes_slots(lanes) && !lanes->gen->options->is_profiled;
}

static bool any_long_branch(const Lanes *lanes, const TreeStmtVec *stmts);

/* A branch that is walked lane by lane costs other lanes nothing. */
static bool any_long_within(const Lanes *lanes, const TreeStmtVec *stmts, bool is_masked) {
  if (is_masked && lanes_is_walked_alone(lanes, stmts)) return false;
  return any_long_branch(lanes, stmts);
}

static bool any_long_branch(const Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const bool is_masked = stmt->kind == TT_IF && lane_form(lanes, stmt->expr) != LANES_UNIFORM;
    if (is_masked && lanes_is_long_branch(lanes, &stmt->body)) return true;
    if (is_masked && lanes_is_long_branch(lanes, &stmt->else_body)) return true;
    if (any_long_within(lanes, &stmt->body, is_masked) ||
        any_long_within(lanes, &stmt->else_body, is_masked))
      return true;
  }
  return false;
}

bool lanes_may_be_few(const Lanes *lanes) {
  return lanes_can_weigh(lanes) && (lanes->may_wait || any_long_branch(lanes, lanes->body));
}

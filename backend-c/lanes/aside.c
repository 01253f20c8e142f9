/* aside: strands that are alone in loops of many steps step aside (ddr/lanes/effort.h): their
 * states are stored, they take some steps alone, and return to their lanes.
 *
 *   do {
 *     ...
 *     ddr_lag lag = ddr_lag_of(40);
 *     worker_update_in_lanes(globals, &self, &rest, &now, &lag);
 *     ddr_watch_step(&watch, &lag, &now);
 *   } while (ddr_pace_goes_on(&pace, ddr_vcount(now.mask)) && !watch.is_due);
 *   ...
 *   if (watch.is_due && !queue.is_parting) {
 *     worker_step_aside(&rest, &gang, &watch, &queue, block, memory);
 *   }
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static CExpr *address(Lanes *lanes, const char *text) {
  return c_unary(lanes->gen->cx, "&", name(lanes, text));
}

bool lanes_step_aside(const Lanes *lanes, const TreeStmtVec *stmts) {
  return !lanes_is_one_step(lanes) && lanes_watch_any(lanes, stmts);
}

static const char *step_aside_name(Lanes *lanes) {
  return text_format(lanes->gen->cx->arena, "%s_step_aside", lanes->gen->program->strand);
}

/* The strand's state is stored, and loaded again if it goes on in its lane. */
static void step_aside(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  static const char *const names[] = {"watch", "gang",   "queue",       "lane",
                                      "block", "memory", "update_alone"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    c_push(cx, &args, name(lanes, names[i]));
  lanes_store_strand(lanes);
  em_open_if(&lanes->gen->em, c_call(cx, "ddr_step_aside", args));
  lanes_load_strand(lanes);
  em_close(&lanes->gen->em);
}

void lanes_gen_step_aside(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CFunc head = {.qualifiers = "static", .result = "void", .name = step_aside_name(lanes)};
  CExprVec args = {0};
  if (!lanes->steps_aside) return;
  em_param(cx, &head, text_format(cx->arena, "struct %s *", lanes_tag(lanes)), "rest");
  em_param(cx, &head, "ddr_gang *", "gang");
  em_param(cx, &head, "ddr_watch *", "watch");
  em_param(cx, &head, "ddr_queue *", "queue");
  em_param(cx, &head, "const ddr_block *", "block");
  em_param(cx, &head, "const void *", "memory");
  em_blank(em);
  em_open_func(em, &head);
  em_declare(em, gen_state_pointer(lanes->gen), "state",
             c_arrow(cx, c_arrow(cx, name(lanes, "block"), "strands"), "state"));
  lanes_open_set(lanes, "aside",
                 c_call2(cx, "ddr_watch_few", name(lanes, "watch"), name(lanes, "gang")));
  lanes_declare_slot(lanes);
  step_aside(lanes);
  em_close(em);
  c_push(cx, &args, name(lanes, "watch"));
  c_push(cx, &args, name(lanes, "gang"));
  c_push(cx, &args, name(lanes, "queue"));
  em_expr(em, c_call(cx, "ddr_watch_again", args));
  em_close(em);
}

void lanes_declare_watch(Lanes *lanes) {
  if (lanes->steps_aside) em_declare_zero(&lanes->gen->em, "ddr_watch", "watch");
}

void lanes_begin_watch(Lanes *lanes) {
  if (!lanes->steps_aside) return;
  em_expr(&lanes->gen->em, c_call2(lanes->gen->cx, "ddr_gang_approach", address(lanes, "gang"),
                                   address(lanes, "queue")));
}

static CExpr *effort_of_block(Lanes *lanes) {
  return c_arrow(lanes->gen->cx, name(lanes, "block"), "effort");
}

void lanes_begin_lag(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  if (!lanes->watches) return;
  CExpr *cost = c_int(cx, (int64_t)lanes_cost_beside(lanes, lanes->body));
  CExpr *lag = lanes->steps_aside ? c_call1(cx, "ddr_lag_of", cost)
                                  : c_call2(cx, "ddr_lag_learned", effort_of_block(lanes), cost);
  em_declare(&lanes->gen->em, "ddr_lag", "lag", lag);
}

void lanes_push_lag(Lanes *lanes, CExprVec *args) {
  if (lanes->watches) c_push(lanes->gen->cx, args, address(lanes, "lag"));
}

void lanes_end_lag(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  static const char *const names[] = {"watch", "lag", "now"};
  CExprVec args = {0};
  if (!lanes->watches) return;
  if (!lanes->steps_aside) {
    em_expr(&lanes->gen->em,
            c_call2(cx, "ddr_lag_learn", effort_of_block(lanes), address(lanes, "lag")));
    return;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    c_push(cx, &args, address(lanes, names[i]));
  em_expr(&lanes->gen->em, c_call(cx, "ddr_watch_step", args));
}

CExpr *lanes_unless_due(Lanes *lanes, CExpr *goes_on) {
  Cx *cx = lanes->gen->cx;
  if (!lanes->steps_aside) return goes_on;
  return c_binary(cx, "&&", goes_on, c_unary(cx, "!", c_dot(cx, name(lanes, "watch"), "is_due")));
}

void lanes_call_step_aside(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  static const char *const names[] = {"rest", "gang", "watch", "queue"};
  CExprVec args = {0};
  if (!lanes->steps_aside) return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    c_push(cx, &args, address(lanes, names[i]));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "memory"));
  CExpr *stays = c_unary(cx, "!", c_dot(cx, name(lanes, "queue"), "is_parting"));
  em_open_if(&lanes->gen->em, c_binary(cx, "&&", c_dot(cx, name(lanes, "watch"), "is_due"), stays));
  lanes_sweep(lanes);
  em_expr(&lanes->gen->em, c_call(cx, step_aside_name(lanes), args));
  em_close(&lanes->gen->em);
}

/* block: the block function `update` of a program whose strands run in lanes: gangs take
 * strands (exchange.c) and steps in turn. The other methods stay as they are, one strand at a time.
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

CExpr *lanes_method_alone(Lanes *lanes, const TreeFunc *fn, GenContext place, CExpr *self) {
  CExprVec args = {0};
  gen_context_args(lanes->gen, fn, place, &args);
  c_push(lanes->gen->cx, &args, self);
  return c_call(lanes->gen->cx, fn->name, args);
}

void lanes_run_stabilize(Lanes *lanes, CExpr *status, GenContext place, CExpr *self) {
  const TreeFunc *stabilize = gen_find(lanes->gen, FN_STABILIZE);
  if (!stabilize) return;
  em_open_if(&lanes->gen->em, c_binary(lanes->gen->cx, "==", status, name(lanes, "DDR_STABLE")));
  em_expr(&lanes->gen->em, lanes_method_alone(lanes, stabilize, place, self));
  em_close(&lanes->gen->em);
}

/* Runs start methods before strands get lanes, as they may end a strand. */
static void run_starts(Lanes *lanes, const TreeFunc *start) {
  Gen *gen = lanes->gen;
  const bool takes_slots = lanes->vectors.takes_slots;
  CParam at = {.type = "int64_t", .name = takes_slots ? "at" : "slot"};
  CExpr *block = name(lanes, "block");
  CExpr *strands = c_arrow(gen->cx, block, "strands");
  em_declare(&gen->em, "uint8_t *", "status", c_arrow(gen->cx, strands, "status"));
  em_open_for(&gen->em, at, c_arrow(gen->cx, block, "begin"), "<", c_arrow(gen->cx, block, "end"));
  if (takes_slots)
    em_declare_const(&gen->em, "int64_t", "slot",
                     c_call2(gen->cx, "ddr_slot_at", block, name(lanes, "at")));
  em_open_if(&gen->em,
             c_binary(gen->cx, "==", lanes_at_slot(lanes, "status"), name(lanes, "DDR_NEW")));
  CExpr *self = c_unary(gen->cx, "&", lanes_at_slot(lanes, "state"));
  gen_lend(gen, self);
  em_assign(&gen->em, lanes_at_slot(lanes, "status"),
            c_cast(gen->cx, "uint8_t", lanes_method_alone(lanes, start, IN_BLOCK, self)));
  lanes_run_stabilize(lanes, lanes_at_slot(lanes, "status"), IN_BLOCK, self);
  gen_keep(gen, self);
  gen_close_pool(gen);
  em_close(&gen->em);
  em_close(&gen->em);
}

/* The name of a variable of one of the gangs that take steps in turn. */
static const char *numbered(Lanes *lanes, const char *text, uint32_t number) {
  return number > 1 ? text_format(lanes->gen->cx->arena, "%s_%u", text, number) : text;
}

static CExpr *of_number(Lanes *lanes, const char *text, uint32_t number) {
  return name(lanes, numbered(lanes, text, number));
}

static CExpr *address(Lanes *lanes, const char *text, uint32_t number) {
  return c_unary(lanes->gen->cx, "&", of_number(lanes, text, number));
}

/* The variables that have the states of running strands, and their gang. */
static const char *self_of(const Lanes *lanes) {
  return lanes_is_in_place(lanes) ? "rest" : "self";
}
static const char *gang_of(const Lanes *lanes) { return lanes_is_in_place(lanes) ? "gang" : "now"; }

/* So that rows stay whole. Lists move one by one in any case; tiles end together. */
static void keep_rows(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  const uint32_t n_spare = lanes_n_spare(lanes);
  const bool are_rows = !lanes->vectors.is_tiled && !gen_uses_pool(lanes->gen);
  if (lanes_is_one_step(lanes) || !are_rows || n_spare == 0) return;
  em_expr(&lanes->gen->em,
          c_call2(cx, "ddr_queue_keep_rows", address(lanes, "queue", 1), c_int(cx, n_spare)));
}

static void open_gangs(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExprVec args = {0};
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) {
    em_declare_zero(em, text_format(cx->arena, "struct %s", lanes_tag(lanes)),
                    numbered(lanes, "rest", k));
    em_declare(em, "ddr_gang", numbered(lanes, "gang", k), NULL);
    em_expr(em, c_call1(cx, "ddr_gang_open", address(lanes, "gang", k)));
  }
  em_declare(em, "ddr_queue", "queue", NULL);
  c_push(cx, &args, address(lanes, "queue", 1));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "max_steps"));
  c_push(cx, &args, lanes_least(lanes));
  em_expr(em, c_call(cx, "ddr_queue_open", args));
  lanes_open_few(lanes);
  keep_rows(lanes);
  lanes_declare_watch(lanes);
  lanes_order_by_kind(lanes);
}

static CExpr *run_whole_block(Lanes *lanes, const char *how) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "memory"));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "max_steps"));
  return c_call(cx, how, args);
}

/* See Note [Long branches]: if lanes turned out to be slower, the strands that no gang has taken
 * run one at a time. */
static void keep_effort(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  if (!lanes->is_weighed) return;
  em_expr(em, c_call2(cx, "ddr_effort_keep", name(lanes, "block"), address(lanes, "effort", 1)));
  em_open_if(em, c_dot(cx, name(lanes, "queue"), "is_left"));
  em_declare_const(em, "uint32_t", "most_alone", run_whole_block(lanes, "update_alone"));
  CExpr *most = c_dot(cx, name(lanes, "queue"), "most"), *alone = name(lanes, "most_alone");
  em_return(em, c_cond(cx, c_binary(cx, ">", alone, most), alone, most));
  em_close(em);
}

static void judge_effort(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  if (!lanes->is_weighed) return;
  c_push(cx, &args, address(lanes, "effort", 1));
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, address(lanes, "queue", 1));
  em_expr(&lanes->gen->em, c_call(cx, "ddr_effort_judge", args));
}

static void exchange(Lanes *lanes, uint32_t number) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  gen_context_of(lanes->gen, lanes_exchange_needs(lanes), IN_BLOCK, &args);
  c_push(cx, &args, address(lanes, "rest", number));
  c_push(cx, &args, address(lanes, "gang", number));
  c_push(cx, &args, address(lanes, "queue", 1));
  c_push(cx, &args, name(lanes, "state"));
  em_expr(&lanes->gen->em, c_call(cx, lanes_exchange_name(lanes), args));
}

/* Declares what is computed ahead, for this step and for the next one, and computes it for the
 * first step. */
static void open_ahead(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  const char *type = text_format(cx->arena, "%s *", lanes_ahead_tag(lanes));
  if (!lanes->ahead) return;
  em_declare_zero(em, lanes_ahead_tag(lanes), "places[2]");
  em_declare(em, type, "ahead", name(lanes, "places"));
  em_declare(em, type, "next", c_binary(cx, "+", name(lanes, "places"), c_int(cx, 1)));
  lanes_call_look_ahead(lanes, address(lanes, "self", 1), c_dot(cx, name(lanes, "now"), "mask"),
                        name(lanes, "ahead"), true);
}

static void step_ahead(Lanes *lanes) {
  Emit *em = &lanes->gen->em;
  const char *type = text_format(lanes->gen->cx->arena, "%s *", lanes_ahead_tag(lanes));
  em_declare_const(em, type, "taken", name(lanes, "ahead"));
  em_assign(em, name(lanes, "ahead"), name(lanes, "next"));
  em_assign(em, name(lanes, "next"), name(lanes, "taken"));
}

static void update(Lanes *lanes, uint32_t number) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  lanes_open_company(lanes);
  gen_context_of(lanes->gen, lanes_needs(lanes), IN_BLOCK, &args);
  c_push(cx, &args, address(lanes, self_of(lanes), number));
  c_push(cx, &args, address(lanes, "rest", number));
  c_push(cx, &args, address(lanes, gang_of(lanes), number));
  em_expr(&lanes->gen->em, c_call1(cx, "ddr_gang_step", address(lanes, gang_of(lanes), number)));
  if (lanes->is_weighed) c_push(cx, &args, address(lanes, "effort", 1));
  if (lanes->ahead) c_push(cx, &args, name(lanes, "ahead"));
  if (lanes->ahead) c_push(cx, &args, name(lanes, "next"));
  lanes_push_lag(lanes, &args);
  lanes_begin_lag(lanes);
  em_expr(&lanes->gen->em, c_call(cx, lanes_method_name(lanes), args));
  lanes_end_lag(lanes);
  if (lanes->ahead) step_ahead(lanes);
  lanes_close_company(lanes);
}

static CExpr *mask_now(Lanes *lanes, uint32_t number) {
  return c_dot(lanes->gen->cx, of_number(lanes, gang_of(lanes), number), "mask");
}

/* The number of active lanes of all gangs. */
static CExpr *n_running(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *sum = c_call1(cx, "ddr_vcount", mask_now(lanes, 1));
  for (uint32_t k = 2; k <= lanes->n_gangs; k++)
    sum = c_binary(cx, "+", sum, c_call1(cx, "ddr_vcount", mask_now(lanes, k)));
  return sum;
}

void lanes_sweep(Lanes *lanes) {
  if (!gen_uses_pool(lanes->gen)) return;
  em_expr(&lanes->gen->em,
          c_call1(lanes->gen->cx, "ddr_pool_sweep", gen_pool_of_block(lanes->gen)));
}

static void keep_columns(Lanes *lanes, uint32_t number, uint32_t var) {
  Cx *cx = lanes->gen->cx;
  const char *field = lanes->gen->program->state[var].field;
  CExpr *running = c_dot(cx, of_number(lanes, "self", number), field);
  CExpr *resting = c_dot(cx, of_number(lanes, "rest", number), field);
  em_expr(&lanes->gen->em, c_call1(cx, "ddr_vcolumns_keep", c_unary(cx, "&", running)));
  em_expr(&lanes->gen->em, c_call1(cx, "ddr_vcolumns_keep", c_unary(cx, "&", resting)));
}

/* Keeps a list of the strand in a lane: it is in `self` if the strand runs, else in `rest`. */
static void keep_list(Lanes *lanes, uint32_t number, uint32_t var) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const char *field = gen->program->state[var].field;
  CExpr *lane = name(lanes, "lane");
  CExpr *running = c_index(cx, c_dot(cx, of_number(lanes, "self", number), field), lane);
  CExpr *resting = c_index(cx, c_dot(cx, of_number(lanes, "rest", number), field), lane);
  CExprVec args = {0};
  c_push(cx, &args, gen_pool_of_block(lanes->gen));
  c_push(cx, &args,
         c_cond(cx, c_index(cx, mask_now(lanes, number), lane), c_unary(cx, "&", running),
                c_unary(cx, "&", resting)));
  c_push(cx, &args, gen_element_size(gen, gen->program->module->state.data[var].ty));
  em_expr(&gen->em, c_call(cx, "ddr_seq_keep", args));
}

/* After a step that took buffers: keeps the lists of the gangs' strands, and frees all others. */
static void keep_lists(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const Module *m = gen->program->module;
  if (!gen_uses_pool(gen)) return;
  em_open_if(&gen->em, c_call1(cx, "ddr_pool_is_due", gen_pool_of_block(lanes->gen)));
  for (uint32_t k = 1; k <= lanes->n_gangs && gen_owns_seqs(gen, FN_UPDATE); k++) {
    for (uint32_t i = 0; lanes->has_columns && i < m->state.len; i++)
      if (lane_is_list(m->state.data[i].ty)) keep_columns(lanes, k, i);
    if (lanes->has_columns) continue;
    lanes_open_loop(lanes);
    em_open_if(&gen->em,
               c_call2(cx, "ddr_gang_has", address(lanes, "now", k), name(lanes, "lane")));
    for (uint32_t i = 0; i < m->state.len; i++)
      if (lane_is_list(m->state.data[i].ty)) keep_list(lanes, k, i);
    em_close(&gen->em);
    em_close(&gen->em);
  }
  lanes_sweep(lanes);
  em_close(&gen->em);
}

/* Adds to a condition that there was enough memory for sequences. */
static CExpr *has_memory(Lanes *lanes, CExpr *test) {
  Cx *cx = lanes->gen->cx;
  if (!gen_uses_pool(lanes->gen)) return test;
  CExpr *is_short = c_call1(cx, "ddr_pool_is_short", gen_pool_of_block(lanes->gen));
  return c_binary(cx, "&&", test, c_unary(cx, "!", is_short));
}

static void stop_without_memory(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  if (!gen_uses_pool(lanes->gen)) return;
  em_open_if(em, c_call1(cx, "ddr_pool_is_short", gen_pool_of_block(lanes->gen)));
  em_expr(em, c_call1(cx, "ddr_queue_stop", address(lanes, "queue", 1)));
  em_close(em);
}

static CExpr *all_are_idle(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *all = NULL;
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) {
    CExpr *busy = c_dot(cx, of_number(lanes, "gang", k), "busy");
    CExpr *is_idle = c_binary(cx, "==", busy, c_int(cx, 0));
    all = all ? c_binary(cx, "&&", all, is_idle) : is_idle;
  }
  return all;
}

/* Steps of all gangs in turn: the instructions of one gang do not depend on those of another. State
 * and masks are copies whose addresses only inlined functions get, so that they stay in registers
 * from step to step; a single step in place needs no copies. */
static void take_steps(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  for (uint32_t k = 1; k <= lanes->n_gangs && !lanes_is_in_place(lanes); k++) {
    em_declare(em, text_format(cx->arena, "struct %s", lanes_tag(lanes)),
               numbered(lanes, "self", k), of_number(lanes, "rest", k));
    em_declare(em, "ddr_gang", numbered(lanes, "now", k), of_number(lanes, "gang", k));
  }
  open_ahead(lanes);
  lanes_begin_watch(lanes);
  em_declare(em, "ddr_pace", "pace", c_call1(cx, "ddr_queue_pace", address(lanes, "queue", 1)));
  em_open_do(em);
  em_expr(em, c_call2(cx, "ddr_pace_step", address(lanes, "pace", 1), address(lanes, "queue", 1)));
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) update(lanes, k);
  keep_lists(lanes);
  CExpr *goes_on = c_call2(cx, "ddr_pace_goes_on", address(lanes, "pace", 1), n_running(lanes));
  em_close_do(em, has_memory(lanes, lanes_unless_due(lanes, goes_on)));
}

static void come_to_rest(Lanes *lanes, uint32_t number) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExprVec args = {0};
  em_assign(em, of_number(lanes, "gang", number), of_number(lanes, "now", number));
  if (lanes_own_columns(lanes)) c_push(cx, &args, gen_pool_of_block(lanes->gen));
  c_push(cx, &args, address(lanes, "rest", number));
  c_push(cx, &args, address(lanes, "self", number));
  c_push(cx, &args, mask_now(lanes, number));
  em_open_if(em, c_call1(cx, "ddr_vany", mask_now(lanes, number)));
  em_expr(em, c_call(cx, lanes_rest_name(lanes), args));
  em_close(em);
}

/* Strands that are few leave the lanes. */
static void part(Lanes *lanes) {
  if (!lanes->may_part || lanes_is_one_step(lanes)) return;
  em_expr(&lanes->gen->em,
          c_call2(lanes->gen->cx, "ddr_queue_part", address(lanes, "queue", 1), n_running(lanes)));
}

/* The main loop: stores ended strands, loads others, and takes steps until few lanes are active. */
static void work_off(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  open_gangs(lanes);
  em_open_while(em, c_bool(cx, true));
  for (uint32_t k = 1; k <= lanes->n_gangs; k++) exchange(lanes, k);
  lanes_run_stragglers(lanes);
  em_open_if(em, all_are_idle(lanes));
  lanes_sweep(lanes);
  keep_effort(lanes);
  em_return(em, c_dot(cx, name(lanes, "queue"), "most"));
  em_close(em);
  take_steps(lanes);
  for (uint32_t k = 1; k <= lanes->n_gangs && !lanes_is_in_place(lanes); k++)
    come_to_rest(lanes, k);
  part(lanes);
  lanes_call_step_aside(lanes);
  judge_effort(lanes);
  stop_without_memory(lanes);
  em_close(em);
}

CFunc lanes_update_head(Cx *cx, const char *function_name) {
  CFunc head = {.qualifiers = "static", .result = "uint32_t", .name = function_name};
  em_param(cx, &head, "const void *", "memory");
  em_param(cx, &head, "ddr_block *", "block");
  em_param(cx, &head, "uint32_t", "max_steps");
  return head;
}

static void update_in_lanes(Lanes *lanes, const char *function_name) {
  Gen *gen = lanes->gen;
  const TreeFunc *start = gen_find(gen, FN_START);
  CFunc head = lanes_update_head(gen->cx, function_name);
  gen_open_block_function(gen, &head, gen_update_needs(gen));
  if (lanes->is_weighed) em_declare_zero(&gen->em, "ddr_effort", "effort");
  if (start) run_starts(lanes, start);
  work_off(lanes);
  em_close(&gen->em);
}

/* By how many strands there are; and see Note [Long branches]. */
static void choose_way(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CFunc head = lanes_update_head(cx, "update");
  em_blank(em);
  em_open_func(em, &head);
  lanes_run_few(lanes);
  if (lanes->is_weighed) {
    em_open_if(em, c_call2(cx, "ddr_runs_alone", name(lanes, "block"), name(lanes, "max_steps")));
    em_return(em, run_whole_block(lanes, "update_alone"));
    em_close(em);
  }
  em_return(em, run_whole_block(lanes, "update_in_lanes"));
  em_close(em);
}

void lanes_update(Gen *gen) {
  Lanes *lanes = gen->execution;
  if (!lanes_have_both(lanes)) {
    update_in_lanes(lanes, "update");
    return;
  }
  gen_update_alone(gen, "update_alone");
  lanes_gen_step_aside(lanes);
  update_in_lanes(lanes, "update_in_lanes");
  choose_way(lanes);
}

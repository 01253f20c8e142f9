/* group_methods: start and stabilize methods of strands that lie in groups (groups.c). A strand
 * runs each of them once in its life, so they stay as they are, and get a struct of their own:
 *
 *   static void stabilize_strands(..., int64_t first, ddr_lane_set ended) {
 *     while (ended != 0) {
 *       const int64_t slot = first + ddr_next_lane(&ended);
 *       struct value self;
 *       value_from_lane(&state[ddr_group_of(slot)], ddr_lane_of(slot), &self);
 *       value_stabilize(globals, &self);
 *       value_to_lane(&state[ddr_group_of(slot)], ddr_lane_of(slot), &self);
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

static CExpr *self_of(Lanes *lanes) { return c_unary(lanes->gen->cx, "&", name(lanes, "self")); }

static uint32_t stabilize_needs(const Lanes *lanes) {
  return lanes_needs_of(lanes, gen_find(lanes->gen, FN_STABILIZE));
}

static uint32_t start_needs(const Lanes *lanes) {
  return lanes_needs_of(lanes, gen_find(lanes->gen, FN_START)) | stabilize_needs(lanes) |
         NEED_BLOCK;
}

/* ---- functions ------------------------------------------------------------------------------- */

static CFunc head_of(Lanes *lanes, const char *function_name, uint32_t needs) {
  Gen *gen = lanes->gen;
  CFunc head = {.qualifiers = "static", .result = "void", .name = function_name};
  gen_context_params(gen, STATES_BEFORE, needs, &head);
  em_param(gen->cx, &head, gen_group_pointer(gen), "state");
  em_param(gen->cx, &head, "int64_t", "first");
  return head;
}

static void take_self(Lanes *lanes) {
  Gen *gen = lanes->gen;
  em_declare(&gen->em, text_format(gen->cx->arena, "struct %s", gen->program->strand), "self",
             NULL);
  gen_move_strand(gen, "from_lane", name(lanes, "slot"), self_of(lanes));
}

static void put_self(Lanes *lanes) {
  gen_move_strand(lanes->gen, "to_lane", name(lanes, "slot"), self_of(lanes));
}

static void gen_start_strands(Lanes *lanes, const TreeFunc *start) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  const CFunc head = head_of(lanes, "start_strands", start_needs(lanes));
  CExpr *block = name(lanes, "block"), *status = lanes_at_slot(lanes, "status");
  em_blank(em);
  em_open_func(em, &head);
  em_declare(em, "uint8_t *", "status", c_arrow(cx, c_arrow(cx, block, "strands"), "status"));
  em_declare_const(em, "int64_t", "end", c_call2(cx, "ddr_group_end", block, name(lanes, "first")));
  em_open_for(em, (CParam){"int64_t", "slot"}, name(lanes, "first"), "<", name(lanes, "end"));
  em_open_if(em, c_binary(cx, "==", status, name(lanes, "DDR_NEW")));
  take_self(lanes);
  CExpr *now = lanes_method_alone(lanes, start, IN_FUNCTION, self_of(lanes));
  em_assign(em, status, c_cast(cx, "uint8_t", now));
  lanes_run_stabilize(lanes, status, IN_FUNCTION, self_of(lanes));
  put_self(lanes);
  em_close(em);
  em_close(em);
  em_close(em);
}

static void gen_stabilize_strands(Lanes *lanes, const TreeFunc *stabilize) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CFunc head = head_of(lanes, "stabilize_strands", stabilize_needs(lanes));
  CExpr *ended = name(lanes, "ended");
  em_param(cx, &head, "ddr_lane_set", "ended");
  em_blank(em);
  em_open_func(em, &head);
  em_open_while(em, c_binary(cx, "!=", ended, c_int(cx, 0)));
  em_declare_const(em, "int64_t", "slot",
                   c_binary(cx, "+", name(lanes, "first"),
                            c_call1(cx, "ddr_next_lane", c_unary(cx, "&", ended))));
  take_self(lanes);
  em_expr(em, lanes_method_alone(lanes, stabilize, IN_FUNCTION, self_of(lanes)));
  put_self(lanes);
  em_close(em);
  em_close(em);
}

void lanes_group_methods(Lanes *lanes) {
  const TreeFunc *start = gen_find(lanes->gen, FN_START);
  const TreeFunc *stabilize = gen_find(lanes->gen, FN_STABILIZE);
  if (start) gen_start_strands(lanes, start);
  if (stabilize) gen_stabilize_strands(lanes, stabilize);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static CExprVec args_of(Lanes *lanes, uint32_t needs) {
  CExprVec args = {0};
  gen_context_of(lanes->gen, needs, IN_BLOCK, &args);
  c_push(lanes->gen->cx, &args, name(lanes, "state"));
  c_push(lanes->gen->cx, &args, name(lanes, "slot"));
  return args;
}

void lanes_start_group(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  if (!gen_find(lanes->gen, FN_START)) return;
  em_open_if(em, c_call2(cx, "ddr_group_begins", name(lanes, "block"), name(lanes, "slot")));
  em_expr(em, c_call(cx, "start_strands", args_of(lanes, start_needs(lanes))));
  em_close(em);
}

void lanes_stabilize_group(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  Emit *em = &lanes->gen->em;
  CExpr *gang = c_unary(cx, "&", name(lanes, "gang"));
  if (!gen_find(lanes->gen, FN_STABILIZE)) return;
  em_declare_const(em, "ddr_lane_set", "ended",
                   c_call2(cx, "ddr_group_stable", gang, name(lanes, "mask")));
  em_open_if(em, c_binary(cx, "!=", name(lanes, "ended"), c_int(cx, 0)));
  CExprVec args = args_of(lanes, stabilize_needs(lanes));
  c_push(cx, &args, name(lanes, "ended"));
  em_expr(em, c_call(cx, "stabilize_strands", args));
  em_close(em);
}

/* ---- births ---------------------------------------------------------------------------------- */

/* How many may be executed; those in loops count twice. */
static uint32_t n_births(const TreeStmtVec *stmts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const uint32_t n_within = n_births(&stmt->body) + n_births(&stmt->else_body);
    n += lanes_is_birth(stmt) + n_within * (stmt->kind == TT_FOR ? 2 : 1);
  }
  return n;
}

/* Groups, and lanes in a `new`, come in the order of slots. A second `new` would begin again with
 * the first lane. */
bool lanes_bear_in_order(const Lanes *lanes) {
  const TreeFunc *start = gen_find(lanes->gen, FN_START);
  return lanes->has_groups && n_births(lanes->body) + (start ? n_births(&start->body) : 0) <= 1;
}

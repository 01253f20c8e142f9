/* turns: gangs that take steps in turn: how many, and with how many lanes (lanes.h). */
#include "backend-c/lanes/local.h"

bool lanes_has_loop(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const bool is_loop = stmt->kind == TT_FOR || stmt->kind == TT_REDUCE;
    if (is_loop || lanes_has_loop(&stmt->body) || lanes_has_loop(&stmt->else_body)) return true;
  }
  return false;
}

bool lanes_is_one_step(const Lanes *lanes) {
  return gen_is_lockstep(lanes->gen) || lanes_is_creation(lanes) ||
         !(tree_exits(lanes->body, NULL) & 1u << EXIT_ACTIVE);
}

bool lanes_is_in_place(const Lanes *lanes) {
  const TreeStmtVec *body = lanes->body;
  const TreeStmt *last = body->len > 0 ? vec_last(body) : NULL;
  return lanes_is_one_step(lanes) && tree_exits(body, last) == 0 && !gen_uses_pool(lanes->gen);
}

bool lanes_is_short(const Lanes *lanes) {
  enum { MOST_OPS = 128 };
  return !lanes_has_loop(lanes->body) && lanes_cost(lanes, lanes->body, 0) <= MOST_OPS;
}

/* Vectors that component i of the state takes. */
static uint32_t n_vectors(const Lanes *lanes, uint32_t i) {
  const Gen *gen = lanes->gen;
  const Type *ty = gen->program->module->state.data[gen->program->components[i].var].ty;
  return lane_is_places(ty) ? lane_width(ty) : 1;
}

/* While one gang takes a step, registers must hold what changes from step to step, a mask and a
 * count for the others. Out-of-order execution reaches the next gang only if steps are short; with
 * lists, which are made lane by lane, they never are. */
uint32_t lanes_n_gangs(const Lanes *lanes) {
  enum { REGISTERS = 16, MOST = 3 };
  uint32_t n_held = 2;
  if (lanes_is_one_step(lanes) || !lanes_is_short(lanes)) return 1;
  if (gen_uses_pool(lanes->gen)) return 1;
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    n_held += lanes->changes[i] ? n_vectors(lanes, i) : 0;
  const uint32_t n = REGISTERS / n_held;
  return n < 2 ? 1 : n < MOST ? n : MOST;
}

/* Loading strands costs as much as several short steps. */
CExpr *lanes_least(Lanes *lanes) {
  Cx *cx = lanes->gen->cx;
  CExpr *all = c_name(cx, "DDR_LANES");
  if (lanes->n_gangs > 1) all = c_binary(cx, "*", c_int(cx, lanes->n_gangs), all);
  if (lanes_is_short(lanes)) return c_binary(cx, "/", all, c_int(cx, 2));
  return c_binary(cx, "/", c_binary(cx, "*", all, c_int(cx, 3)), c_int(cx, 4));
}

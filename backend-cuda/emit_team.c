/* emit_team: the update kernel for strands that need nothing but their own state. In it the threads
 * of a block form a team: when many of its strands have ended, the others are compacted to fewer
 * warps (ddr/device/team.h).
 */
#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static CExpr *of_team(Gen *gen, const char *field) {
  return c_dot(gen->cx, name(gen, "team"), field);
}

static CExpr *team(Gen *gen) { return c_unary(gen->cx, "&", name(gen, "team")); }

/* Whether a strand can have more than one update. */
static bool may_go_on(Gen *gen) {
  const TreeStmtVec *body = &gen_find(gen, FN_UPDATE)->body;
  const uint32_t ends = 1u << EXIT_STABILIZE | 1u << EXIT_DIE;
  return !tree_always_leaves(body) || (tree_exits(body, NULL) & ~ends);
}

bool device_has_teams(Gen *gen) {
  const uint32_t more = NEED_WORLD | NEED_TEXT | NEED_POOL | NEED_BLOCK | NEED_STATES | NEED_SLOT |
                        NEED_SAMPLES | NEED_QUERIES | NEED_BIRTHS;
  return !gen_is_lockstep(gen) && may_go_on(gen) && !(gen_update_needs(gen) & more);
}

/* ---- how often a team meets ------------------------------------------------------------------ */

enum { OPS_OF_A_MEETING = 512 }; /* its cost, roughly, in the unit of gen_op_cost: an addition */

static uint32_t cost_of(const TreeExpr *expr) {
  if (!expr || expr->kind != TX_OP) return 0;
  uint32_t n = gen_op_cost(expr->op);
  for (uint32_t i = 0; i < expr->args.len; i++) n += cost_of(expr->args.data[i]);
  return n;
}

/* Branches count half: a strand may take another one. */
static uint32_t count_all(const TreeStmtVec *stmts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    const uint32_t n_inside = count_all(&stmt->body) + count_all(&stmt->else_body);
    n += cost_of(stmt->expr) + (stmt->kind == TT_IF ? n_inside / 2 : n_inside);
  }
  return n;
}

/* The least number of updates between two meetings: the shorter updates are, the more. */
static uint32_t updates_apart(Gen *gen) {
  return 1 + OPS_OF_A_MEETING / (1 + count_all(&gen_find(gen, FN_UPDATE)->body));
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Loads the state of a strand that the thread has just got, and runs its start method. */
static void take(Gen *gen) {
  Emit *em = &gen->em;
  const TreeFunc *start = gen_find(gen, FN_START);
  em_open_if(em, gen_is_now(gen, "DDR_NEW"));
  device_transfer(gen, "load", of_team(gen, "slot"));
  em_assign(em, name(gen, "now"), name(gen, "DDR_ACTIVE"));
  if (start) {
    CExpr *status =
        c_index(gen->cx, c_dot(gen->cx, name(gen, "store"), "status"), of_team(gen, "slot"));
    em_open_if(em, c_binary(gen->cx, "==", status, name(gen, "DDR_NEW")));
    gen_run_method(gen, start);
    em_close(em);
  }
  em_close(em);
}

/* Runs updates until the next meeting. */
static void update(Gen *gen) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CExpr *n_steps = of_team(gen, "n_steps"), *is_active = gen_is_now(gen, "DDR_ACTIVE");
  const bool has_start = gen_find(gen, FN_START) != NULL;
  if (has_start) em_open_if(em, is_active);
  em_open_do(em);
  gen_run_method(gen, gen_find(gen, FN_UPDATE));
  em_expr(em, c_step(cx, n_steps));
  em_close_do(em,
              c_binary(cx, "&&", is_active, c_binary(cx, "!=", n_steps, of_team(gen, "pause"))));
  if (has_start) em_close(em);
}

static void run(Gen *gen) {
  Emit *em = &gen->em;
  const TreeFunc *stabilize = gen_find(gen, FN_STABILIZE);
  em_expr(em, c_call2(gen->cx, "ddr_team_pause", team(gen), c_int(gen->cx, updates_apart(gen))));
  em_open_if(em, c_binary(gen->cx, "<=", name(gen, "now"), name(gen, "DDR_NEW")));
  take(gen);
  update(gen);
  if (stabilize) {
    em_open_if(em, gen_is_now(gen, "DDR_STABLE"));
    gen_run_method(gen, stabilize);
    em_close(em);
  }
  em_close(em);
}

/* The team meets. If it changes, states are stored, and threads without strands leave the loop. */
static void meet(Gen *gen) {
  Emit *em = &gen->em;
  em_open_if(em, c_call2(gen->cx, "ddr_team_stays", team(gen), name(gen, "now")));
  em_continue(em);
  em_close(em);
  em_open_if(em, c_call2(gen->cx, "ddr_team_gives", team(gen), name(gen, "now")));
  device_transfer(gen, "store_varying", of_team(gen, "slot"));
  em_close(em);
  CExpr *now = c_unary(gen->cx, "&", name(gen, "now"));
  em_open_if(em, c_unary(gen->cx, "!", c_call2(gen->cx, "ddr_team_goes_on", team(gen), now)));
  em_break(em);
  em_close(em);
}

void device_gen_team_kernel(Gen *gen) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  CFunc head = device_kernel_head(gen, "update_kernel");
  em_param(cx, &head, "ddr_grant", "grant");
  em_blank(em);
  em_open_func(em, &head);
  device_declare_globals(gen, gen_update_needs(gen));
  em_declare(em, "ddr_team", "team",
             c_call2(cx, "ddr_team_at", c_unary(cx, "&", name(gen, "store")), name(gen, "grant")));
  em_declare(em, text_format(cx->arena, "struct %s", gen->program->strand), "self", NULL);
  em_declare(em, "ddr_strand_status", "now", c_call1(cx, "ddr_team_begins", team(gen)));
  em_open_while(em, c_bool(cx, true));
  run(gen);
  meet(gen);
  em_close(em);
  em_close(em);
}

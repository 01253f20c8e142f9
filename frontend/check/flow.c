/* Where control goes: functions that may end without a value, unreachable statements,
 * strands that never stop. One walk over the typed statements.
 */
#include "frontend/check/local.h"

/* stabilize and die end a method; in global blocks they stop the strands and go on. */
typedef enum { STOP_ENDS, STOP_GOES_ON } StopEffect;

typedef struct Flow {
  Check *ck;
  StopEffect effect;
  bool saw_stop; /* a reachable stabilize or die */
} Flow;

static bool completes(Flow *flow, const TStmt *stmt);

static const char *what_leaves(const TStmt *stmt) {
  switch (stmt->kind) {
  case TS_RETURN: return "return";
  case TS_STABILIZE: return "stabilize";
  case TS_DIE: return "die";
  case TS_CONTINUE: return "continue";
  default: return "a statement that leaves on every path"; /* if and blocks */
  }
}

static bool block_completes(Flow *flow, const TStmt *block) {
  for (uint32_t i = 0; i < block->body.len; i++) {
    if (completes(flow, block->body.data[i])) continue;
    if (i + 1 < block->body.len)
      diag(flow->ck->cx, block->body.data[i + 1]->span, W_UNREACHABLE,
           d_text(what_leaves(block->body.data[i])));
    return false;
  }
  return true;
}

static bool if_completes(Flow *flow, const TStmt *stmt) {
  bool then_completes = completes(flow, stmt->then_stmt);
  bool else_completes = !stmt->else_stmt || completes(flow, stmt->else_stmt);
  return then_completes || else_completes;
}

/* Whether the statement after this one can be reached through it. */
static bool completes(Flow *flow, const TStmt *stmt) {
  switch (stmt->kind) {
  case TS_BLOCK: return block_completes(flow, stmt);
  case TS_IF: return if_completes(flow, stmt);
  case TS_FOREACH: completes(flow, stmt->then_stmt); return true; /* it may run zero times */
  case TS_RETURN:
  case TS_CONTINUE: return false;
  case TS_STABILIZE:
  case TS_DIE: flow->saw_stop = true; return flow->effect == STOP_GOES_ON;
  case TS_LOCAL:
  case TS_ASSIGN:
  case TS_PRINT:
  case TS_NEW: return true;
  }
  return true;
}

/* True when the code, if there is any, can stop strands. */
static bool walk(Check *ck, const TStmt *code, StopEffect effect) {
  Flow flow = {.ck = ck, .effect = effect};
  if (code) completes(&flow, code);
  return flow.saw_stop;
}

static void check_returns(Check *ck) {
  const TFunVec *functions = &ck->program->functions;
  for (uint32_t i = 0; i < functions->len; i++) {
    const TFun *fun = functions->data[i];
    Flow flow = {.ck = ck, .effect = STOP_ENDS};
    const bool is_open = completes(&flow, fun->body) && !type_is(fun->result, TY_ERROR);
    if (is_open) diag(ck->cx, fun->span, E_RETURN_MISSING, d_name(fun->name));
  }
}

void check_flow(Check *ck) {
  const TProgram *program = ck->program;
  const TStrand *strand = program->strand;
  check_returns(ck);
  walk(ck, program->initialize, STOP_ENDS);
  walk(ck, strand->initialize, STOP_ENDS);
  walk(ck, strand->start, STOP_ENDS);
  walk(ck, strand->stabilize, STOP_ENDS);
  bool stops = walk(ck, strand->update, STOP_ENDS);
  stops = walk(ck, program->start, STOP_GOES_ON) || stops;
  stops = walk(ck, program->update, STOP_GOES_ON) || stops;
  if (strand->update && !stops) diag(ck->cx, strand->span, W_NEVER_STABLE, d_name(strand->name));
}

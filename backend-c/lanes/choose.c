/* choose: whether the update method can run in lanes, and whether that is faster (lanes.h). */
#include "backend-c/lanes/strands.h"

/* ---- what fits ------------------------------------------------------------------------------- */

static bool fits_row(const Lanes *lanes, const TreeExpr *expr) {
  bool has_slices = false, has_others = false;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    if (!type_is(expr->args.data[i]->ty, TY_ROW)) continue;
    LaneForm form = lane_form(lanes, expr->args.data[i]);
    has_slices |= form == LANES_SLICES;
    has_others |= form != LANES_SLICES;
  }
  switch (expr->op) {
  case OP_ROW_FMA: return !(has_slices && has_others);
  case OP_ROW_SCALE:
  case OP_ROW_LOAD:
  case OP_ROW_PACK: return true;
  default: return false; /* no other op makes a row */
  }
}

static bool fits_expr(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->kind == TX_VAR) return true;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    if (!fits_expr(lanes, expr->args.data[i])) return false;
    if (lane_form(lanes, expr->args.data[i]) == LANES_HITS && !lane_is_of_hits(lanes, expr))
      return false;
  }
  if (expr->op == OP_NEW_STRAND) return true; /* has no value */
  if (lane_form(lanes, expr) == LANES_UNIFORM) return true;
  if (type_is(expr->ty, TY_ROW)) return fits_row(lanes, expr);
  switch (type_kind(expr->ty)) {
  case TY_IMAGE:
  case TY_STRING: return false;
  default: return expr->op != OP_CALL;
  }
}

static bool fits_all(const Lanes *lanes, const TreeStmtVec *stmts);

/* Rows and images are never assigned under masks. */
static bool fits_var(const Lanes *lanes, const TreeVar *var) {
  const LaneVar *lane = lane_var(lanes, var);
  if (lane->form == LANES_UNIFORM || lane->form == LANES_VECTOR) return true;
  if (lane_is_places(var->ty) || lane_is_list(var->ty)) return true;
  return !var->is_mutable;
}

static bool fits(const Lanes *lanes, const TreeStmt *stmt) {
  if (stmt->var && !fits_var(lanes, stmt->var)) return false;
  if (stmt->expr && !fits_expr(lanes, lanes_value(stmt))) return false;
  if (stmt->limit && !fits_expr(lanes, stmt->limit)) return false;
  for (uint32_t i = 0; i < stmt->values.len; i++)
    if (stmt->values.data[i] && !fits_expr(lanes, stmt->values.data[i])) return false;
  return fits_all(lanes, &stmt->body) && fits_all(lanes, &stmt->else_body);
}

static bool fits_all(const Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++)
    if (!fits(lanes, stmts->data[i])) return false;
  return true;
}

static bool fits_state(const Gen *gen) {
  for (uint32_t i = 0; i < gen->program->n_components; i++) {
    const StateComponent *component = &gen->program->components[i];
    const Type *ty = gen->program->module->state.data[component->var].ty;
    if (lane_form_of_type(ty) != LANES_VECTOR && !lane_is_places(ty) && !lane_is_list(ty))
      return false;
  }
  return true;
}

static bool is_other(const TreeStmt *stmt) {
  if (stmt->kind == TT_EFFECT) return stmt->expr->op != OP_COUNT_PROBE && !lanes_is_birth(stmt);
  return stmt->kind == TT_CALL || (stmt->kind == TT_REDUCE && stmt->reduce.over != OVER_RANGE);
}

bool lanes_have_others(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (is_other(stmt)) return true;
    if (lanes_have_others(&stmt->body) || lanes_have_others(&stmt->else_body)) return true;
  }
  return false;
}

/* ---- obstacles ------------------------------------------------------------------------------- */

static uint32_t needs_of_method(const Gen *gen, FuncKind kind) {
  const TreeFunc *method = gen_find(gen, kind);
  return method ? gen_needs(gen, method) : 0;
}

static uint32_t needs_of(const Gen *gen) {
  return needs_of_method(gen, FN_UPDATE) | needs_of_method(gen, FN_STABILIZE);
}

static bool is_unwanted(const Gen *gen) { return gen->options->is_scalar; }

/* Strands with queries run in the order of places, but samples are computed for the strands of a
 * block. */
static bool looks_and_samples(const Gen *gen) {
  return (needs_of(gen) & NEED_QUERIES) && (needs_of(gen) & NEED_SAMPLES);
}

/* In lanes strands end in another order, which would change the order of what they print. */
static bool prints(const Gen *gen) { return (needs_of(gen) & NEED_TEXT) != 0; }

/* Sequences that others read, or with which strands are created, are copied at other times. */
static bool has_sequences(const Gen *gen) {
  const bool are_read = gen_is_dual(gen) && gen_owns_seqs(gen, FN_UPDATE);
  const bool are_lent = are_read || gen_needs_anywhere(gen, NEED_BIRTHS);
  return !fits_state(gen) || (gen_uses_pool(gen) && are_lent);
}

static bool has_effects(const Gen *gen) {
  return lanes_have_others(&gen_find(gen, FN_UPDATE)->body);
}

typedef bool OpTest(OpId op);

static uint32_t count_in(const TreeExpr *expr, OpTest *is_counted) {
  uint32_t n = expr->kind == TX_OP && is_counted(expr->op);
  for (uint32_t i = 0; i < expr->args.len; i++) n += count_in(expr->args.data[i], is_counted);
  return n;
}

static uint32_t count(const TreeStmtVec *stmts, OpTest *is_counted) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->expr) n += count_in(stmt->expr, is_counted);
    for (uint32_t k = 0; k < stmt->values.len; k++)
      if (stmt->values.data[k]) n += count_in(stmt->values.data[k], is_counted);
    n += count(&stmt->body, is_counted) + count(&stmt->else_body, is_counted);
  }
  return n;
}

static bool is_any(OpId op) { return (void)op, true; }
static bool is_fused_row(OpId op) { return op == OP_ROW_FMA; }

/* Without an instruction for fused multiply-add, it is computed in doubles, four at a time: a row
 * of one strand is as fast as four lanes, and lanes would need more registers. */
static bool has_fused_rows(const Gen *gen) {
  return gen->options->is_unfused && count(&gen_find(gen, FN_UPDATE)->body, is_fused_row) > 0;
}

/* With registers of 128 bits there are four lanes even of 64-bit values: C compilers split them. */
static bool has_wide_values(const Gen *gen) {
  return gen->options->is_unfused && (gen->cx->is_double || gen->cx->is_long_int);
}

bool lanes_have_registers(const Gen *gen, uint32_t needs) {
  return !has_wide_values(gen) && !(gen->options->is_unfused && needs & NEED_TAPS);
}

/* C compilers take several times as long for code in lanes, and even longer if it is long. Then
 * compile time counts for more than the time that the program saves. */
enum { MOST_OPS = 3000 };

static bool is_long(const Gen *gen) {
  return count(&gen_find(gen, FN_UPDATE)->body, is_any) > MOST_OPS;
}

bool lanes_fit(const Lanes *lanes) {
  const TreeStmtVec *body = lanes->body;
  return !lanes_have_others(body) && fits_all(lanes, body) && count(body, is_any) <= MOST_OPS;
}

static const struct {
  bool (*is_there)(const Gen *gen);
  const char *text;
} obstacles[] = {
    {is_unwanted, "--scalar or --debug"},
    {looks_and_samples, "strands on a grid with queries of others"},
    {prints, "strands print"},
    {has_sequences, "sequences that others see, or long ones"},
    {has_effects, "calls"},
    {is_long, "update is too long"},
    {has_wide_values, "values of 64 bits, on processors with vectors of 128"},
    {has_fused_rows, "probes, on processors without an instruction for a*b + c"},
};

static const char *obstacle_to(const Gen *gen) {
  for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++)
    if (obstacles[i].is_there(gen)) return obstacles[i].text;
  return NULL;
}

/* ---- what changes ---------------------------------------------------------------------------- */

static void find_changes_in(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t k = 0; k < stmts->len; k++) {
    const TreeStmt *stmt = stmts->data[k];
    if (stmt->kind == TT_LEAVE)
      for (uint32_t i = 0; i < stmt->values.len; i++)
        if (stmt->values.data[i]) lanes->changes[i] = true;
    find_changes_in(lanes, &stmt->body);
    find_changes_in(lanes, &stmt->else_body);
  }
}

/* A component that keeps its value on some path is read from before the step. */
static void find_reads(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t k = 0; k < stmts->len; k++) {
    const TreeStmt *stmt = stmts->data[k];
    if (stmt->kind == TT_LEAVE)
      for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
        lanes->is_read[i] |= lanes->changes[i] && (i >= stmt->values.len || !stmt->values.data[i]);
    find_reads(lanes, &stmt->body);
    find_reads(lanes, &stmt->else_body);
  }
}

static const Type *type_of_state(const Gen *gen, uint32_t i) {
  return gen->program->module->state.data[gen->program->components[i].var].ty;
}

static void find_uses_before(Lanes *lanes) {
  if (lanes_is_creation(lanes)) return;
  find_reads(lanes, lanes->body);
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    lanes->is_read[i] |= (i < lanes->fn->params.len && lanes->fn->params.data[i]) ||
                         lane_is_list(type_of_state(lanes->gen, i));
}

/* Without supersteps no strand reads another: after a strand has ended, only outputs are read. All
 * that a strand is born with is read later. */
static void find_uses_after(Lanes *lanes) {
  const Gen *gen = lanes->gen;
  const bool is_seen = lanes_is_creation(lanes) || gen_is_lockstep(gen) || gen_is_dual(gen) ||
                       gen_uses_pool(gen) || gen_needs_anywhere(gen, NEED_STATES) ||
                       gen_find(gen, FN_STABILIZE);
  for (uint32_t i = 0; i < gen->program->n_components; i++) {
    const uint32_t var = gen->program->components[i].var;
    lanes->outlives[i] = is_seen || gen->program->module->state.data[var].is_output;
  }
}

void lanes_find_changes(Lanes *lanes) {
  find_changes_in(lanes, lanes->body);
  find_uses_before(lanes);
  find_uses_after(lanes);
}

/* Whatever a strand has changed aside: it may be stored from its lane before another step. */
void lanes_read_changes(Lanes *lanes) {
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    lanes->is_read[i] |= lanes->changes[i];
}

bool lanes_changes(const Lanes *lanes, uint32_t i) { return lanes->changes[i]; }
bool lanes_reads(const Lanes *lanes, uint32_t i) { return lanes->is_read[i]; }
bool lanes_outlives(const Lanes *lanes, uint32_t i) { return lanes->outlives[i]; }

const Type *lanes_component_type(const Lanes *lanes, uint32_t i) {
  const StateComponent *component = &lanes->gen->program->components[i];
  const Type *ty = lanes->gen->program->module->state.data[component->var].ty;
  return tree_component_type(lanes->gen->cx, ty);
}

/* ---- choosing -------------------------------------------------------------------------------- */

Lanes *lanes_new(Gen *gen, const TreeFunc *fn) {
  static const char *const taken[] = {
#define TAKEN(name) #name,
#include "ir/tree/taken_names.def"
  };
  Arena *arena = gen->cx->arena;
  Lanes *lanes = NEW(arena, Lanes);
  *lanes = (Lanes){.gen = gen,
                   .fn = fn,
                   .body = &fn->body,
                   .vars = map_new(arena),
                   .changes = NEWN(arena, bool, gen->program->n_components),
                   .is_read = NEWN(arena, bool, gen->program->n_components),
                   .outlives = NEWN(arena, bool, gen->program->n_components),
                   .names = map_new(arena),
                   .taps = map_new(arena),
                   .corners = map_new(arena),
                   .steps = map_new(arena),
                   .alone = map_new(arena)};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) lanes_new_name(lanes, taken[i]);
  return lanes;
}

static Lanes *lanes_if_free(Gen *gen, const char **obstacle) {
  *obstacle = obstacle_to(gen);
  if (*obstacle) return NULL;
  Lanes *lanes = lanes_new(gen, gen_find(gen, FN_UPDATE));
  lanes->has_columns = lanes_use_columns(lanes);
  lanes_find_forms(lanes);
  lanes_unite_ways(lanes);
  lanes_find_words(lanes);
  lanes->may_wait = lanes_may_wait(lanes);
  lanes->kinds = lanes_find_kinds(lanes);
  lanes->is_weighed = lanes_may_be_few(lanes);
  lanes->has_groups = lanes_fit_groups(lanes);
  if (!fits_all(lanes, lanes->body)) *obstacle = "values that have no form in lanes";
  else if (!lanes_gain(lanes)) *obstacle = "lanes would gain nothing";
  if (*obstacle) return NULL;
  lanes_find_changes(lanes);
  lanes->n_gangs = gen->options->n_gangs ? gen->options->n_gangs : lanes_n_gangs(lanes);
  lanes_find_company(lanes);
  return lanes;
}

static const char *note_of(const Lanes *lanes) {
  if (lanes->n_gangs == 1) return "in lanes";
  return text_format(lanes->gen->cx->arena, "in lanes, %u gangs in turn", lanes->n_gangs);
}

Lanes *lanes_of_update(Gen *gen) {
  const char *obstacle;
  Lanes *lanes = lanes_if_free(gen, &obstacle);
  if (gen->options->update_note)
    *gen->options->update_note =
        lanes ? note_of(lanes) : text_format(gen->cx->arena, "one at a time: %s", obstacle);
  return lanes;
}

/* From_tast, statements: control flow becomes blocks, variables become values.
 *
 * The usual construction of SSA form for structured programs: each variable has a slot with its
 * current value. Where two paths meet, variables with different values get a block parameter; in a
 * loop, the variables that its body assigns. Only parameters of loops may turn out to be
 * unnecessary. See Note [Where paths meet].
 */
#include "ir/high/local.h"

/* ---- slots ----------------------------------------------------------------------------------- */

Body body_new(Unit *unit, Func *fn) {
  Body body = {.unit = unit, .cx = unit->cx, .slots = map_new(unit->cx->arena)};
  body.eithers = map_new(unit->cx->arena);
  body.b = build_at_end(unit->cx, block_new(fn), fn->span);
  body.is_open = true;
  return body;
}

void body_enter(Body *body, Block *blk) {
  const bool is_unchecked = body->b.is_unchecked;
  body->b = build_at_end(body->cx, blk, body->b.span);
  body->b.is_unchecked = is_unchecked;
  body->is_open = true;
}

void body_set(Body *body, const TVar *var, Value *value) {
  uint32_t *slot = map_get(body->slots, var);
  if (!slot) {
    slot = NEW(body->cx->arena, uint32_t);
    *slot = body->values.len;
    map_put(body->slots, var, slot);
    vec_push(body->cx->arena, &body->values, NULL);
  }
  body->values.data[*slot] = value;
  if (value) value_set_name(value, var->name);
}

Value *body_get(Body *body, const TVar *var) {
  const uint32_t *slot = map_get(body->slots, var);
  Value *value = slot ? body->values.data[*slot] : NULL;
  if (!value) BUG(body->cx, "variable %s is read before it is set", var->name->text);
  return value;
}

Value **body_values(const Body *body) {
  Value **copy = NEWN(body->cx->arena, Value *, body->values.len);
  for (uint32_t i = 0; i < body->values.len; i++) copy[i] = body->values.data[i];
  return copy;
}

void body_restore(Body *body, Value *const *values, uint32_t n_values) {
  for (uint32_t i = 0; i < body->values.len; i++)
    body->values.data[i] = i < n_values ? values[i] : NULL;
}

/* ---- leaving --------------------------------------------------------------------------------- */

void record_exit(Body *body, ExitKind kind, Span span) {
  static const char *const names[] = {
      [EXIT_ACTIVE] = "continue", [EXIT_STABILIZE] = "stabilize", [EXIT_DIE] = "die"};
  record_values(body, TRACE_EXIT, names[kind], span, NULL, 0);
}

/* Ends the function. A strand that dies leaves no state, so the old state is passed. */
void lower_leave(Body *body, ExitKind kind, Span span) {
  ValueVec state = {0};
  const TVarVec *vars = &body->unit->state;
  const Block *entry = body->b.fn->blocks.data[0];
  body->b.span = span;
  for (uint32_t i = 0; kind != EXIT_RETURN && i < vars->len; i++) {
    Value *value = kind == EXIT_DIE ? entry->params.data[i] : body_get(body, vars->data[i]);
    vec_push(body->cx->arena, &state, value);
  }
  build_leave(&body->b, kind, state.data, state.len);
  body->is_open = false;
}

static bool is_global_block(const Body *body) {
  return body->b.fn->kind == FN_GLOBAL_START || body->b.fn->kind == FN_GLOBAL_UPDATE;
}

/* In global blocks `stabilize` and `die` are about all strands, and end nothing here. */
static void lower_exit(Body *body, const TStmt *stmt, ExitKind kind) {
  record_exit(body, kind, stmt->span);
  if (!is_global_block(body)) {
    lower_leave(body, kind, stmt->span);
  } else if (kind == EXIT_ACTIVE) {
    lower_leave(body, EXIT_RETURN, stmt->span);
  } else {
    OpId op = kind == EXIT_STABILIZE ? OP_STABILIZE_ALL : OP_KILL_ALL;
    build_effect(&body->b, op, ATTR_EMPTY, NULL, 0);
  }
}

static void lower_return(Body *body, const TStmt *stmt) {
  Value *result = lower_expr(body, stmt->expr);
  record_values(body, TRACE_RETURN, body->b.fn->name->text, stmt->span, &result, 1);
  body->b.span = stmt->span;
  build_leave(&body->b, EXIT_RETURN, &result, 1);
  body->is_open = false;
}

/* ---- variables ------------------------------------------------------------------------------- */

static void lower_local(Body *body, const TStmt *stmt) {
  Value *value = stmt->expr ? lower_expr(body, stmt->expr) : NULL;
  body_set(body, stmt->var, value);
  record_var(body, stmt->var, stmt->span, value);
}

static void lower_assign(Body *body, const TStmt *stmt) {
  Value *value = lower_expr(body, stmt->expr);
  const uint32_t *global = map_get(body->unit->globals, stmt->var);
  record_var(body, stmt->var, stmt->span, value);
  if (!global) {
    body_set(body, stmt->var, value);
    return;
  }
  body->b.span = stmt->span;
  build_effect(&body->b, OP_GLOBAL_STORE, (Attr){.var = {*global, WHOLE}}, &value, 1);
}

/* ---- print, new ------------------------------------------------------------------------------ */

static void lower_all(Body *body, const TStmt *stmt, OpId op) {
  ValueVec args = {0};
  for (uint32_t i = 0; i < stmt->args.len; i++)
    vec_push(body->cx->arena, &args, lower_expr(body, stmt->args.data[i]));
  const bool is_print = op == OP_PRINT;
  record_values(body, is_print ? TRACE_PRINT : TRACE_NEW, "", stmt->span, args.data, args.len);
  body->b.span = stmt->span;
  build_effect(&body->b, op, ATTR_EMPTY, args.data, args.len);
}

/* ---- if -------------------------------------------------------------------------------------- */

typedef struct Arm {
  Block *first;
  Builder end;
  bool is_open;
  Value **values;
  ValueVec args; /* for the parameters of the merge block */
} Arm;

static Arm lower_arm(Body *body, const TStmt *stmt) {
  Arm arm = {.first = block_new(body->b.fn)};
  body_enter(body, arm.first);
  if (stmt) lower_stmt(body, stmt);
  arm.end = body->b;
  arm.is_open = body->is_open;
  arm.values = body_values(body);
  return arm;
}

static const Name *slot_name(const Body *body, uint32_t slot) {
  const TVar *var = map_key(body->slots, slot); /* slots are numbered as they enter the map */
  return var->name;
}

static void pass_on(Body *body, Arm *arm, Value *value) {
  if (arm->is_open) vec_push(body->cx->arena, &arm->args, value);
}

/* Value of one slot behind an if; before: what it was at the branch. */
static Value *merge_slot(Body *body, Block *merge, Arm *arms, Value *before, uint32_t slot) {
  Value *first = arms[arms[0].is_open ? 0 : 1].values[slot];
  Value *second = arms[arms[1].is_open ? 1 : 0].values[slot];
  bool is_one_way = !arms[0].is_open || !arms[1].is_open;
  if (!first || !second) return NULL; /* set in one arm only: it is not read any more */
  if (first == second && (first == before || !is_one_way)) return first;
  if (type_is_abstract(first->ty)) return NULL; /* defined in both arms, for them alone */
  pass_on(body, &arms[0], first);
  pass_on(body, &arms[1], second);
  return block_add_param(merge, first->ty, slot_name(body, slot));
}

static void merge_arms(Body *body, Block *merge, Arm *arms, Value *const *before,
                       uint32_t n_slots) {
  for (uint32_t i = 0; i < n_slots; i++)
    body->values.data[i] = merge_slot(body, merge, arms, before[i], i);
  for (uint32_t i = 0; i < 2; i++)
    if (arms[i].is_open) build_jump(&arms[i].end, merge, arms[i].args.data, arms[i].args.len);
}

static void lower_if(Body *body, const TStmt *stmt) {
  Value *cond = lower_expr(body, stmt->expr);
  record_branch(body, stmt->expr, cond);
  Builder head = body->b;
  uint32_t n_slots = body->values.len;
  Value **before = body_values(body);

  Arm arms[2];
  arms[0] = lower_arm(body, stmt->then_stmt);
  body_restore(body, before, n_slots);
  arms[1] = lower_arm(body, stmt->else_stmt);

  bool is_open = arms[0].is_open || arms[1].is_open;
  Block *merge = is_open ? block_new(head.fn) : NULL;
  head.span = stmt->span;
  build_branch(&head, cond, arms[0].first, arms[1].first, merge);
  body->is_open = is_open;
  if (!is_open) return;
  merge_arms(body, merge, arms, before, n_slots);
  body_enter(body, merge);
}

/* ---- foreach --------------------------------------------------------------------------------- */

typedef struct Carried {
  Body *body;
  VEC(const TVar *) vars;
} Carried;

/* A variable that is unset before the loop is set anew in each round that reads it. */
static void note_carried(void *context, const TVar *var) {
  Carried *carried = context;
  const uint32_t *slot = map_get(carried->body->slots, var);
  if (!slot || !carried->body->values.data[*slot]) return;
  for (uint32_t i = 0; i < carried->vars.len; i++)
    if (carried->vars.data[i] == var) return;
  vec_push(carried->body->cx->arena, &carried->vars, var);
}

static Value **carried_values(const Carried *carried) {
  Value **values = NEWN(carried->body->cx->arena, Value *, carried->vars.len);
  for (uint32_t i = 0; i < carried->vars.len; i++)
    values[i] = body_get(carried->body, carried->vars.data[i]);
  return values;
}

/* Gives blk one parameter per carried variable and enters it. */
static void enter_with_carried(const Carried *carried, Block *blk, Value *const *values) {
  body_enter(carried->body, blk);
  for (uint32_t i = 0; i < carried->vars.len; i++) {
    const TVar *var = carried->vars.data[i];
    body_set(carried->body, var, block_add_param(blk, values[i]->ty, var->name));
  }
}

static void lower_foreach(Body *body, const TStmt *stmt) {
  const Domain domain = domain_open(body, stmt->expr);
  Carried carried = {.body = body};
  stmt_each_assigned(stmt->then_stmt, note_carried, &carried);
  Value **initial = carried_values(&carried);
  Builder head = body->b;
  head.span = stmt->span;

  Block *loop = block_new(head.fn);
  Value *index = block_add_param(loop, type_int(body->cx), NULL);
  enter_with_carried(&carried, loop, initial);
  body_set(body, stmt->var, domain_element(body, &domain, index));
  record_var(body, stmt->var, stmt->var->span, body_get(body, stmt->var));
  lower_stmt(body, stmt->then_stmt);
  if (body->is_open) {
    body->b.span = stmt->span;
    build_next(&body->b, carried_values(&carried), carried.vars.len);
  }
  Block *after = block_new(head.fn);
  enter_with_carried(&carried, after, initial);
  build_foreach(&head, domain.lo, domain.hi, loop, after, initial, carried.vars.len);
}

/* ---- early returns --------------------------------------------------------------------------- */

/* Whether a call could not be inlined because of a return in the statement: from a loop, or where
 * what follows is reached from both arms of a branch. Traces follow the source, and keep it. */
static bool has_early_return(const Body *body, const TStmt *stmt) {
  if (body->cx->is_traced || !stmt_has_return(stmt)) return false;
  if (stmt->kind == TS_FOREACH) return true;
  return stmt->kind == TS_IF && !stmt_ends(stmt->then_stmt) && !stmt_ends(stmt->else_stmt);
}

static void lower_without_return(Body *body, const TStmt *stmt) {
  const TStmtVec both = without_early_return(body, stmt, body->b.fn->result);
  for (uint32_t i = 0; i < both.len; i++) lower_stmt(body, both.data[i]);
}

/* ---- statements ------------------------------------------------------------------------------ */

void lower_stmt(Body *body, const TStmt *stmt) {
  if (!body->is_open) return; /* behind an exit: cannot be reached */
  if (has_early_return(body, stmt)) {
    lower_without_return(body, stmt);
    return;
  }
  body->b.span = stmt->span;
  switch (stmt->kind) {
  case TS_BLOCK:
    for (uint32_t i = 0; i < stmt->body.len; i++) lower_stmt(body, stmt->body.data[i]);
    return;
  case TS_LOCAL: lower_local(body, stmt); return;
  case TS_ASSIGN: lower_assign(body, stmt); return;
  case TS_IF: lower_if(body, stmt); return;
  case TS_FOREACH: lower_foreach(body, stmt); return;
  case TS_PRINT:
    if (stmt->args.len > 0) lower_all(body, stmt, OP_PRINT);
    return;
  case TS_NEW: lower_all(body, stmt, OP_NEW_STRAND); return;
  case TS_RETURN: lower_return(body, stmt); return;
  case TS_STABILIZE: lower_exit(body, stmt, EXIT_STABILIZE); return;
  case TS_DIE: lower_exit(body, stmt, EXIT_DIE); return;
  case TS_CONTINUE: lower_exit(body, stmt, EXIT_ACTIVE); return;
  }
  UNREACHABLE(body->cx);
}

/* Note [Where paths meet]
 *
 * An if is lowered arm by arm, each starting from the values before it. Only slots that existed
 * before the if can matter behind it, and of those only the ones in which the arms end differently
 * need a parameter of the merge block. If one arm leaves, the values of the other arm are passed as
 * parameters, because values are visible in their own arm only, like names in braces. The branch
 * itself is built last, when it is known whether a merge block is needed at all.
 *
 * A loop cannot look at its end first, so every variable that its body assigns is carried, even
 * when each round happens to give it the value it had.
 */

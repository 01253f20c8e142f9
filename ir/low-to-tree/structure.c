/* Structure: the control flow of one function as nested statements.
 *
 *   branch %c, b1, b2, merge b3          T x;  if (c) { ... x = a; } else { ... x = b; }
 *   b1: jump b3(%a)   b2: jump b3(%b)    and on with b3(x)
 *
 * If one arm leaves, it becomes `if (c) { ...; leave }`, and the other arm follows without an
 * `else`. Block parameters become variables (place.c), instructions expressions (nest.c).
 */
#include "ir/low-to-tree/local.h"

static void region(Structure *s, Block *blk, const Block *merge, TreeStmtVec *out);

/* ---- predecessors of blocks ------------------------------------------------------------------ */

static void note_jump(Structure *s, const Inst *jump) {
  InstVec *jumps = map_get(s->jumps, jump->succs[0].block);
  if (!jumps) {
    jumps = NEW(s->cx->arena, InstVec);
    map_put(s->jumps, jump->succs[0].block, jumps);
  }
  vec_push(s->cx->arena, jumps, jump);
}

/* NEXT leads to the successors of its loop. */
static void note_ways(Structure *s, Block *blk, const Inst *last) {
  for (uint32_t i = 0; i < last->n_succs; i++) {
    BlockVec *before = map_get(s->before, last->succs[i].block);
    if (!before) {
      before = NEW(s->cx->arena, BlockVec);
      map_put(s->before, last->succs[i].block, before);
    }
    vec_push(s->cx->arena, before, blk);
  }
}

static void survey(Structure *s, Block *blk, Inst *loop, Map *seen) {
  if (map_has(seen, blk)) return;
  map_put(seen, blk, s);
  Inst *last = block_terminator(blk);
  if (!last) BUG(s->cx, "block b%u has no end", blk->id);
  if (last->op == OP_JUMP) note_jump(s, last);
  ASSERT(s->cx, last->op != OP_NEXT || loop);
  if (last->op == OP_NEXT) map_put(s->loop_ends, blk, loop);
  note_ways(s, blk, last->op == OP_NEXT ? loop : last);
  for (uint32_t i = 0; i < last->n_succs; i++) {
    bool is_body = inst_is_loop(last) && i == 0;
    survey(s, last->succs[i].block, is_body ? last : loop, seen);
  }
}

static bool reaches(const Block *blk, const Block *goal) {
  if (blk == goal) return true;
  const Inst *last = blk->last;
  if (last->op == OP_BRANCH && last->merge) return reaches(last->merge, goal);
  if (inst_is_loop(last)) return reaches(last->succs[1].block, goal);
  for (uint32_t i = 0; i < last->n_succs; i++)
    if (reaches(last->succs[i].block, goal)) return true;
  return false;
}

/* ---- blocks with one predecessor ------------------------------------------------------------- */

/* The parameters are new names of the arguments. */
static void bind_params(Structure *s, const Inst *inst, const Succ *succ, TreeStmtVec *out) {
  for (uint32_t i = 0; i < succ->n_args; i++) {
    Value *param = succ->block->params.data[i], *arg = inst->args[succ->first_arg + i];
    if (!value_is_used(param)) continue;
    TreeExpr *expr = nest_use(s, arg, inst->span);
    bool is_constant = expr->kind == TX_OP && expr->args.len == 0 && !tree_is_read(expr);
    if (is_constant) map_put(s->exprs, param, expr);
    else if (expr->kind == TX_VAR) place_hold(s, place_of(s, arg), param);
    else place_declare(s, place_new(s, param, NULL), expr, inst->span, out);
  }
}

/* ---- branches -------------------------------------------------------------------------------- */

/* The comparison that holds where op does not, for every value; OP_NOT: there is none. */
static OpId opposite(OpId op) {
  static const OpId pairs[][2] = {{OP_BEQ, OP_BNE}, {OP_IEQ, OP_INE},     {OP_ILT, OP_IGE},
                                  {OP_ILE, OP_IGT}, {OP_STREQ, OP_STRNE}, {OP_REQ, OP_RNE}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (uint32_t k = 0; k < 2; k++)
      if (pairs[i][k] == op) return pairs[i][1 - k];
  return OP_NOT;
}

static TreeExpr *negation(Structure *s, TreeExpr *cond) {
  if (cond->kind == TX_OP && cond->op == OP_NOT) return cond->args.data[0];
  TreeExpr *expr = NEW(s->cx->arena, TreeExpr);
  const OpId op = cond->kind == TX_OP ? opposite(cond->op) : OP_NOT;
  *expr = (TreeExpr){.kind = TX_OP, .ty = cond->ty, .span = cond->span, .op = op};
  if (op == OP_NOT) vec_push(s->cx->arena, &expr->args, cond);
  else expr->args = cond->args;
  return expr;
}

static TreeStmt *add_if(Structure *s, TreeExpr *cond, Span span, TreeStmtVec *out) {
  TreeStmt *stmt = tree_stmt(s->cx, TT_IF, span);
  stmt->expr = cond;
  vec_push(s->cx->arena, out, stmt);
  return stmt;
}

/* The jump of an arm without instructions: what it passes is known before the branch, so the
 * variable is initialised with that. NULL: there is none. */
static const Inst *idle_jump(const Structure *s, const Inst *branch, uint32_t i) {
  const Inst *jump = branch->succs[1].block->first;
  if (jump->op != OP_JUMP || jump->succs[0].block != branch->merge) return NULL;
  const Value *arg = jump->args[i];
  return map_get(s->exprs, arg) || place_of(s, arg) ? jump : NULL;
}

/* A name for a merged value without one, from its arguments. */
static const char *name_among(const ValueVec *values) {
  for (uint32_t i = 0; i < values->len; i++)
    if (values->data[i]->name) return values->data[i]->name->text;
  return NULL;
}

static void open_param(Structure *s, const Inst *branch, uint32_t i, TreeStmtVec *out) {
  Value *param = branch->merge->params.data[i];
  const InstVec *jumps = map_get(s->jumps, branch->merge);
  if (!value_is_used(param)) return;
  ValueVec candidates = {0};
  for (uint32_t j = 0; j < jumps->len; j++)
    vec_push(s->cx->arena, &candidates, jumps->data[j]->args[i]);
  const char *hint = name_among(&candidates);
  for (const Use *use = param->uses; use; use = use->next) {
    const Inst *jump = use->user;
    if (jump->op == OP_JUMP)
      vec_push(s->cx->arena, &candidates, jump->succs[0].block->params.data[use->arg]);
  }
  if (place_reuse(s, param, &candidates, branch->merge, NULL)) return;
  const Inst *idle = idle_jump(s, branch, i);
  Place *place = place_new(s, param, hint);
  TreeExpr *init = idle ? nest_use(s, idle->args[i], branch->span) : NULL;
  place_declare(s, place, init, branch->span, out);
  place->initial = idle;
}

/* A branch whose arms both reach the merge block. */
static void both_meet(Structure *s, const Inst *branch, TreeExpr *cond, TreeStmtVec *out) {
  for (uint32_t i = 0; i < branch->merge->params.len; i++) open_param(s, branch, i, out);
  TreeStmtVec arms[2] = {{0}, {0}};
  for (uint32_t i = 0; i < 2; i++) region(s, branch->succs[i].block, branch->merge, &arms[i]);
  if (arms[0].len == 0 && arms[1].len == 0) return;
  bool is_turned = arms[0].len == 0;
  TreeStmt *stmt = add_if(s, is_turned ? negation(s, cond) : cond, branch->span, out);
  stmt->body = is_turned ? arms[1] : arms[0];
  if (!is_turned) stmt->else_body = arms[1];
}

/* Returns the block to go on with. */
static Block *branch_stmt(Structure *s, Inst *branch, TreeStmtVec *out) {
  TreeExpr *cond = nest_use(s, branch->args[0], branch->span);
  Block *yes = branch->succs[0].block, *no = branch->succs[1].block, *merge = branch->merge;
  for (uint32_t i = 0; i < 2; i++) bind_params(s, branch, &branch->succs[i], out);
  if (!merge || !reaches(yes, merge)) {
    region(s, yes, NULL, &add_if(s, cond, branch->span, out)->body);
    return no;
  }
  if (!reaches(no, merge)) {
    region(s, no, NULL, &add_if(s, negation(s, cond), branch->span, out)->body);
    return yes;
  }
  both_meet(s, branch, cond, out);
  return merge;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* A carried value is one variable: before the loop, in its body and after it. */
static void open_carried(Structure *s, const Inst *loop, uint32_t i, TreeStmtVec *out) {
  const Succ *body = &loop->succs[0];
  Block *after = loop->succs[1].block;
  Value *inside = body->block->params.data[1 + i], *outside = after->params.data[i];
  if (!value_is_used(inside) && !value_is_used(outside)) return;
  Value *arg = loop->args[body->first_arg + i];
  ValueVec args = {0};
  vec_push(s->cx->arena, &args, arg);
  Place *place = place_reuse(s, inside, &args, body->block, after);
  if (!place) {
    TreeExpr *init = nest_use(s, arg, loop->span);
    const Name *name = outside->name ? outside->name : arg->name;
    place = place_new(s, inside, name ? name->text : NULL);
    place_declare(s, place, init, loop->span, out);
  }
  place_hold(s, place, outside);
}

static bool is_count(const Value *value) {
  return value->def && (value->def->op == OP_SEQ_LEN || value->def->op == OP_IMAGE_AXIS_LEN ||
                        value->def->op == OP_NUM_STRANDS);
}

/* Below the largest int: a constant, or a count less a constant. */
static bool is_below_most(const Structure *s, const Value *value) {
  int64_t most = s->cx->is_long_int ? INT64_MAX : INT32_MAX;
  if (!value->def) return false;
  if (value->def->op == OP_CONST_INT) return value->def->attr.i < most;
  const Value *const *args = (const Value *const *)value->def->args;
  return value->def->op == OP_ISUB && is_count(args[0]) && args[1]->def &&
         args[1]->def->op == OP_CONST_INT && args[1]->def->attr.i > 0;
}

static void open_range(Structure *s, const Inst *loop, TreeStmt *stmt) {
  stmt->expr = nest_use(s, loop->args[0], loop->span);
  stmt->limit = nest_use(s, loop->args[1], loop->span);
  stmt->is_bounded = is_below_most(s, loop->args[1]);
}

static Block *loop_stmt(Structure *s, Inst *loop, TreeStmtVec *out) {
  const Succ *body = &loop->succs[0];
  TreeStmt *stmt = tree_stmt(s->cx, TT_FOR, loop->span);
  open_range(s, loop, stmt);
  for (uint32_t i = 0; i < body->n_args; i++) open_carried(s, loop, i, out);
  Place *idx = place_new(s, body->block->params.data[0], "i");
  idx->is_fixed = true;
  stmt->var = idx->var;
  vec_push(s->cx->arena, out, stmt);
  region(s, body->block, NULL, &stmt->body);
  return loop->succs[1].block;
}

static void add_helper(Structure *s, TreeStmt *stmt, const TreeVar *result, const char *hint) {
  TreeVar *var = NEW(s->cx->arena, TreeVar);
  *var = (TreeVar){.name = spell_unique(s->spell, hint), .ty = result->ty};
  vec_push(s->cx->arena, &stmt->vars, var);
}

/* Adds variables that give names to the helpers of a reduction over a set (TT_REDUCE). */
static void add_helpers(Structure *s, TreeStmt *stmt) {
  Arena *arena = s->cx->arena;
  const uint32_t n = stmt->reduce.n_kinds;
  const TreeVar *first = stmt->vars.data[0];
  for (uint32_t i = 0; i < n && stmt->reduce.over == OVER_RANGE; i++) {
    const TreeVar *result = stmt->vars.data[i];
    add_helper(s, stmt, result, text_format(arena, "%s_values", result->name));
  }
  if (stmt->reduce.over == OVER_RANGE) return;
  add_helper(s, stmt, first, text_format(arena, "%s_%s", s->out->name, first->name));
  spell_reserve(s->names, stmt->vars.data[n]->name);
  if (n == 1) return;
  add_helper(s, stmt, first, text_format(arena, "%s_wanted", stmt->vars.data[n]->name));
  spell_reserve(s->names, stmt->vars.data[n + 1]->name);
  add_helper(s, stmt, first, text_format(arena, "%s_found", first->name));
}

/* Equal operands of NEXT are one value. */
static void add_values(Structure *s, const Inst *next, TreeStmt *stmt) {
  ValueVec given = {0};
  stmt->columns = NEWN(s->cx->arena, uint32_t, next->n_args);
  for (uint32_t i = 0; i < next->n_args; i++) {
    uint32_t column = 0;
    while (column < given.len && given.data[column] != next->args[i]) column++;
    stmt->columns[i] = column;
    if (column < given.len) continue;
    vec_push(s->cx->arena, &given, next->args[i]);
    vec_push(s->cx->arena, &stmt->values, nest_use(s, next->args[i], next->span));
    if (stmt->reduce.over == OVER_RANGE || stmt->reduce.n_kinds == 1) continue;
    const TreeVar *result = stmt->vars.data[i];
    add_helper(s, stmt, result, text_format(s->cx->arena, "%s_given", result->name));
  }
}

static Block *reduce_stmt(Structure *s, Inst *reduce, TreeStmtVec *out) {
  Block *body = reduce->succs[0].block, *after = reduce->succs[1].block;
  TreeStmt *stmt = tree_stmt(s->cx, TT_REDUCE, reduce->span);
  stmt->reduce = reduce->attr.reduce;
  if (reduce->n_args > 0) open_range(s, reduce, stmt);
  for (uint32_t i = 0; i < stmt->reduce.n_kinds; i++) {
    Place *result = place_new(s, after->params.data[i], reduction_text(stmt->reduce.kinds[i]));
    vec_push(s->cx->arena, &stmt->vars, result->var);
  }
  add_helpers(s, stmt);
  const Inst *around = s->reduction;
  s->reduction = reduce;
  Place *element = place_new(s, body->params.data[0], "i");
  element->is_fixed = true;
  stmt->var = element->var;
  region(s, body, NULL, &stmt->body);
  add_values(s, loop_find_next(reduce), stmt);
  s->reduction = around;
  vec_push(s->cx->arena, out, stmt);
  return after;
}

static void next_stmt(Structure *s, const Inst *next, TreeStmtVec *out) {
  const Inst *loop = map_get(s->loop_ends, next->block);
  const ValueVec *params = &loop->succs[0].block->params;
  if (loop->op == OP_REDUCE) return; /* its values are part of the reduction */
  ASSERT(s->cx, params->len == next->n_args + 1);
  place_assign(s, next, params->data + 1, next->args, next->n_args, out);
}

/* ---- the end of a function ------------------------------------------------------------------- */

static void leave_stmt(Structure *s, const Inst *leave, TreeStmtVec *out) {
  TreeStmt *stmt = tree_stmt(s->cx, TT_LEAVE, leave->span);
  const Block *entry = s->fn->blocks.data[0];
  stmt->exit = leave->attr.exit;
  for (uint32_t i = 0; i < leave->n_args; i++) {
    bool is_kept = func_is_method(s->fn->kind) && leave->args[i] == entry->params.data[i];
    bool is_lost = leave->attr.exit == EXIT_DIE;
    TreeExpr *value = is_kept || is_lost ? NULL : nest_use(s, leave->args[i], leave->span);
    vec_push(s->cx->arena, &stmt->values, value);
  }
  vec_push(s->cx->arena, out, stmt);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Ends the block; returns the one to go on with, or NULL. */
static Block *terminator(Structure *s, Inst *last, const Block *merge, TreeStmtVec *out) {
  switch (last->op) {
  case OP_BRANCH: return branch_stmt(s, last, out);
  case OP_FOREACH: return loop_stmt(s, last, out);
  case OP_REDUCE: return reduce_stmt(s, last, out);
  case OP_NEXT: next_stmt(s, last, out); return NULL;
  case OP_LEAVE: leave_stmt(s, last, out); return NULL;
  case OP_JUMP: break;
  default: BUG(s->cx, "%s ends a block", op_text(last->op)); /* no other op does */
  }
  Succ *succ = &last->succs[0];
  if (merge && succ->block == merge) {
    place_assign(s, last, merge->params.data, last->args, last->n_args, out);
    return NULL;
  }
  const InstVec *jumps = map_get(s->jumps, succ->block);
  if (jumps->len != 1) BUG(s->cx, "block b%u is no merge and has many ways in", succ->block->id);
  bind_params(s, last, succ, out);
  return succ->block;
}

static void region(Structure *s, Block *blk, const Block *merge, TreeStmtVec *out) {
  while (blk) {
    nest_begin(s);
    for (Inst *inst = blk->first; inst != blk->last; inst = inst->next) nest_inst(s, inst, out);
    blk = terminator(s, blk->last, merge, out);
  }
}

void structure_body(Structure *s) {
  Block *entry = s->fn->blocks.data[0];
  survey(s, entry, NULL, map_new(s->cx->scratch));
  region(s, entry, NULL, &s->out->body);
}

/* needs: what each function uses of its surroundings, so that it takes only these parameters. */
#include "backend-c/code/local.h"

uint32_t gen_birth_needs(const Gen *gen) {
  const bool is_given = gen->how->after_birth && gen_owns_seqs(gen, FN_UPDATE);
  const uint32_t pool = is_given ? NEED_POOL : 0;
  return NEED_BIRTHS | NEED_BLOCK | pool | gen_needs(gen, gen_find(gen, FN_CREATE));
}

static uint32_t op_needs(const Gen *gen, OpId op) {
  switch (op) {
  case OP_GLOBAL_LOAD:
  case OP_GLOBAL_STORE: return NEED_GLOBALS;
  case OP_PRINT: return NEED_TEXT;
  case OP_CHECK_INDEX:
  case OP_CHECK_DIVISOR: return NEED_TEXT | NEED_CHECKS;
  case OP_NUM_STRANDS:
  case OP_NUM_ACTIVE:
  case OP_NUM_STABLE: return NEED_WORLD | NEED_COUNTS;
  case OP_STRAND_STATE: return NEED_STATES;
  case OP_SPHERE: return NEED_QUERIES | NEED_BLOCK | NEED_SLOT;
  case OP_SAMPLING_IS_MADE: return gen->how->probe ? NEED_SAMPLES : 0;
  case OP_SAMPLING_VALUE: return gen->how->probe ? NEED_SAMPLES | NEED_SLOT : 0;
  case OP_NEW_STRAND: return gen_birth_needs(gen);
  case OP_STABILIZE_ALL: return NEED_STABILIZE_ALL | NEED_WORLD;
  case OP_KILL_ALL: return NEED_WORLD;
  case OP_STREQ:
  case OP_STRNE: return NEED_STRINGS;
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND:
  case OP_SEQ_CONCAT:
  case OP_SEQ_RANGE: return NEED_POOL;
  case OP_EVALS2:
  case OP_EVALS3:
  case OP_EVECS2:
  case OP_EVECS3: return NEED_EIGEN;
  case OP_WINDOW_DOT: return NEED_WINDOW;
  case OP_WINDOW_CLAMP:
  case OP_WINDOW_MIRROR:
  case OP_WINDOW_WRAP:
  case OP_WINDOW_CONST: return NEED_WINDOW | NEED_TAPS;
  case OP_SAMPLE_ADDR: return NEED_TAPS;
  default: return 0; /* only values */
  }
}

/* An empty sequence has no buffer. */
static bool makes_buffer(const TreeExpr *expr) {
  if (expr->op == OP_SEQ) return type_is_dynamic_seq(expr->ty) && expr->args.len > 0;
  return expr->op == OP_SEQ_DYNAMIC && type_seq_len(expr->args.data[0]->ty) > 0;
}

static bool copies_samples(const Gen *gen, const TreeExpr *expr) {
  return tree_may_copy(expr) && !gen->how->has_pairs;
}

static bool loads_wide_row(const TreeExpr *expr) {
  return expr->op == OP_ROW_LOAD && type_row_width(expr->ty) > 4;
}

static uint32_t expr_needs(const Gen *gen, const TreeExpr *expr) {
  if (!expr || expr->kind == TX_VAR) return 0;
  uint32_t needs = op_needs(gen, expr->op);
  if (makes_buffer(expr)) needs |= NEED_POOL;
  if (loads_wide_row(expr)) needs |= NEED_WIDE_ROWS;
  if (copies_samples(gen, expr)) needs |= NEED_COPIES;
  if (expr->op == OP_CALL) needs |= gen_needs(gen, expr->callee);
  for (uint32_t i = 0; i < expr->args.len; i++) needs |= expr_needs(gen, expr->args.data[i]);
  return needs;
}

static uint32_t reduce_needs(const TreeStmt *stmt) {
  if (stmt->kind != TT_REDUCE) return 0;
  return stmt->reduce.over == OVER_RANGE ? NEED_REDUCE : NEED_REDUCE | NEED_WORLD;
}

static uint32_t block_needs(const Gen *gen, const TreeStmtVec *stmts) {
  uint32_t needs = 0;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    needs |= reduce_needs(stmt);
    needs |= expr_needs(gen, stmt->expr) | expr_needs(gen, stmt->limit);
    for (uint32_t k = 0; k < stmt->values.len; k++) needs |= expr_needs(gen, stmt->values.data[k]);
    needs |= block_needs(gen, &stmt->body) | block_needs(gen, &stmt->else_body);
  }
  return needs;
}

void gen_survey(Gen *gen) {
  gen_survey_seqs(gen);
  gen->needs = map_new(gen->cx->arena);
  gen->in_place = map_new(gen->cx->arena);
  for (uint32_t i = 0; i < gen->program->funcs.len; i++) {
    TreeFunc *fn = gen->program->funcs.data[i];
    uint32_t *needs = NEW(gen->cx->arena, uint32_t);
    *needs = block_needs(gen, &fn->body);
    map_put(gen->needs, fn, needs);
  }
}

uint32_t gen_body_needs(const Gen *gen, const TreeStmt *reduce) {
  uint32_t needs = block_needs(gen, &reduce->body);
  for (uint32_t i = 0; i < reduce->values.len; i++)
    needs |= expr_needs(gen, reduce->values.data[i]);
  return needs;
}

uint32_t gen_needs(const Gen *gen, const TreeFunc *fn) {
  const uint32_t *needs = map_get(gen->needs, fn);
  return *needs;
}

void gen_add_needs(Gen *gen, const TreeFunc *fn, uint32_t more) {
  uint32_t *needs = map_get(gen->needs, fn);
  *needs |= more;
}

uint32_t gen_update_needs(const Gen *gen) {
  static const FuncKind kinds[] = {FN_START, FN_UPDATE, FN_STABILIZE};
  uint32_t needs = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const TreeFunc *fn = gen_find(gen, kinds[i]);
    if (fn) needs |= gen_needs(gen, fn);
  }
  return needs;
}

bool gen_needs_anywhere(const Gen *gen, uint32_t needs) {
  for (uint32_t i = 0; i < gen->program->funcs.len; i++)
    if (gen_needs(gen, gen->program->funcs.data[i]) & needs) return true;
  return false;
}

static bool methods_need(const Gen *gen, uint32_t needs) {
  for (uint32_t i = 0; i < gen->program->funcs.len; i++) {
    const TreeFunc *fn = gen->program->funcs.data[i];
    if (func_is_method(fn->kind) && (gen_needs(gen, fn) & needs)) return true;
  }
  return false;
}

bool gen_is_lockstep(const Gen *gen) {
  return gen->options->is_lockstep || gen_find(gen, FN_GLOBAL_UPDATE) ||
         methods_need(gen, NEED_COUNTS | NEED_QUERIES | NEED_BIRTHS);
}

/* Other ranks receive what queries read of a strand, and nothing else of its state. */
static bool is_read_elsewhere(const Gen *gen) {
  return gen->options->workers == BY_RANKS && !gen->options->has_device &&
         methods_need(gen, NEED_QUERIES) && !gen_owns_seqs(gen, FN_UPDATE);
}

/* The whole state of a strand is stored at once, so reading any part of it needs the second
 * column. */
bool gen_is_dual(const Gen *gen) {
  const Module *m = gen->program->module;
  bool is_varying = false, is_shared = false;
  for (uint32_t i = 0; i < m->state.len; i++) {
    is_varying |= m->state.data[i].is_varying || type_is_dynamic_seq(m->state.data[i].ty);
    is_shared |= m->state.data[i].is_varying && m->state.data[i].is_shared;
  }
  return is_shared || (is_varying && methods_need(gen, NEED_STATES)) || is_read_elsewhere(gen);
}

/* Place: variables, and the values that they hold: coalescing, when SSA form is left. A block
 * parameter gets the variable of one of its arguments, or of a parameter to which it is passed, if
 * the live ranges of all values in it do not overlap. So a loop counts in one variable, and an
 * `if`, or a chain of them, assigns one.
 */
#include "ir/low-to-tree/local.h"

Place *place_of(const Structure *s, const Value *value) { return map_get(s->places, value); }

void place_hold(Structure *s, Place *place, Value *value) {
  vec_push(s->cx->arena, &place->held, value);
  map_put(s->places, value, place);
}

Place *place_new(Structure *s, Value *value, const char *hint) {
  if (value->name) hint = value->name->text;
  else if (!hint) hint = spell_nameless(value);
  Place *place = NEW(s->cx->arena, Place);
  place->reduction = s->reduction;
  place->var = NEW(s->cx->arena, TreeVar);
  *place->var = (TreeVar){.name = spell_unique(s->spell, hint), .ty = value->ty};
  place_hold(s, place, value);
  return place;
}

void place_declare(Structure *s, Place *place, TreeExpr *init, Span span, TreeStmtVec *out) {
  TreeStmt *stmt = tree_stmt(s->cx, TT_DECLARE, span);
  stmt->var = place->var;
  stmt->expr = init;
  if (!init) place->var->is_mutable = true;
  vec_push(s->cx->arena, out, stmt);
}

/* ---- live ranges ----------------------------------------------------------------------------- */

/* Walks backwards from a block at whose entry the value is live, up to its definition. */
typedef struct Walk {
  Arena *arena;
  const Block *home;
  Bits seen; /* block ids */
  BlockVec todo;
} Walk;

static void enter(Walk *walk, Block *blk) {
  if (blk == walk->home || bits_has(&walk->seen, blk->id)) return;
  bits_set(&walk->seen, blk->id);
  vec_push(walk->arena, &walk->todo, blk);
}

/* Adds the blocks that the value is live at, and its own if it is a parameter. */
static void take_blocks(const Structure *s, Place *place, const Value *value) {
  ArenaMark mark = arena_mark(s->cx->scratch);
  Walk walk = {.arena = s->cx->scratch,
               .home = value->def ? value->def->block : value->block,
               .seen = bits_new(s->cx->scratch, s->fn->next_block)};
  for (const Use *use = value->uses; use; use = use->next) {
    enter(&walk, use->user->block);
    if (inst_is_loop(use->user) && use->arg == 1) /* compared in every round */
      enter(&walk, use->user->succs[0].block);
  }
  while (walk.todo.len > 0) {
    const BlockVec *before = map_get(s->before, walk.todo.data[--walk.todo.len]);
    for (uint32_t i = 0; before && i < before->len; i++) enter(&walk, before->data[i]);
  }
  if (value->block) bits_set(&walk.seen, value->block->id);
  bits_union(&place->taken, &walk.seen);
  arena_reset(s->cx->scratch, mark);
}

static bool is_free_at(const Structure *s, Place *place, const Block *blk) {
  if (!place->taken.words) place->taken = bits_new(s->cx->arena, s->fn->next_block);
  for (; place->n_taken < place->held.len; place->n_taken++)
    take_blocks(s, place, place->held.data[place->n_taken]);
  return !bits_has(&place->taken, blk->id);
}

Place *place_reuse(Structure *s, Value *value, const ValueVec *candidates, const Block *blk,
                   const Block *also) {
  for (uint32_t i = 0; i < candidates->len; i++) {
    const Value *candidate = candidates->data[i];
    Place *place = place_of(s, candidate);
    if (!place || place->is_fixed || candidate->ty != value->ty) continue;
    if (place->reduction != s->reduction) continue;
    if (value->name && candidate->name && value->name != candidate->name) continue;
    if (!is_free_at(s, place, blk) || (also && !is_free_at(s, place, also))) continue;
    place->var->is_mutable = true;
    place_hold(s, place, value);
    return place;
  }
  return NULL;
}

/* ---- assignment of several variables at once ------------------------------------------------- */

typedef struct Store {
  TreeVar *var;
  TreeExpr *expr;
} Store;
typedef VEC(Store) StoreVec;

static void add_store(Structure *s, Store store, Span span, TreeStmtVec *out) {
  if (store.expr->kind == TX_OP) span = store.expr->span;
  TreeStmt *stmt = tree_stmt(s->cx, TT_ASSIGN, span);
  stmt->var = store.var;
  stmt->expr = store.expr;
  store.var->is_mutable = true;
  vec_push(s->cx->arena, out, stmt);
}

static bool is_read_by_others(const StoreVec *stores, uint32_t i) {
  for (uint32_t j = 0; j < stores->len; j++)
    if (j != i && tree_reads(stores->data[j].expr, stores->data[i].var)) return true;
  return false;
}

static TreeExpr *replace_var(Structure *s, TreeExpr *expr, const TreeVar *var, TreeVar *with) {
  if (!tree_reads(expr, var)) return expr;
  if (expr->kind == TX_VAR) return tree_var_expr(s->cx, with, expr->span);
  TreeExpr *copy = NEW(s->cx->arena, TreeExpr);
  *copy = *expr;
  copy->args = (TreeExprVec){0};
  for (uint32_t i = 0; i < expr->args.len; i++)
    vec_push(s->cx->arena, &copy->args, replace_var(s, expr->args.data[i], var, with));
  return copy;
}

/* All variables that are left are read by other stores, in a cycle: save the old value of the
 * first. */
static void break_cycle(Structure *s, StoreVec *stores, Span span, TreeStmtVec *out) {
  TreeVar *var = stores->data[0].var;
  TreeVar *old = NEW(s->cx->arena, TreeVar);
  const char *hint = text_format(s->cx->arena, "old_%s", var->name);
  *old = (TreeVar){.name = spell_unique(s->spell, hint), .ty = var->ty};
  TreeStmt *stmt = tree_stmt(s->cx, TT_DECLARE, span);
  stmt->var = old;
  stmt->expr = tree_var_expr(s->cx, var, span);
  vec_push(s->cx->arena, out, stmt);
  for (uint32_t j = 1; j < stores->len; j++)
    stores->data[j].expr = replace_var(s, stores->data[j].expr, var, old);
}

static void order_stores(Structure *s, StoreVec *stores, Span span, TreeStmtVec *out) {
  while (stores->len > 0) {
    uint32_t i = 0;
    while (i < stores->len && is_read_by_others(stores, i)) i++;
    if (i == stores->len) {
      break_cycle(s, stores, span, out);
      continue;
    }
    add_store(s, stores->data[i], span, out);
    for (; i + 1 < stores->len; i++) stores->data[i] = stores->data[i + 1];
    stores->len--;
  }
}

void place_assign(Structure *s, const Inst *inst, Value *const *params, Value *const *args,
                  uint32_t n, TreeStmtVec *out) {
  StoreVec stores = {0};
  for (uint32_t i = 0; i < n; i++) {
    Place *place = place_of(s, params[i]);
    if (!place || place->initial == inst) continue;
    TreeExpr *expr = nest_use(s, args[i], inst->span);
    if (expr->kind == TX_VAR && expr->var == place->var) continue;
    vec_push(s->cx->arena, &stores, ((Store){.var = place->var, .expr = expr}));
  }
  order_stores(s, &stores, inst->span, out);
}

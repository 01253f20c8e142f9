/* fuse_reductions: fuses neighbouring reductions over the same strands or ints into one loop.
 *
 *   reduce<sum all> b1(), b2()               reduce<sum, max all> b1(), b2()
 *   b1(%p): ...  next %x                     b1(%p): ...  ...  next %x, %y
 *   b2(%s): %t = rmul %s, %s            =>   b2(%s, %m): %t = rmul %s, %s
 *     reduce<max all> b3(), b4()               ...
 *   b3(%q): ...  next %y    b4(%m): ...
 *
 * Any level.  Needs nothing.  Keeps nothing.  Instructions between them stay behind the loop; those
 * that the second body reads must be movable in front of it. Neither body may have visible effects,
 * and the second may not read what is written between them. Over ints a variance takes two rounds,
 * so it is fused only with other variances. Runs before value-number, which merges what both bodies
 * compute.
 */
#include "frontend/base/bits.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/region.h"
#include "ir/pass/pass.h"

enum { MOST_VALUES = 64 }; /* scalars: of each, the runtime keeps 1024 at a time */

/* ---- what a body does ------------------------------------------------------------------------ */

/* Whether an instruction has visible effects; a call may print. */
static bool is_heard_of(const Inst *inst) {
  const Effect effect = op_effect(inst->op);
  return effect == EFFECT_IO || effect == EFFECT_WRITE || inst->op == OP_CALL;
}

static bool has_heard_of(const BlockVec *body) {
  for (uint32_t i = 0; i < body->len; i++)
    for (const Inst *inst = body->data[i]->first; inst; inst = inst->next)
      if (is_heard_of(inst)) return true;
  return false;
}

/* ---- what stands between --------------------------------------------------------------------- */

typedef struct Between {
  Inst *first, *second; /* reductions */
  Bits wanted;          /* values of the block between that the second reads, by id */
  bool cannot;          /* it reads what must stay behind the first */
} Between;

static bool is_between(const Between *between, const Value *value) {
  return (value->def ? value->def->block : value->block) == between->second->block;
}

/* Whether a write can change the result of a read. */
static bool disturbs(const Inst *write, const Inst *read) {
  if (op_effect(write->op) != EFFECT_WRITE || op_effect(read->op) != EFFECT_READ) return false;
  if (write->op != OP_GLOBAL_STORE) return true;
  return read->op == OP_GLOBAL_LOAD ? write->attr.var.index == read->attr.var.index
                                    : read->op == OP_CALL;
}

/* Whether a read must stay behind a write that comes before `until` in the block. */
static bool is_disturbed(const Inst *read, const Inst *until) {
  for (const Inst *inst = until->block->first; inst != until; inst = inst->next)
    if (disturbs(inst, read)) return true;
  return false;
}

static void want(Between *between, const Inst *user) {
  for (uint32_t i = 0; i < user->n_args; i++) {
    const Value *arg = user->args[i];
    if (!is_between(between, arg)) continue;
    const Effect effect = arg->def ? op_effect(arg->def->op) : EFFECT_EXIT;
    const bool can_move =
        effect == EFFECT_PURE || (effect == EFFECT_READ && arg->def->op != OP_CALL);
    if (!can_move || is_disturbed(arg->def, arg->def)) between->cannot = true;
    else bits_set(&between->wanted, arg->id);
  }
}

static void want_of_body(Between *between, const BlockVec *body) {
  for (uint32_t i = 0; i < body->len; i++) {
    for (const Inst *inst = body->data[i]->first; inst; inst = inst->next) {
      want(between, inst);
      if (is_disturbed(inst, between->second)) between->cannot = true;
    }
  }
}

static bool is_wanted(const Between *between, const Inst *inst) {
  for (uint32_t i = 0; i < inst->n_results; i++)
    if (bits_has(&between->wanted, inst->results[i]->id)) return true;
  return false;
}

/* Whether an instruction before the second may change strands or their states: a reduction depends
 * on them without having them as operands. */
static bool changes_strands(const Inst *second) {
  for (const Inst *inst = second->block->first; inst != second; inst = inst->next)
    if (op_effect(inst->op) == EFFECT_WRITE && inst->op != OP_GLOBAL_STORE) return true;
  return false;
}

/* Whether everything that the second needs can be moved in front of the first. */
static bool can_meet(Between *between, const BlockVec *second_body) {
  if (changes_strands(between->second)) return false;
  want_of_body(between, second_body);
  for (Inst *inst = between->second->prev; inst && !between->cannot; inst = inst->prev)
    if (is_wanted(between, inst)) want(between, inst);
  return !between->cannot;
}

static void move_wanted(const Between *between) {
  for (Inst *inst = between->second->block->first, *next; inst != between->second; inst = next) {
    next = inst->next;
    if (is_wanted(between, inst)) inst_move_before(inst, between->first);
  }
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool has_variance(const Inst *reduce) {
  for (uint32_t i = 0; i < reduce->attr.reduce.n_kinds; i++)
    if (reduce->attr.reduce.kinds[i] == REDUCE_VARIANCE) return true;
  return false;
}

static uint64_t n_values(const Inst *reduce) {
  const ValueVec *results = &reduce->succs[1].block->params;
  uint64_t n = 0;
  for (uint32_t i = 0; i < results->len; i++) n += seq_n_scalars(results->data[i]->ty);
  return n;
}

static bool run_over_the_same(const Inst *first, const Inst *second) {
  if (second->op != OP_REDUCE || first->attr.reduce.over != second->attr.reduce.over) return false;
  for (uint32_t i = 0; i < first->n_args; i++)
    if (first->args[i] != second->args[i]) return false;
  if (n_values(first) + n_values(second) > MOST_VALUES) return false;
  return first->attr.reduce.over != OVER_RANGE || has_variance(first) == has_variance(second);
}

/* ---- one of two ------------------------------------------------------------------------------ */

static void join_kinds(Pass *px, Inst *first, const Inst *second) {
  Reduce *to = &first->attr.reduce;
  const Reduce *from = &second->attr.reduce;
  Reduction *kinds = NEWN(px->cx->arena, Reduction, to->n_kinds + from->n_kinds);
  for (uint32_t i = 0; i < to->n_kinds; i++) kinds[i] = to->kinds[i];
  for (uint32_t i = 0; i < from->n_kinds; i++) kinds[to->n_kinds + i] = from->kinds[i];
  to->kinds = kinds;
  to->n_kinds += from->n_kinds;
}

/* Appends the second body to the first, which then ends with the values of both. */
static void join_bodies(Pass *px, Inst *first, Inst *second) {
  Inst *ends[] = {loop_find_next(first), loop_find_next(second)};
  Block *body = second->succs[0].block, *at = ends[0]->block;
  ValueVec values = {0};
  value_replace_uses(body->params.data[0], first->succs[0].block->params.data[0]);
  for (int k = 0; k < 2; k++)
    for (uint32_t i = 0; i < ends[k]->n_args; i++)
      vec_push(px->cx->arena, &values, ends[k]->args[i]);
  inst_remove(ends[0]);
  block_splice(at, body);
  Inst *next = inst_new(first->fn, OP_NEXT, ATTR_EMPTY, ends[1]->span, values.data, values.len);
  at = ends[1]->block;
  inst_remove(ends[1]);
  inst_append(at, next);
}

static void join(Pass *px, Inst *first, Inst *second) {
  Func *fn = first->fn;
  Block *body = second->succs[0].block, *after = second->succs[1].block, *between = second->block;
  join_kinds(px, first, second);
  join_bodies(px, first, second);
  for (uint32_t i = 0; i < after->params.len; i++) {
    Value *result = after->params.data[i];
    value_replace_uses(result, block_add_param(between, result->ty, result->name));
  }
  inst_remove(second);
  block_splice(between, after);
  bool *dead = NEWN(px->cx->scratch, bool, fn->blocks.len);
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    dead[i] = fn->blocks.data[i] == body || fn->blocks.data[i] == after;
  func_remove_blocks(fn, dead);
}

static bool fuse_with_next(Pass *px, Inst *first) {
  if (first->op != OP_REDUCE) return false;
  Inst *second = block_terminator(first->succs[1].block);
  if (!run_over_the_same(first, second)) return false;
  Arena *scratch = px->cx->scratch;
  const BlockVec first_body = region_blocks(scratch, first->succs[0].block);
  const BlockVec second_body = region_blocks(scratch, second->succs[0].block);
  if (has_heard_of(&first_body) || has_heard_of(&second_body)) return false;
  Between between = {.first = first, .second = second};
  between.wanted = bits_new(scratch, first->fn->next_value);
  if (!can_meet(&between, &second_body)) return false;
  move_wanted(&between);
  join(px, first, second);
  return true;
}

bool pass_fuse_reductions(Pass *px, Func *fn) {
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len;) {
    const bool has_fused = fuse_with_next(px, block_terminator(fn->blocks.data[i]));
    has_changed |= has_fused;
    i = has_fused ? 0 : i + 1; /* blocks have moved */
  }
  return has_changed;
}

/* From_tast, one of two fields, kernels or images: what a user function returns on different paths.
 * They are not values that a block parameter could hold. So where the paths meet, the definitions
 * of both are built again from plain values, and block parameters hold those.
 *
 *   if (c) return s*F; else return G;     b3(%s): %f = ein<$0*$1> F, %s
 *                                                 %r = choose %c, %f, G
 *
 * An op chooses between fields. A kernel or image that depends on a condition has no instruction:
 * it is in body->eithers, and whatever uses it is made for both (lower_row_of_both).
 */
#include "ir/high/local.h"

/* ---- choosing -------------------------------------------------------------------------------- */

const Either *find_either(const Body *body, const Value *value) {
  return map_get(body->eithers, value);
}

static Value *either_of(Body *body, Value *cond, Value *first, Value *second) {
  Arena *arena = body->cx->arena;
  Value *value = NEW(arena, Value);
  value->ty = first->ty;
  Either *either = NEW(arena, Either);
  *either = (Either){cond, first, second};
  map_put(body->eithers, value, either);
  return value;
}

Value *build_either(Body *body, Value *cond, Value *first, Value *second) {
  Value *args[] = {cond, first, second};
  if (first == second) return first;
  if (value_is(first, TY_FIELD)) return build_op(&body->b, OP_CHOOSE, ATTR_EMPTY, args, 3);
  if (type_is_abstract(first->ty)) return either_of(body, cond, first, second);
  return build_op(&body->b, OP_SELECT, ATTR_EMPTY, args, 3);
}

/* ---- meeting --------------------------------------------------------------------------------- */

typedef struct Meet {
  Body *body; /* at the end of the merge block */
  Block *merge;
  uint32_t first_block; /* blocks of the arms have this id or a larger one */
  Builder *ends;        /* of the two arms */
  ValueVec args[2];
  Map *copies;
} Meet;

static bool is_of_arm(const Meet *meet, const Value *value) {
  if (find_either(meet->body, value)) return true;
  const Block *blk = value->def ? value->def->block : value->block;
  return blk->id >= meet->first_block;
}

static Value *carry(Meet *meet, uint32_t arm, Value *value) {
  Arena *arena = meet->body->cx->arena;
  uint32_t other = 1 - arm;
  vec_push(arena, &meet->args[arm], value);
  vec_push(arena, &meet->args[other], build_default(&meet->ends[other], value->ty));
  return block_add_param(meet->merge, value->ty, value->name);
}

static Value *rebuild(Meet *meet, uint32_t arm, Value *value);

static Value *rebuild_either(Meet *meet, uint32_t arm, const Either *either) {
  Value *cond = rebuild(meet, arm, either->cond);
  Value *first = rebuild(meet, arm, either->first);
  return build_either(meet->body, cond, first, rebuild(meet, arm, either->second));
}

static Value *rebuild_inst(Meet *meet, uint32_t arm, const Inst *inst) {
  Value **args = NEWN(meet->body->cx->arena, Value *, inst->n_args);
  for (uint32_t i = 0; i < inst->n_args; i++) args[i] = rebuild(meet, arm, inst->args[i]);
  Builder *b = &meet->body->b;
  b->span = inst->span;
  return build_typed(b, inst->op, inst->attr, inst->results[0]->ty, args, inst->n_args);
}

enum { MOST_STEPS = 4 }; /* from numbers to a matrix of negative ones, say */

/* Whether a value is computed from constants in a few steps. Then it is built again instead of
 * passed as a parameter, so that equal values, and probes at them, can be merged. */
static bool is_constant(const Value *value, uint32_t n_steps) {
  const Inst *def = value->def;
  if (!def || op_effect(def->op) != EFFECT_PURE || (def->n_args > 0 && n_steps == 0)) return false;
  for (uint32_t i = 0; i < def->n_args; i++)
    if (!is_constant(def->args[i], n_steps - 1)) return false;
  return true;
}

/* The value of an arm as it is known where the arms meet. */
static Value *rebuild(Meet *meet, uint32_t arm, Value *value) {
  if (!is_of_arm(meet, value)) return value;
  Value *copy = map_get(meet->copies, value);
  if (copy) return copy;
  const Either *either = find_either(meet->body, value);
  if (either) copy = rebuild_either(meet, arm, either);
  else if (type_is_abstract(value->ty) || is_constant(value, MOST_STEPS))
    copy = rebuild_inst(meet, arm, value->def);
  else copy = carry(meet, arm, value);
  map_put(meet->copies, value, copy);
  return copy;
}

Value *meet_abstract(Body *body, Value *cond, Value *const *values, Builder *ends, Block *merge,
                     uint32_t first_block) {
  Meet meet = {body, merge, first_block, ends, {{0}, {0}}, map_new(body->cx->arena)};
  Value *copies[2];
  Span span = body->b.span;
  body_enter(body, merge);
  for (uint32_t i = 0; i < 2; i++) copies[i] = rebuild(&meet, i, values[i]);
  body->b.span = span;
  for (uint32_t i = 0; i < 2; i++) build_jump(&ends[i], merge, meet.args[i].data, meet.args[i].len);
  return build_either(body, cond, copies[0], copies[1]);
}

/* Simplifies ops on sequences whose definition is known: an element of a literal, the length of a
 * concatenation, conversions of literals. Part of simplify.c.
 */
#include "ir/pass/local.h"

static const Inst *def_by(const Value *value, OpId op) {
  return value->def && value->def->op == op ? value->def : NULL;
}

static uint64_t operands_per_element(const Inst *inst, const Type *seq) {
  return seq_n_operands(inst->fn->module->level, seq);
}

/* The number of the element that an index selects among n: indices are clamped. */
static uint64_t clamped(int64_t index, uint64_t n) {
  if (index < 0) return 0;
  return (uint64_t)index < n ? (uint64_t)index : n - 1;
}

/* Row-major number of the scalar in a fixed sequence of n elements. */
static bool find_scalar(const Inst *inst, uint64_t n, uint64_t *at) {
  const Type *elem = inst->args[0]->ty;
  *at = 0;
  for (uint32_t i = 1; i < inst->n_args; i++) {
    const Inst *index = def_by(inst->args[i], OP_CONST_INT);
    if (i > 1) n = type_seq_len(elem);
    elem = type_elem(elem);
    if (!index || n == 0) return false;
    *at = *at * n + clamped(index->attr.i, n);
  }
  *at = *at * level_n_components(inst->fn->module->level, elem) + (uint64_t)inst->attr.i;
  return true;
}

static Value *literal_element(const Inst *inst, const Inst *literal) {
  uint64_t at;
  const uint64_t n = literal->n_args / operands_per_element(inst, literal->results[0]->ty);
  if (inst->n_args > 2 && !type_is_fixed_seq(literal->results[0]->ty)) return NULL;
  return find_scalar(inst, n, &at) ? literal->args[at] : NULL;
}

static Value *index_into(Builder *b, const Inst *inst, Value *seq) {
  Value **args = NEWN(b->cx->scratch, Value *, inst->n_args);
  args[0] = seq;
  for (uint32_t i = 1; i < inst->n_args; i++) args[i] = inst->args[i];
  return build_typed(b, OP_SEQ_INDEX, inst->attr, inst->results[0]->ty, args, inst->n_args);
}

/* The literal with a type that has its length: then its elements can be in registers. */
static Value *fixed_literal(Builder *b, const Inst *literal) {
  const Type *ty = literal->results[0]->ty;
  if (type_is(type_elem(ty), TY_SEQ)) return NULL;
  const uint64_t n = literal->n_args / operands_per_element(literal, ty);
  const Type *fixed = type_seq(b->cx, type_elem(ty), n);
  if (!type_is_dynamic_seq(ty) || n == 0 || seq_n_scalars(fixed) > SEQ_MOST_SHORT) return NULL;
  Builder behind = build_before(b->cx, literal->next);
  return build_typed(&behind, OP_SEQ, ATTR_EMPTY, fixed, literal->args, literal->n_args);
}

static Value *simplify_index(Builder *b, const Inst *inst) {
  const Inst *literal = def_by(inst->args[0], OP_SEQ);
  const Inst *fixed = def_by(inst->args[0], OP_SEQ_DYNAMIC);
  if (fixed) return index_into(b, inst, fixed->args[0]);
  if (!literal) return NULL;
  Value *known = literal_element(inst, literal);
  Value *short_one = known ? NULL : fixed_literal(b, literal);
  return short_one ? index_into(b, inst, short_one) : known;
}

/* ---- concatenations -------------------------------------------------------------------------- */

/* A short literal of the elements of two operands: literals, or the parts of one element. */
static Value *literal_of(Builder *b, const Inst *inst, const ValueVec *parts) {
  const Type *ty = inst->results[0]->ty;
  const uint64_t n = parts->len / operands_per_element(inst, ty);
  if (n == 0 || seq_n_scalars(type_seq(b->cx, type_elem(ty), n)) > SEQ_MOST_SHORT) return NULL;
  return build_typed(b, OP_SEQ, ATTR_EMPTY, ty, parts->data, parts->len);
}

static void add_values(Builder *b, ValueVec *parts, Value *const *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) vec_push(b->cx->scratch, parts, values[i]);
}

/* append and prepend: the sequence is the first operand, but for prepend above LOW. */
static Value *simplify_longer(Builder *b, const Inst *inst) {
  const bool is_second = inst->op == OP_SEQ_PREPEND && inst->fn->module->level != LEVEL_LOW;
  const Inst *literal = def_by(inst->args[is_second ? 1 : 0], OP_SEQ);
  Value *const *element = inst->args + (is_second ? 0 : 1);
  ValueVec parts = {0};
  if (!literal) return NULL;
  if (inst->op == OP_SEQ_PREPEND) add_values(b, &parts, element, inst->n_args - 1);
  add_values(b, &parts, literal->args, literal->n_args);
  if (inst->op == OP_SEQ_APPEND) add_values(b, &parts, element, inst->n_args - 1);
  return literal_of(b, inst, &parts);
}

static Value *simplify_concat(Builder *b, const Inst *inst) {
  const Inst *first = def_by(inst->args[0], OP_SEQ), *second = def_by(inst->args[1], OP_SEQ);
  ValueVec parts = {0};
  if (!first || !second) return NULL;
  add_values(b, &parts, first->args, first->n_args);
  add_values(b, &parts, second->args, second->n_args);
  return literal_of(b, inst, &parts);
}

/* ---- lengths --------------------------------------------------------------------------------- */

typedef struct Length {
  int64_t known;
  Value *rest; /* to be added, or NULL */
} Length;

static void add_length(Builder *b, Length *length, Value *seq) {
  const Inst *def = seq->def;
  switch (def ? def->op : OP_COUNT) {
  case OP_SEQ: length->known += (int64_t)(def->n_args / operands_per_element(def, seq->ty)); return;
  case OP_SEQ_DYNAMIC: length->known += (int64_t)type_seq_len(def->args[0]->ty); return;
  case OP_SEQ_APPEND:
    length->known++;
    add_length(b, length, def->args[0]);
    return;
  case OP_SEQ_PREPEND:
    length->known++;
    add_length(b, length, def->args[b->fn->module->level == LEVEL_LOW ? 0 : 1]);
    return;
  case OP_SEQ_CONCAT:
    add_length(b, length, def->args[0]);
    add_length(b, length, def->args[1]);
    return;
  default: break; /* known only at run time */
  }
  Value *asked = build_op1(b, OP_SEQ_LEN, seq);
  length->rest = length->rest ? build_op2(b, OP_IADD, length->rest, asked) : asked;
}

static bool is_put_together(const Value *seq) {
  switch (seq->def ? seq->def->op : OP_COUNT) {
  case OP_SEQ:
  case OP_SEQ_DYNAMIC:
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND:
  case OP_SEQ_CONCAT: return true;
  default: return false; /* its length is known only at run time */
  }
}

static Value *simplify_length(Builder *b, const Inst *inst) {
  Length length = {0};
  if (!is_put_together(inst->args[0])) return NULL;
  add_length(b, &length, inst->args[0]);
  Value *known = build_int(b, length.known);
  return length.rest ? build_op2(b, OP_IADD, length.rest, known) : known;
}

Value *simplify_seq(Builder *b, const Inst *inst) {
  const Inst *literal;
  switch (inst->op) {
  case OP_SEQ_INDEX: return simplify_index(b, inst);
  case OP_SEQ_LEN: return simplify_length(b, inst);
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND: return simplify_longer(b, inst);
  case OP_SEQ_CONCAT: return simplify_concat(b, inst);
  case OP_SEQ_DYNAMIC:
    literal = def_by(inst->args[0], OP_SEQ);
    if (!literal) return NULL;
    return build_typed(b, OP_SEQ, ATTR_EMPTY, inst->results[0]->ty, literal->args, literal->n_args);
  default: return NULL; /* rules of simplify.def, if any */
  }
}

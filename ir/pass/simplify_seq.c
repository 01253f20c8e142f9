/* Simplifying sequences whose making is known: an element of a literal, the length of what was put
 * together, conversions that can be made at once. Part of simplify.c.
 */
#include "ir/pass/local.h"

static const Inst *def_by(const Value *value, OpId op) {
  return value->def && value->def->op == op ? value->def : NULL;
}

/* Operands of a literal that stand for one element. */
static uint32_t parts_per_element(const Inst *inst, const Type *seq) {
  return (uint32_t)level_n_components(inst->fn->module->level, type_elem(seq));
}

static Value *literal_element(const Inst *inst, const Inst *literal) {
  const Inst *index = def_by(inst->args[1], OP_CONST_INT);
  if (!index || literal->n_args == 0) return NULL;
  uint32_t n_parts = parts_per_element(inst, inst->args[0]->ty);
  int64_t last = literal->n_args / n_parts - 1;
  int64_t at = index->attr.i > last ? last : index->attr.i;
  return literal->args[(at < 0 ? 0 : at) * n_parts + inst->attr.i];
}

static Value *simplify_index(Builder *b, const Inst *inst) {
  const Inst *literal = def_by(inst->args[0], OP_SEQ);
  const Inst *fixed = def_by(inst->args[0], OP_SEQ_DYNAMIC);
  if (literal) return literal_element(inst, literal);
  if (!fixed) return NULL;
  Value *args[] = {fixed->args[0], inst->args[1]};
  return build_typed(b, OP_SEQ_INDEX, inst->attr, inst->results[0]->ty, args, 2);
}

static Value *build_sum_of_lengths(Builder *b, Value *seq, Value *other) {
  Value *length = build_op1(b, OP_SEQ_LEN, seq);
  Value *more = other ? build_op1(b, OP_SEQ_LEN, other) : build_int(b, 1);
  return build_op2(b, OP_IADD, length, more);
}

static Value *simplify_length(Builder *b, const Inst *inst) {
  const Inst *def = inst->args[0]->def;
  if (!def) return NULL;
  switch (def->op) {
  case OP_SEQ: return build_int(b, def->n_args / parts_per_element(inst, inst->args[0]->ty));
  case OP_SEQ_DYNAMIC: return build_int(b, (int64_t)type_seq_len(def->args[0]->ty));
  case OP_SEQ_APPEND: return build_sum_of_lengths(b, def->args[0], NULL);
  case OP_SEQ_PREPEND:
    return build_sum_of_lengths(b, def->args[b->fn->module->level == LEVEL_LOW ? 0 : 1], NULL);
  case OP_SEQ_CONCAT: return build_sum_of_lengths(b, def->args[0], def->args[1]);
  default: return NULL; /* known when the program runs */
  }
}

Value *simplify_seq(Builder *b, const Inst *inst) {
  const Inst *literal;
  switch (inst->op) {
  case OP_SEQ_INDEX: return simplify_index(b, inst);
  case OP_SEQ_LEN: return simplify_length(b, inst);
  case OP_SEQ_DYNAMIC:
    literal = def_by(inst->args[0], OP_SEQ);
    if (!literal) return NULL;
    return build_typed(b, OP_SEQ, ATTR_EMPTY, inst->results[0]->ty, literal->args, literal->n_args);
  default: return NULL; /* rules of simplify.def, if any */
  }
}

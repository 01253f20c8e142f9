/* Verifying the ops on sequences and on eigensystems whose operands have other forms below HIGH and
 * MID: there an element is its parts, and a symmetric matrix its upper triangle. Part of verify.c.
 */
#include "ir/core/local.h"

/* The one result, which is a sequence; else NULL. */
static const Type *seq_result(Verifier *v, const Inst *inst) {
  if (inst->n_results == 1 && type_is(inst->results[0]->ty, TY_SEQ)) return inst->results[0]->ty;
  verify_fail(v, "the result is not one sequence");
  return NULL;
}

static void check_seq(Verifier *v, const Inst *inst) {
  const Type *ty = seq_result(v, inst);
  if (!ty) return;
  const uint64_t n_each = seq_n_operands(v->m->level, ty);
  const bool is_whole = n_each > 0 && inst->n_args % n_each == 0;
  if (type_is_fixed_seq(ty) ? inst->n_args != n_each * type_seq_len(ty) : !is_whole)
    verify_fail(v, "%u operands for a %s", inst->n_args, type_text(v->cx, ty));
  const Type *operand = seq_operand(v->cx, v->m->level, ty);
  for (uint32_t i = 0; i < inst->n_args; i++)
    if (inst->args[i]->ty != operand)
      verify_fail(v, "operand %u is not the %s it must be", i, type_text(v->cx, operand));
}

/* The element that the indices lead to; NULL when they do not. Only sequences within sequences
 * take more than one, and only at LOW. */
static const Type *indexed_element(Verifier *v, const Inst *inst) {
  const Type *elem = inst->n_args > 0 ? inst->args[0]->ty : NULL;
  bool fits = inst->n_args == 2 || (inst->n_args > 2 && v->m->level == LEVEL_LOW);
  for (uint32_t i = 1; fits && i < inst->n_args; i++) {
    fits = (i == 1 ? type_is(elem, TY_SEQ) : type_is_fixed_seq(elem)) &&
           type_is(inst->args[i]->ty, TY_INT);
    if (fits) elem = type_elem(elem);
  }
  if (fits) return elem;
  verify_fail(v, "operands are not a sequence and its indices");
  return NULL;
}

static void check_part(Verifier *v, const Inst *inst, const Type *part) {
  if (inst->n_results != 1 || inst->results[0]->ty != part)
    verify_fail(v, "the result is not the one %s it must be", type_text(v->cx, part));
}

static void check_index(Verifier *v, const Inst *inst) {
  const Type *elem = indexed_element(v, inst);
  if (!elem) return;
  if (inst->attr.i < 0 || (uint64_t)inst->attr.i >= level_n_components(v->m->level, elem))
    verify_fail(v, "an element of type %s has no such part", type_text(v->cx, elem));
  if (v->m->level == LEVEL_LOW && type_is_fixed_seq(elem))
    verify_fail(v, "a sequence is copied, not indexed, out of another");
  check_part(v, inst, level_component(v->cx, v->m->level, elem));
}

static void check_copy(Verifier *v, const Inst *inst) {
  const Type *elem = indexed_element(v, inst);
  if (!elem) return;
  if (!type_is_fixed_seq(elem)) verify_fail(v, "%s is no sequence", type_text(v->cx, elem));
  check_part(v, inst, elem);
}

/* A sequence with one element more, whose parts start at operand first_part; the sequence is
 * operand seq. */
static void check_longer(Verifier *v, const Inst *inst, uint32_t seq, uint32_t first_part) {
  const Type *ty = seq_result(v, inst);
  if (!ty) return;
  if (!type_is_dynamic_seq(ty) || seq >= inst->n_args || inst->args[seq]->ty != ty) {
    verify_fail(v, "operand %u is not the dynamic sequence that the result is", seq);
    return;
  }
  uint32_t n_parts = seq < first_part ? inst->n_args : seq;
  verify_components(v, type_elem(ty), inst->args, n_parts, &first_part);
  if (!v->error && first_part != n_parts) verify_fail(v, "more operands than one element needs");
}

static void check_prepend(Verifier *v, const Inst *inst) {
  if (v->m->level == LEVEL_LOW) check_longer(v, inst, 0, 1);
  else check_longer(v, inst, 1, 0);
}

static void check_eigen(Verifier *v, const Inst *inst, uint32_t dim, bool is_vectors) {
  const Type *ty = seq_result(v, inst);
  if (!ty) return;
  if (ty != type_seq(v->cx, is_vectors ? type_vec(v->cx, dim) : type_real(v->cx), dim))
    verify_fail(v, "the result is not one of %u eigen%s", dim, is_vectors ? "vectors" : "values");
  bool is_low = v->m->level == LEVEL_LOW;
  const Type *want =
      is_low ? type_real(v->cx) : type_tensor(v->cx, shape_of(2, (uint32_t[]){dim, dim}));
  if (inst->n_args != (is_low ? dim * (dim + 1) / 2 : 1)) verify_fail(v, "wrong operands");
  for (uint32_t i = 0; i < inst->n_args && !v->error; i++)
    if (inst->args[i]->ty != want) verify_fail(v, "operand %u has a wrong type", i);
}

bool verify_seq_op(Verifier *v, const Inst *inst) {
  switch (inst->op) {
  case OP_SEQ: check_seq(v, inst); return true;
  case OP_SEQ_INDEX: check_index(v, inst); return true;
  case OP_SEQ_COPY: check_copy(v, inst); return true;
  case OP_SEQ_APPEND: check_longer(v, inst, 0, 1); return true;
  case OP_SEQ_PREPEND: check_prepend(v, inst); return true;
  case OP_EVALS2: check_eigen(v, inst, 2, false); return true;
  case OP_EVALS3: check_eigen(v, inst, 3, false); return true;
  case OP_EVECS2: check_eigen(v, inst, 2, true); return true;
  case OP_EVECS3: check_eigen(v, inst, 3, true); return true;
  default: return false; /* the others are not about sequences */
  }
}

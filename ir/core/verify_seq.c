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
  uint64_t n_parts = level_n_components(v->m->level, type_elem(ty));
  bool is_counted = type_is_dynamic_seq(ty)
                        ? inst->n_args % n_parts == 0
                        : inst->n_args % n_parts == 0 && inst->n_args / n_parts == type_seq_len(ty);
  if (!is_counted) verify_fail(v, "%u operands for a %s", inst->n_args, type_text(v->cx, ty));
  uint32_t pos = 0;
  while (!v->error && pos < inst->n_args)
    verify_components(v, type_elem(ty), inst->args, inst->n_args, &pos);
}

static void check_index(Verifier *v, const Inst *inst) {
  if (inst->n_args != 2 || !type_is(inst->args[0]->ty, TY_SEQ) ||
      !type_is(inst->args[1]->ty, TY_INT)) {
    verify_fail(v, "operands are a sequence and an int");
    return;
  }
  const Type *elem = type_elem(inst->args[0]->ty);
  const Type *part = level_component(v->cx, v->m->level, elem);
  if (inst->attr.i < 0 || (uint64_t)inst->attr.i >= level_n_components(v->m->level, elem))
    verify_fail(v, "an element of type %s has no such part", type_text(v->cx, elem));
  if (inst->n_results != 1 || inst->results[0]->ty != part)
    verify_fail(v, "the result is not the one %s it must be", type_text(v->cx, part));
}

/* One element more, whose parts start at operand first_part; the sequence is operand seq. */
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
  case OP_SEQ_APPEND: check_longer(v, inst, 0, 1); return true;
  case OP_SEQ_PREPEND: check_prepend(v, inst); return true;
  case OP_EVALS2: check_eigen(v, inst, 2, false); return true;
  case OP_EVALS3: check_eigen(v, inst, 3, false); return true;
  case OP_EVECS2: check_eigen(v, inst, 2, true); return true;
  case OP_EVECS3: check_eigen(v, inst, 3, true); return true;
  default: return false; /* the others are not about sequences */
  }
}

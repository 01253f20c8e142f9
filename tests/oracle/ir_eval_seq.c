/* ir_eval_seq.c: sequences and eigensystems. A fixed sequence is the scalars of its elements, a
 * dynamic one has its length before them, so the parts of LOW and the whole elements of HIGH and
 * MID are treated alike.
 */
#include <math.h>
#include <string.h>

#include "tests/oracle/ir_eval_local.h"

/* --- elements --------------------------------------------------------------------------------- */

typedef struct Elems {
  const IrScalar *at;
  uint32_t n, size; /* elements, scalars of each */
} Elems;

static Elems elems_of(const IrFrame *frame, const Value *seq) {
  const IrValue *value = ir_value(frame, seq);
  const uint32_t size = ir_n_scalars(type_elem(seq->ty));
  if (!type_is_dynamic_seq(seq->ty))
    return (Elems){value->at, (uint32_t)type_seq_len(seq->ty), size};
  return (Elems){value->at + 1, (uint32_t)value->at->value.i, size};
}

/* A value of the type with room for n elements, its length set; *at: the first element. */
static IrValue new_seq(const IrFrame *frame, const Type *ty, uint32_t n, IrScalar **at) {
  const bool is_dynamic = type_is_dynamic_seq(ty);
  const IrValue value = ir_new_value(frame, is_dynamic + n * ir_n_scalars(type_elem(ty)));
  if (is_dynamic) *value.at = ir_int(n);
  *at = value.at + is_dynamic;
  return value;
}

static IrScalar *put(IrScalar *at, const IrScalar *from, uint32_t n) {
  if (n > 0) memcpy(at, from, n * sizeof *at);
  return at + n;
}

/* The scalars of operands [first, last), then or after those of the sequence that operand seq is;
 * no sequence when seq is no operand. */
static IrValue join(const IrFrame *frame, const Inst *inst, uint32_t first, uint32_t last,
                    uint32_t seq, bool is_behind) {
  const Type *ty = inst->results[0]->ty;
  const uint32_t size = ir_n_scalars(type_elem(ty));
  Elems old = {NULL, 0, size};
  uint32_t n = 0;
  if (seq < inst->n_args) old = elems_of(frame, inst->args[seq]);
  for (uint32_t i = first; i < last; i++) n += ir_arg(frame, inst, i)->n;
  IrScalar *at;
  const IrValue value = new_seq(frame, ty, old.n + n / size, &at);
  if (!is_behind) at = put(at, old.at, old.n * size);
  for (uint32_t i = first; i < last; i++)
    at = put(at, ir_arg(frame, inst, i)->at, ir_arg(frame, inst, i)->n);
  if (is_behind) put(at, old.at, old.n * size);
  return value;
}

static IrScalar zero_of(const Type *ty) {
  while (type_is(ty, TY_SEQ)) ty = type_elem(ty);
  switch (type_kind(ty)) {
  case TY_BOOL: return ir_bool(false);
  case TY_INT: return ir_int(0);
  case TY_STRING: return (IrScalar){.value = op_value_string("")};
  default: return ir_real(0); /* a tensor */
  }
}

/* An index for each sequence of sequences; then, at LOW, one part of what they lead to. */
static IrValue eval_index(const IrFrame *frame, const Inst *inst, int64_t part) {
  const Elems elems = elems_of(frame, inst->args[0]);
  const Type *ty = inst->results[0]->ty, *elem = inst->args[0]->ty;
  const IrValue value = ir_new_value(frame, ir_n_scalars(ty));
  const IrScalar *at = elems.at;
  for (uint32_t k = 1; k < inst->n_args && at; k++) {
    const int64_t n = k == 1 ? elems.n : (int64_t)type_seq_len(elem);
    int64_t idx = ir_int_arg(frame, inst, k);
    elem = type_elem(elem);
    idx = idx >= n ? n - 1 : idx < 0 ? 0 : idx;
    at = n == 0 ? NULL : at + idx * ir_n_scalars(elem);
  }
  for (uint32_t i = 0; i < value.n; i++) value.at[i] = at ? at[part + i] : zero_of(ty);
  return value;
}

static IrValue eval_concat(const IrFrame *frame, const Inst *inst) {
  const Elems a = elems_of(frame, inst->args[0]), b = elems_of(frame, inst->args[1]);
  IrScalar *at;
  const IrValue value = new_seq(frame, inst->results[0]->ty, a.n + b.n, &at);
  put(put(at, a.at, a.n * a.size), b.at, b.n * b.size);
  return value;
}

static IrValue eval_range(const IrFrame *frame, const Inst *inst) {
  const int64_t lo = ir_int_arg(frame, inst, 0), hi = ir_int_arg(frame, inst, 1);
  IrScalar *at;
  const IrValue value =
      new_seq(frame, inst->results[0]->ty, lo > hi ? 0 : (uint32_t)(hi - lo + 1), &at);
  for (int64_t i = lo; i <= hi; i++) at[i - lo] = ir_int(i);
  return value;
}

/* --- eigensystems, by Jacobi's rotations ------------------------------------------------------ */

typedef struct Eigen {
  uint32_t n;
  double m[3][3], vectors[3][3]; /* columns of vectors */
} Eigen;

static void rotate(Eigen *e, uint32_t p, uint32_t q) {
  if (e->m[p][q] == 0) return;
  const double theta = 0.5 * atan2(2 * e->m[p][q], e->m[q][q] - e->m[p][p]);
  const double c = cos(theta), s = sin(theta);
  for (uint32_t k = 0; k < e->n; k++) {
    const double a = e->m[k][p], b = e->m[k][q], v = e->vectors[k][p], w = e->vectors[k][q];
    e->m[k][p] = c * a - s * b;
    e->m[k][q] = s * a + c * b;
    e->vectors[k][p] = c * v - s * w;
    e->vectors[k][q] = s * v + c * w;
  }
  for (uint32_t k = 0; k < e->n; k++) {
    const double a = e->m[p][k], b = e->m[q][k];
    e->m[p][k] = c * a - s * b;
    e->m[q][k] = s * a + c * b;
  }
}

/* The upper triangle of operand 0, or at LOW the operands themselves. */
static Eigen matrix_of(const IrFrame *frame, const Inst *inst, uint32_t n) {
  Eigen e = {.n = n, .vectors = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  uint32_t next = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i; j < n; j++) {
      const double entry = inst->n_args == 1 ? ir_arg(frame, inst, 0)->at[i * n + j].value.real
                                             : ir_real_arg(frame, inst, next++);
      e.m[i][j] = e.m[j][i] = entry;
    }
  return e;
}

/* Vectors up to sign: nothing more is promised of them. */
static IrValue eval_eigen(const IrFrame *frame, const Inst *inst, uint32_t n, bool is_vectors) {
  Eigen e = matrix_of(frame, inst, n);
  for (int round = 0; round < 30; round++)
    for (uint32_t p = 0; p < n; p++)
      for (uint32_t q = p + 1; q < n; q++) rotate(&e, p, q);
  const IrValue value = ir_new_value(frame, ir_n_scalars(inst->results[0]->ty));
  for (uint32_t k = 0; k < n; k++) {
    uint32_t rank = 0;
    for (uint32_t j = 0; j < n; j++)
      rank += e.m[j][j] > e.m[k][k] || (j < k && e.m[j][j] == e.m[k][k]);
    if (!is_vectors) value.at[rank] = ir_real(e.m[k][k]);
    for (uint32_t i = 0; is_vectors && i < n; i++)
      value.at[rank * n + i] = ir_real(e.vectors[i][k]);
  }
  return value;
}

bool ir_eval_seq_op(const IrFrame *frame, const Inst *inst) {
  if (inst->n_results != 1) return false;
  const bool is_low = frame->eval->m->level == LEVEL_LOW;
  const uint32_t n = inst->n_args;
  IrValue *result = &frame->of[inst->results[0]->id];
  switch (inst->op) {
  case OP_SEQ: *result = join(frame, inst, 0, n, n, false); return true;
  case OP_SEQ_DYNAMIC: *result = join(frame, inst, 0, 1, n, false); return true;
  case OP_SEQ_APPEND: *result = join(frame, inst, 1, n, 0, false); return true;
  case OP_SEQ_PREPEND:
    *result = is_low ? join(frame, inst, 1, n, 0, true) : join(frame, inst, 0, 1, 1, true);
    return true;
  case OP_SEQ_INDEX: *result = eval_index(frame, inst, inst->attr.i); return true;
  case OP_SEQ_COPY: *result = eval_index(frame, inst, 0); return true;
  case OP_SEQ_CONCAT: *result = eval_concat(frame, inst); return true;
  case OP_SEQ_RANGE: *result = eval_range(frame, inst); return true;
  case OP_SEQ_LEN:
    *result = ir_new_value(frame, 1);
    *result->at = ir_int(elems_of(frame, inst->args[0]).n);
    return true;
  case OP_EVALS2: *result = eval_eigen(frame, inst, 2, false); return true;
  case OP_EVALS3: *result = eval_eigen(frame, inst, 3, false); return true;
  case OP_EVECS2: *result = eval_eigen(frame, inst, 2, true); return true;
  case OP_EVECS3: *result = eval_eigen(frame, inst, 3, true); return true;
  default: return false; /* no sequences */
  }
}

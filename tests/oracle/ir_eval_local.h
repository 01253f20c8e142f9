/* ir_eval_local.h: what the files of the evaluator share. Read next: ir_eval.c. */
#pragma once

#include "frontend/base/panic.h"
#include "frontend/base/text.h"
#include "ir/ein/ein.h"
#include "tests/oracle/ir_eval.h"
#include "tests/oracle/ir_image.h"

/* A value as scalars. An image is the number of its global; a field or a kernel has no scalars: it
 * is known from the instruction that defines it. */
typedef struct IrValue {
  IrScalar *at;
  uint32_t n;
} IrValue;

struct IrEval {
  const Module *m;
  struct IrWorld *world; /* of all strands, or NULL (ir_world.h) */
  Cx *cx;
  Arena *arena;
  double epsilon;
  IrImage *images;    /* by global */
  IrValue *globals;   /* by global */
  uint32_t n_globals; /* globals that there is room for; passes may add some */
  Text printed;
  bool is_unsure;
  uint32_t n_stray_reads;
};

typedef struct IrFrame { /* one call */
  IrEval *eval;
  IrValue *of; /* by value id */
} IrFrame;

static inline const IrValue *ir_value(const IrFrame *frame, const Value *v) {
  return &frame->of[v->id];
}

static inline const IrValue *ir_arg(const IrFrame *frame, const Inst *inst, uint32_t i) {
  return ir_value(frame, inst->args[i]);
}

static inline int64_t ir_int_arg(const IrFrame *frame, const Inst *inst, uint32_t i) {
  return ir_arg(frame, inst, i)->at->value.i;
}

static inline double ir_real_arg(const IrFrame *frame, const Inst *inst, uint32_t i) {
  return ir_arg(frame, inst, i)->at->value.real;
}

IrValue ir_new_value(const IrFrame *frame, uint32_t n);

/* Each sets the results of inst; false: the op belongs to another of these functions. */
bool ir_eval_field_op(const IrFrame *frame, const Inst *inst); /* HIGH and MID */
bool ir_eval_low_op(const IrFrame *frame, const Inst *inst);
bool ir_eval_sampling_op(const IrFrame *frame, const Inst *inst);
bool ir_eval_seq_op(const IrFrame *frame, const Inst *inst);
bool ir_eval_strand_op(const IrFrame *frame, const Inst *inst);

/* ir_eval_reduce.c: reduces values to one. */
IrScalar ir_reduce(const IrFrame *frame, Reduction kind, const Type *ty, const IrScalar *values,
                   uint32_t n);

/* ir_world.c: the slots of the strands in a set, ascending. */
const uint32_t *ir_members(const IrFrame *frame, ReduceOver over, uint32_t *n);

/* The scalars of operands [first, first + n), one after another. */
IrValue ir_gather(const IrFrame *frame, const Inst *inst, uint32_t first, uint32_t n);
/* The n scalars of a state variable among those of a whole state. */
const IrScalar *ir_state_var(const Module *m, const IrScalar *state, uint32_t var, uint32_t *n);

/* The image that a value stands for, without border control. */
const IrImage *ir_image_of(const IrFrame *frame, const Value *image);

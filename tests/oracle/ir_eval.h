/* ir_eval.h: one evaluator for the functions of every level, on concrete images and in double. It
 * is what "before == after" means for each pass.
 *
 *   HIGH  a probe of any field expression is the value of its power series there (taylor.h), so
 *         derivatives owe nothing to the rules of the compiler
 *   MID   a probe group is its definition, a sum over all taps (ir_image.h)
 *   LOW   rows, taps and samples, as ops.def says
 *
 * The meaning of ops on scalars is op_eval's. Arguments and results are flat: a tensor is its
 * components, row-major, a fixed sequence its elements, a dynamic one its length and its elements;
 * so they look alike at all levels.
 */
#pragma once

#include "ir/core/ir.h"
#include "ir/op/op_eval.h"
#include "tests/oracle/image_file.h"

typedef struct IrEval IrEval;

/* error: bound on the rounding so far, as in taylor.h. It is kept by what HIGH does; rows, samples
 * and probe groups start afresh. Infinite also for a bool that may be either. */
typedef struct IrScalar {
  OpValue value;
  double error;
} IrScalar;

typedef struct IrOutcome {
  ExitKind exit;
  uint32_t n;
  const IrScalar *values;
} IrOutcome;

/* epsilon: unit roundoff of the arithmetic that bounds are for, 0x1p-53 or 0x1p-24. Memory,
 * results included, lives until ir_eval_free. */
IrEval *ir_eval_new(const Module *m, double epsilon);
void ir_eval_free(IrEval *eval);

/* The image must outlive the evaluator. */
void ir_eval_set_image(IrEval *eval, uint32_t global, const Image *image);
void ir_eval_set_global(IrEval *eval, uint32_t global, const IrScalar *values, uint32_t n);
const IrScalar *ir_eval_global(const IrEval *eval, uint32_t global, uint32_t *n);

/* Runs fn with as many arguments as its parameters have scalars. */
IrOutcome ir_eval_call(IrEval *eval, const Func *fn, const IrScalar *args, uint32_t n_args);
/* One strand from its creation at the iterators until it stops or has taken max_steps. The globals
 * function, if any, is run before by the caller. */
IrOutcome ir_eval_strand(IrEval *eval, const IrScalar *iters, uint32_t n_iters, uint32_t max_steps);
/* First scalar of a state variable in an outcome; NULL: there is none of that name. */
const IrScalar *ir_eval_state(const IrEval *eval, const IrOutcome *outcome, const char *name);

/* What was printed so far: numbers with all digits. */
const char *ir_eval_printed(const IrEval *eval);
/* Did a branch depend on what rounding decides? Then what follows it means nothing. */
bool ir_eval_is_unsure(const IrEval *eval);
/* Samples read outside their image by LOW code; they are NaN. */
uint32_t ir_eval_stray_reads(const IrEval *eval);

IrScalar ir_real(double value);
IrScalar ir_int(int64_t value);
IrScalar ir_bool(bool value);
/* Scalars that stand for a value of the type; 0 for a dynamic sequence, which says so itself. */
uint32_t ir_n_scalars(const Type *ty);

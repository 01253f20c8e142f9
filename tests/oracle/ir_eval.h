/* ir_eval.h: one evaluator for the functions of every level, on concrete images and in double.
 * Tests use it to check that a pass changes no value.
 *
 *   HIGH  a probe of a field expression is the value of its power series at the position
 *         (taylor.h), so derivatives do not depend on the rules of the compiler
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

/* error: a bound on the rounding errors so far, as in taylor.h. Ops of HIGH propagate it; rows,
 * samples and probe groups begin with 0. Infinite also for a bool that may be either. */
typedef struct IrScalar {
  OpValue value;
  double error;
} IrScalar;

typedef struct IrOutcome {
  ExitKind exit;
  uint32_t n;
  const IrScalar *values;
} IrOutcome;

/* epsilon: unit roundoff of the arithmetic for the bounds, 0x1p-53 or 0x1p-24. All memory, also
 * that of results, lives until ir_eval_free. */
IrEval *ir_eval_new(const Module *m, double epsilon);
void ir_eval_free(IrEval *eval);

/* The image must outlive the evaluator. */
void ir_eval_set_image(IrEval *eval, uint32_t global, const Image *image);
void ir_eval_set_global(IrEval *eval, uint32_t global, const IrScalar *values, uint32_t n);
const IrScalar *ir_eval_global(const IrEval *eval, uint32_t global, uint32_t *n);

/* Runs fn; there are as many arguments as its parameters have scalars. */
IrOutcome ir_eval_call(IrEval *eval, const Func *fn, const IrScalar *args, uint32_t n_args);
/* One strand from its creation at the iterators until it stops or has taken max_steps. The globals
 * function, if any, is run before by the caller. */
IrOutcome ir_eval_strand(IrEval *eval, const IrScalar *iters, uint32_t n_iters, uint32_t max_steps);
/* The first scalar of a state variable in an outcome; NULL: there is no variable of that name. */
const IrScalar *ir_eval_state(const IrEval *eval, const IrOutcome *outcome, const char *name);

/* What was printed so far: numbers with all digits. */
const char *ir_eval_printed(const IrEval *eval);
/* Whether a branch depended on rounding; then later results mean nothing. */
bool ir_eval_is_unsure(const IrEval *eval);
/* The number of samples that LOW code read outside of their image; their value is NaN. */
uint32_t ir_eval_stray_reads(const IrEval *eval);

IrScalar ir_real(double value);
IrScalar ir_int(int64_t value);
IrScalar ir_bool(bool value);
/* The number of scalars of a value of the type; 0 for a dynamic sequence, whose value has its
 * length. */
uint32_t ir_n_scalars(const Type *ty);

/* Results of the pure ops on constants. Constant folding (simplify.c) and the evaluators of the
 * tests share them. Reals are computed in the given precision and kept in a double.
 */
#pragma once

#include "frontend/base/cx.h"
#include "ir/op/op.h"

typedef enum { REAL_FLOAT, REAL_DOUBLE } RealPrecision;

typedef enum { OV_NONE, OV_BOOL, OV_INT, OV_REAL, OV_STRING } OpValueKind;

typedef struct OpValue {
  OpValueKind kind;
  bool b;
  int64_t i;
  double real;
  const char *s;
} OpValue;

typedef struct EvalMode {
  RealPrecision precision;
  bool is_long_int; /* int has 64 bits; else results wrap to 32 */
} EvalMode;

EvalMode eval_mode(const Cx *cx);

OpValue op_value_bool(bool b);
OpValue op_value_int(int64_t i);
OpValue op_value_real(double real);
OpValue op_value_string(const char *s);
bool op_value_is_same(OpValue a, OpValue b); /* bit by bit; all NaNs are the same */

/* Result of a PURE op whose value depends only on operands that are bools, ints, reals or strings.
 * The kind is OV_NONE for other ops and for constants. Pre: the operands fit the signature. */
OpValue op_eval(OpId op, const OpValue *args, EvalMode mode);
/* The same for ops on reals alone. */
double op_eval_real(OpId op, const double *args, EvalMode mode);
/* Value of a literal of the program: `digits` (or, if NULL, `value`) rounded once, as the C
 * compiler will round it. */
double op_eval_literal(double value, const char *digits, EvalMode mode);

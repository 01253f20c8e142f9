/* Meaning of the pure ops on constants. Folding (simplify.c) and evaluators of the tests share it.
 * Reals are computed in the precision named and kept in a double.
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
bool op_value_is_same(OpValue a, OpValue b); /* bit by bit; every NaN is alike */

/* Result of a PURE op on bools, ints, reals or strings whose value needs nothing else; kind OV_NONE
 * for other ops, constants among them. The operands fit the signature. */
OpValue op_eval(OpId op, const OpValue *args, EvalMode mode);
/* The same for ops on reals alone. */
double op_eval_real(OpId op, const double *args, EvalMode mode);
/* A literal of the program: its digits, where there are any, are rounded once, as the C compiler
 * will round them. */
double op_eval_literal(double value, const char *digits, EvalMode mode);

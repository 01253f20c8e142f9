/* Evaluates pure ops on constants as ops.def says: integers wrap around, division by zero gives 0,
 * reals follow IEEE 754 in the program's precision (real_ops.h). One case per op. Used by
 * simplify.c, ein_eval.c.
 */
#include "ir/op/op_eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/op/local.h"

EvalMode eval_mode(const Cx *cx) {
  return (EvalMode){.precision = cx->is_double ? REAL_DOUBLE : REAL_FLOAT,
                    .is_long_int = cx->is_long_int};
}

OpValue op_value_bool(bool b) { return (OpValue){.kind = OV_BOOL, .b = b}; }
OpValue op_value_int(int64_t i) { return (OpValue){.kind = OV_INT, .i = i}; }
OpValue op_value_real(double real) { return (OpValue){.kind = OV_REAL, .real = real}; }
OpValue op_value_string(const char *s) { return (OpValue){.kind = OV_STRING, .s = s}; }

bool op_value_is_same(OpValue a, OpValue b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
  case OV_NONE: return true;
  case OV_BOOL: return a.b == b.b;
  case OV_INT: return a.i == b.i;
  case OV_REAL:
    return isnan(a.real) ? isnan(b.real) : a.real == b.real && signbit(a.real) == signbit(b.real);
  case OV_STRING: return strcmp(a.s, b.s) == 0;
  }
  return false;
}

/* ---- integers -------------------------------------------------------------------------------- */

/* The low bits of a sum or product, as an int of the program's width, in two's complement. */
static int64_t wrap(uint64_t bits, EvalMode mode) {
  if (!mode.is_long_int) {
    uint64_t low = bits & UINT32_MAX;
    return (int64_t)(low ^ UINT64_C(0x80000000)) - INT64_C(0x80000000);
  }
  if (bits <= INT64_MAX) return (int64_t)bits;
  return -(int64_t)(UINT64_MAX - bits) - 1;
}

static int64_t negate(int64_t a, EvalMode mode) { return wrap(0 - (uint64_t)a, mode); }

static int64_t divide(int64_t a, int64_t b, EvalMode mode) {
  if (b == 0) return 0;
  return b == -1 ? negate(a, mode) : a / b;
}

static int64_t remainder_of(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

static OpValue eval_int(OpId op, int64_t a, int64_t b, EvalMode mode) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (op) {
  case OP_IADD: return op_value_int(wrap(ua + ub, mode));
  case OP_ISUB: return op_value_int(wrap(ua - ub, mode));
  case OP_IMUL: return op_value_int(wrap(ua * ub, mode));
  case OP_IDIV: return op_value_int(divide(a, b, mode));
  case OP_IMOD: return op_value_int(remainder_of(a, b));
  case OP_INEG: return op_value_int(negate(a, mode));
  case OP_IABS: return op_value_int(a < 0 ? negate(a, mode) : a);
  case OP_IMIN: return op_value_int(b < a ? b : a);
  case OP_IMAX: return op_value_int(a < b ? b : a);
  case OP_ILT: return op_value_bool(a < b);
  case OP_ILE: return op_value_bool(a <= b);
  case OP_IEQ: return op_value_bool(a == b);
  case OP_INE: return op_value_bool(a != b);
  case OP_IGE: return op_value_bool(a >= b);
  case OP_IGT: return op_value_bool(a > b);
  default: return (OpValue){.kind = OV_NONE}; /* not an op on ints alone */
  }
}

/* ---- reals ----------------------------------------------------------------------------------- */

static double rounded(double x, EvalMode mode) {
  return mode.precision == REAL_DOUBLE ? x : (double)(float)x;
}

double op_eval_literal(double value, const char *digits, EvalMode mode) {
  char *end = NULL;
  if (!digits || mode.precision == REAL_DOUBLE) return rounded(value, mode);
  float narrow = strtof(digits, &end);
  return *end == '\0' ? (double)narrow : rounded(value, mode);
}

static double power(double x, int64_t n, EvalMode mode) {
  uint64_t count = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
  double product = 1, square = x;
  for (; count != 0; count >>= 1) {
    if (count & 1) product = rounded(product * square, mode);
    square = rounded(square * square, mode);
  }
  return n < 0 ? rounded(1 / product, mode) : product;
}

double op_eval_real(OpId op, const double *args, EvalMode mode) {
  return mode.precision == REAL_DOUBLE ? op_eval_double(op, args) : op_eval_float(op, args);
}

static OpValue compare_reals(OpId op, double a, double b) {
  switch (op) {
  case OP_RLT: return op_value_bool(a < b);
  case OP_RLE: return op_value_bool(a <= b);
  case OP_REQ: return op_value_bool(a == b);
  case OP_RNE: return op_value_bool(a != b);
  case OP_RGE: return op_value_bool(a >= b);
  case OP_RGT: return op_value_bool(a > b);
  default: return (OpValue){.kind = OV_NONE}; /* not a comparison of reals */
  }
}

/* ---- every op -------------------------------------------------------------------------------- */

static OpValue eval_reals(OpId op, const OpValue *args, uint32_t n_args, EvalMode mode) {
  double reals[3] = {0};
  for (uint32_t i = 0; i < n_args; i++) reals[i] = args[i].real;
  return op_value_real(op_eval_real(op, reals, mode));
}

/* Ops whose operands are of one kind, selected by their signature. */
static OpValue eval_uniform(OpId op, const OpValue *args, EvalMode mode) {
  const char *sig = op_sig_text(op);
  if (strcmp(sig, "real -> real") == 0) return eval_reals(op, args, 1, mode);
  if (strcmp(sig, "real, real -> real") == 0) return eval_reals(op, args, 2, mode);
  if (strcmp(sig, "real, real, real -> real") == 0) return eval_reals(op, args, 3, mode);
  if (strcmp(sig, "real, real -> bool") == 0) return compare_reals(op, args[0].real, args[1].real);
  if (strcmp(sig, "int -> int") == 0) return eval_int(op, args[0].i, 0, mode);
  if (strcmp(sig, "int, int -> int") == 0 || strcmp(sig, "int, int -> bool") == 0)
    return eval_int(op, args[0].i, args[1].i, mode);
  return (OpValue){.kind = OV_NONE};
}

OpValue op_eval(OpId op, const OpValue *args, EvalMode mode) {
  switch (op) {
  case OP_NOT: return op_value_bool(!args[0].b);
  case OP_BAND: return op_value_bool(args[0].b && args[1].b);
  case OP_BOR: return op_value_bool(args[0].b || args[1].b);
  case OP_BEQ: return op_value_bool(args[0].b == args[1].b);
  case OP_BNE: return op_value_bool(args[0].b != args[1].b);
  case OP_SELECT: return args[0].b ? args[1] : args[2];
  case OP_I2R: return op_value_real(rounded((double)args[0].i, mode));
  case OP_RPOWI: return op_value_real(power(args[0].real, args[1].i, mode));
  case OP_STREQ: return op_value_bool(strcmp(args[0].s, args[1].s) == 0);
  case OP_STRNE: return op_value_bool(strcmp(args[0].s, args[1].s) != 0);
  default: return eval_uniform(op, args, mode); /* the rest */
  }
}

/* ir_eval_reduce.c: reductions by their definition, over an array of all values: sums and products
 * of reals level by level over copies.
 */
#include <math.h>
#include <string.h>

#include "tests/oracle/ir_eval_local.h"

enum { LANES = 32, BLOCK = 1024 };

typedef struct Reals {
  double *at;
  uint32_t n;
} Reals;

static Reals new_reals(const IrFrame *frame, uint32_t n) {
  return (Reals){NEWN(frame->eval->arena, double, n + 1), n};
}

static double combine(bool is_product, double a, double b) { return is_product ? a * b : a + b; }

/* Values at the positions of one block to one value per lane, and those to one. */
static double reduce_block(bool is_product, const double *at, uint32_t n) {
  double lanes[LANES];
  for (uint32_t l = 0; l < LANES; l++) {
    lanes[l] = is_product;
    for (uint32_t k = l; k < n; k += LANES) lanes[l] = combine(is_product, lanes[l], at[k]);
  }
  for (uint32_t half = LANES / 2; half > 0; half /= 2)
    for (uint32_t l = 0; l < half; l++) lanes[l] = combine(is_product, lanes[l], lanes[l + half]);
  return lanes[0];
}

static double reduce_tree(const IrFrame *frame, bool is_product, Reals values) {
  Reals level = new_reals(frame, (values.n + BLOCK - 1) / BLOCK);
  for (uint32_t i = 0; i < level.n; i++) {
    const uint32_t rest = values.n - i * BLOCK;
    level.at[i] =
        reduce_block(is_product, values.at + (size_t)i * BLOCK, rest < BLOCK ? rest : BLOCK);
  }
  while (level.n > 1) {
    Reals next = new_reals(frame, (level.n + 1) / 2);
    for (uint32_t i = 0; i < next.n; i++) {
      next.at[i] = level.at[2 * i];
      if (2 * i + 1 < level.n) next.at[i] = combine(is_product, next.at[i], level.at[2 * i + 1]);
    }
    level = next;
  }
  return level.n == 1 ? level.at[0] : is_product;
}

/* The extreme; no value is less than NaN, nor greater, so that one decides. */
static double extreme(bool is_max, Reals values) {
  double best = is_max ? -INFINITY : INFINITY;
  for (uint32_t i = 0; i < values.n; i++) {
    const double x = values.at[i];
    if (isnan(x)) return NAN;
    const bool is_zero = x == 0 && best == 0;
    if (is_zero ? signbit(x) == !is_max : is_max ? x > best : x < best) best = x;
  }
  return best;
}

static double variance(const IrFrame *frame, Reals values) {
  const double n = values.n, mean = reduce_tree(frame, false, values) / n;
  Reals distances = new_reals(frame, values.n), squares = new_reals(frame, values.n);
  for (uint32_t i = 0; i < values.n; i++) {
    distances.at[i] = values.at[i] - mean;
    squares.at[i] = distances.at[i] * distances.at[i];
  }
  const double sum = reduce_tree(frame, false, distances);
  return (reduce_tree(frame, false, squares) - sum * sum / n) / n;
}

static double reduce_reals(const IrFrame *frame, Reduction kind, Reals values) {
  switch (kind) {
  case REDUCE_SUM: return reduce_tree(frame, false, values);
  case REDUCE_PRODUCT: return reduce_tree(frame, true, values);
  case REDUCE_MEAN: return reduce_tree(frame, false, values) / values.n;
  case REDUCE_VARIANCE: return variance(frame, values);
  case REDUCE_MIN: return extreme(false, values);
  case REDUCE_MAX: return extreme(true, values);
  default: BUG(frame->eval->cx, "%s of reals", reduction_text(kind)); /* no such row */
  }
}

/* --- how wrong the result may be -------------------------------------------------------------- */

/* The largest error of a value; the sum and the largest of the values, without signs. */
typedef struct Size {
  double worst, sum, largest;
} Size;

static Size size_of(const IrScalar *values, uint32_t n) {
  Size size = {0};
  for (uint32_t i = 0; i < n; i++) {
    const double magnitude = fabs(values[i].value.real);
    size.worst = fmax(size.worst, values[i].error);
    size.sum += magnitude;
    size.largest = fmax(size.largest, magnitude);
  }
  return size;
}

/* (x + e)(y + f) = xy + xf + ye + ef, factor by factor. */
static double product_error(double epsilon, const IrScalar *values, uint32_t n) {
  double product = 1, error = 0;
  for (uint32_t i = 0; i < n; i++) {
    const double x = fabs(values[i].value.real);
    error = error * (x + values[i].error) + product * values[i].error + epsilon * product * x;
    product *= x;
  }
  return error;
}

static double error_of(const IrFrame *frame, Reduction kind, const IrScalar *values, uint32_t n) {
  const double epsilon = frame->eval->epsilon;
  const Size size = size_of(values, n);
  if (n == 0) return 0;
  switch (kind) {
  case REDUCE_SUM: return n * size.worst + epsilon * size.sum;
  case REDUCE_PRODUCT: return product_error(epsilon, values, n);
  case REDUCE_MEAN: return size.worst + epsilon * size.sum / n;
  case REDUCE_VARIANCE: { /* a distance is off by two errors, and at most twice the largest value */
    const double off = 2 * (size.worst + epsilon * size.largest);
    return off * (4 * size.largest + off);
  }
  default: return size.worst;
  }
}

static IrScalar reduce_to_real(const IrFrame *frame, Reduction kind, const IrScalar *from,
                               uint32_t n) {
  Reals values = new_reals(frame, n);
  for (uint32_t i = 0; i < n; i++) values.at[i] = from[i].value.real;
  IrScalar result = ir_real(reduce_reals(frame, kind, values));
  if (isfinite(result.value.real)) result.error = error_of(frame, kind, from, n);
  return result;
}

/* --- integers and truths ---------------------------------------------------------------------- */

static OpId op_of(const IrFrame *frame, Reduction kind) {
  switch (kind) {
  case REDUCE_SUM: return OP_IADD;
  case REDUCE_PRODUCT: return OP_IMUL;
  case REDUCE_MIN: return OP_IMIN;
  case REDUCE_MAX: return OP_IMAX;
  case REDUCE_ALL: return OP_BAND;
  case REDUCE_EXISTS: return OP_BOR;
  default: BUG(frame->eval->cx, "%s is of reals", reduction_text(kind)); /* no such row */
  }
}

static IrScalar none_of(const IrFrame *frame, Reduction kind) {
  const bool is_long = frame->eval->cx->is_long_int;
  switch (kind) {
  case REDUCE_PRODUCT: return ir_int(1);
  case REDUCE_MIN: return ir_int(is_long ? INT64_MAX : INT32_MAX);
  case REDUCE_MAX: return ir_int(is_long ? INT64_MIN : INT32_MIN);
  case REDUCE_ALL: return ir_bool(true);
  case REDUCE_EXISTS: return ir_bool(false);
  default: return ir_int(0); /* sum */
  }
}

IrScalar ir_reduce(const IrFrame *frame, Reduction kind, const Type *ty, const IrScalar *values,
                   uint32_t n) {
  if (type_is(ty, TY_TENSOR)) return reduce_to_real(frame, kind, values, n);
  const EvalMode mode = {.precision = REAL_DOUBLE, .is_long_int = frame->eval->cx->is_long_int};
  IrScalar result = none_of(frame, kind);
  for (uint32_t i = 0; i < n; i++) {
    const OpValue args[] = {result.value, values[i].value};
    result.value = op_eval(op_of(frame, kind), args, mode);
    result.error = fmax(result.error, values[i].error);
  }
  return result;
}

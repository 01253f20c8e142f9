/* Builtins on reals and tensors applied to known values, in double. Every value is a flat row of
 * components, last axis fastest. Formulas: doc/tables/builtins.md.
 */
#include <math.h>
#include <string.h>

#include "frontend/check/local.h"

/* ---- real functions ------------------------------------------------------------------------- */

static double real_min(double a, double b) { return b < a ? b : a; }
static double real_max(double a, double b) { return a < b ? b : a; }
static double plus(double a, double b) { return a + b; }
static double minus(double a, double b) { return a - b; }
static double times(double a, double b) { return a * b; }
static double over(double a, double b) { return a / b; }
static double negative(double a) { return -a; }

/* Applied to each component. */
static const struct {
  const char *name;
  double (*op)(double);
} unary_ops[] = {
    {"neg", negative}, {"sqrt", sqrt},   {"exp", exp},     {"sin", sin},   {"cos", cos},
    {"tan", tan},      {"asin", asin},   {"acos", acos},   {"atan", atan}, {"ceil", ceil},
    {"floor", floor},  {"trunc", trunc}, {"round", round}, {"erf", erf},   {"erfc", erfc},
    {"log", log},      {"log2", log2},   {"log10", log10},
};

/* Applied to each pair of components; a scalar pairs with all. */
static const struct {
  const char *name;
  double (*op)(double, double);
} binary_ops[] = {
    {"+", plus},  {"-", minus},   {"*", times},     {"/", over},       {"modulate", times},
    {"pow", pow}, {"fmod", fmod}, {"atan2", atan2}, {"min", real_min}, {"max", real_max},
};

static double at(const Const *value, uint64_t i) { return value->reals[i].value; }
static uint64_t size_of(const Const *value) { return shape_size(type_shape(value->ty)); }

static Const *each(Check *ck, const TExpr *call, const Const *a, double (*op)(double)) {
  Const *result = const_from_reals(ck, call->ty, 0);
  for (uint64_t i = 0; i < size_of(result); i++) result->reals[i].value = op(at(a, i));
  return result;
}

static Const *each_pair(Check *ck, const TExpr *call, Const **args, double (*op)(double, double)) {
  Const *result = const_from_reals(ck, call->ty, 0);
  uint64_t a_size = size_of(args[0]), b_size = size_of(args[1]);
  for (uint64_t i = 0; i < size_of(result); i++)
    result->reals[i].value = op(at(args[0], i % a_size), at(args[1], i % b_size));
  return result;
}

/* ---- products ------------------------------------------------------------------------------- */

/* Contracts the last n axes of a with the first n of b: a product of an m x k and a k x n matrix.
 */
static Const *contract(Check *ck, const TExpr *call, Const **args, uint32_t n_axes) {
  Const *result = const_from_reals(ck, call->ty, 0);
  const Shape *b_shape = type_shape(args[1]->ty);
  uint64_t common = 1;
  for (uint32_t axis = 0; axis < n_axes; axis++) common *= b_shape->dims[axis];
  uint64_t rows = size_of(args[0]) / common, columns = size_of(args[1]) / common;
  for (uint64_t row = 0; row < rows; row++)
    for (uint64_t column = 0; column < columns; column++) {
      double sum = 0;
      for (uint64_t k = 0; k < common; k++)
        sum += at(args[0], row * common + k) * at(args[1], k * columns + column);
      result->reals[row * columns + column].value = sum;
    }
  return result;
}

static Const *inner(Check *ck, const TExpr *call, Const **args) {
  return contract(ck, call, args, 1);
}
static Const *outer(Check *ck, const TExpr *call, Const **args) {
  return contract(ck, call, args, 0);
}
static Const *double_dot(Check *ck, const TExpr *call, Const **args) {
  return contract(ck, call, args, 2);
}

static Const *cross(Check *ck, const TExpr *call, Const **args) {
  Const *result = const_from_reals(ck, call->ty, 0);
  const Const *a = args[0], *b = args[1];
  if (size_of(a) == 2) {
    result->reals[0].value = at(a, 0) * at(b, 1) - at(a, 1) * at(b, 0);
    return result;
  }
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    result->reals[i].value = at(a, j) * at(b, k) - at(a, k) * at(b, j);
  }
  return result;
}

/* ---- tensor functions ----------------------------------------------------------------------- */

static double norm_of(const Const *a) {
  double sum = 0;
  if (size_of(a) == 1) return fabs(at(a, 0));
  for (uint64_t i = 0; i < size_of(a); i++) sum += at(a, i) * at(a, i);
  return sqrt(sum);
}

static Const *norm(Check *ck, const TExpr *call, Const **args) {
  return const_from_reals(ck, call->ty, norm_of(args[0]));
}

static Const *normalize(Check *ck, const TExpr *call, Const **args) {
  Const *divided[] = {args[0], const_from_reals(ck, type_real(ck->cx), norm_of(args[0]))};
  return each_pair(ck, call, divided, over);
}

static Const *trace(Check *ck, const TExpr *call, Const **args) {
  uint32_t n = type_shape(args[0]->ty)->dims[0];
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += at(args[0], (uint64_t)i * n + i);
  return const_from_reals(ck, call->ty, sum);
}

static Const *transpose(Check *ck, const TExpr *call, Const **args) {
  Const *result = const_from_reals(ck, call->ty, 0);
  const Shape *shape = type_shape(args[0]->ty);
  uint64_t rows = shape->dims[0], columns = shape->dims[1];
  for (uint64_t row = 0; row < rows; row++)
    for (uint64_t column = 0; column < columns; column++)
      result->reals[column * rows + row] = args[0]->reals[row * columns + column];
  return result;
}

/* Cofactor of component (row, column) of a 3 x 3 matrix, its sign included. */
static double cofactor(const Const *a, uint32_t row, uint32_t column) {
  uint32_t r1 = (row + 1) % 3, r2 = (row + 2) % 3;
  uint32_t c1 = (column + 1) % 3, c2 = (column + 2) % 3;
  return at(a, r1 * 3 + c1) * at(a, r2 * 3 + c2) - at(a, r1 * 3 + c2) * at(a, r2 * 3 + c1);
}

static double det_of(const Const *a) {
  if (size_of(a) == 1) return at(a, 0);
  if (size_of(a) == 4) return at(a, 0) * at(a, 3) - at(a, 1) * at(a, 2);
  double sum = 0;
  for (uint32_t column = 0; column < 3; column++) sum += at(a, column) * cofactor(a, 0, column);
  return sum;
}

static Const *det(Check *ck, const TExpr *call, Const **args) {
  return const_from_reals(ck, call->ty, det_of(args[0]));
}

/* Transposed cofactors over the determinant. */
static Const *inverse(Check *ck, const TExpr *call, Const **args) {
  const Const *a = args[0];
  double scale = 1 / det_of(a);
  Const *result = const_from_reals(ck, call->ty, scale);
  if (size_of(a) == 4) {
    result->reals[0].value = at(a, 3) * scale;
    result->reals[1].value = -at(a, 1) * scale;
    result->reals[2].value = -at(a, 2) * scale;
    result->reals[3].value = at(a, 0) * scale;
  } else if (size_of(a) == 9) {
    for (uint32_t i = 0; i < 9; i++) result->reals[i].value = cofactor(a, i % 3, i / 3) * scale;
  }
  return result;
}

/* ---- interpolation and clamping ------------------------------------------------------------- */

static double lerp_weight(const TExpr *call, Const **args) {
  if (call->args.len == 3) return at(args[2], 0);
  double x0 = at(args[2], 0), x = at(args[3], 0), x1 = at(args[4], 0);
  return (x - x0) / (x1 - x0);
}

static Const *mix(Check *ck, const TExpr *call, Const **args, double weight) {
  Const *result = const_from_reals(ck, call->ty, 0);
  for (uint64_t i = 0; i < size_of(result); i++)
    result->reals[i].value = at(args[0], i) + weight * (at(args[1], i) - at(args[0], i));
  return result;
}

static double clamped(double low, double high, double x) {
  if (x <= low) return low;
  return high <= x ? high : x;
}

static Const *lerp(Check *ck, const TExpr *call, Const **args) {
  return mix(ck, call, args, lerp_weight(call, args));
}

static Const *clerp(Check *ck, const TExpr *call, Const **args) {
  return mix(ck, call, args, clamped(0, 1, lerp_weight(call, args)));
}

static Const *clamp(Check *ck, const TExpr *call, Const **args) {
  Const *result = const_from_reals(ck, call->ty, 0);
  uint64_t n_bounds = size_of(args[0]);
  for (uint64_t i = 0; i < size_of(result); i++)
    result->reals[i].value =
        clamped(at(args[0], i % n_bounds), at(args[1], i % n_bounds), at(args[2], i));
  return result;
}

/* The exponent is an int or a real. */
static Const *power(Check *ck, const TExpr *call, Const **args) {
  double exponent = type_is(args[1]->ty, TY_INT) ? (double)args[1]->i : at(args[1], 0);
  return const_from_reals(ck, call->ty, pow(at(args[0], 0), exponent));
}

static const struct {
  const char *name;
  Const *(*op)(Check *, const TExpr *, Const **);
} tensor_ops[] = {
    {"•", inner},     {"⊗", outer},     {":", double_dot},        {"×", cross},
    {"norm", norm},   {"trace", trace}, {"transpose", transpose}, {"normalize", normalize},
    {"det", det},     {"inv", inverse}, {"lerp", lerp},           {"clerp", clerp},
    {"clamp", clamp}, {"^", power},
};

static bool all_tensors(const TExpr *call, Const **args) {
  for (uint32_t i = 0; i < call->args.len; i++)
    if (!type_is(args[i]->ty, TY_TENSOR)) return false;
  return call->args.len > 0;
}

Const *const_apply_tensor(Check *ck, const TExpr *call, Const **args) {
  const char *name = call->u.builtin.row->name;
  if (strcmp(name, "^") == 0) return power(ck, call, args);
  if (!all_tensors(call, args)) return NULL;
  for (size_t i = 0; i < sizeof tensor_ops / sizeof *tensor_ops; i++)
    if (strcmp(name, tensor_ops[i].name) == 0) return tensor_ops[i].op(ck, call, args);
  for (size_t i = 0; i < sizeof unary_ops / sizeof *unary_ops; i++)
    if (call->args.len == 1 && strcmp(name, unary_ops[i].name) == 0)
      return each(ck, call, args[0], unary_ops[i].op);
  for (size_t i = 0; i < sizeof binary_ops / sizeof *binary_ops; i++)
    if (call->args.len == 2 && strcmp(name, binary_ops[i].name) == 0)
      return each_pair(ck, call, args, binary_ops[i].op);
  return NULL;
}

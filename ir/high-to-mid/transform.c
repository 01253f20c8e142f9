/* World and index space: positions one way, derivatives the other.
 *
 * A derivative along world axis i is the sum over j of P[i,j] times that along index axis j. P is
 * applied to the derivative axes only, one after another; second derivatives stay exactly
 * symmetric, see Note [Symmetric second derivatives].
 */
#include "ir/high-to-mid/local.h"

static const Ein *new_ein(Cx *cx, Shape shape, uint32_t n_params, uint32_t n_indices,
                          const EinExpr *body) {
  Ein *ein = NEW(cx->arena, Ein);
  ein->n_free = shape.order;
  for (uint32_t i = 0; i < shape.order; i++) ein->ranges[i] = shape.dims[i];
  ein->n_params = n_params;
  ein->n_indices = n_indices;
  ein->body = body;
  return ein;
}

static uint32_t free_indices(EinIdx *idx, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) idx[i] = ein_var(i);
  return n;
}

Value *pos_index_of(Builder *b, Value *image, Value *pos_world) {
  return build_op2(b, OP_TO_INDEX, image, pos_world);
}

static Value *gradient_matrix(Builder *b, Value *image) {
  uint32_t dim = type_dim(image->ty);
  const Type *ty = type_tensor(b->cx, shape_of(2, (uint32_t[]){dim, dim}));
  return build_typed(b, OP_GRADIENT_MATRIX, ATTR_EMPTY, ty, &image, 1);
}

/* ---- one axis -------------------------------------------------------------------------------- */

/* One dimension: the matrix is a number, once for each derivative. */
static Value *scale(Builder *b, Value *matrix, Value *derivative, uint32_t order) {
  Cx *cx = b->cx;
  EinIdx idx[MAX_ORDER];
  const Shape *shape = type_shape(derivative->ty);
  uint32_t n = free_indices(idx, shape->order);
  const EinExpr *factor = ein_pow(cx, ein_param(cx, 0, NULL, 0), order);
  const EinExpr *body = ein_binary(cx, EIN_MUL, factor, ein_param(cx, 1, idx, n));
  return build_ein(b, new_ein(cx, *shape, 2, n, body), (Value *[]){matrix, derivative}, 2);
}

/* sum(j) P[axis, j] D[.., j, ..] with j in place of the given axis. */
static Value *contract(Builder *b, Value *matrix, Value *derivative, uint32_t axis) {
  Cx *cx = b->cx;
  EinIdx idx[MAX_ORDER];
  const Shape *shape = type_shape(derivative->ty);
  uint32_t n = free_indices(idx, shape->order);
  EinIdx entry[] = {ein_var(axis), ein_var(n)};
  idx[axis] = ein_var(n);
  const EinExpr *product =
      ein_binary(cx, EIN_MUL, ein_param(cx, 0, entry, 2), ein_param(cx, 1, idx, n));
  const EinExpr *body = ein_sum(cx, n, shape->dims[axis], product);
  return build_ein(b, new_ein(cx, *shape, 2, n + 1, body), (Value *[]){matrix, derivative}, 2);
}

/* ---- two axes -------------------------------------------------------------------------------- */

/* Entry i,k of (P H) transpose(P), for every component of the samples. */
static Value *second_entry(Builder *b, Value *matrix, Value *half, uint32_t i, uint32_t k) {
  Cx *cx = b->cx;
  EinIdx idx[MAX_ORDER];
  const Shape *shape = type_shape(half->ty);
  uint32_t n = free_indices(idx, shape->order - 2), dim = shape->dims[n];
  idx[n] = ein_const(i);
  idx[n + 1] = ein_var(n);
  EinIdx entry[] = {ein_const(k), ein_var(n)};
  const EinExpr *product =
      ein_binary(cx, EIN_MUL, ein_param(cx, 0, entry, 2), ein_param(cx, 1, idx, n + 2));
  const EinExpr *body = ein_sum(cx, n, dim, product);
  Shape sample = shape_of(n, shape->dims);
  return build_ein(b, new_ein(cx, sample, 2, n + 1, body), (Value *[]){matrix, half}, 2);
}

/* 1 where the last two of n axes are i,k or k,i. */
static const EinExpr *entry_mask(Cx *cx, uint32_t n, uint32_t i, uint32_t k) {
  EinIdx row = ein_var(n - 2), column = ein_var(n - 1);
  const EinExpr *straight = ein_binary(cx, EIN_MUL, ein_delta(cx, row, ein_const(i)),
                                       ein_delta(cx, column, ein_const(k)));
  if (i == k) return straight;
  const EinExpr *mirrored = ein_binary(cx, EIN_MUL, ein_delta(cx, row, ein_const(k)),
                                       ein_delta(cx, column, ein_const(i)));
  return ein_binary(cx, EIN_ADD, straight, mirrored);
}

static Value *second_derivative(Builder *b, Value *matrix, Value *derivative) {
  Cx *cx = b->cx;
  EinIdx idx[MAX_ORDER];
  const Shape *shape = type_shape(derivative->ty);
  uint32_t n = free_indices(idx, shape->order), dim = shape->dims[n - 1];
  Value *half = contract(b, matrix, derivative, n - 2);
  ValueVec entries = {0};
  const EinExpr *body = ein_num(cx, RATIONAL(0, 1));
  for (uint32_t i = 0; i < dim; i++) {
    for (uint32_t k = i; k < dim; k++) {
      const EinExpr *entry = ein_param(cx, entries.len, idx, n - 2);
      const EinExpr *term = ein_binary(cx, EIN_MUL, entry_mask(cx, n, i, k), entry);
      body = ein_binary(cx, EIN_ADD, body, term);
      vec_push(cx->arena, &entries, second_entry(b, matrix, half, i, k));
    }
  }
  return build_ein(b, new_ein(cx, *shape, entries.len, n, body), entries.data, entries.len);
}

Value *world_derivative(Builder *b, Value *image, Value *derivative, uint32_t order) {
  if (order == 0) return derivative;
  Value *matrix = gradient_matrix(b, image);
  if (type_dim(image->ty) == 1) return scale(b, matrix, derivative, order);
  if (order == 2) return second_derivative(b, matrix, derivative);
  uint32_t n_axes = type_shape(derivative->ty)->order;
  for (uint32_t i = 0; i < order; i++)
    derivative = contract(b, matrix, derivative, n_axes - order + i);
  return derivative;
}

/* Note [Symmetric second derivatives]
 *
 * P H transpose(P) computed as two products rounds entry i,k and entry k,i differently. A program
 * may rely on their being equal (the curl of a gradient is zero, an eigensolver reads one
 * triangle), so only d(d+1)/2 entries are computed and each is used twice. That is also less work:
 * in three dimensions 27 + 18 multiplications and additions instead of 54.
 */

/* Orientation: positions from world to index space, derivatives back, the inside test.
 * Index axes and world coordinates are numbered x, y, z.
 */
#include "ir/mid-to-low/local.h"

static Value *matrix_entry(Lower *lower, Value *image, uint32_t i, uint32_t j) {
  const Attr attr = {.pair = {.i = i, .j = j}};
  return build_op(&lower->b, OP_IMAGE_MATRIX, attr, &image, 1);
}

/* n = M (x - origin): the subtraction first, so that a distant origin costs no digits. */
Parts lower_to_index(Lower *lower, const Inst *inst) {
  Builder *b = &lower->b;
  Value *image = parts_of(lower, inst->args[0]).v[0];
  const Parts pos_world = parts_of(lower, inst->args[1]);
  const uint32_t dim = type_dim(inst->args[0]->ty);
  Value *from_origin[MAX_DIM];
  for (uint32_t j = 0; j < dim; j++) {
    Value *origin = build_op(b, OP_IMAGE_ORIGIN, (Attr){.i = j}, &image, 1);
    from_origin[j] = build_op2(b, OP_RSUB, pos_world.v[j], origin);
    part_hint(lower, from_origin[j], "from_origin_%c", AXIS_LETTER(j));
  }
  Parts pos_index = parts_new(lower->cx, dim);
  for (uint32_t i = 0; i < dim; i++) {
    for (uint32_t j = 0; j < dim; j++) {
      Value *args[] = {matrix_entry(lower, image, i, j), from_origin[j], pos_index.v[i]};
      pos_index.v[i] = j == 0 ? build_op2(b, OP_RMUL, args[0], args[1])
                              : build_op(b, OP_RFMA, ATTR_EMPTY, args, 3);
    }
    part_hint(lower, pos_index.v[i], "index_%c", AXIS_LETTER(i));
  }
  return pos_index;
}

/* P[i,j] = M[j,i], because d n_j / d x_i = M[j,i]: M, transposed. */
Tensor lower_gradient_matrix(Lower *lower, const Inst *inst) {
  Arena *a = lower->cx->arena;
  Value *image = parts_of(lower, inst->args[0]).v[0];
  const int64_t dim = type_dim(inst->args[0]->ty);
  Value **entries = NEWN(a, Value *, (size_t)(dim * dim));
  for (int64_t k = 0; k < dim * dim; k++)
    entries[k] = matrix_entry(lower, image, (uint32_t)(k / dim), (uint32_t)(k % dim));
  const Ixfun *matrix = ixfun_iota_const(a, (const int64_t[]){dim, dim}, 2);
  if (dim == 1) return (Tensor){entries, ixfun_reshape(a, matrix, NULL, 0)}; /* of type real */
  return (Tensor){entries, ixfun_permute(a, matrix, (const uint32_t[]){1, 0}, 2)};
}

/* s-1 < n < N-s, both strict; false for NaN and for images below the support. */
static Value *inside_on_axis(Lower *lower, Value *image, Value *index, uint32_t axis, int64_t s) {
  Builder *b = &lower->b;
  Value *len = build_op(b, OP_IMAGE_AXIS_LEN, (Attr){.i = axis}, &image, 1);
  Value *limit = build_op1(b, OP_I2R, build_op2(b, OP_ISUB, len, build_int(b, s)));
  Value *above = build_op2(b, OP_RLT, build_real(b, (double)(s - 1)), index);
  Value *below = build_op2(b, OP_RLT, index, limit);
  return build_op2(b, OP_BAND, above, below);
}

Parts lower_inside_index(Lower *lower, const Inst *inst) {
  Value *image = parts_of(lower, inst->args[0]).v[0];
  const Parts pos_index = parts_of(lower, inst->args[1]);
  const uint8_t *along = inst->attr.supports.along;
  Value *inside = inside_on_axis(lower, image, pos_index.v[0], 0, along[0]);
  for (uint32_t axis = 1; axis < pos_index.n; axis++) {
    Value *on_axis = inside_on_axis(lower, image, pos_index.v[axis], axis, along[axis]);
    inside = build_op2(&lower->b, OP_BAND, inside, on_axis);
  }
  Parts parts = parts_new(lower->cx, 1);
  parts.v[0] = part_hint(lower, inside, "inside");
  return parts;
}

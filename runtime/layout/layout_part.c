/* layout_part.c: parts of a layout, other orders, repetitions and other extents: each as one layout
 * over the same elements.
 *
 * Offsets and strides of layouts without elements, and strides along extents of 1, mean nothing:
 * they may wrap around.
 */
#include "runtime/layout/checked.h"
#include "runtime/layout/layout.h"

static bool has_axis(const ddr_layout *layout, int axis) {
  return axis >= 0 && axis < layout->rank;
}

/* Checks the arguments that all functions have. */
static ddr_array_status check(const ddr_layout *layout, const ddr_layout *part) {
  DDR_NEED(part);
  return ddr_layout_check(layout);
}

static void move(ddr_layout *layout, int axis, int64_t n) {
  layout->offset = wrapping_add(layout->offset, wrapping_mul(n, layout->stride[axis]));
}

ddr_array_status ddr_layout_fix(const ddr_layout *layout, int axis, int64_t where,
                                ddr_layout *part) {
  DDR_TRY(check(layout, part));
  if (!has_axis(layout, axis)) return DDR_ARRAY_EDIM;
  if (where < 0 || where >= layout->len[axis]) return DDR_ARRAY_EINDEX;
  ddr_layout rest = *layout;
  move(&rest, axis, where);
  rest.rank--;
  for (int k = axis; k < rest.rank; k++) {
    rest.len[k] = layout->len[k + 1];
    rest.stride[k] = layout->stride[k + 1];
  }
  *part = rest;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_layout_slice(const ddr_layout *layout, int axis, int64_t begin, int64_t end,
                                  ddr_layout *part) {
  DDR_TRY(check(layout, part));
  if (!has_axis(layout, axis)) return DDR_ARRAY_EDIM;
  if (begin < 0 || begin > end || end > layout->len[axis]) return DDR_ARRAY_ERANGE;
  *part = *layout;
  move(part, axis, begin);
  part->len[axis] = end - begin;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_layout_permute(const ddr_layout *layout, const int *order, ddr_layout *part) {
  DDR_TRY(check(layout, part));
  if (!order && layout->rank > 0) return DDR_ARRAY_ENULL;
  ddr_layout other = *layout;
  bool is_taken[DDR_MAX_RANK] = {false};
  for (int k = 0; k < layout->rank; k++) {
    if (!has_axis(layout, order[k]) || is_taken[order[k]]) return DDR_ARRAY_ERANK;
    is_taken[order[k]] = true;
    other.len[k] = layout->len[order[k]];
    other.stride[k] = layout->stride[order[k]];
  }
  *part = other;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_layout_flip(const ddr_layout *layout, int axis, ddr_layout *part) {
  DDR_TRY(check(layout, part));
  if (!has_axis(layout, axis)) return DDR_ARRAY_EDIM;
  *part = *layout;
  move(part, axis, layout->len[axis] - 1);
  part->stride[axis] = wrapping_mul(-1, layout->stride[axis]);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_layout_step(const ddr_layout *layout, int axis, int64_t step,
                                 ddr_layout *part) {
  DDR_TRY(check(layout, part));
  if (!has_axis(layout, axis)) return DDR_ARRAY_EDIM;
  if (step == 0) return DDR_ARRAY_ERANGE;
  const int64_t len = layout->len[axis];
  *part = *layout;
  if (step < 0) move(part, axis, len - 1);
  if (len > 0) part->len[axis] = (int64_t)((uint64_t)(len - 1) / magnitude(step)) + 1;
  part->stride[axis] = wrapping_mul(step, layout->stride[axis]);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_layout_repeat(const ddr_layout *layout, int axis, int64_t n,
                                   ddr_layout *part) {
  DDR_TRY(check(layout, part));
  if (axis < 0 || axis > layout->rank) return DDR_ARRAY_EDIM;
  if (layout->rank == DDR_MAX_RANK) return DDR_ARRAY_ERANK;
  if (n < 0) return DDR_ARRAY_ERANGE;
  ddr_layout more = *layout;
  more.rank++;
  for (int k = layout->rank; k > axis; k--) {
    more.len[k] = layout->len[k - 1];
    more.stride[k] = layout->stride[k - 1];
  }
  more.len[axis] = n;
  more.stride[axis] = 0;
  if (ddr_layout_check(&more) != DDR_ARRAY_OK) return DDR_ARRAY_EOVERFLOW;
  *part = more;
  return DDR_ARRAY_OK;
}

/* --- other extents ---------------------------------------------------------------------------- */

/* Splits the axes that are left when all neighbours that can be merged are, last ones first: an
 * order of elements has one such form, so extents that do not split it cannot be had. */
static bool split_axes(const ddr_layout *collapsed, ddr_layout *shape) {
  int k = shape->rank;
  for (int whole = collapsed->rank - 1; whole >= 0; whole--) {
    int64_t stride = collapsed->stride[whole], n = 1;
    while (n < collapsed->len[whole]) {
      if (k == 0) return false;
      k--;
      shape->stride[k] = stride;
      stride = wrapping_mul(stride, shape->len[k]);
      n *= shape->len[k];
    }
    if (n > collapsed->len[whole]) return false;
  }
  for (; k > 0 && k < shape->rank; k--) /* extents of 1 */
    shape->stride[k - 1] = wrapping_mul(shape->stride[k], shape->len[k]);
  return true;
}

ddr_array_status ddr_layout_reshape(const ddr_layout *layout, int rank, const int64_t *len,
                                    ddr_layout *part) {
  ddr_layout shape;
  DDR_TRY(check(layout, part));
  const ddr_array_status status = ddr_layout_packed(rank, len, &shape);
  if (status != DDR_ARRAY_OK) return status;
  if (ddr_layout_same_shape(&shape, layout)) {
    *part = *layout;
    return DDR_ARRAY_OK;
  }
  if (ddr_layout_size(&shape) != ddr_layout_size(layout)) return DDR_ARRAY_ESHAPE;
  const ddr_layout collapsed = ddr_layout_collapse(layout);
  if (!ddr_layout_is_empty(layout) && !split_axes(&collapsed, &shape)) return DDR_ARRAY_ESHAPE;
  shape.offset = layout->offset;
  *part = shape;
  return DDR_ARRAY_OK;
}

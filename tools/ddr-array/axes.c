/* axes.c: axes of arrays, while parts are taken of these. */
#include <math.h>
#include <string.h>

#include "tools/ddr-array/array.h"

static bool is_in_space(const Axis *axis) { return AIR_EXISTS(axis->direction[0]); }

static void clear_axis(Axis *axis) {
  *axis = (Axis){.kind = nrrdKindUnknown, .center = nrrdCenterUnknown};
  axis->spacing = axis->thickness = axis->min = axis->max = NAN;
  for (int world = 0; world < NRRD_SPACE_DIM_MAX; world++) axis->direction[world] = NAN;
}

/* The origin goes that many steps along an axis. */
static void move_origin(Array *array, const Axis *axis, double steps) {
  for (unsigned world = 0; world < array->header->spaceDim && is_in_space(axis); world++)
    array->origin[world] += steps * axis->direction[world];
}

/* Ranges end at the outer samples (node), or half a sample beyond them (cell, or not said). */
static void pick_range(Axis *axis, int64_t len, double first, double step, int64_t n) {
  const bool is_node = axis->center == nrrdCenterNode;
  if (is_node && len == 1) return;
  const double width = (axis->max - axis->min) / (double)(is_node ? len - 1 : len);
  const double start = axis->min + (is_node ? 0 : width / 2) + first * width;
  const double stride = step * width;
  axis->min = start - (is_node ? 0 : stride / 2);
  axis->max = axis->min + (double)(is_node ? n - 1 : n) * stride;
}

void array_pick(Array *array, int axis, double first, double step, int64_t n) {
  Axis *const info = &array->axis[axis];
  const int64_t len = array->view.layout.len[axis];
  move_origin(array, info, first);
  for (int world = 0; world < NRRD_SPACE_DIM_MAX; world++)
    info->direction[world] = info->direction[world] * step + 0.0; /* no -0 */
  info->spacing *= fabs(step);
  if (len > 0) pick_range(info, len, first, step, n);
  const unsigned wanted = nrrdKindSize(info->kind);
  if (wanted > 0 && n != wanted) info->kind = nrrdKindUnknown; /* of a 3-vector two components */
}

void array_drop_axis(Array *array, int axis, double where) {
  const int n_behind = array->view.layout.rank - axis - 1;
  move_origin(array, &array->axis[axis], where);
  memmove(&array->axis[axis], &array->axis[axis + 1], (size_t)n_behind * sizeof(Axis));
}

void array_order_axes(Array *array, const int *order) {
  Axis before[DDR_MAX_RANK];
  memcpy(before, array->axis, sizeof before);
  for (int k = 0; k < array->view.layout.rank; k++) array->axis[k] = before[order[k]];
}

void array_add_axis(Array *array, int axis) {
  const int n_behind = array->view.layout.rank - axis;
  memmove(&array->axis[axis + 1], &array->axis[axis], (size_t)n_behind * sizeof(Axis));
  clear_axis(&array->axis[axis]);
}

void array_forget_axes(Array *array) {
  for (int k = 0; k < DDR_MAX_RANK; k++) clear_axis(&array->axis[k]);
}

bool array_is_placed(const Array *array, int rank) {
  for (int k = 0; k < rank; k++)
    if (is_in_space(&array->axis[k])) return true;
  return false;
}

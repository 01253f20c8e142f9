/* selection.c: parts of an array as options of the command line name them. */
#include <string.h>

#include "runtime/transform/transform.h"
#include "tools/ddr-array/arguments.h"
#include "tools/ddr-array/frame.h"
#include "tools/ddr-array/request.h"

/* The part, and the array's axes if the operation succeeds. */
typedef struct Part {
  int axis;
  int64_t first, step, n; /* indices taken of the axis */
  ddr_ndview view;
} Part;

static ddr_status finish(Array *array, OptionId option, const char *argument, Part *part,
                         ddr_array_status status, ddr_reason *reason) {
  if (status == DDR_ARRAY_OK) {
    ddr_ndview_release(&array->view);
    array->view = part->view;
    return DDR_OK;
  }
  char what[64];
  snprintf(what, sizeof what, "--%s %.40s", option_name(option), argument);
  return array_refuse(array, what, status, reason);
}

/* --- one axis --------------------------------------------------------------------------------- */

static bool has_axis(const Array *array, int64_t axis) {
  return axis >= 0 && axis < array->view.layout.rank;
}

static ddr_array_status fix(Array *array, const int64_t *x, Part *part) {
  const ddr_array_status status = ddr_ndview_fix(&array->view, (int)x[0], x[1], &part->view);
  if (status == DDR_ARRAY_OK) array_drop_axis(array, (int)x[0], (double)x[1]);
  return status;
}

static ddr_array_status slice(Array *array, const int64_t *x, Part *part) {
  const ddr_array_status status =
      ddr_ndview_slice(&array->view, (int)x[0], x[1], x[2], &part->view);
  if (status == DDR_ARRAY_OK) array_pick(array, (int)x[0], (double)x[1], 1, x[2] - x[1]);
  return status;
}

static ddr_array_status step(Array *array, const int64_t *x, Part *part) {
  const int axis = (int)x[0];
  const ddr_array_status status = ddr_ndview_step(&array->view, axis, x[1], &part->view);
  if (status != DDR_ARRAY_OK) return status;
  const int64_t first = x[1] < 0 ? array->view.layout.len[axis] - 1 : 0;
  array_pick(array, axis, (double)first, (double)x[1], part->view.layout.len[axis]);
  return status;
}

static ddr_array_status flip(Array *array, const int64_t *x, Part *part) {
  const int64_t back[] = {x[0], -1};
  return step(array, back, part);
}

static ddr_array_status repeat(Array *array, const int64_t *x, Part *part) {
  const ddr_array_status status = ddr_ndview_repeat(&array->view, (int)x[0], x[1], &part->view);
  if (status == DDR_ARRAY_OK) array_add_axis(array, (int)x[0]);
  return status;
}

/* Copies both pieces of an axis, each to its new place. */
static ddr_array_status copy_turned(const ddr_ndview *view, int axis, int64_t by,
                                    ddr_ndview *turned) {
  const int64_t n = view->layout.len[axis], bounds[] = {0, n - by, n};
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < 2 && status == DDR_ARRAY_OK; k++) {
    const int64_t to = k == 0 ? by : 0, size = bounds[k + 1] - bounds[k];
    ddr_ndview from, there;
    status = ddr_ndview_slice(view, axis, bounds[k], bounds[k + 1], &from);
    if (status != DDR_ARRAY_OK) break;
    status = ddr_ndview_slice(turned, axis, to, to + size, &there);
    if (status == DDR_ARRAY_OK) status = ddr_transform_assign(&from, &there, 1);
    if (status == DDR_ARRAY_OK) ddr_ndview_release(&there);
    ddr_ndview_release(&from);
  }
  return status;
}

/* Makes a copy: no stride goes on from the end to the beginning. */
static ddr_array_status roll(Array *array, const int64_t *x, Part *part) {
  const ddr_layout *layout = &array->view.layout;
  const int axis = (int)x[0];
  const int64_t n = layout->len[axis];
  ddr_array_status status =
      ddr_ndview_new(array->view.type, layout->rank, layout->len, DDR_HOST, &part->view);
  if (status != DDR_ARRAY_OK || n == 0) return status;
  status = copy_turned(&array->view, axis, (x[1] % n + n) % n, &part->view);
  if (status == DDR_ARRAY_OK) array_pick(array, axis, -(double)x[1], 1, n);
  else ddr_ndview_release(&part->view);
  return status;
}

/* --- all axes --------------------------------------------------------------------------------- */

static ddr_array_status permute(Array *array, const int64_t *x, int n, Part *part) {
  int order[DDR_MAX_RANK];
  if (n != array->view.layout.rank) return DDR_ARRAY_ERANK;
  for (int k = 0; k < n; k++) order[k] = has_axis(array, x[k]) ? (int)x[k] : -1;
  const ddr_array_status status = ddr_ndview_permute(&array->view, order, &part->view);
  if (status == DDR_ARRAY_OK) array_order_axes(array, order);
  return status;
}

/* If no strides can express it, the elements are first copied in canonical order. */
static ddr_array_status reshape(Array *array, const int64_t *x, int n, Part *part) {
  ddr_ndview packed;
  ddr_array_status status = ddr_ndview_reshape(&array->view, n, x, &part->view);
  if (status == DDR_ARRAY_ESHAPE) {
    status = packed_copy(&array->view, &packed);
    if (status == DDR_ARRAY_OK) {
      status = ddr_ndview_reshape(&packed, n, x, &part->view);
      ddr_ndview_release(&packed);
    }
  }
  if (status == DDR_ARRAY_OK) array_forget_axes(array);
  return status;
}

/* --- by option -------------------------------------------------------------------------------- */

static int n_arguments(OptionId option) {
  switch (option) {
  case OPT_FLIP: return 1;
  case OPT_SLICE: return 3;
  case OPT_PERMUTE:
  case OPT_RESHAPE: return 0; /* any number */
  default: return 2;
  }
}

static bool names_an_axis(OptionId option) {
  return option != OPT_PERMUTE && option != OPT_RESHAPE && option != OPT_REPEAT;
}

static ddr_status cast(Array *array, const char *name, ddr_reason *reason) {
  ddr_element type;
  if (read_type(OPT_AS, name, &type, reason) != DDR_OK) return DDR_ERROR;
  const ddr_array_status status = array_cast(array, type, 1);
  return status == DDR_ARRAY_OK ? DDR_OK : array_refuse(array, "--as", status, reason);
}

ddr_status array_part(Array *array, OptionId option, const char *argument, ddr_reason *reason) {
  const int n_wanted = n_arguments(option);
  const char separator = n_wanted == 0 ? ',' : ':';
  int64_t x[DDR_MAX_RANK];
  int n;
  Part part;
  ddr_array_status status = DDR_ARRAY_EDIM;
  if (option == OPT_AS) return cast(array, argument, reason);
  if (option == OPT_PLANE) return frame_open(array, argument, reason);
  if (read_ints(option, argument, separator, n_wanted, x, &n, reason) != DDR_OK) return DDR_ERROR;
  if (names_an_axis(option) && !has_axis(array, x[0]))
    return finish(array, option, argument, &part, status, reason);
  switch (option) {
  case OPT_FIX: status = fix(array, x, &part); break;
  case OPT_SLICE: status = slice(array, x, &part); break;
  case OPT_STEP: status = step(array, x, &part); break;
  case OPT_FLIP: status = flip(array, x, &part); break;
  case OPT_ROLL: status = roll(array, x, &part); break;
  case OPT_REPEAT: status = repeat(array, x, &part); break;
  case OPT_PERMUTE: status = permute(array, x, n, &part); break;
  case OPT_RESHAPE: status = reshape(array, x, n, &part); break;
  default: break; /* no part */
  }
  return finish(array, option, argument, &part, status, reason);
}

/* reduce_axes.c: reductions along several axes at once: these are merged into one last axis, by a
 * view if possible and else by a copy; and along an axis of an array whose axes are not in the
 * order of memory.
 */
#include "runtime/reduce/job.h"
#include "runtime/transform/transform.h"

typedef struct {
  int n_axes;
  const int *axes;
} Axes;

/* Orders the axes: first those that stay, then those that are reduced. */
static ddr_array_status order_axes(const Axes *axes, int rank, int *order) {
  bool is_reduced[DDR_MAX_RANK] = {false};
  int n = 0;
  if (axes->n_axes < 0 || axes->n_axes > rank) return DDR_ARRAY_ERANK;
  for (int k = 0; k < axes->n_axes; k++) {
    const int axis = axes->axes[k];
    if (axis < 0 || axis >= rank) return DDR_ARRAY_EDIM;
    if (is_reduced[axis]) return DDR_ARRAY_ERANK;
    is_reduced[axis] = true;
    order[rank - axes->n_axes + k] = axis;
  }
  for (int k = 0; k < rank; k++)
    if (!is_reduced[k]) order[n++] = k;
  return DDR_ARRAY_OK;
}

static ddr_array_status copy_packed(const ddr_ndview *view, ddr_ndview *copy) {
  ddr_ndview packed;
  DDR_TRY(
      ddr_ndview_new(view->type, view->layout.rank, view->layout.len, view->residency, &packed));
  const ddr_array_status status = ddr_transform_assign(view, &packed, 1);
  if (status == DDR_ARRAY_OK) *copy = packed;
  else ddr_ndview_release(&packed);
  return status;
}

/* Merges the axes after the first n_kept into one; if there are none, it has length 1. */
static ddr_array_status merge_last(const ddr_ndview *ordered, int n_kept, ddr_ndview *merged) {
  int64_t len[DDR_MAX_RANK + 1];
  ddr_ndview copy;
  const ddr_layout *layout = &ordered->layout;
  if (n_kept == DDR_MAX_RANK) return DDR_ARRAY_ERANK;
  for (int k = 0; k < n_kept; k++) len[k] = layout->len[k];
  len[n_kept] = 1;
  for (int k = n_kept; k < layout->rank; k++) len[n_kept] *= layout->len[k];
  ddr_array_status status = ddr_ndview_reshape(ordered, n_kept + 1, len, merged);
  if (status != DDR_ARRAY_ESHAPE) return status;
  DDR_TRY(copy_packed(ordered, &copy));
  status = ddr_ndview_reshape(&copy, n_kept + 1, len, merged);
  ddr_ndview_release(&copy);
  return status;
}

static ddr_array_status as_lines(const ddr_ndview *view, const Axes *axes, ddr_ndview *lines) {
  int order[DDR_MAX_RANK];
  ddr_ndview ordered;
  DDR_TRY(ddr_ndview_check(view));
  DDR_TRY(order_axes(axes, view->layout.rank, order));
  DDR_TRY(ddr_ndview_permute(view, order, &ordered));
  const ddr_array_status status = merge_last(&ordered, view->layout.rank - axes->n_axes, lines);
  ddr_ndview_release(&ordered);
  return status;
}

/* Of an array that has the shape of the first one: merged, others might have it, too. */
static ddr_array_status as_lines_like(const ddr_ndview *first, const ddr_ndview *view,
                                      const Axes *axes, ddr_ndview *lines) {
  DDR_TRY(ddr_ndview_check(view));
  if (!ddr_layout_same_shape(&view->layout, &first->layout)) return DDR_ARRAY_ESHAPE;
  return as_lines(view, axes, lines);
}

ddr_array_status ddr_reduce_axes(ddr_reduce_op op, const ddr_ndview *const *arrays, int n_axes,
                                 const int *axes, const ddr_reduce_options *options,
                                 ddr_ndview *result) {
  const Axes which = {n_axes, axes};
  const int n_arrays = ddr_reduce_about(op).n_arrays;
  ddr_ndview lines[3] = {{.data = NULL}}; /* the last one is that of the mask */
  const ddr_ndview *const all[2] = {&lines[0], &lines[1]};
  ddr_reduce_options its_options = options ? *options : (ddr_reduce_options){.mask = NULL};
  if (n_arrays == 0) return DDR_ARRAY_EOPERATION;
  DDR_NEED(arrays && result && (axes || n_axes == 0));
  ddr_array_status status = as_lines(arrays[0], &which, &lines[0]);
  for (int k = 1; k < n_arrays && status == DDR_ARRAY_OK; k++)
    status = as_lines_like(arrays[0], arrays[k], &which, &lines[k]);
  if (its_options.mask && status == DDR_ARRAY_OK) {
    status = as_lines_like(arrays[0], its_options.mask, &which, &lines[2]);
    its_options.mask = &lines[2];
  }
  if (status == DDR_ARRAY_OK)
    status = ddr_reduce_axis(op, all, lines[0].layout.rank - 1, &its_options, result);
  for (int k = 0; k < 3; k++) ddr_ndview_release(&lines[k]);
  return status;
}

/* --- axes in the order of memory -------------------------------------------------------------- */

enum { LEAST_ADJACENT = 16 }; /* lines */

/* From one index to the next; most if there is no next one, or it is the same element. */
static uint64_t distance(const ddr_layout *layout, int axis) {
  const int64_t stride = layout->stride[axis];
  if (layout->len[axis] < 2 || stride == 0) return UINT64_MAX;
  return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

/* Lines of the last axes of an order that are adjacent. */
static int64_t n_adjacent(const ddr_layout *layout, const int *order) {
  int64_t n = 1;
  for (int at = layout->rank - 1; at > 0 && distance(layout, order[at]) == (uint64_t)n; at--)
    n *= layout->len[order[at]];
  return n;
}

bool ddr_reduce_order_axes(const ddr_layout *layout, int axis, int *order) {
  int n = 1;
  bool is_other = false;
  order[0] = axis;
  for (int k = 0; k < layout->rank; k++) {
    if (k == axis) continue;
    int at = n++;
    for (; at > 1 && distance(layout, order[at - 1]) < distance(layout, k); at--) {
      order[at] = order[at - 1];
      is_other = true;
    }
    order[at] = k;
  }
  return is_other && n_adjacent(layout, order) >= LEAST_ADJACENT;
}

/* Puts the axes of a result back in order, packed. */
static ddr_array_status put_back(const ddr_ndview *ordered, const int *order, ddr_ndview *result) {
  int from[DDR_MAX_RANK];
  ddr_ndview turned;
  for (int k = 0; k < ordered->layout.rank; k++) {
    const int axis = order[k + 1];
    from[axis < order[0] ? axis : axis - 1] = k;
  }
  DDR_TRY(ddr_ndview_permute(ordered, from, &turned));
  const ddr_array_status status = copy_packed(&turned, result);
  ddr_ndview_release(&turned);
  return status;
}

ddr_array_status ddr_reduce_in_order(const ddr_reduce_job *job, const ddr_ndview *const *arrays,
                                     const int *order, ddr_ndview *result) {
  ddr_ndview ordered[3] = {{.data = NULL}}, found; /* the last one is the mask */
  const ddr_ndview *const lines[2] = {&ordered[0], &ordered[1]};
  ddr_reduce_options options = job->options;
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < job->n_arrays && status == DDR_ARRAY_OK; k++)
    status = ddr_ndview_permute(arrays[k], order, &ordered[k]);
  if (options.mask && status == DDR_ARRAY_OK) {
    status = ddr_ndview_permute(options.mask, order, &ordered[2]);
    options.mask = &ordered[2];
  }
  if (status == DDR_ARRAY_OK) status = ddr_reduce_axis(job->op, lines, 0, &options, &found);
  if (status == DDR_ARRAY_OK) {
    status = put_back(&found, order, result);
    ddr_ndview_release(&found);
  }
  for (int k = 0; k < 3; k++) ddr_ndview_release(&ordered[k]);
  return status;
}

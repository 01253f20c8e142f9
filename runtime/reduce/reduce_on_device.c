/* reduce_on_device.c: reductions on the device, whose passes support few element types.
 *
 * Results are computed from the roots on the host.  Read next: on_device.h.
 */
#include <stdlib.h>

#include "runtime/reduce/job.h"
#include "runtime/reduce/on_device.h"
#include "runtime/transform/transform.h"

/* --- types ------------------------------------------------------------------------------------ */

/* A type that holds all values of this type and gives the same result. */
static ddr_element type_there(ddr_term term, ddr_element type) {
  const bool is_truth = term == DDR_TERM_ALL || term == DDR_TERM_ANY;
  switch (ddr_element_kind_of(type)) {
  case DDR_KIND_BOOL: return is_truth ? type : DDR_ELEMENT_INT64;
  case DDR_KIND_INT: return type == DDR_ELEMENT_INT32 ? type : DDR_ELEMENT_INT64;
  case DDR_KIND_UINT: return DDR_ELEMENT_UINT64;
  case DDR_KIND_REAL:
  case DDR_KIND_COMPLEX: break;
  }
  return type;
}

/* Replaces an array of another type by a converted one. */
static ddr_array_status cast_to(ddr_element type, ddr_ndview *view) {
  ddr_ndview cast;
  if (view->type == type) return DDR_ARRAY_OK;
  const ddr_array_status status = ddr_transform_make_cast(view, type, 1, &cast);
  if (status != DDR_ARRAY_OK) return status;
  ddr_ndview_release(view);
  *view = cast;
  return DDR_ARRAY_OK;
}

/* --- passes ----------------------------------------------------------------------------------- */

ddr_array_status ddr_reduce_term_there(const ddr_reduce_job *job, ddr_term term, const double *a,
                                       ddr_partial *roots) {
  ddr_array_device *device = ddr_array_device_in_use();
  ddr_device_lines lines = {.term = term, .n_arrays = job->n_arrays, .axis = job->axis};
  ddr_array_status status = DDR_ARRAY_OK;
  lines.is_compensated = job->options.is_compensated;
  lines.first_line = job->axis < 0 ? 0 : job->first_line;
  lines.n_lines = ddr_reduce_n_lines(job);
  for (int k = 0; k < job->n_arrays && status == DDR_ARRAY_OK; k++) {
    lines.arrays[k] = ddr_ndview_retain(&job->arrays[k]);
    status = cast_to(job->type, &lines.arrays[k]);
    if (status == DDR_ARRAY_OK) status = cast_to(type_there(term, job->type), &lines.arrays[k]);
  }
  if (status == DDR_ARRAY_OK) status = device->reductions->pass(device, &lines, a, roots);
  for (int k = 0; k < job->n_arrays; k++) ddr_ndview_release(&lines.arrays[k]);
  return status;
}

/* --- masks ------------------------------------------------------------------------------------ */

/* The array itself if it is packed, of the type, and in the device's memory; else such a copy. */
static ddr_array_status packed_as(ddr_element type, const ddr_ndview *view, ddr_ndview *packed) {
  const ddr_operand operand = ddr_operand_view(view);
  if (view->type == type && ddr_layout_is_canonical(&view->layout)) {
    *packed = ddr_ndview_retain(view);
    return DDR_ARRAY_OK;
  }
  ddr_array_status status =
      ddr_ndview_new(type, view->layout.rank, view->layout.len, DDR_CUDA, packed);
  if (status == DDR_ARRAY_OK)
    status = ddr_transform_apply(DDR_TRANSFORM_CAST, 1, &operand, packed, 1);
  return status;
}

static const char *first_of(const ddr_ndview *view) {
  const int64_t size = (int64_t)ddr_element_size(view->type);
  return (const char *)view->data + view->layout.offset * size;
}

static ddr_array_status select_from(ddr_element type, const ddr_ndview *view,
                                    const ddr_ndview *mask, ddr_ndview *selected) {
  ddr_array_device *device = ddr_array_device_in_use();
  ddr_ndview packed = {.data = NULL}, packed_mask = {.data = NULL};
  const int64_t n = ddr_ndview_size(view);
  ddr_array_status status = packed_as(type, view, &packed);
  if (status == DDR_ARRAY_OK) status = packed_as(DDR_ELEMENT_BOOL, mask, &packed_mask);
  if (status == DDR_ARRAY_OK) status = ddr_ndview_new(type, 1, &n, DDR_CUDA, selected);
  if (status == DDR_ARRAY_OK && n > 0)
    status = device->reductions->select(device, ddr_element_size(type), first_of(&packed),
                                        (const bool *)first_of(&packed_mask), n, selected->data,
                                        &selected->layout.len[0]);
  ddr_ndview_release(&packed);
  ddr_ndview_release(&packed_mask);
  return status;
}

ddr_array_status ddr_reduce_selected_there(const ddr_reduce_job *job, ddr_number *result) {
  ddr_ndview selected[2] = {{.data = NULL}, {.data = NULL}};
  ddr_reduce_job inner = *job;
  ddr_array_status status = DDR_ARRAY_OK;
  inner.options.mask = NULL;
  for (int k = 0; k < job->n_arrays && status == DDR_ARRAY_OK; k++)
    status = select_from(job->type, &job->arrays[k], job->options.mask, &selected[k]);
  for (int k = 0; k < 2; k++) inner.arrays[k] = selected[k < job->n_arrays ? k : 0];
  if (status == DDR_ARRAY_OK) status = ddr_reduce_all_of(&inner, result);
  for (int k = 0; k < 2; k++) ddr_ndview_release(&selected[k]);
  return status;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Line i of all lines along the axis, in order of position; borrows. */
static ddr_ndview line_of(const ddr_ndview *view, int axis, int64_t i) {
  ddr_layout starts = view->layout;
  ddr_ndview line = *view;
  starts.len[axis] = 1;
  line.layout = (ddr_layout){.rank = 1, .offset = ddr_layout_at_position(&starts, i)};
  line.layout.len[0] = view->layout.len[axis];
  line.layout.stride[0] = view->layout.stride[axis];
  return line;
}

static ddr_array_status reduce_selected_lines(const ddr_reduce_job *job, ddr_number *numbers) {
  ddr_array_status status = DDR_ARRAY_OK;
  for (int64_t i = 0; i < job->n_lines && status == DDR_ARRAY_OK; i++) {
    ddr_reduce_job inner = *job;
    const int64_t number = job->first_line + i;
    const ddr_ndview mask = line_of(job->options.mask, job->axis, number);
    inner.options.mask = &mask;
    inner.axis = -1;
    for (int k = 0; k < job->n_arrays; k++)
      inner.arrays[k] = line_of(&job->arrays[k], job->axis, number);
    status = ddr_reduce_selected_there(&inner, &numbers[i]);
  }
  return status;
}

/* The number of lines for which there is memory: their blocks take the most. */
static int64_t lines_at_once(const ddr_reduce_job *job) {
#if defined(DDR_SMALL_SIZES)
  const int64_t most = 7;
#else
  const int64_t most = 1 << 21;
#endif
  const int64_t n_blocks = ddr_reduce_line_len(job) / DDR_TREE_BLOCK + 1;
  return n_blocks < most ? most / n_blocks : 1;
}

/* Stores some of the results from host memory in the result array. */
static ddr_array_status store(const ddr_reduce_job *job, const ddr_number *numbers, char *packed,
                              const ddr_ndview *result) {
  const size_t size = ddr_element_size(result->type);
  ddr_ndview from = {.type = result->type, .data = packed}, to = *result;
  const ddr_operand operand = ddr_operand_view(&from);
  for (int64_t i = 0; i < job->n_lines; i++) {
    ddr_number_store(numbers[i], packed + (size_t)i * size);
  }
  to.layout = (ddr_layout){.rank = 1, .offset = job->first_line};
  to.layout.len[0] = job->n_lines;
  to.layout.stride[0] = 1;
  from.layout = to.layout;
  from.layout.offset = 0;
  return ddr_transform_apply(DDR_TRANSFORM_ASSIGN, 1, &operand, &to, 1);
}

ddr_array_status ddr_reduce_axis_there(const ddr_reduce_job *job, ddr_ndview *result) {
  const int64_t n_lines = ddr_layout_size(&result->layout), at_once = lines_at_once(job);
  const size_t n_most = (size_t)(n_lines < at_once ? n_lines : at_once);
  ddr_number *numbers = malloc(n_most * (sizeof *numbers + sizeof(ddr_complex_double)) + 1);
  ddr_array_status status = numbers ? DDR_ARRAY_OK : DDR_ARRAY_ENOMEM;
  for (int64_t first = 0; first < n_lines && status == DDR_ARRAY_OK; first += at_once) {
    ddr_reduce_job some = *job;
    some.first_line = first;
    some.n_lines = n_lines - first < at_once ? n_lines - first : at_once;
    status = job->options.mask ? reduce_selected_lines(&some, numbers)
                               : ddr_reduce_all_of(&some, numbers);
    if (status == DDR_ARRAY_OK) status = store(&some, numbers, (char *)(numbers + n_most), result);
  }
  free(numbers);
  return status;
}

/* make.c: transforms into new arrays, on the side that computes them. */
#include "runtime/transform/operands.h"

/* The first array among the operands; all others must have its shape. */
static const ddr_ndview *first_array(int n_operands, const ddr_operand *operands) {
  for (int k = 0; k < n_operands; k++) {
    if (operands[k].view) return operands[k].view;
  }
  return NULL;
}

static bool has_same_strides(const ddr_layout *a, const ddr_layout *b) {
  for (int k = 0; k < a->rank; k++) {
    if (a->len[k] > 1 && a->stride[k] != b->stride[k]) return false;
  }
  return true;
}

/* The result has the layout of the operands if they all have the same contiguous layout: then a
 * flat loop suffices. */
static ddr_array_status new_result(int n_operands, const ddr_operand *operands,
                                   const ddr_layout *like, ddr_element type, ddr_ndview *result) {
  bool is_as_operands = ddr_layout_is_contiguous(like);
  ddr_arrays arrays = {.n = 0};
  for (int k = 0; k < n_operands; k++) {
    const ddr_ndview *view = operands[k].view;
    if (!view) continue;
    if (!ddr_layout_same_shape(&view->layout, like)) return DDR_ARRAY_ESHAPE;
    ddr_arrays_add(&arrays, view);
    is_as_operands &= has_same_strides(&view->layout, like);
  }
  int64_t least, greatest;
  if (ddr_side_of(&arrays) == DDR_SIDE_NONE) return DDR_ARRAY_ERESIDENCY;
  const ddr_array_status status =
      ddr_ndview_new(type, like->rank, like->len, ddr_side_residency(&arrays), result);
  if (status != DDR_ARRAY_OK || !is_as_operands || !ddr_layout_span(like, &least, &greatest)) {
    return status;
  }
  result->layout = *like;
  result->layout.offset -= least;
  return DDR_ARRAY_OK;
}

static ddr_array_status make(ddr_transform transform, int n_operands, const ddr_operand *operands,
                             ddr_element type, int n_threads, ddr_ndview *result) {
  const ddr_ndview *first = first_array(n_operands, operands);
  ddr_ndview made;
  if (!first) return DDR_ARRAY_ESHAPE;
  if (!first->data) { /* an array without elements, of that shape */
    made = (ddr_ndview){.type = type, .layout = first->layout};
    DDR_TRY(ddr_transform_apply(transform, n_operands, operands, &made, n_threads));
    *result = made;
    return DDR_ARRAY_OK;
  }
  ddr_array_status status = new_result(n_operands, operands, &first->layout, type, &made);
  if (status != DDR_ARRAY_OK) return status;
  status = ddr_transform_apply(transform, n_operands, operands, &made, n_threads);
  if (status != DDR_ARRAY_OK) {
    ddr_ndview_release(&made);
    return status;
  }
  *result = made;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_transform_make(ddr_transform transform, int n_operands,
                                    const ddr_operand *operands, int n_threads,
                                    ddr_ndview *result) {
  ddr_element type;
  DDR_NEED(result);
  const ddr_array_status status = ddr_transform_type(transform, n_operands, operands, &type);
  if (status != DDR_ARRAY_OK) return status;
  return make(transform, n_operands, operands, type, n_threads, result);
}

ddr_array_status ddr_transform_make_cast(const ddr_ndview *x, ddr_element type, int n_threads,
                                         ddr_ndview *result) {
  const ddr_operand operand = ddr_operand_view(x);
  DDR_NEED(result);
  DDR_TRY(ddr_ndview_check(x));
  return make(DDR_TRANSFORM_CAST, 1, &operand, type, n_threads, result);
}

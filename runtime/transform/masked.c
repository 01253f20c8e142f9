/* masked.c: assignment where a mask is true. */
#include "runtime/element/source.h"
#include "runtime/transform/on_device.h"
#include "runtime/transform/operands.h"

/* The array, or a copy if it shares memory with the output: then it is read completely before the
 * first write. */
static ddr_array_status undisturbed(const ddr_ndview *view, const ddr_ndview *out,
                                    ddr_ndview *result) {
  const ddr_operand operand = ddr_operand_view(view);
  if (ddr_has_common_memory(view, out)) {
    return ddr_transform_make(DDR_TRANSFORM_ASSIGN, 1, &operand, 1, result);
  }
  *result = ddr_ndview_retain(view);
  return DDR_ARRAY_OK;
}

static void assign(const ddr_ndview *x, const ddr_source *mask, const ddr_source *from) {
  const size_t size = ddr_element_size(x->type);
  const ddr_range range = ddr_ndview_range(x);
  ddr_block_buffer x_buffer, mask_buffer, from_buffer;
  for (int64_t p = 0; p < range.n; p += DDR_SOURCE_BLOCK) {
    const int64_t rest = range.n - p, n = rest < DDR_SOURCE_BLOCK ? rest : DDR_SOURCE_BLOCK;
    const bool *is_chosen = ddr_source_block(mask, p, n, &mask_buffer);
    const void *values = ddr_source_block(from, p, n, &from_buffer);
    ddr_range_gather(&range, size, p, n, &x_buffer);
    ddr_merge(size, values, is_chosen, n, &x_buffer);
    ddr_range_scatter(&range, size, p, n, &x_buffer);
  }
}

/* Nothing has been read yet, but the values are known to have the type and shape of x. */
static ddr_array_status check(const ddr_ndview *x, const ddr_ndview *mask, const ddr_ndview *y,
                              ddr_side *side) {
  ddr_arrays arrays = {.n = 0};
  DDR_TRY(ddr_ndview_check(x));
  DDR_TRY(ddr_ndview_check(mask));
  if (y) DDR_TRY(ddr_ndview_check(y));
  if (mask->type != DDR_ELEMENT_BOOL) return DDR_ARRAY_ETYPE;
  if (y && y->type != x->type) return DDR_ARRAY_ETYPE;
  if (!ddr_ndview_same_shape(x, mask)) return DDR_ARRAY_ESHAPE;
  if (y && !ddr_ndview_same_shape(x, y)) return DDR_ARRAY_ESHAPE;
  ddr_arrays_add(&arrays, x);
  ddr_arrays_add(&arrays, mask);
  ddr_arrays_add(&arrays, y);
  *side = ddr_side_of(&arrays);
  if (*side == DDR_SIDE_NONE) return DDR_ARRAY_ERESIDENCY;
  ddr_side_touch(*side, &arrays);
  return ddr_check_output(x);
}

static ddr_array_status merge_there(const ddr_ndview *x, const ddr_ndview *mask,
                                    const ddr_operand *from) {
  ddr_array_device *device = ddr_array_device_in_use();
  if (ddr_ndview_is_empty(x)) return DDR_ARRAY_OK;
  return device->transforms->merge(device, x, mask, from);
}

static ddr_source source_of(const ddr_operand *from, ddr_complex_double *element, int64_t n) {
  const ddr_ndview *y = from->view;
  if (y) return ddr_source_of(y, y->type);
  ddr_number_store(from->number, element);
  return ddr_source_of_one(element, from->number.type, n);
}

static ddr_array_status assign_masked(ddr_side side, const ddr_ndview *x, const ddr_ndview *mask,
                                      const ddr_operand *from) {
  ddr_ndview its_mask;
  ddr_complex_double element; /* memory for one element of any type */
  ddr_array_status status = undisturbed(mask, x, &its_mask);
  if (status != DDR_ARRAY_OK) return status;
  if (side == DDR_SIDE_DEVICE) {
    status = merge_there(x, &its_mask, from);
  } else {
    const ddr_source chosen = ddr_source_of(&its_mask, its_mask.type);
    const ddr_source source = source_of(from, &element, ddr_ndview_size(x));
    assign(x, &chosen, &source);
  }
  ddr_ndview_release(&its_mask);
  return status;
}

ddr_array_status ddr_masked_assign_number(const ddr_ndview *x, const ddr_ndview *mask,
                                          ddr_number number) {
  ddr_number cast;
  ddr_side side;
  ddr_array_status status = check(x, mask, NULL, &side);
  if (status == DDR_ARRAY_OK) status = ddr_number_cast(number, x->type, &cast);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_operand from = ddr_operand_number(cast);
  return assign_masked(side, x, mask, &from);
}

ddr_array_status ddr_masked_assign(const ddr_ndview *x, const ddr_ndview *mask,
                                   const ddr_ndview *y) {
  ddr_ndview its_y;
  ddr_side side;
  DDR_NEED(y);
  ddr_array_status status = check(x, mask, y, &side);
  if (status == DDR_ARRAY_OK) status = undisturbed(y, x, &its_y);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_operand from = ddr_operand_view(&its_y);
  status = assign_masked(side, x, mask, &from);
  ddr_ndview_release(&its_y);
  return status;
}

/* masked.c: assignment where a mask is true. */
#include "runtime/transform/operands.h"
#include "runtime/transform/source.h"

/* The array, or a copy where the output has memory in common with it: it is read completely before
 * the first write. */
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
  const ddr_source to = ddr_source_of(range, x->type, x->type);
  ddr_block_buffer x_buffer, mask_buffer, from_buffer;
  for (int64_t p = 0; p < range.n; p += DDR_SOURCE_BLOCK) {
    const int64_t rest = range.n - p, n = rest < DDR_SOURCE_BLOCK ? rest : DDR_SOURCE_BLOCK;
    const bool *is_chosen = ddr_source_block(mask, p, n, &mask_buffer);
    const void *values = ddr_source_block(from, p, n, &from_buffer);
    ddr_range_gather(&range, size, p, n, &x_buffer);
    ddr_merge(size, values, is_chosen, n, &x_buffer);
    ddr_range_scatter(&to.range, size, p, n, &x_buffer);
  }
}

static ddr_array_status check(const ddr_ndview *x, const ddr_ndview *mask) {
  if (mask->type != DDR_ELEMENT_BOOL) return DDR_ARRAY_ETYPE;
  if (!ddr_layout_same_shape(&x->layout, &mask->layout)) return DDR_ARRAY_ESHAPE;
  if (ddr_check_host(x) != DDR_ARRAY_OK) return DDR_ARRAY_ERESIDENCY;
  if (ddr_check_host(mask) != DDR_ARRAY_OK) return DDR_ARRAY_ERESIDENCY;
  return ddr_check_output(x);
}

static ddr_array_status assign_masked(const ddr_ndview *x, const ddr_ndview *mask,
                                      const ddr_source *from) {
  ddr_ndview its_mask;
  const ddr_array_status status = undisturbed(mask, x, &its_mask);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_source source =
      ddr_source_of(ddr_ndview_range(&its_mask), its_mask.type, its_mask.type);
  assign(x, &source, from);
  ddr_ndview_release(&its_mask);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_masked_assign_number(const ddr_ndview *x, const ddr_ndview *mask,
                                          ddr_number number) {
  ddr_complex_double element; /* memory for any element */
  ddr_number cast;
  ddr_array_status status = check(x, mask);
  if (status == DDR_ARRAY_OK) status = ddr_number_cast(number, x->type, &cast);
  if (status != DDR_ARRAY_OK) return status;
  ddr_number_store(cast, &element);
  const ddr_source from = ddr_source_of_one(&element, x->type, ddr_ndview_size(x));
  return assign_masked(x, mask, &from);
}

ddr_array_status ddr_masked_assign(const ddr_ndview *x, const ddr_ndview *mask,
                                   const ddr_ndview *y) {
  ddr_ndview its_y;
  ddr_array_status status = check(x, mask);
  if (status != DDR_ARRAY_OK) return status;
  if (y->type != x->type) return DDR_ARRAY_ETYPE;
  if (!ddr_layout_same_shape(&x->layout, &y->layout)) return DDR_ARRAY_ESHAPE;
  if (ddr_check_host(y) != DDR_ARRAY_OK) return DDR_ARRAY_ERESIDENCY;
  status = undisturbed(y, x, &its_y);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_source from = ddr_source_of(ddr_ndview_range(&its_y), y->type, y->type);
  status = assign_masked(x, mask, &from);
  ddr_ndview_release(&its_y);
  return status;
}

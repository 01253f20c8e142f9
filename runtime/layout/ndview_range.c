/* ndview_range.c: the elements of a view one after another, as few and as long runs as there are.
 */
#include "runtime/layout/ndview.h"

/* `n` elements one behind the other, the first at `offset` of the view. */
static ddr_range flat_range(const ddr_ndview *view, int64_t offset, int64_t n) {
  if (!view) return (ddr_range){.is_flat = true, .layout = {.rank = 1, .stride = {1}}};
  ddr_range range = {.data = view->data, .n = n, .is_flat = true};
  if (n > 0) range.data = (char *)view->data + offset * (int64_t)ddr_element_size(view->type);
  range.layout = (ddr_layout){.rank = 1, .len = {n}, .stride = {1}};
  return range;
}

static ddr_range canonical_range(const ddr_ndview *view) {
  return flat_range(view, view ? view->layout.offset : 0, ddr_ndview_size(view));
}

static ddr_range contiguous_range(const ddr_ndview *view) {
  int64_t least = 0, greatest = 0;
  ddr_layout_span(&view->layout, &least, &greatest);
  return flat_range(view, least, ddr_ndview_size(view));
}

ddr_array_status ddr_ndview_contiguous_range(const ddr_ndview *view, ddr_range *range) {
  DDR_NEED(range);
  DDR_TRY(ddr_ndview_check(view));
  if (!ddr_layout_is_contiguous(&view->layout)) return DDR_ARRAY_ERANGE;
  *range = contiguous_range(view);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_ndview_canonical_range(const ddr_ndview *view, ddr_range *range) {
  DDR_NEED(range);
  DDR_TRY(ddr_ndview_check(view));
  if (!ddr_layout_is_canonical(&view->layout)) return DDR_ARRAY_ERANGE;
  *range = canonical_range(view);
  return DDR_ARRAY_OK;
}

ddr_range ddr_ndview_range(const ddr_ndview *view) {
  if (!view || ddr_ndview_is_empty(view) || ddr_layout_is_canonical(&view->layout))
    return canonical_range(view);
  ddr_range range = flat_range(view, view->layout.offset, ddr_ndview_size(view));
  range.is_flat = false;
  range.layout = ddr_layout_collapse(&view->layout);
  range.layout.offset = 0;
  return range;
}

ddr_range ddr_ndview_unordered_range(const ddr_ndview *view) {
  if (view && ddr_layout_is_contiguous(&view->layout)) return contiguous_range(view);
  return ddr_ndview_range(view);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* The next row in order: *offset is that of its first element. */
static void next_row(const ddr_layout *layout, int64_t *idx, int64_t *offset) {
  for (int k = layout->rank - 2; k >= 0; k--) {
    if (++idx[k] < layout->len[k]) {
      *offset += layout->stride[k];
      return;
    }
    *offset -= layout->stride[k] * (layout->len[k] - 1);
    idx[k] = 0;
  }
}

void ddr_range_rows(const ddr_range *range, size_t element_size, ddr_row_function *row,
                    void *context) {
  if (!range || !row || range->n == 0) return;
  const ddr_layout *const layout = &range->layout;
  const int last = layout->rank - 1;
  const int64_t len = layout->len[last], stride = layout->stride[last];
  int64_t idx[DDR_MAX_RANK] = {0}, offset = layout->offset;
  for (int64_t n = range->n / len; n > 0; n--) {
    row(context, (char *)range->data + offset * (int64_t)element_size, stride, len);
    next_row(layout, idx, &offset);
  }
}

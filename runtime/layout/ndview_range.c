/* ndview_range.c: the elements of a view one after another, in as few runs as possible. */
#include "runtime/layout/ndview.h"

/* `n` adjacent elements, the first at `offset` of the view.  Only one axis of the layout is set:
 * setting the whole struct takes as long as a call for few elements. */
static void set_flat(const ddr_ndview *view, int64_t offset, int64_t n, ddr_range *range) {
  range->data = view ? view->data : NULL;
  range->n = n;
  range->is_flat = true;
  range->layout.rank = 1;
  range->layout.offset = 0;
  range->layout.len[0] = n;
  range->layout.stride[0] = 1;
  if (view && n > 0)
    range->data = (char *)view->data + offset * (int64_t)ddr_element_size(view->type);
}

static void set_canonical(const ddr_ndview *view, ddr_range *range) {
  set_flat(view, view ? view->layout.offset : 0, ddr_ndview_size(view), range);
}

static void set_contiguous(const ddr_ndview *view, ddr_range *range) {
  int64_t least = 0, greatest = 0;
  ddr_layout_span(&view->layout, &least, &greatest);
  set_flat(view, least, ddr_ndview_size(view), range);
}

ddr_array_status ddr_ndview_contiguous_range(const ddr_ndview *view, ddr_range *range) {
  DDR_NEED(range);
  DDR_TRY(ddr_ndview_check(view));
  if (!ddr_layout_is_contiguous(&view->layout)) return DDR_ARRAY_ERANGE;
  set_contiguous(view, range);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_ndview_canonical_range(const ddr_ndview *view, ddr_range *range) {
  DDR_NEED(range);
  DDR_TRY(ddr_ndview_check(view));
  if (!ddr_layout_is_canonical(&view->layout)) return DDR_ARRAY_ERANGE;
  set_canonical(view, range);
  return DDR_ARRAY_OK;
}

void ddr_ndview_set_range(const ddr_ndview *view, bool any_order, ddr_range *range) {
  if (any_order && view && ddr_layout_is_contiguous(&view->layout)) {
    set_contiguous(view, range);
    return;
  }
  set_canonical(view, range);
  if (!view || ddr_ndview_is_empty(view) || ddr_layout_is_canonical(&view->layout)) return;
  range->is_flat = false;
  range->layout = ddr_layout_collapse(&view->layout);
  range->layout.offset = 0;
}

ddr_range ddr_ndview_range(const ddr_ndview *view) {
  ddr_range range;
  ddr_ndview_set_range(view, false, &range);
  return range;
}

ddr_range ddr_ndview_unordered_range(const ddr_ndview *view) {
  ddr_range range;
  ddr_ndview_set_range(view, true, &range);
  return range;
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

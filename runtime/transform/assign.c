/* assign.c: see assign.h. */
#include "runtime/transform/assign.h"

/* --- rows ------------------------------------------------------------------------------------- */

typedef struct {
  int64_t len, n_rows;          /* elements of a row; rows */
  int64_t to_pitch, from_pitch; /* elements */
} Rows;

/* Describes both layouts as rows of adjacent elements, as few as possible; false if that is not
 * possible. */
static bool as_rows(const ddr_layout *to, const ddr_layout *from, Rows *rows) {
  bool is_whole = true; /* so far everything is one row */
  *rows = (Rows){.len = 1, .n_rows = 1};
  for (int k = to->rank - 1; k >= 0; k--) {
    const int64_t len = to->len[k], to_stride = to->stride[k], from_stride = from->stride[k];
    if (len == 1) continue;
    if (is_whole && to_stride == rows->len && from_stride == rows->len) {
      rows->len *= len;
      continue;
    }
    if (is_whole) {
      rows->to_pitch = to_stride;
      rows->from_pitch = from_stride;
      if (to_stride < rows->len || from_stride < rows->len) return false;
    } else if (to_stride != rows->to_pitch * rows->n_rows ||
               from_stride != rows->from_pitch * rows->n_rows) {
      return false;
    }
    is_whole = false;
    rows->n_rows *= len;
  }
  if (is_whole) rows->to_pitch = rows->from_pitch = rows->len;
  return is_whole || rows->len > 1;
}

static char *first_of(const ddr_ndview *view) {
  return (char *)view->data + view->layout.offset * (int64_t)ddr_element_size(view->type);
}

static ddr_array_status copy_rows(const ddr_ndview *from, const ddr_ndview *to, const Rows *rows) {
  const size_t size = ddr_element_size(to->type);
  ddr_array_device *device = ddr_array_device_in_use();
  return device->copy_rows(device, first_of(to), (size_t)rows->to_pitch * size, first_of(from),
                           (size_t)rows->from_pitch * size, (size_t)rows->len * size,
                           (size_t)rows->n_rows);
}

/* --- packed copies ---------------------------------------------------------------------------- */

static ddr_array_status assign(const ddr_ndview *from, const ddr_ndview *to, int n_threads) {
  const ddr_operand operand = ddr_operand_view(from);
  return ddr_transform_apply(DDR_TRANSFORM_ASSIGN, 1, &operand, to, n_threads);
}

/* The array itself if it is packed, else memory on the same side for a packed copy. */
static ddr_array_status packed_for(const ddr_ndview *view, ddr_ndview *packed) {
  if (!ddr_layout_is_canonical(&view->layout))
    return ddr_ndview_new(view->type, view->layout.rank, view->layout.len, view->residency, packed);
  *packed = ddr_ndview_retain(view);
  return DDR_ARRAY_OK;
}

static ddr_array_status assign_packed(const ddr_ndview *from, const ddr_ndview *to, int n_threads) {
  const int64_t n = ddr_ndview_size(to);
  const Rows all = {.len = n, .n_rows = 1, .to_pitch = n, .from_pitch = n};
  ddr_ndview packed_from = {.data = NULL}, packed_to = {.data = NULL};
  ddr_array_status status = packed_for(from, &packed_from);
  if (status == DDR_ARRAY_OK) status = packed_for(to, &packed_to);
  if (status == DDR_ARRAY_OK && packed_from.data != from->data)
    status = assign(from, &packed_from, n_threads);
  if (status == DDR_ARRAY_OK) status = copy_rows(&packed_from, &packed_to, &all);
  if (status == DDR_ARRAY_OK && packed_to.data != to->data)
    status = assign(&packed_to, to, n_threads);
  ddr_ndview_release(&packed_from);
  ddr_ndview_release(&packed_to);
  return status;
}

ddr_array_status ddr_assign_across(const ddr_ndview *from, const ddr_ndview *to, int n_threads) {
  Rows rows;
  if (!ddr_array_device_in_use()) return DDR_ARRAY_ERESIDENCY;
  if (ddr_ndview_is_empty(to)) return DDR_ARRAY_OK;
  if (as_rows(&to->layout, &from->layout, &rows)) return copy_rows(from, to, &rows);
  return assign_packed(from, to, n_threads);
}

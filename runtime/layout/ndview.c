/* ndview.c: views are made, shared and cut.
 *
 * Read next: ndview_range.c (their elements one after another).
 */
#include "runtime/layout/ndview.h"

enum { DATA_ALIGN = 64 }; /* a cache line, and the widest vector */

/* --- life ------------------------------------------------------------------------------------- */

/* Every element is as many bytes from the data as 64 bits hold. */
static bool bytes_fit(const ddr_layout *layout, size_t element_size) {
  int64_t least, greatest;
  const int64_t most = PTRDIFF_MAX / (int64_t)element_size;
  return !ddr_layout_span(layout, &least, &greatest) || (least >= -most && greatest <= most);
}

ddr_array_status ddr_ndview_wrap(ddr_element type, void *data, const ddr_layout *layout,
                                 ddr_residency residency, ddr_cleanup *cleanup, ddr_ndview *view) {
  const ddr_array_status status = ddr_layout_check(layout);
  if (status != DDR_ARRAY_OK) return status;
  if (!bytes_fit(layout, ddr_element_size(type))) return DDR_ARRAY_EOVERFLOW;
  *view = (ddr_ndview){type, data, *layout, residency, cleanup};
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_ndview_new(ddr_element type, int rank, const int64_t *len,
                                ddr_residency residency, ddr_ndview *view) {
  ddr_layout layout;
  ddr_storage storage;
  ddr_array_status status = ddr_layout_packed(rank, len, &layout);
  if (status != DDR_ARRAY_OK) return status;
  const size_t element_size = ddr_element_size(type), size = (size_t)ddr_layout_size(&layout);
  if (size > PTRDIFF_MAX / element_size) return DDR_ARRAY_EOVERFLOW;
  status = ddr_storage_alloc(size * element_size, DATA_ALIGN, residency, &storage);
  if (status != DDR_ARRAY_OK) return status;
  *view = (ddr_ndview){type, storage.data, layout, residency, storage.cleanup};
  return DDR_ARRAY_OK;
}

/* Strides of the axes before the rows grow with the pitch. */
static void pitch_strides(ddr_layout *layout, int n_row_axes, int64_t pitch) {
  for (int k = layout->rank - n_row_axes - 1; k >= 0; k--) {
    layout->stride[k] = pitch;
    pitch *= layout->len[k];
  }
}

ddr_array_status ddr_ndview_new_rows(ddr_element type, int rank, const int64_t *len, int n_row_axes,
                                     ddr_residency residency, ddr_ndview *view) {
  ddr_layout layout;
  ddr_storage storage;
  size_t row = 1, n_rows = 1, pitch;
  ddr_array_status status = ddr_layout_packed(rank, len, &layout);
  if (status != DDR_ARRAY_OK) return status;
  if (n_row_axes < 1 || n_row_axes > rank) return DDR_ARRAY_EDIM;
  for (int k = 0; k < rank; k++) *(k < rank - n_row_axes ? &n_rows : &row) *= (size_t)len[k];
  const size_t element_size = ddr_element_size(type);
  if (row > PTRDIFF_MAX / element_size) return DDR_ARRAY_EOVERFLOW;
  status =
      ddr_storage_alloc_rows(row * element_size, n_rows, element_size, residency, &storage, &pitch);
  if (status != DDR_ARRAY_OK) return status;
  pitch_strides(&layout, n_row_axes, (int64_t)(pitch / element_size));
  *view = (ddr_ndview){type, storage.data, layout, residency, storage.cleanup};
  return DDR_ARRAY_OK;
}

ddr_ndview ddr_ndview_retain(const ddr_ndview *view) {
  ddr_cleanup_retain(view->cleanup);
  return *view;
}

void ddr_ndview_release(ddr_ndview *view) {
  ddr_cleanup *const cleanup = view->cleanup;
  *view = (ddr_ndview){.data = NULL};
  ddr_cleanup_release(cleanup);
}

ddr_cleanup *ddr_ndview_cleanup(const ddr_ndview *view) { return view->cleanup; }

/* --- elements --------------------------------------------------------------------------------- */

int64_t ddr_ndview_size(const ddr_ndview *view) {
  return view->data ? ddr_layout_size(&view->layout) : 0;
}

bool ddr_ndview_is_empty(const ddr_ndview *view) {
  return !view->data || ddr_layout_is_empty(&view->layout);
}

ddr_array_status ddr_ndview_at(const ddr_ndview *view, int n, const int64_t *idx, void **element) {
  if (n != view->layout.rank) return DDR_ARRAY_ERANK;
  for (int k = 0; k < n; k++)
    if (idx[k] < 0 || idx[k] >= view->layout.len[k]) return DDR_ARRAY_EINDEX;
  if (!view->data) return DDR_ARRAY_EINDEX;
  if (view->residency == DDR_CUDA) return DDR_ARRAY_ERESIDENCY;
  const int64_t offset = ddr_layout_at(&view->layout, idx);
  *element = (char *)view->data + offset * (int64_t)ddr_element_size(view->type);
  return DDR_ARRAY_OK;
}

/* --- sub-views -------------------------------------------------------------------------------- */

/* The part with its layout, if that could be had. */
static ddr_array_status share(const ddr_ndview *view, ddr_array_status status,
                              const ddr_layout *layout, ddr_ndview *part) {
  if (status != DDR_ARRAY_OK) return status;
  *part = ddr_ndview_retain(view);
  part->layout = *layout;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_ndview_fix(const ddr_ndview *view, int axis, int64_t where, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_fix(&view->layout, axis, where, &layout), &layout, part);
}

ddr_array_status ddr_ndview_slice(const ddr_ndview *view, int axis, int64_t begin, int64_t end,
                                  ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_slice(&view->layout, axis, begin, end, &layout), &layout, part);
}

ddr_array_status ddr_ndview_permute(const ddr_ndview *view, const int *order, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_permute(&view->layout, order, &layout), &layout, part);
}

ddr_array_status ddr_ndview_flip(const ddr_ndview *view, int axis, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_flip(&view->layout, axis, &layout), &layout, part);
}

ddr_array_status ddr_ndview_step(const ddr_ndview *view, int axis, int64_t step, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_step(&view->layout, axis, step, &layout), &layout, part);
}

ddr_array_status ddr_ndview_repeat(const ddr_ndview *view, int axis, int64_t n, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_repeat(&view->layout, axis, n, &layout), &layout, part);
}

ddr_array_status ddr_ndview_reshape(const ddr_ndview *view, int rank, const int64_t *len,
                                    ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_reshape(&view->layout, rank, len, &layout), &layout, part);
}

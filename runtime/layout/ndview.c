/* ndview.c: views are made, shared and cut.
 *
 * Read next: ndview_range.c (their elements one after another).
 */
#include "runtime/layout/ndview.h"

#include <string.h>

#include "runtime/layout/pitch.h"

enum { DATA_ALIGN = 64 }; /* a cache line, and the widest vector */

/* --- life ------------------------------------------------------------------------------------- */

/* Whether the distance of every element from the data, in bytes, fits in 64 bits. */
static bool bytes_fit(const ddr_layout *layout, size_t element_size) {
  int64_t least, greatest;
  const int64_t most = PTRDIFF_MAX / (int64_t)element_size;
  return !ddr_layout_span(layout, &least, &greatest) || (least >= -most && greatest <= most);
}

static ddr_array_status check(ddr_element type, const ddr_layout *layout, ddr_residency residency) {
  if (!ddr_element_is_there(type)) return DDR_ARRAY_ETYPE;
  if ((unsigned)residency > DDR_UNIFIED) return DDR_ARRAY_ERESIDENCY;
  DDR_TRY(ddr_layout_check(layout));
  return bytes_fit(layout, ddr_element_size(type)) ? DDR_ARRAY_OK : DDR_ARRAY_EOVERFLOW;
}

/* Views may have no memory only if they have no elements, or are the empty view, of rank 0. */
static ddr_array_status check_memory(const ddr_layout *layout, const void *data) {
  const bool has_none = layout->rank == 0 || ddr_layout_is_empty(layout);
  return data || has_none ? DDR_ARRAY_OK : DDR_ARRAY_ENULL;
}

ddr_array_status ddr_ndview_check(const ddr_ndview *view) {
  DDR_NEED(view);
  DDR_TRY(check(view->type, &view->layout, view->residency));
  return check_memory(&view->layout, view->data);
}

ddr_array_status ddr_ndview_wrap(ddr_element type, void *data, const ddr_layout *layout,
                                 ddr_residency residency, ddr_cleanup *cleanup, ddr_ndview *view) {
  DDR_NEED(view);
  DDR_TRY(check(type, layout, residency));
  DDR_TRY(check_memory(layout, data));
  *view = (ddr_ndview){type, data, *layout, residency, cleanup};
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_ndview_new(ddr_element type, int rank, const int64_t *len,
                                ddr_residency residency, ddr_ndview *view) {
  ddr_layout layout;
  ddr_storage storage;
  DDR_NEED(view);
  if (!ddr_element_is_there(type)) return DDR_ARRAY_ETYPE;
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
  DDR_NEED(view);
  if (!ddr_element_is_there(type)) return DDR_ARRAY_ETYPE;
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

ddr_array_status ddr_ndview_new_pitched(ddr_element type, int rank, const int64_t *len,
                                        const size_t *pitch, ddr_ndview *view) {
  ddr_layout layout;
  ddr_storage storage;
  DDR_NEED(view);
  if (!ddr_element_is_there(type)) return DDR_ARRAY_ETYPE;
  DDR_TRY(ddr_pitch_to_layout(rank, len, ddr_element_size(type), pitch, &layout));
  DDR_TRY(ddr_storage_alloc(pitch[0], DATA_ALIGN, DDR_HOST, &storage));
  memset(storage.data, 0, pitch[0]);
  *view = (ddr_ndview){type, storage.data, layout, DDR_HOST, storage.cleanup};
  return DDR_ARRAY_OK;
}

ddr_ndview ddr_ndview_retain(const ddr_ndview *view) {
  if (!view) return (ddr_ndview){.data = NULL};
  ddr_cleanup_retain(view->cleanup);
  return *view;
}

void ddr_ndview_release(ddr_ndview *view) {
  if (!view) return;
  ddr_cleanup *const cleanup = view->cleanup;
  *view = (ddr_ndview){.data = NULL};
  ddr_cleanup_release(cleanup);
}

ddr_cleanup *ddr_ndview_cleanup(const ddr_ndview *view) { return view ? view->cleanup : NULL; }

/* --- elements --------------------------------------------------------------------------------- */

int64_t ddr_ndview_size(const ddr_ndview *view) {
  return view && view->data ? ddr_layout_size(&view->layout) : 0;
}

bool ddr_ndview_is_empty(const ddr_ndview *view) {
  return !view || !view->data || ddr_layout_is_empty(&view->layout);
}

ddr_array_status ddr_ndview_at(const ddr_ndview *view, int n, const int64_t *idx, void **element) {
  DDR_TRY(ddr_ndview_check(view));
  if (n != view->layout.rank) return DDR_ARRAY_ERANK;
  DDR_NEED(element && (idx || n == 0));
  for (int k = 0; k < n; k++)
    if (idx[k] < 0 || idx[k] >= view->layout.len[k]) return DDR_ARRAY_EINDEX;
  if (!view->data) return DDR_ARRAY_EINDEX;
  if (view->residency == DDR_CUDA) return DDR_ARRAY_ERESIDENCY;
  const int64_t offset = ddr_layout_at(&view->layout, idx);
  *element = (char *)view->data + offset * (int64_t)ddr_element_size(view->type);
  return DDR_ARRAY_OK;
}

/* --- sub-views -------------------------------------------------------------------------------- */

/* The view's layout. NULL if an argument is missing; then the functions of layouts report the
 * error. */
static const ddr_layout *layout_of(const ddr_ndview *view, const ddr_ndview *part) {
  return view && part ? &view->layout : NULL;
}

/* If the layout could be made: the part with that layout, which shares the view's memory. */
static ddr_array_status share(const ddr_ndview *view, ddr_array_status status,
                              const ddr_layout *layout, ddr_ndview *part) {
  if (status == DDR_ARRAY_OK) status = ddr_ndview_check(view);
  if (status == DDR_ARRAY_OK) status = check_memory(layout, view->data);
  if (status != DDR_ARRAY_OK) return status;
  *part = ddr_ndview_retain(view);
  part->layout = *layout;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_ndview_fix(const ddr_ndview *view, int axis, int64_t where, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_fix(layout_of(view, part), axis, where, &layout), &layout, part);
}

ddr_array_status ddr_ndview_slice(const ddr_ndview *view, int axis, int64_t begin, int64_t end,
                                  ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_slice(layout_of(view, part), axis, begin, end, &layout), &layout,
               part);
}

ddr_array_status ddr_ndview_permute(const ddr_ndview *view, const int *order, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_permute(layout_of(view, part), order, &layout), &layout, part);
}

ddr_array_status ddr_ndview_flip(const ddr_ndview *view, int axis, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_flip(layout_of(view, part), axis, &layout), &layout, part);
}

ddr_array_status ddr_ndview_step(const ddr_ndview *view, int axis, int64_t step, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_step(layout_of(view, part), axis, step, &layout), &layout, part);
}

ddr_array_status ddr_ndview_repeat(const ddr_ndview *view, int axis, int64_t n, ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_repeat(layout_of(view, part), axis, n, &layout), &layout, part);
}

ddr_array_status ddr_ndview_reshape(const ddr_ndview *view, int rank, const int64_t *len,
                                    ddr_ndview *part) {
  ddr_layout layout;
  return share(view, ddr_layout_reshape(layout_of(view, part), rank, len, &layout), &layout, part);
}

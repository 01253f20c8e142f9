/* ndview.h: strided views: a layout over typed memory.
 *
 * A view is small, copied by ndview_retain, and dropped by ndview_release; sub-views keep the
 * memory alive after their parent is gone.  A view without a cleanup borrows: the caller sees to
 * the lifetime.  The empty view, all zero, has no memory.  Results are views that the caller
 * releases; nothing is written to them when an operation fails.
 *
 * Read next: runtime/transform (elementwise operations), runtime/reduce, runtime/conv.
 */
#pragma once

#include "runtime/layout/element.h"
#include "runtime/layout/layout.h"
#include "runtime/layout/storage.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ddr_ndview {
  ddr_element type;
  void *data; /* offsets of the layout count from here */
  ddr_layout layout;
  ddr_residency residency;
  ddr_cleanup *cleanup; /* one reference is this view's; NULL: borrowed */
} ddr_ndview;

/* --- life ------------------------------------------------------------------------------------- */

/* Memory of the caller; takes over one reference to the cleanup (may be NULL).  Errors: those of
 * ddr_layout_check, and then the reference stays the caller's. */
ddr_array_status ddr_ndview_wrap(ddr_element type, void *data, const ddr_layout *layout,
                                 ddr_residency residency, ddr_cleanup *cleanup, ddr_ndview *view);

/* A fresh packed array, uninitialised.  Errors: ERANK, EDIM, EOVERFLOW, ERESIDENCY, ENOMEM,
 * EDEVICE. */
ddr_array_status ddr_ndview_new(ddr_element type, int rank, const int64_t *len,
                                ddr_residency residency, ddr_ndview *view);

/* Likewise in rows, each of them the last n_row_axes axes: of planes the last, of interleaved
 * components the last two.  What is between rows: see ddr_storage_alloc_rows.  Errors: EDIM also
 * unless n_row_axes is 1 to rank. */
ddr_array_status ddr_ndview_new_rows(ddr_element type, int rank, const int64_t *len, int n_row_axes,
                                     ddr_residency residency, ddr_ndview *view);

ddr_ndview ddr_ndview_retain(const ddr_ndview *view);
void ddr_ndview_release(ddr_ndview *view); /* and makes it empty */

/* The shared record, for other objects to retain; NULL: borrowed. */
ddr_cleanup *ddr_ndview_cleanup(const ddr_ndview *view);

/* --- elements --------------------------------------------------------------------------------- */

int64_t ddr_ndview_size(const ddr_ndview *view);
bool ddr_ndview_is_empty(const ddr_ndview *view);

/* The address at `n` indices.  Errors: ERANK unless n is the rank, EINDEX, ERESIDENCY on a device.
 */
ddr_array_status ddr_ndview_at(const ddr_ndview *view, int n, const int64_t *idx, void **element);

/* --- sub-views: each holds a reference of its own; `part` is another variable; errors as of the
 * same name in layout.h ------------------------------------------------------------------------ */

ddr_array_status ddr_ndview_fix(const ddr_ndview *view, int axis, int64_t where, ddr_ndview *part);
ddr_array_status ddr_ndview_slice(const ddr_ndview *view, int axis, int64_t begin, int64_t end,
                                  ddr_ndview *part);
ddr_array_status ddr_ndview_permute(const ddr_ndview *view, const int *order, ddr_ndview *part);
ddr_array_status ddr_ndview_flip(const ddr_ndview *view, int axis, ddr_ndview *part);
ddr_array_status ddr_ndview_step(const ddr_ndview *view, int axis, int64_t step, ddr_ndview *part);
ddr_array_status ddr_ndview_repeat(const ddr_ndview *view, int axis, int64_t n, ddr_ndview *part);
ddr_array_status ddr_ndview_reshape(const ddr_ndview *view, int rank, const int64_t *len,
                                    ddr_ndview *part);

/* --- ranges: the elements one after another --------------------------------------------------- */

/* n elements: the first at `data`, the others behind it in memory (flat), or as the collapsed
 * layout says, whose offsets count from `data`. */
typedef struct ddr_range {
  void *data;
  int64_t n;
  bool is_flat;
  ddr_layout layout; /* collapsed; of a flat range one axis of stride 1 and offset 0 */
} ddr_range;

/* In address order from the lowest on; in canonical order as a flat range.  Errors: ERANGE where
 * the view is not contiguous, not canonical. */
ddr_array_status ddr_ndview_contiguous_range(const ddr_ndview *view, ddr_range *range);
ddr_array_status ddr_ndview_canonical_range(const ddr_ndview *view, ddr_range *range);

/* In canonical order, always: flat where the view is canonical, else strided. */
ddr_range ddr_ndview_range(const ddr_ndview *view);

/* For results that do not depend on the order: flat where the view is contiguous. */
ddr_range ddr_ndview_unordered_range(const ddr_ndview *view);

/* Calls `row` for runs of a range in its order, each n elements `stride` apart (in elements), the
 * first at `data`; a flat range is one run.  One function of a row does for flat and strided. */
typedef void ddr_row_function(void *context, void *data, int64_t stride, int64_t n);
void ddr_range_rows(const ddr_range *range, size_t element_size, ddr_row_function *row,
                    void *context);

#ifdef __cplusplus
}
#endif

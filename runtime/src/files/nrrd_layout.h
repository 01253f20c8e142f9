/* nrrd_layout.h: converts between views, slowest axis first, and Teem's arrays, fastest axis first.
 *
 * No other file deals with both orders.  In files, complex elements are the first axis, of kind
 * complex and size 2.  Teem's memory comes from malloc, and so does that of new views, so a block
 * with one reference changes its owner without a copy.
 * Read next: nrrd_read.c, nrrd_write.c.
 */
#pragma once

#include <teem/nrrd.h>

#include "runtime/layout/ndview.h"

/* The element of one of Teem's sample types; false: not numbers. */
bool ddr_element_of_nrrd_type(int type, ddr_element *element);

/* The number of the file's first axes that are not axes of space or time: those of an element that
 * is a vector, matrix or colour.  An axis of complex numbers does not count. */
int ddr_nrrd_component_axes(const Nrrd *nrrd);

/* A view of the file's axes in reverse order, except that the `n_components` first ones, reversed
 * among themselves, come before the others: (components..., z, y, x).  Takes over one reference to
 * the cleanup, like ddr_ndview_wrap.  Errors: ETYPE (blocks), EDIM (no such axes), those of
 * ddr_ndview_wrap. */
ddr_array_status ddr_ndview_from_nrrd(const Nrrd *nrrd, int n_components, ddr_cleanup *cleanup,
                                      ddr_ndview *view);

/* The same, but the view becomes the owner of the samples: `nrrd` has none afterwards.  Errors:
 * also ENOMEM. */
ddr_array_status ddr_ndview_take_nrrd(Nrrd *nrrd, int n_components, ddr_ndview *view);

/* The inverse: `nrrd` gets type, sizes and samples, and the view is released.  Samples in the order
 * of files are moved if the view holds the only reference to their block, else copied. A single
 * element becomes an array of one axis; bools become bytes.  The old contents of `nrrd` are freed,
 * including the fields of its axes.  On an error both stay as they are: ERANK (more than 16 axes,
 * complex one included), EDIM (no elements, or no such axes), ERESIDENCY, EOVERFLOW (repetitions),
 * ENOMEM. */
ddr_array_status ddr_nrrd_from_ndview(ddr_ndview *view, int n_components, Nrrd *nrrd);

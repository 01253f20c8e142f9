/* nrrd_layout.h: between views, slowest axis first, and Teem's arrays, fastest axis first.
 *
 * Nothing else knows both orders.  Elements of complex type are an axis of kind complex and size 2
 * in a file, its first.  Teem's memory comes from malloc, and so does that of new views: its
 * owner can change without a copy if there is no other reference.
 * Read next: nrrd_read.c, nrrd_write.c.
 */
#pragma once

#include <teem/nrrd.h>

#include "runtime/layout/ndview.h"

/* What samples of one of Teem's types are; false: no numbers. */
bool ddr_element_of_nrrd_type(int type, ddr_element *element);

/* Axes at the start of the file that are no axes of space or time: those of an element that is a
 * vector, matrix, colour.  An axis of complex numbers does not count. */
int ddr_nrrd_component_axes(const Nrrd *nrrd);

/* The axes of the file backwards, but the `n_components` first ones, among themselves backwards as
 * well, come before the others: (components..., z, y, x).  Takes over one reference to the cleanup,
 * as ddr_ndview_wrap.  Errors: ETYPE (blocks), EDIM (no such axes), those of ddr_ndview_wrap. */
ddr_array_status ddr_ndview_from_nrrd(const Nrrd *nrrd, int n_components, ddr_cleanup *cleanup,
                                      ddr_ndview *view);

/* The same, and the samples are the view's: `nrrd` is left without.  Errors: also ENOMEM. */
ddr_array_status ddr_ndview_take_nrrd(Nrrd *nrrd, int n_components, ddr_ndview *view);

/* The way back: `nrrd` gets type, sizes and samples, and the view is released.  Its samples move
 * where they are as a file has them and the view alone holds their block, else they are copied.
 * A single element is an array of one axis; bools become bytes.  What `nrrd` had is freed; it keeps
 * nothing of its axes.  Errors, and then both stay: ERANK (more than 16 with the complex one), EDIM
 * (no elements, or no such axes), ERESIDENCY, EOVERFLOW (repetitions), ENOMEM. */
ddr_array_status ddr_nrrd_from_ndview(ddr_ndview *view, int n_components, Nrrd *nrrd);

/* bspline_local.h: what is done to an array line by line along an axis. */
#pragma once

#include "runtime/conv/bspline.h"

/* Coefficients along an axis, and `n_beyond` more at both ends, by recursions.  Errors: ENOMEM. */
ddr_array_status ddr_bspline_recursion(const ddr_prefilter *prefilter, const ddr_ndview *from,
                                       int axis, int n_beyond, const ddr_ndview *to);

/* `longer` holds coefficients of values that the border rule extended, with as many more at both
 * ends of a line as there are poles; the result has those whose own extension fits. */
void ddr_bspline_correct(const ddr_prefilter *prefilter, const ddr_ndview *longer, int axis,
                         const ddr_ndview *to);

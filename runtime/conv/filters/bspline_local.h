/* bspline_local.h: operations on the lines of an array along an axis. */
#pragma once

#include "runtime/conv/filters/bspline.h"

/* Coefficients along an axis, and `n_beyond` more at both ends, by recursions.  Errors: ENOMEM. */
ddr_array_status ddr_bspline_recursion(const ddr_prefilter *prefilter, const ddr_ndview *from,
                                       int axis, int n_beyond, const ddr_ndview *to);

/* `longer` holds the coefficients of values that the border rule extended, with as many more at
 * both ends of a line as there are poles; `to` gets corrected coefficients, whose own extension by
 * the border rule matches. */
void ddr_bspline_correct(const ddr_prefilter *prefilter, const ddr_ndview *longer, int axis,
                         const ddr_ndview *to);

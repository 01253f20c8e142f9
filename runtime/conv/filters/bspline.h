/* bspline.h: coefficients with which a B-spline interpolates the samples of an image
 * (runtime/array/array.h).
 *
 * A field of B-spline kernels smooths.  With coefficients c such that  sum_j b_j c[i-j] = v[i],
 * where b is the B-spline at the integers, its values at the samples are v.  The inverse filter of
 * b has taps
 *
 *   h_k = sum over poles z of  A z^|k|        z: the roots of b inside the unit circle
 *
 * which are applied to one axis after another, directly or as recursions, one per pole.
 * Source: [Unser, Aldroubi, Eden 1993] B-spline signal processing.
 */
#pragma once

#include "runtime/conv/filters/extend.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR_BSPLINE_MOST_POLES = 3, DDR_BSPLINE_MOST_TAPS = 123 };

/* The poles, in order of descending absolute value, and their factors A; returns their number (0:
 * there is no such degree, or it has none). */
int ddr_bspline_poles(int degree, double *poles, double *factors);

/* The taps of the inverse filter down to `least` in absolute value, from the first to the last;
 * returns their number, which is odd. */
int ddr_bspline_taps(int degree, double least, double *taps);

#ifdef __cplusplus
}
#endif

/* bspline.h: coefficients with which a B-spline goes through the samples of an image
 * (runtime/array/array.h).
 *
 * A field of B-spline kernels smooths.  Over coefficients c with  sum_j b_j c[i-j] = v[i],  b the
 * B-spline at the whole numbers, it has the values v at the samples.  The inverse of b has taps
 *
 *   h_k = sum over poles z of  A z^|k|        z: the roots of b inside the unit circle
 *
 * which are applied to one axis after another, or in the form of recursions, one per pole.
 * Source: [Unser, Aldroubi, Eden 1993] B-spline signal processing.
 */
#pragma once

#include "runtime/conv/extend.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR_BSPLINE_MOST_POLES = 3, DDR_BSPLINE_MOST_TAPS = 123 };

/* Poles, of least absolute value last, and their factors A; how many (0: no such degree, or none).
 */
int ddr_bspline_poles(int degree, double *poles, double *factors);

/* Taps of the inverse down to `least` in absolute value, from the first to the last; how many, an
 * odd number. */
int ddr_bspline_taps(int degree, double least, double *taps);

#ifdef __cplusplus
}
#endif

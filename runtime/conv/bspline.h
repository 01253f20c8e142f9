/* bspline.h: coefficients with which a B-spline goes through the samples of an image.
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

typedef enum ddr_prefilter_method {
  DDR_PREFILTER_TAPS,     /* those that are at least 2^-24 for floats, 2^-53 for doubles */
  DDR_PREFILTER_RECURSION /* to all digits of double; one line of samples at a time */
} ddr_prefilter_method;

/* What the border rule extends.  Where the field is probed with the same rule, only the second goes
 * through the first and last samples; with mirror and wrap both are the same. */
typedef enum ddr_prefilter_ends {
  DDR_ENDS_OF_VALUES,      /* the samples, before the filter */
  DDR_ENDS_OF_COEFFICIENTS /* the result, as probes do */
} ddr_prefilter_ends;

typedef struct ddr_prefilter {
  int n_axes;         /* the last ones of the image, 1 to 7; those before are of components */
  int degree;         /* of the kernel: 3, 5, 7; 0 and 1 need no filter and are copied */
  ddr_outside border; /* none: zeros outside */
  ddr_prefilter_method method;
  ddr_prefilter_ends ends;
  int n_threads;
} ddr_prefilter;

/* Image: numbers; result: floats or doubles, the same shape.  The same bits for any number of
 * threads.  Errors, with nothing written: those of ddr_check_filtered, ESHAPE, ERANGE (a degree or
 * n_axes that is not there), ENOMEM, EOVERFLOW. */
ddr_array_status ddr_bspline_prefilter(const ddr_ndview *image, const ddr_prefilter *prefilter,
                                       const ddr_ndview *result);

/* Poles, of least absolute value last, and their factors A; how many (0: no such degree, or none).
 */
int ddr_bspline_poles(int degree, double *poles, double *factors);

/* Taps of the inverse down to `least` in absolute value, from the first to the last; how many, an
 * odd number. */
int ddr_bspline_taps(int degree, double least, double *taps);

#ifdef __cplusplus
}
#endif

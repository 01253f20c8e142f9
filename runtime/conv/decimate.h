/* decimate.h: every D-th sample of an image, after a low-pass filter.
 *
 *   result[k] = sum over taps t = -h .. h of  weights[t + h] * image[start + k * D + t]
 *
 * The tent of half-width D, weights (D - |t|) / D^2, is the filter to take unless another one is
 * given: it never leaves the range of the samples, keeps straight slopes exactly, gives every
 * sample the same weight in all of the result, and its spectrum is 0 at the frequencies that
 * decimation would fold onto the mean.  For D = 2 it is 1 2 1 / 4.
 */
#pragma once

#include "runtime/conv/extend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ddr_decimation_axis {
  int64_t factor; /* D >= 1 */
  int64_t start;  /* first sample that is kept: inside the image */
  int n_weights;  /* odd; 0: the tent */
  const double *weights;
} ddr_decimation_axis;

typedef struct ddr_decimation {
  int n_axes; /* the last ones of the image, 1 to 7; those before are of components */
  ddr_decimation_axis axes[7];
  ddr_outside border; /* none: zeros outside */
  int n_threads;
} ddr_decimation;

/* Samples along an axis of n that are kept: start, start + D, ... */
int64_t ddr_decimated_size(int64_t n, const ddr_decimation_axis *axis);

/* Image: numbers; result: floats or doubles, with at most the extents of ddr_decimated_size along
 * the axes.  The same bits for any number of threads.  Errors, with nothing written: those of
 * ddr_check_filtered, ERANGE (n_axes, start, an even number of weights), EDECIMATION, ESHAPE,
 * ENOMEM, EOVERFLOW. */
ddr_array_status ddr_image_decimate(const ddr_ndview *image, const ddr_decimation *decimation,
                                    const ddr_ndview *result);

/* The world direction of an index axis and the origin, n coordinates each, after that axis was
 * decimated: what was at a place in the world stays there. */
void ddr_decimate_orientation(const ddr_decimation_axis *axis, int n, double *direction,
                              double *origin);

#ifdef __cplusplus
}
#endif

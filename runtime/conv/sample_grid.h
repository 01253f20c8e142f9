/* sample_grid.h: a field, an image convolved with kernels, on a regular grid parallel to its axes.
 *
 * Positions along an axis that differ by whole numbers have the same fraction, so the same kernel
 * weights: the field there is a correlation of the samples with these weights.  A step of a/b has
 * b fractions and is done in b passes, each of which writes every b-th result.
 *
 *   F(n + f) = sum over taps j = 1-s .. s of  sample[n + j] * h(f - j)
 *
 * What strands of a grid probe is sampled otherwise (runtime/src/sampling/samples.c): their
 * positions are what the program's arithmetic makes of them, each with its own fraction, and so are
 * the weights. Read next: conv.h (the correlation), extend.h (what lies beyond the image).
 */
#pragma once

#include "runtime/conv/extend.h"
#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR_SAMPLE_MAX_AXES = 3 };

/* A kernel h that is 0 outside (-support, support) and a polynomial between whole numbers.  The
 * weight of tap j at fraction f, 0 <= f < 1, is
 *   h(f - j) = sum over i of  coeff[(j - (1 - support)) * (degree + 1) + i] * f^i. */
typedef struct ddr_kernel {
  int support; /* >= 1: taps 1-support .. support */
  int degree;  /* >= 0 */
  const double *coeff;
} ddr_kernel;

/* Positions start + k * step_num / step_den along one index axis, k = 0 .. n-1, in samples. */
typedef struct ddr_sample_axis {
  ddr_kernel kernel;
  double start;               /* finite */
  int64_t step_num, step_den; /* den >= 1; num any sign, and 0 only where n is 1 */
  int64_t n;                  /* >= 1 */
} ddr_sample_axis;

/* One field of the image on that grid: a derivative in index space. */
typedef struct ddr_sample_result {
  int derivative[DDR_SAMPLE_MAX_AXES]; /* order along each axis, >= 0 */
  const ddr_ndview *view;              /* component axes of the image, then n along each axis */
} ddr_sample_result;

typedef struct ddr_sample_grid {
  const ddr_ndview *image; /* component axes, any number, then n_axes index axes, slowest first */
  int n_axes;              /* 1, 2 or 3 */
  ddr_sample_axis axes[DDR_SAMPLE_MAX_AXES]; /* slowest first */
  ddr_outside border;                        /* none: samples outside are not asked for */
  int n_threads;                             /* 0 and 1: the caller's alone */
} ddr_sample_grid;

/* Writes all results; fields that share derivatives along some axes share these passes.  Image: a
 * real type or integers; results: float or double, in each of which sums are double, rounded once
 * per axis.  Same bits for any number of threads.  Axes that lose samples go first, else the
 * slowest.  Errors, with nothing written: ERANK (n_axes, or ranks above 7), EDIM (an empty image),
 * ESHAPE (a result), ERANGE (steps; a position that is not finite or far outside; a tap outside
 * the image when there is no border rule), ETYPE, EALIAS, ERESIDENCY, EOVERFLOW, ENOMEM. */
ddr_array_status ddr_field_sample_grid(const ddr_sample_grid *grid, int n_results,
                                       const ddr_sample_result *results);

/* The weights of the taps 1-support .. support in the derivative of that order at a fraction. */
void ddr_kernel_weights(const ddr_kernel *kernel, int order, double fraction, double *weights);

#ifdef __cplusplus
}
#endif

/* on_device.h: reductions on a device (runtime/layout/array_device.h).
 *
 * All arrays have the same element type: float, double, int32, int64, uint64, complex float or
 * complex double; for the terms of `all` and `any`, bool.  Functions return when the results are
 * complete.
 */
#pragma once

#include "runtime/layout/ndview.h"
#include "runtime/reduce/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One or two arrays: some of the lines along an axis, each reduced separately, or the whole array
 * (axis -1; then two arrays may have different shapes of the same size).  There is at least one
 * line, and each has at least one element. */
typedef struct ddr_device_lines {
  ddr_term term;
  bool is_compensated;
  int n_arrays;
  ddr_ndview arrays[2];
  int axis;
  int64_t first_line, n_lines; /* in canonical order */
} ddr_device_lines;

typedef struct ddr_device_reductions {
  /* Computes the root of each line, in canonical order, to the host; `a` has a number for each
   * line. Errors: ENOMEM, EDEVICE. */
  ddr_array_status (*pass)(ddr_array_device *device, const ddr_device_lines *lines, const double *a,
                           ddr_partial *roots);

  /* Packs those of n > 0 packed elements whose mask is true, and counts them.  Errors: likewise. */
  ddr_array_status (*select)(ddr_array_device *device, size_t element_size, const void *from,
                             const bool *mask, int64_t n, void *to, int64_t *n_selected);
} ddr_device_reductions;

#ifdef __cplusplus
}
#endif

/* on_device.h: reductions as a device does them (runtime/layout/array_device.h).
 *
 * Elements of all arrays have one type: float, double, int32, int64, uint64, complex float or
 * complex double; for the terms of `all` and `any`, bool.  Functions return when the results are
 * there.
 */
#pragma once

#include "runtime/layout/ndview.h"
#include "runtime/reduce/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One or two arrays, some lines along an axis each for itself, or all of it (axis -1; then the
 * shapes may be different ones of one size).  A line has one element at least, and there is one
 * line. */
typedef struct ddr_device_lines {
  ddr_term term;
  bool is_compensated;
  int n_arrays;
  ddr_ndview arrays[2];
  int axis;
  int64_t first_line, n_lines; /* in canonical order */
} ddr_device_lines;

typedef struct ddr_device_reductions {
  /* The number `a` and the root of each line, in canonical order, on the host.  Errors: ENOMEM,
   * EDEVICE. */
  ddr_array_status (*pass)(ddr_array_device *device, const ddr_device_lines *lines, const double *a,
                           ddr_partial *roots);

  /* Of n packed elements those whose mask is true, packed, and how many.  There is one element.
   * Errors: likewise. */
  ddr_array_status (*select)(ddr_array_device *device, size_t element_size, const void *from,
                             const bool *mask, int64_t n, void *to, int64_t *n_selected);
} ddr_device_reductions;

#ifdef __cplusplus
}
#endif

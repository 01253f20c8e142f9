/* array-cuda.h: arrays in the memory of a CUDA device, by libddr-array-cuda.
 *
 *   ddr_ndview x, y;                                  of the host, on the device
 *   ddr_array_cuda_use(0);
 *   ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, len, DDR_CUDA, &y);
 *   ddr_transform_assign(&x, &y, 1);                  to the device
 *   ddr_transform_inplace_mul_scalar(&y, ddr_number_int(2), 1);
 *   ddr_reduce_sum(&y, NULL, &sum);                   both by it
 *   ddr_transform_assign(&y, &x, 1);                  and back
 *   ddr_ndview_release(&y);
 *
 * Views, fill, assign, all transforms and reductions are those of ddr/array.h; ddr_ndview_wrap
 * takes memory that others have on the device.  An operation runs where all its arrays can be
 * reached from and is complete when it returns; only `assign` goes from one memory to the other.
 * Convolutions and filters run on the host alone (ERESIDENCY).  Sums, products, extremes, norms and
 * arithmetic have the host's bits; exponentials, logarithms and Bessel transforms are those of
 * CUDA.  Threads take turns on the device; `use` and `stop` are for moments when no other thread
 * works with it.
 */
#pragma once

#include "runtime/array/array.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default) /* in the shared library */
#endif

#define SECTION(title, text)
#define FUNCTION(result, name, arguments, meaning, statuses) result name arguments;
#include "runtime/array/cuda_functions.def"

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

/* reduce_device.h: reduces values in the device's memory as the host reduces those of strands. */
#pragma once

#include "runtime/cuda/array/terms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n >= 0 packed values of a type: floats and doubles for DDR_SUM to DDR_MAX, int32 and int64 for
 * DDR_SUM, DDR_PRODUCT, DDR_MIN and DDR_MAX, bools for DDR_ALL and DDR_EXISTS.  The result, the
 * same bits as runtime/src/reductions/set_reduction.c finds, is in `re` for reals and in `integer`
 * for others.  The function waits for the stream.  *scratch, which is memory of the device or NULL,
 * grows if necessary; the caller frees it.  Errors: those of CUDA. */
cudaError_t ddr_device_reduce(const ddr_launch *launch, ddr_reduction reduction, ddr_element type,
                              const void *values, int64_t n, void **scratch, size_t *n_scratch,
                              ddr_partial *result);

#ifdef __cplusplus
}
#endif

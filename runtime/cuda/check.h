/* check.h: what the files of the device's runtime share.
 *
 * All of them are in the common subset of C17 and CUDA C++, as generated device code is
 * (ddr/device.h).
 */
#pragma once

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

#include "ddr/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* select.cu: keeps, in their order, the slots in `running` whose status says that they still run;
 * their number is where `n_kept`, on the device, points. */
cudaError_t ddr_device_select(const ddr_launch *launch, ddr_device_strands strands, int64_t *kept,
                              int64_t *n_kept, void **scratch, size_t *n_scratch);

#ifdef __cplusplus
}
#endif

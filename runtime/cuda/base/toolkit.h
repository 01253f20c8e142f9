/* toolkit.h: the keywords and calls of CUDA, HIP or the shim, and those of generated kernels
 * (ddr/device/device.h). */
#pragma once

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

#include "ddr/device/device.h"

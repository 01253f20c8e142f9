/* array_device.h: arrays on a CUDA device. */
#pragma once

#include <stdint.h>

#include "runtime/layout/array_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Device number `id` with blocks of so many threads, a multiple of 32; 0: chosen.  It has a stream
 * of its own, and nobody's current device is changed for longer than a call.  Put it to use by
 * ddr_array_device_use.  NULL, or a line that says why not. */
const char *ddr_cuda_arrays_open(int id, uint32_t block_size, ddr_array_device **device);

/* After all its arrays are gone and it is in use no longer; NULL is fine. */
void ddr_cuda_arrays_close(ddr_array_device *arrays);

#ifdef __cplusplus
}
#endif

/* array_device.h: arrays on a CUDA device. */
#pragma once

#include <stdint.h>

#include "runtime/layout/array_device.h"

#ifdef __cplusplus
extern "C" {
#endif

int ddr_cuda_arrays_n_devices(void); /* that can be used */

/* Device number `id` with blocks of so many threads, a multiple of 32; 0: chosen.  It has a stream
 * of its own, and nobody's current device is changed for longer than a call.  Put it to use by
 * ddr_array_device_use.  Threads may call it at the same time; one waits for the other.
 * Errors: ENODEVICE, ENOMEM, EDEVICE. */
ddr_array_status ddr_cuda_arrays_open(int id, uint32_t block_size, ddr_array_device **device);

int ddr_cuda_arrays_id(ddr_array_device *arrays);
bool ddr_cuda_arrays_are_gone(ddr_array_device *arrays); /* no memory of it is left */

/* For what was given to a cudaStream_t of others.  Errors: EDEVICE. */
ddr_array_status ddr_cuda_arrays_wait(ddr_array_device *arrays, void *stream);

/* After all its arrays are gone and it is in use no longer; NULL is fine. */
void ddr_cuda_arrays_close(ddr_array_device *arrays);

#ifdef __cplusplus
}
#endif

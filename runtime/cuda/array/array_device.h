/* array_device.h: arrays on a CUDA device. */
#pragma once

#include <stdint.h>

#include "runtime/layout/array_device.h"

#ifdef __cplusplus
extern "C" {
#endif

int ddr_cuda_arrays_n_devices(void); /* that can be used */

/* Opens device number `id`, with blocks of so many threads, a multiple of 32, or 0 for the default.
 * It has a stream of its own, and changes the caller's current device only during a call.  Put it
 * to use by ddr_array_device_use.  Threads may call it at the same time; one waits for the other.
 * Errors: ENODEVICE, ENOMEM, EDEVICE. */
ddr_array_status ddr_cuda_arrays_open(int id, uint32_t block_size, ddr_array_device **device);

int ddr_cuda_arrays_id(ddr_array_device *arrays);
bool ddr_cuda_arrays_are_gone(ddr_array_device *arrays); /* whether all of its arrays are gone */

/* Waits for the work in a cudaStream_t of a client.  Errors: EDEVICE. */
ddr_array_status ddr_cuda_arrays_wait(ddr_array_device *arrays, void *stream);

/* Pre: all of its arrays are gone, and it is not in use.  NULL is allowed. */
void ddr_cuda_arrays_close(ddr_array_device *arrays);

#ifdef __cplusplus
}
#endif

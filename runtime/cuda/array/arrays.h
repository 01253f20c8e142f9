/* arrays.h: what the files of this folder that work with arrays share. */
#pragma once

#include <pthread.h>

#include "runtime/cuda/base/toolkit.h"
#include "runtime/layout/array_device.h"
#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ddr_cuda_arrays {
  ddr_array_device functions; /* must be the first member: the addresses are equal */
  pthread_mutex_t lock;       /* protects the members below; held during a call */
  int id, id_before;          /* id_before: the caller's device */
  int64_t n_blocks;           /* blocks of memory that arrays have */
  ddr_launch launch;
  void *scratch; /* on the device */
  size_t n_scratch;
} ddr_cuda_arrays;

/* Begin and end of a call: between them the device is current and belongs to this thread.  leave
 * waits for the work and returns its status. */
cudaError_t ddr_cuda_enter(ddr_cuda_arrays *device);
ddr_array_status ddr_cuda_leave(ddr_cuda_arrays *device, cudaError_t error);

extern const struct ddr_device_transforms ddr_cuda_transforms; /* transforms.cu */
extern const struct ddr_device_reductions ddr_cuda_reductions; /* reductions.cu */

#ifdef __cplusplus
}
#endif

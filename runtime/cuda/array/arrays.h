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
  ddr_array_device functions; /* the first: one is known by the other's address */
  pthread_mutex_t lock;       /* of all that follows: held during a call */
  int id, id_before;          /* id_before: that of the caller */
  int64_t n_blocks;           /* of memory that arrays have */
  ddr_launch launch;
  void *scratch; /* on the device */
  size_t n_scratch;
} ddr_cuda_arrays;

/* A call: the device is current between them, and of this thread alone; leave waits for the work,
 * and says what came of it. */
cudaError_t ddr_cuda_enter(ddr_cuda_arrays *device);
ddr_array_status ddr_cuda_leave(ddr_cuda_arrays *device, cudaError_t error);

extern const struct ddr_device_transforms ddr_cuda_transforms; /* transforms.cu */
extern const struct ddr_device_reductions ddr_cuda_reductions; /* reductions.cu */

#ifdef __cplusplus
}
#endif

/* library.cu: chooses the device for arrays, for users of libddr-array-cuda
 * (runtime/array/array_cuda.h).
 */
#include "runtime/array/array_cuda.h"

#include <pthread.h>

#include "runtime/cuda/array/array_device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ddr_array_device *in_use; /* NULL: none */

int ddr_array_cuda_count(void) { return ddr_cuda_arrays_n_devices(); }

/* Replaces the device in use by another one, or by none. */
static ddr_array_status replace_by(ddr_array_device *device) {
  if (in_use && !ddr_cuda_arrays_are_gone(in_use)) return DDR_ARRAY_ERESIDENCY;
  ddr_array_device_use(device);
  ddr_cuda_arrays_close(in_use);
  in_use = device;
  return DDR_ARRAY_OK;
}

static ddr_array_status use(int number) {
  ddr_array_device *device = NULL;
  if (in_use && ddr_cuda_arrays_id(in_use) == number) return DDR_ARRAY_OK;
  ddr_array_status status = ddr_cuda_arrays_open(number, 0, &device);
  if (status != DDR_ARRAY_OK) return status;
  status = replace_by(device);
  if (status != DDR_ARRAY_OK) ddr_cuda_arrays_close(device);
  return status;
}

ddr_array_status ddr_array_cuda_use(int number) {
  pthread_mutex_lock(&lock);
  const ddr_array_status status = use(number);
  pthread_mutex_unlock(&lock);
  return status;
}

ddr_array_status ddr_array_cuda_stop(void) {
  pthread_mutex_lock(&lock);
  const ddr_array_status status = replace_by(NULL);
  pthread_mutex_unlock(&lock);
  return status;
}

int ddr_array_cuda_number(void) {
  pthread_mutex_lock(&lock);
  const int number = in_use ? ddr_cuda_arrays_id(in_use) : -1;
  pthread_mutex_unlock(&lock);
  return number;
}

ddr_array_status ddr_array_cuda_wait(void *stream) {
  pthread_mutex_lock(&lock);
  const ddr_array_status status =
      in_use ? ddr_cuda_arrays_wait(in_use, stream) : DDR_ARRAY_ERESIDENCY;
  pthread_mutex_unlock(&lock);
  return status;
}

/* array_device.cu: memory of a device for arrays, and copies from and to it. */
#include "runtime/cuda/array/array_device.h"

#include "runtime/cuda/array/arrays.h"

enum { BLOCK_SIZE = 256, ROW_ALIGN = 256 };

static ddr_cuda_arrays *cuda_of(ddr_array_device *device) { return (ddr_cuda_arrays *)device; }

static cudaStream_t stream_of(const ddr_cuda_arrays *device) {
  return (cudaStream_t)device->launch.stream;
}

cudaError_t ddr_cuda_enter(ddr_cuda_arrays *device) {
  pthread_mutex_lock(&device->lock);
  (void)cudaGetLastError(); /* the caller's, if any */
  const cudaError_t error = cudaGetDevice(&device->id_before);
  return error == cudaSuccess ? cudaSetDevice(device->id) : error;
}

static ddr_array_status leave(ddr_cuda_arrays *device, cudaError_t error) {
  const cudaError_t last = cudaSetDevice(device->id_before);
  pthread_mutex_unlock(&device->lock);
  if (error == cudaSuccess) error = last;
  if (error == cudaSuccess) return DDR_ARRAY_OK;
  (void)cudaGetLastError(); /* reported */
  return error == cudaErrorMemoryAllocation ? DDR_ARRAY_ENOMEM : DDR_ARRAY_EDEVICE;
}

ddr_array_status ddr_cuda_leave(ddr_cuda_arrays *device, cudaError_t error) {
  const cudaError_t last = cudaStreamSynchronize(stream_of(device));
  return leave(device, error == cudaSuccess ? last : error);
}

/* --- memory ----------------------------------------------------------------------------------- */

static ddr_array_status allocate(ddr_array_device *arrays, ddr_allocation how, size_t n_bytes,
                                 void **data) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  cudaError_t error = ddr_cuda_enter(device);
  *data = NULL;
  if (error == cudaSuccess) {
    if (how == DDR_MANAGED) error = cudaMallocManaged(data, n_bytes, cudaMemAttachGlobal);
    else error = cudaMallocAsync(data, n_bytes, stream_of(device));
    if (error == cudaSuccess) device->n_blocks++;
  }
  return leave(device, error);
}

static size_t greatest_common_divisor(size_t a, size_t b) {
  while (b > 0) {
    const size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Rows that are aligned by hand if the device's pitch is not a multiple of the element size. */
static cudaError_t malloc_rows(size_t row_bytes, size_t n_rows, size_t element_size, void **data,
                               size_t *pitch) {
  cudaError_t error = cudaMallocPitch(data, pitch, row_bytes, n_rows);
  if (error != cudaSuccess || *pitch % element_size == 0) return error;
  const size_t align = element_size / greatest_common_divisor(element_size, ROW_ALIGN) * ROW_ALIGN;
  error = cudaFree(*data);
  *data = NULL;
  *pitch = (row_bytes + align - 1) / align * align;
  return error == cudaSuccess ? cudaMalloc(data, *pitch * n_rows) : error;
}

static ddr_array_status allocate_rows(ddr_array_device *arrays, size_t row_bytes, size_t n_rows,
                                      size_t element_size, void **data, size_t *pitch) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  cudaError_t error = ddr_cuda_enter(device);
  *data = NULL;
  *pitch = 0;
  if (error == cudaSuccess) error = malloc_rows(row_bytes, n_rows, element_size, data, pitch);
  if (error == cudaSuccess) device->n_blocks++;
  return leave(device, error);
}

/* A failure cannot be reported here; the next call will fail, too. */
static void release(ddr_array_device *arrays, ddr_allocation how, void *data) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  if (ddr_cuda_enter(device) == cudaSuccess) {
    if (how == DDR_IN_ORDER) (void)cudaFreeAsync(data, stream_of(device));
    else (void)cudaFree(data); /* waits for the device */
  }
  device->n_blocks--;
  (void)leave(device, cudaSuccess);
}

static ddr_array_status copy_rows(ddr_array_device *arrays, void *to, size_t to_pitch,
                                  const void *from, size_t from_pitch, size_t row_bytes,
                                  size_t n_rows) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  cudaError_t error = ddr_cuda_enter(device);
  if (error == cudaSuccess) {
    cudaStream_t stream = stream_of(device);
    if (n_rows == 1) error = cudaMemcpyAsync(to, from, row_bytes, cudaMemcpyDefault, stream);
    else
      error = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row_bytes, n_rows,
                                cudaMemcpyDefault, stream);
  }
  return ddr_cuda_leave(device, error);
}

/* --- open and close --------------------------------------------------------------------------- */

static void fill_in(ddr_cuda_arrays *device) {
  device->functions.allocate = allocate;
  device->functions.allocate_rows = allocate_rows;
  device->functions.release = release;
  device->functions.copy_rows = copy_rows;
  device->functions.transforms = &ddr_cuda_transforms;
  device->functions.reductions = &ddr_cuda_reductions;
}

int ddr_cuda_arrays_n_devices(void) {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) == cudaSuccess) return n_devices;
  (void)cudaGetLastError();
  return 0;
}

ddr_array_status ddr_cuda_arrays_open(int id, uint32_t block_size, ddr_array_device **device) {
  cudaStream_t stream = NULL;
  *device = NULL;
  if (id < 0 || id >= ddr_cuda_arrays_n_devices()) return DDR_ARRAY_ENODEVICE;
  ddr_cuda_arrays *opened = (ddr_cuda_arrays *)calloc(1, sizeof *opened);
  if (!opened) return DDR_ARRAY_ENOMEM;
  if (pthread_mutex_init(&opened->lock, NULL) != 0) {
    free(opened);
    return DDR_ARRAY_ENOMEM;
  }
  opened->id = id;
  cudaError_t error = ddr_cuda_enter(opened);
  if (error == cudaSuccess) error = cudaStreamCreate(&stream);
  const ddr_array_status status = leave(opened, error);
  if (status != DDR_ARRAY_OK) {
    pthread_mutex_destroy(&opened->lock);
    free(opened);
    return status;
  }
  opened->launch.stream = stream;
  opened->launch.block_size = block_size > 0 ? (int32_t)block_size : BLOCK_SIZE;
  opened->launch.least_block = opened->launch.block_size;
  fill_in(opened);
  *device = &opened->functions;
  return DDR_ARRAY_OK;
}

int ddr_cuda_arrays_id(ddr_array_device *arrays) { return cuda_of(arrays)->id; }

bool ddr_cuda_arrays_are_gone(ddr_array_device *arrays) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  pthread_mutex_lock(&device->lock);
  const bool is_empty = device->n_blocks == 0;
  pthread_mutex_unlock(&device->lock);
  return is_empty;
}

ddr_array_status ddr_cuda_arrays_wait(ddr_array_device *arrays, void *stream) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  cudaError_t error = ddr_cuda_enter(device);
  if (error == cudaSuccess) error = cudaStreamSynchronize((cudaStream_t)stream);
  return leave(device, error);
}

void ddr_cuda_arrays_close(ddr_array_device *arrays) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  if (!device) return;
  if (ddr_cuda_enter(device) == cudaSuccess) {
    (void)cudaFree(device->scratch);
    (void)cudaStreamDestroy(stream_of(device));
  }
  (void)leave(device, cudaSuccess);
  pthread_mutex_destroy(&device->lock);
  free(device);
}

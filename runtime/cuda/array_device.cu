/* array_device.cu: memory of a device for arrays, and copies from and to it. */
#include "runtime/cuda/array_device.h"

#include "runtime/cuda/arrays.h"

enum { BLOCK_SIZE = 256, ROW_ALIGN = 256 };

static ddr_cuda_arrays *cuda_of(ddr_array_device *device) { return (ddr_cuda_arrays *)device; }

static cudaStream_t stream_of(const ddr_cuda_arrays *device) {
  return (cudaStream_t)device->launch.stream;
}

cudaError_t ddr_cuda_enter(ddr_cuda_arrays *device) {
  (void)cudaGetLastError(); /* the caller's, if any */
  const cudaError_t error = cudaGetDevice(&device->id_before);
  return error == cudaSuccess ? cudaSetDevice(device->id) : error;
}

static ddr_array_status leave(const ddr_cuda_arrays *device, cudaError_t error) {
  const cudaError_t last = cudaSetDevice(device->id_before);
  if (error == cudaSuccess) error = last;
  if (error == cudaSuccess) return DDR_ARRAY_OK;
  (void)cudaGetLastError(); /* is told */
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

/* Rows that are aligned by hand where the device's pitch is no whole number of elements. */
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
  return leave(device, error);
}

/* Nobody can be told of a failure; the next call that matters meets it again. */
static void release(ddr_array_device *arrays, ddr_allocation how, void *data) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  if (ddr_cuda_enter(device) == cudaSuccess) {
    if (how == DDR_IN_ORDER) (void)cudaFreeAsync(data, stream_of(device));
    else (void)cudaFree(data); /* waits for the device */
  }
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

const char *ddr_cuda_arrays_open(int id, uint32_t block_size, ddr_array_device **device) {
  int n_devices = 0;
  cudaStream_t stream = NULL;
  *device = NULL;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0)
    return "there is no usable device";
  if (id < 0 || id >= n_devices) return "there is no device of that number";
  ddr_cuda_arrays *opened = (ddr_cuda_arrays *)calloc(1, sizeof *opened);
  if (!opened) return "out of memory";
  opened->id = id;
  cudaError_t error = ddr_cuda_enter(opened);
  if (error == cudaSuccess) error = cudaStreamCreate(&stream);
  if (leave(opened, error) != DDR_ARRAY_OK) {
    free(opened);
    return "there is no usable device";
  }
  opened->launch.stream = stream;
  opened->launch.block_size = block_size > 0 ? (int32_t)block_size : BLOCK_SIZE;
  opened->functions.allocate = allocate;
  opened->functions.allocate_rows = allocate_rows;
  opened->functions.release = release;
  opened->functions.copy_rows = copy_rows;
  opened->functions.transforms = &ddr_cuda_transforms;
  opened->functions.reductions = &ddr_cuda_reductions;
  *device = &opened->functions;
  return NULL;
}

void ddr_cuda_arrays_close(ddr_array_device *arrays) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  if (!device) return;
  if (ddr_cuda_enter(device) == cudaSuccess) {
    (void)cudaFree(device->scratch);
    (void)cudaStreamDestroy(stream_of(device));
  }
  (void)leave(device, cudaSuccess);
  free(device);
}

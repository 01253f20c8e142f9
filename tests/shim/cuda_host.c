/* cuda_host.c: see cuda_host.h. */
#include "tests/shim/cuda_host.h"

int64_t shim_thread, shim_n_threads;

static long n_calls;
static cudaError_t last_error;

static long setting(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* The result of a call that did its work; every failure is sticky, as that of a lost device is. */
static cudaError_t counted(cudaError_t failure) {
  if (last_error == cudaSuccess && ++n_calls == setting("DDR_SHIM_FAIL", -1)) last_error = failure;
  return last_error;
}

int64_t shim_threads(int64_t n, int32_t block_size) {
  if (counted(cudaErrorLaunchFailure) != cudaSuccess) return 0;
  return (n + block_size - 1) / block_size * block_size;
}

int64_t shim_permuted(int64_t k, int64_t n) {
  static const int64_t steps[] = {1000003, 999983, 611953, 7919, 104729};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (n % steps[i] != 0) return (k % n * (steps[i] % n) + n / 3) % n;
  return k;
}

const char *cudaGetErrorString(cudaError_t error) {
  static const char *const texts[] = {"no error", "out of memory", "unspecified launch failure"};
  return texts[error];
}

const char *cudaGetErrorName(cudaError_t error) {
  static const char *const names[] = {"cudaSuccess", "cudaErrorMemoryAllocation",
                                      "cudaErrorLaunchFailure"};
  return names[error];
}

cudaError_t cudaGetLastError(void) { return last_error; }

cudaError_t cudaGetDeviceCount(int *count) {
  *count = (int)setting("DDR_SHIM_DEVICES", 1);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  snprintf(properties->name, sizeof properties->name, "loops of the host, number %d", device);
  return counted(cudaErrorLaunchFailure);
}

cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  (void)device;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  *stream = NULL;
  return counted(cudaErrorLaunchFailure);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  (void)stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return counted(cudaErrorLaunchFailure);
}

/* What is read before it is written shows. */
cudaError_t cudaMalloc(void **memory, size_t n_bytes) {
  cudaError_t error = counted(cudaErrorMemoryAllocation);
  *memory = error == cudaSuccess ? malloc(n_bytes) : NULL;
  if (*memory) memset(*memory, 0xff, n_bytes);
  return error == cudaSuccess && !*memory ? cudaErrorMemoryAllocation : error;
}

cudaError_t cudaFree(void *memory) {
  free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t n_bytes, cudaStream_t stream) {
  (void)stream;
  cudaError_t error = counted(cudaErrorLaunchFailure);
  if (error == cudaSuccess) memset(memory, value, n_bytes);
  return error;
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n_bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  (void)kind;
  (void)stream;
  cudaError_t error = counted(cudaErrorLaunchFailure);
  if (error == cudaSuccess) memcpy(dst, src, n_bytes);
  return error;
}

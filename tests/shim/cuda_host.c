/* cuda_host.c: see cuda_host.h. */
#include "tests/shim/cuda_host.h"

#include <malloc.h>

#include "tests/shim/driver.h"

_Thread_local int64_t shim_thread, shim_n_threads;

struct shim_stream {
  int device;
};

static long setting(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

static shim_driver *driver(void) {
  static shim_driver own;
  if (shim_shared_driver) return shim_shared_driver();
  own.fail_at = setting("DDR_SHIM_FAIL", 0);
  return &own;
}

/* Threads of a client count together. */
static void add(long *count, long n) { __atomic_fetch_add(count, n, __ATOMIC_RELAXED); }

/* The result of a call that did its work; every failure is sticky, as that of a lost device is. */
static cudaError_t counted(cudaError_t failure) {
  shim_driver *shared = driver();
  shim_open_memory();
  if (shared->error == cudaSuccess && ++shared->n_calls == shared->fail_at)
    shared->error = (int)failure;
  const cudaError_t error = (cudaError_t)shared->error;
  shim_close_memory();
  return error;
}

/* Of a call that fails alone. */
static cudaError_t alone(cudaError_t failure) {
  driver()->last = (int)failure;
  return failure;
}

/* Likewise of a call for a stream, which is that of the current device; or one of each device,
 * known by its number: 0, 1, 2. */
static cudaError_t counted_on(cudaStream_t stream) {
  if ((uintptr_t)stream > 2 && stream->device != driver()->device)
    return alone(cudaErrorInvalidValue);
  return counted(cudaErrorLaunchFailure);
}

void shim_reset(void) {
  driver()->n_calls = 0;
  driver()->error = driver()->last = cudaSuccess;
}

int64_t shim_threads(const char *kernel, int64_t n, int32_t block_size) {
  const char *told = getenv("DDR_SHIM_TELL");
  if (told && strcmp(told, kernel) == 0)
    fprintf(stderr, "%s: %lld threads\n", kernel, (long long)n);
  if (counted(cudaErrorLaunchFailure) != cudaSuccess) return 0;
  if (n == 0) (void)alone(cudaErrorInvalidValue); /* a launch of nothing */
  return (n + block_size - 1) / block_size * block_size;
}

int64_t shim_permuted(int64_t k, int64_t n) {
  static const int64_t steps[] = {1000003, 999983, 611953, 7919, 104729};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (n % steps[i] != 0) return (k % n * (steps[i] % n) + n / 3) % n;
  return k;
}

const char *cudaGetErrorString(cudaError_t error) {
  static const char *const texts[] = {"no error",
                                      "out of memory",
                                      "unspecified launch failure",
                                      "invalid argument",
                                      "no CUDA-capable device is detected",
                                      "CUDA driver version is insufficient"};
  return texts[error];
}

const char *cudaGetErrorName(cudaError_t error) {
  static const char *const names[] = {
      "cudaSuccess",           "cudaErrorMemoryAllocation", "cudaErrorLaunchFailure",
      "cudaErrorInvalidValue", "cudaErrorNoDevice",         "cudaErrorInsufficientDriver"};
  return names[error];
}

cudaError_t cudaGetLastError(void) {
  shim_driver *shared = driver();
  const cudaError_t last = (cudaError_t)shared->last;
  shared->last = cudaSuccess;
  return shared->error != cudaSuccess ? (cudaError_t)shared->error : last;
}

/* DDR_SHIM_DRIVER: 0 for none; less than what there is otherwise is too old. */
enum { DRIVER_VERSION = 13000 };

bool shim_has_driver(void) { return setting("DDR_SHIM_DRIVER", DRIVER_VERSION) > 0; }

cudaError_t cudaGetDeviceCount(int *count) {
  if (setting("DDR_SHIM_DRIVER", DRIVER_VERSION) < DRIVER_VERSION)
    return cudaErrorInsufficientDriver;
  *count = (int)setting("DDR_SHIM_DEVICES", 1);
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  snprintf(properties->name, sizeof properties->name, "loops of the host, number %d", device);
  properties->warpSize = 32;
  properties->multiProcessorCount = 1; /* so that some blocks of small tests leave early */
  properties->maxThreadsPerMultiProcessor = 64;
  return counted(cudaErrorLaunchFailure);
}

cudaError_t cudaGetDevice(int *device) {
  *device = driver()->device;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  driver()->device = device;
  add(&driver()->n_selections, 1);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  cudaError_t error = counted(cudaErrorLaunchFailure);
  *stream = error == cudaSuccess ? malloc(sizeof **stream) : NULL;
  if (error == cudaSuccess && !*stream) return alone(cudaErrorMemoryAllocation);
  if (*stream) (*stream)->device = driver()->device;
  return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  free(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  add(&driver()->n_waits, 1);
  return counted_on(stream);
}

static long n_allocated; /* bytes */

static size_t all_memory(void) { return (size_t)setting("DDR_SHIM_MEMORY", 1L << 33); }

static size_t free_memory(void) {
  const size_t n_all = all_memory();
  const size_t n_used = (size_t)__atomic_load_n(&n_allocated, __ATOMIC_RELAXED);
  return n_all > n_used ? n_all - n_used : 0;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
  *free_bytes = free_memory();
  *total = all_memory();
  return counted(cudaErrorLaunchFailure);
}

/* What is free is in several pieces. */
static size_t largest_piece(void) { return free_memory() / 4 * 3; }

/* What is read before it is written shows. No bytes are no memory, and no error. */
cudaError_t cudaMalloc(void **memory, size_t n_bytes) {
  cudaError_t error = counted(cudaErrorMemoryAllocation);
  *memory = NULL;
  if (error != cudaSuccess || n_bytes == 0) return error;
  if (n_bytes <= largest_piece()) *memory = malloc(n_bytes);
  if (*memory && !shim_note_memory(*memory, n_bytes, driver()->device)) {
    free(*memory);
    *memory = NULL;
  }
  if (*memory) memset(*memory, 0xff, n_bytes);
  add(&driver()->n_allocations, *memory != NULL);
  add(&n_allocated, (long)malloc_usable_size(*memory));
  return !*memory ? alone(cudaErrorMemoryAllocation) : error;
}

cudaError_t cudaFree(void *memory) {
  add(&driver()->n_frees, memory != NULL);
  add(&n_allocated, -(long)malloc_usable_size(memory));
  shim_forget_memory(memory);
  free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t n_bytes, cudaStream_t stream) {
  cudaError_t error = counted_on(stream);
  if (error == cudaSuccess) memset(memory, value, n_bytes);
  return error;
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n_bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  (void)kind;
  add(&driver()->n_copied, (long)n_bytes);
  cudaError_t error = counted_on(stream);
  if (error != cudaSuccess) return error;
  shim_open_memory();
  memcpy(dst, src, n_bytes);
  shim_close_memory();
  return error;
}

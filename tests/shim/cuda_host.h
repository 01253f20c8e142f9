/* cuda_host.h: enough of CUDA for the device's runtime and generated device code to be plain C.
 *
 * Included before anything else.  A launch is a loop over its threads, in an order that no kernel
 * may depend on; memory of the device is the host's, so that AddressSanitizer sees every access.
 * DDR_SHIM_FAIL=k has the k-th call of CUDA fail, which tests of errors use; DDR_SHIM_DEVICES=n
 * says how many devices there are, DDR_SHIM_MEMORY=n how many bytes they have.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DDR_SHIM

/* A team takes its strand before it runs one, which gcc does not see where it optimises. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* --- kernels ---------------------------------------------------------------------------------- */

extern _Thread_local int64_t shim_thread, shim_n_threads;

#define DDR_KERNEL static
#define DDR_DEVICE_FN static inline __attribute__((unused))
#define DDR_THREAD shim_thread
#define DDR_RESTRICT restrict
#define DDR_UNROLLED
#define DDR_ARGUMENT const
#define DDR_DEVICE_MAX(place, value) (*(place) = *(place) < (value) ? (value) : *(place))
#define DDR_DEVICE_ADD(place, value) ((*(place) += (value)) - (value))
#define DDR_DEVICE_FENCE() ((void)0)
#define ddr_warp_max DDR_DEVICE_MAX
#define ddr_warp_add DDR_DEVICE_ADD
#define ddr_warp_count(place) ((void)++*(place))
#define ddr_n_together(round)                                                                      \
  ((void)(round), (uint32_t)(shim_thread % 3)) /* as if some others came and went */
#define DDR_LAUNCH(kernel, launch, n, ...)                                                         \
  do {                                                                                             \
    const int64_t shim_n = shim_n_threads = shim_threads(#kernel, (n), (launch)->block_size);      \
    shim_open_memory();                                                                            \
    for (int64_t shim_k = 0; shim_k < shim_n; shim_k++) {                                          \
      shim_thread = shim_permuted(shim_k, shim_n);                                                 \
      kernel(__VA_ARGS__);                                                                         \
    }                                                                                              \
    shim_close_memory();                                                                           \
  } while (0)

/* Teams of one (ddr/device/team.h). */
#define DDR_LAUNCH_TEAMS DDR_LAUNCH
#define DDR_LAUNCH_STRIPES DDR_LAUNCH
#define DDR_IN_WARPS 0
#define DDR_IN_TEAM 1

/* All threads of whole blocks; none after a failure.  The launch of a kernel that DDR_SHIM_TELL
 * names is told on standard error. */
int64_t shim_threads(const char *kernel, int64_t n, int32_t block_size);

/* As if the device had just been found: nothing has failed, and calls are counted from 1. */
void shim_reset(void);

/* Thread number k of n: each once, neighbours far apart. */
int64_t shim_permuted(int64_t k, int64_t n);

/* cuda_memory.c: between these, host code may touch what is the device's alone, and no other thread
 * uses the device. */
void shim_open_memory(void);
void shim_close_memory(void);
bool shim_note_memory(void *data, size_t n_bytes, int device); /* the newest; false: no memory */
bool shim_forget_memory(const void *memory);
int64_t shim_n_blocks(void); /* that are allocated there */

/* Memory that nobody has, but that was not freed; and as if it had just been allocated. */
void shim_close_block(void *data, size_t n_bytes);
void shim_renew_memory(void *data, size_t n_bytes);

/* cuda_memory.c: memory of a client (driver.h), or of the shim, that has this byte. */
bool shim_find_memory(const void *data, int *device, const char **begin, size_t *n_bytes);

bool shim_has_driver(void);

/* --- the runtime API -------------------------------------------------------------------------- */

typedef enum {
  cudaSuccess,
  cudaErrorMemoryAllocation,
  cudaErrorLaunchFailure,
  cudaErrorInvalidValue,
  cudaErrorNoDevice,
  cudaErrorInsufficientDriver
} cudaError_t;
typedef enum { cudaMemcpyDefault } cudaMemcpyKind;
typedef struct shim_stream *cudaStream_t;
struct cudaDeviceProp {
  char name[256];
  int multiProcessorCount, maxThreadsPerMultiProcessor, warpSize;
};

const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaMalloc(void **memory, size_t n_bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t n_bytes, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n_bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);

enum { cudaMemAttachGlobal = 1 };
cudaError_t cudaMallocAsync(void **memory, size_t n_bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t row_bytes, size_t n_rows);
cudaError_t cudaMallocManaged(void **memory, size_t n_bytes, unsigned flags);
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t row_bytes, size_t n_rows, cudaMemcpyKind kind,
                              cudaStream_t stream);

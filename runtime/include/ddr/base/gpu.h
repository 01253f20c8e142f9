/* gpu.h: which compiler for GPUs reads this, and one set of names for both, that of CUDA.
 *
 * DDR_GPU is defined where nvcc or HIP's clang compile, for the host and for devices; DDR_GPU_CODE
 * where they compile for devices.  HIP has the same functions under other names, which stand below;
 * what differs in more than its name is a function here.
 *
 * Read next: device/device.h.
 */
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define DDR_GPU
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define DDR_GPU_CODE
#endif

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>

#define cudaDeviceProp hipDeviceProp_t
#define cudaErrorInsufficientDriver hipErrorInsufficientDriver
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#define cudaErrorNoDevice hipErrorNoDevice
#define cudaErrorUnknown hipErrorUnknown
#define cudaError_t hipError_t
#define cudaFree hipFree
#define cudaFreeAsync hipFreeAsync
#define cudaGetDevice hipGetDevice
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaGetDeviceProperties hipGetDeviceProperties
#define cudaGetErrorName hipGetErrorName
#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define cudaMalloc hipMalloc
#define cudaMallocAsync hipMallocAsync
#define cudaMallocManaged hipMallocManaged
#define cudaMallocPitch hipMallocPitch
#define cudaMemAttachGlobal hipMemAttachGlobal
#define cudaMemGetInfo hipMemGetInfo
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpyDefault hipMemcpyDefault
#define cudaMemsetAsync hipMemsetAsync
#define cudaSetDevice hipSetDevice
#define cudaStreamCreate hipStreamCreate
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStream_t hipStream_t
#define cudaSuccess hipSuccess
#endif

/* --- warps ------------------------------------------------------------------------------------ */

/* A warp has 32 threads; on some GPUs of AMD, where it is called wavefront, 64. Only this header
 * depends on that. Where a fixed number of threads works together, it is 32, the width of a
 * summation tree (runtime/cuda/base/warp.h).
 */
#if defined(DDR_GPU)
#define DDR_GPU_FN static __device__ inline __attribute__((unused))

#if defined(__HIPCC__)
#define DDR_WARP_SIZE ((unsigned)warpSize)

/* The number of threads of the warp that are active here, in round `round` of a loop. */
DDR_GPU_FN unsigned ddr_n_together(unsigned round) {
  (void)round;
  return (unsigned)__popcll(__ballot(1));
}

/* Reduces *value to the maximum of the active threads of the warp. True for the threads that must
 * report *value: one per warp if there is an instruction for it, else all. */
DDR_GPU_FN bool ddr_warp_takes_max(unsigned *value) {
  (void)value; /* no instruction: every thread reports its own value */
  return true;
}

/* Adds the number of active threads of the warp to *place, by one atomic operation. */
DDR_GPU_FN void ddr_warp_count(unsigned long long *place) {
  const unsigned long long here = __ballot(1);
  if (__lane_id() == (unsigned)__ffsll(here) - 1)
    atomicAdd(place, (unsigned long long)__popcll(here));
}

/* Atomic addition of n to *place; returns what was there before. If all active threads of the warp
 * add the same n, one atomic operation serves them all. */
DDR_GPU_FN unsigned long long ddr_warp_add(unsigned long long *place, unsigned long long n) {
  const unsigned long long here = __ballot(1);
  const int first = __ffsll(here) - 1;
  if (!__all(__shfl(n, first) == n)) return atomicAdd(place, n);
  unsigned long long begin = 0;
  if (__lane_id() == (unsigned)first) begin = atomicAdd(place, n * (unsigned)__popcll(here));
  begin = __shfl(begin, first);
  return begin + n * (unsigned)__popcll(here & ((1ull << __lane_id()) - 1));
}

/* The sum of the values of all threads of the warp. All threads of the warp must call it. */
DDR_GPU_FN unsigned ddr_warp_sum(unsigned value) {
  for (unsigned distance = DDR_WARP_SIZE / 2; distance > 0; distance /= 2)
    value += __shfl_xor(value, (int)distance);
  return value;
}

/* The word of the thread `distance` lanes further on, within groups of n lanes, a power of two. */
DDR_GPU_FN unsigned ddr_word_from(unsigned word, unsigned distance, int n) {
  return __shfl_down(word, distance, n);
}

/* Sets *n to the number of threads of the warp with is_counted; returns the number of those before
 * this one. All threads of the warp must call it. */
DDR_GPU_FN unsigned ddr_warp_rank(bool is_counted, unsigned *n) {
  const unsigned long long counted = __ballot(is_counted);
  *n = (unsigned)__popcll(counted);
  return (unsigned)__popcll(counted & ((1ull << __lane_id()) - 1));
}
#else
#define DDR_WARP_SIZE 32u

/* By asm, because nvcc takes __activemask() for a memory barrier: it would load loop invariants
 * again in each round. The comment with `round` keeps it from being moved out of the loop. */
DDR_GPU_FN unsigned ddr_n_together(unsigned round) {
  unsigned here;
  asm("activemask.b32 %0; // %1" : "=r"(here) : "r"(round));
  return (unsigned)__popc(here);
}

DDR_GPU_FN bool ddr_warp_takes_max(unsigned *value) {
#if __CUDA_ARCH__ >= 800
  const unsigned here = __activemask();
  *value = __reduce_max_sync(here, *value);
  return threadIdx.x % 32 == (unsigned)__ffs((int)here) - 1;
#else
  (void)value;
  return true;
#endif
}

DDR_GPU_FN void ddr_warp_count(unsigned long long *place) {
  const unsigned here = __activemask();
  if (threadIdx.x % DDR_WARP_SIZE == (unsigned)__ffs((int)here) - 1)
    atomicAdd(place, (unsigned long long)__popc(here));
}

DDR_GPU_FN unsigned long long ddr_warp_add(unsigned long long *place, unsigned long long n) {
  const unsigned here = __activemask(), lane = threadIdx.x % DDR_WARP_SIZE;
  const int first = __ffs((int)here) - 1;
  if (!__all_sync(here, __shfl_sync(here, n, first) == n)) return atomicAdd(place, n);
  unsigned long long begin = 0;
  if (lane == (unsigned)first) begin = atomicAdd(place, n * (unsigned)__popc(here));
  begin = __shfl_sync(here, begin, first);
  return begin + n * (unsigned)__popc(here & ((1u << lane) - 1));
}

DDR_GPU_FN unsigned ddr_warp_sum(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, value);
#else
  for (int distance = (int)DDR_WARP_SIZE / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
#endif
}

DDR_GPU_FN unsigned ddr_word_from(unsigned word, unsigned distance, int n) {
  return __shfl_down_sync(0xffffffffu, word, distance, n);
}

DDR_GPU_FN unsigned ddr_warp_rank(bool is_counted, unsigned *n) {
  const unsigned counted = __ballot_sync(0xffffffffu, is_counted);
  *n = (unsigned)__popc(counted);
  return (unsigned)__popc(counted & ((1u << threadIdx.x % DDR_WARP_SIZE) - 1));
}
#endif

/* Barrier of all threads of the block that have not ended; the number of them with is_counted. */
DDR_GPU_FN unsigned ddr_block_count(bool is_counted) {
  return (unsigned)__syncthreads_count(is_counted);
}
DDR_GPU_FN void ddr_block_wait(void) { __syncthreads(); }
#endif

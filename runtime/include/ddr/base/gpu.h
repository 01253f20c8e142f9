/* gpu.h: which compiler for GPUs reads this, and one vocabulary for them: CUDA's.
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

/* --- threads that go together ----------------------------------------------------------------- */

/* A warp is as wide as the machine likes: 32 threads, or 64 where AMD says wavefront. Nothing else
 * asks how wide; what works together by count takes the 32 of a summation tree
 * (runtime/cuda/base/warp.h).
 */
#if defined(DDR_GPU)
#define DDR_GPU_FN static __device__ inline __attribute__((unused))

#if defined(__HIPCC__)
#define DDR_WARP_SIZE ((unsigned)warpSize)

/* The threads of a warp that come here together, asked in round number `round`. */
DDR_GPU_FN unsigned ddr_n_together(unsigned round) {
  (void)round;
  return (unsigned)__popcll(__ballot(1));
}

/* Whether this thread is to tell the greatest value of its warp; it is then in *value. */
DDR_GPU_FN bool ddr_warp_takes_max(unsigned *value) {
  (void)value; /* no instruction: each for itself */
  return true;
}

/* One more at the place for each thread that comes here together, by one access. */
DDR_GPU_FN void ddr_warp_count(unsigned long long *place) {
  const unsigned long long here = __ballot(1);
  if (__lane_id() == (unsigned)__ffsll(here) - 1)
    atomicAdd(place, (unsigned long long)__popcll(here));
}

/* What was at the place before n were added for this thread; those that come here together and add
 * as many take turns by one access. */
DDR_GPU_FN unsigned long long ddr_warp_add(unsigned long long *place, unsigned long long n) {
  const unsigned long long here = __ballot(1);
  const int first = __ffsll(here) - 1;
  if (!__all(__shfl(n, first) == n)) return atomicAdd(place, n);
  unsigned long long begin = 0;
  if (__lane_id() == (unsigned)first) begin = atomicAdd(place, n * (unsigned)__popcll(here));
  begin = __shfl(begin, first);
  return begin + n * (unsigned)__popcll(here & ((1ull << __lane_id()) - 1));
}

/* The word of the thread `distance` further on among `n` neighbours, a power of two. */
DDR_GPU_FN unsigned ddr_word_from(unsigned word, unsigned distance, int n) {
  return __shfl_down(word, distance, n);
}

/* How many threads of this warp say yes, all of which are here; the result: of those before it. */
DDR_GPU_FN unsigned ddr_warp_rank(bool it, unsigned *n) {
  const unsigned long long those = __ballot(it);
  *n = (unsigned)__popcll(those);
  return (unsigned)__popcll(those & ((1ull << __lane_id()) - 1));
}
#else
#define DDR_WARP_SIZE 32u

/* __activemask() would have nvcc read all memory again behind it: in a loop, what does not change.
 */
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

DDR_GPU_FN unsigned ddr_word_from(unsigned word, unsigned distance, int n) {
  return __shfl_down_sync(0xffffffffu, word, distance, n);
}

DDR_GPU_FN unsigned ddr_warp_rank(bool it, unsigned *n) {
  const unsigned those = __ballot_sync(0xffffffffu, it);
  *n = (unsigned)__popc(those);
  return (unsigned)__popc(those & ((1u << threadIdx.x % DDR_WARP_SIZE) - 1));
}
#endif

/* All threads of the block that have not ended wait for each other; how many of them say yes. */
DDR_GPU_FN unsigned ddr_block_count(bool it) { return (unsigned)__syncthreads_count(it); }
DDR_GPU_FN void ddr_block_wait(void) { __syncthreads(); }

/* Warps that n threads make. */
DDR_GPU_FN unsigned ddr_warps_for(unsigned n) { return (n + DDR_WARP_SIZE - 1) / DDR_WARP_SIZE; }
#endif

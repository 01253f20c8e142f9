/* device_wide.h: operations of a whole device, by the library of its maker: CUB in CUDA's toolkit,
 * or rocPRIM in ROCm (Debian: librocprim-dev).
 *
 * Each call works on `memory` of `n_bytes`; without memory it sets n_bytes to what it needs and
 * does nothing else. For C++.
 */
#pragma once

#include "runtime/cuda/base/toolkit.h"

#if defined(__HIPCC__)
#include <rocprim/rocprim.hpp>

typedef rocprim::counting_iterator<int64_t> ddr_wide_counting;

/* Copies those of n items that `choose` takes to `kept`, in order, and their number to n_kept. */
template <typename Items, typename Choose>
cudaError_t ddr_wide_select(void *memory, size_t &n_bytes, Items items, int64_t *kept,
                            int64_t *n_kept, int64_t n, Choose choose, cudaStream_t stream) {
  return rocprim::select(memory, n_bytes, items, kept, n_kept, (size_t)n, choose, stream);
}

/* Exclusive prefix sums; input and output may be the same memory. */
template <typename Value>
cudaError_t ddr_wide_sums(void *memory, size_t &n_bytes, const Value *values, Value *sums,
                          int64_t n, cudaStream_t stream) {
  return rocprim::exclusive_scan(memory, n_bytes, values, sums, (Value)0, (size_t)n,
                                 rocprim::plus<Value>(), stream);
}
#elif defined(DDR_GPU)
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

typedef thrust::counting_iterator<int64_t> ddr_wide_counting;

template <typename Items, typename Choose>
cudaError_t ddr_wide_select(void *memory, size_t &n_bytes, Items items, int64_t *kept,
                            int64_t *n_kept, int64_t n, Choose choose, cudaStream_t stream) {
  return cub::DeviceSelect::If(memory, n_bytes, items, kept, n_kept, n, choose, stream);
}

template <typename Value>
cudaError_t ddr_wide_sums(void *memory, size_t &n_bytes, const Value *values, Value *sums,
                          int64_t n, cudaStream_t stream) {
  return cub::DeviceScan::ExclusiveSum(memory, n_bytes, values, sums, n, stream);
}
#endif

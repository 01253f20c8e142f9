/* device_wide.h: what a whole device does together, by the library that its maker has for it: CUB
 * of CUDA's toolkit, rocPRIM of ROCm (Debian: librocprim-dev).
 *
 * Each call works on `memory` of `n_bytes`; without memory it sets n_bytes to what it needs and
 * does nothing else. For C++.
 */
#pragma once

#include "runtime/cuda/base/toolkit.h"

#if defined(__HIPCC__)
#include <rocprim/rocprim.hpp>

typedef rocprim::counting_iterator<int64_t> ddr_wide_counting;

/* Those of n items that `choose` takes, in order, to `kept`; how many, to n_kept. */
template <typename Items, typename Choose>
cudaError_t ddr_wide_select(void *memory, size_t &n_bytes, Items items, int64_t *kept,
                            int64_t *n_kept, int64_t n, Choose choose, cudaStream_t stream) {
  return rocprim::select(memory, n_bytes, items, kept, n_kept, (size_t)n, choose, stream);
}

/* Each value becomes the sum of those before it. */
static inline cudaError_t ddr_wide_sums(void *memory, size_t &n_bytes, int64_t *values, int64_t n,
                                        cudaStream_t stream) {
  return rocprim::exclusive_scan(memory, n_bytes, values, values, (int64_t)0, (size_t)n,
                                 rocprim::plus<int64_t>(), stream);
}

/* By the bits from begin_bit to before end_bit. */
static inline cudaError_t ddr_wide_sort(void *memory, size_t &n_bytes, const uint64_t *keys,
                                        uint64_t *sorted, int64_t n, int begin_bit, int end_bit,
                                        cudaStream_t stream) {
  return rocprim::radix_sort_keys(memory, n_bytes, keys, sorted, (size_t)n, (unsigned)begin_bit,
                                  (unsigned)end_bit, stream);
}
#elif defined(DDR_GPU)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

typedef thrust::counting_iterator<int64_t> ddr_wide_counting;

template <typename Items, typename Choose>
cudaError_t ddr_wide_select(void *memory, size_t &n_bytes, Items items, int64_t *kept,
                            int64_t *n_kept, int64_t n, Choose choose, cudaStream_t stream) {
  return cub::DeviceSelect::If(memory, n_bytes, items, kept, n_kept, n, choose, stream);
}

static inline cudaError_t ddr_wide_sums(void *memory, size_t &n_bytes, int64_t *values, int64_t n,
                                        cudaStream_t stream) {
  return cub::DeviceScan::ExclusiveSum(memory, n_bytes, values, values, n, stream);
}

static inline cudaError_t ddr_wide_sort(void *memory, size_t &n_bytes, const uint64_t *keys,
                                        uint64_t *sorted, int64_t n, int begin_bit, int end_bit,
                                        cudaStream_t stream) {
  return cub::DeviceRadixSort::SortKeys(memory, n_bytes, keys, sorted, n, begin_bit, end_bit,
                                        stream);
}
#endif

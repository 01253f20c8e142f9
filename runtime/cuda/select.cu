/* select.cu: which strands still run, in the order they had. */
#include "runtime/cuda/check.h"

#if defined(__CUDACC__)
#include <cub/device/device_select.cuh>

namespace {
struct Runs {
  const uint8_t *status;
  __device__ bool operator()(int64_t slot) const { return status[slot] <= DDR_NEW; }
};
} // namespace

cudaError_t ddr_device_select(const ddr_launch *launch, ddr_device_strands strands, int64_t *kept,
                              int64_t *n_kept, void **scratch, size_t *n_scratch) {
  const Runs runs = {strands.status};
  const cudaStream_t stream = (cudaStream_t)launch->stream;
  size_t n_bytes = 0;
  cudaError_t error = cub::DeviceSelect::If(NULL, n_bytes, strands.running, kept, n_kept,
                                            strands.n_running, runs, stream);
  if (error == cudaSuccess && n_bytes > *n_scratch) {
    cudaFree(*scratch);
    *scratch = NULL;
    *n_scratch = 0;
    error = cudaMalloc(scratch, n_bytes);
    if (error == cudaSuccess) *n_scratch = n_bytes;
  }
  if (error != cudaSuccess) return error;
  return cub::DeviceSelect::If(*scratch, n_bytes, strands.running, kept, n_kept, strands.n_running,
                               runs, stream);
}
#else
/* The shim has no CUB. */
cudaError_t ddr_device_select(const ddr_launch *launch, ddr_device_strands strands, int64_t *kept,
                              int64_t *n_kept, void **scratch, size_t *n_scratch) {
  (void)launch;
  (void)scratch;
  (void)n_scratch;
  *n_kept = 0;
  for (int64_t k = 0; k < strands.n_running; k++) {
    const int64_t slot = strands.running[k];
    if (strands.status[slot] <= DDR_NEW) kept[(*n_kept)++] = slot;
  }
  return cudaSuccess;
}
#endif

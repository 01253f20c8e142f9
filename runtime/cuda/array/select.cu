/* select.cu: see select.h.  By CUB, for which the shim has a replacement. */
#include "runtime/cuda/array/select.h"

#include "runtime/cuda/array/terms.h"

#if defined(DDR_GPU)
#include <cub/device/device_select.cuh>

namespace {

enum {
  COUNT_SIZE = 256
}; /* bytes of scratch memory for the count, before that of CUB, which must be aligned */

template <typename Element>
cudaError_t select(cudaStream_t stream, const void *from, const bool *mask, int64_t n, void *to,
                   void **scratch, size_t *n_scratch) {
  const Element *elements = static_cast<const Element *>(from);
  Element *selected = static_cast<Element *>(to);
  int64_t *count = nullptr;
  size_t n_bytes = 0;
  cudaError_t error =
      cub::DeviceSelect::Flagged(nullptr, n_bytes, elements, mask, selected, count, n, stream);
  if (error == cudaSuccess) error = ddr_device_reserve(scratch, n_scratch, n_bytes + COUNT_SIZE);
  if (error != cudaSuccess) return error;
  count = static_cast<int64_t *>(*scratch);
  void *rest = static_cast<char *>(*scratch) + COUNT_SIZE;
  return cub::DeviceSelect::Flagged(rest, n_bytes, elements, mask, selected, count, n, stream);
}

cudaError_t select_of_size(cudaStream_t stream, size_t element_size, const void *from,
                           const bool *mask, int64_t n, void *to, void **scratch,
                           size_t *n_scratch) {
  switch (element_size) {
  case 1: return select<uint8_t>(stream, from, mask, n, to, scratch, n_scratch);
  case 2: return select<uint16_t>(stream, from, mask, n, to, scratch, n_scratch);
  case 4: return select<uint32_t>(stream, from, mask, n, to, scratch, n_scratch);
  case 8: return select<uint64_t>(stream, from, mask, n, to, scratch, n_scratch);
  default: break; /* nothing is larger than a complex double */
  }
  return select<ulonglong2>(stream, from, mask, n, to, scratch, n_scratch);
}

} // namespace
#else
static cudaError_t select_of_size(cudaStream_t stream, size_t element_size, const void *from,
                                  const bool *mask, int64_t n, void *to, void **scratch,
                                  size_t *n_scratch) {
  const cudaError_t error = ddr_device_reserve(scratch, n_scratch, sizeof(int64_t));
  int64_t n_selected = 0;
  (void)stream;
  if (error != cudaSuccess) return error;
  shim_open_memory();
  for (int64_t k = 0; k < n; k++) {
    if (!mask[k]) continue;
    memcpy((char *)to + (size_t)n_selected * element_size,
           (const char *)from + (size_t)k * element_size, element_size);
    n_selected++;
  }
  shim_close_memory();
  *(int64_t *)*scratch = n_selected;
  return cudaSuccess;
}
#endif

cudaError_t ddr_device_select_elements(const ddr_launch *launch, size_t element_size,
                                       const void *from, const bool *mask, int64_t n, void *to,
                                       int64_t *n_selected, void **scratch, size_t *n_scratch) {
  cudaStream_t stream = (cudaStream_t)launch->stream;
  const cudaError_t error =
      select_of_size(stream, element_size, from, mask, n, to, scratch, n_scratch);
  if (error != cudaSuccess) return error;
  return cudaMemcpyAsync(n_selected, *scratch, sizeof *n_selected, cudaMemcpyDefault, stream);
}

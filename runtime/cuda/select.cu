/* select.cu: which strands run or live, in the order they had. */
#include "runtime/cuda/check.h"

DDR_FN bool is_chosen(ddr_choice choice, uint8_t status) {
  if (choice == DDR_THAT_RUN) return status <= DDR_NEW;
  return choice == DDR_THAT_LIVE ? status != DDR_DEAD : status == DDR_STABLE;
}

#if defined(__CUDACC__)
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace {
struct Choose {
  const uint8_t *status;
  ddr_choice choice;
  __device__ bool operator()(int64_t slot) const { return is_chosen(choice, status[slot]); }
};

template <typename Slots>
const char *select(ddr_device *device, Slots slots, int64_t n, Choose choose, int64_t *kept) {
  const char *const what = "find strands";
  cudaStream_t stream = ddr_stream(device);
  size_t n_bytes = 0;
  const char *error = ddr_device_check(
      device, what,
      cub::DeviceSelect::If(NULL, n_bytes, slots, kept, device->n_found, n, choose, stream));
  if (!error) error = ddr_space_reserve(device, &device->scratch, n_bytes);
  if (error) return error;
  return ddr_device_check(device, what,
                          cub::DeviceSelect::If(device->scratch.memory, n_bytes, slots, kept,
                                                device->n_found, n, choose, stream));
}
} // namespace

const char *ddr_device_select(ddr_device *device, const int64_t *slots, int64_t n,
                              ddr_choice choice, int64_t *kept) {
  const Choose choose = {device->strands.status, choice};
  try { /* CUB throws when a lost device cannot be selected; our callers are C */
    if (slots) return select(device, slots, n, choose, kept);
    return select(device, thrust::counting_iterator<int64_t>(0), n, choose, kept);
  } catch (...) {
    const cudaError_t error = cudaGetLastError();
    return ddr_device_check(device, "find strands", error ? error : cudaErrorUnknown);
  }
}
#else
/* The shim has no CUB. */
const char *ddr_device_select(ddr_device *device, const int64_t *slots, int64_t n,
                              ddr_choice choice, int64_t *kept) {
  *device->n_found = 0;
  for (int64_t k = 0; k < n; k++) {
    const int64_t slot = slots ? slots[k] : k;
    if (is_chosen(choice, device->strands.status[slot])) kept[(*device->n_found)++] = slot;
  }
  return NULL;
}
#endif

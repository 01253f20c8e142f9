/* cub.cu: selection and prefix sums, by CUB, or with HIP by rocPRIM. They are in one file because
 * the headers take ten seconds to compile. The shim has neither and uses loops. */
#include "runtime/cuda/check.h"

DDR_FN bool is_chosen(ddr_choice choice, uint8_t status) {
  if (choice == DDR_THAT_RUN) return status <= DDR_NEW;
  return choice == DDR_THAT_LIVE ? status != DDR_DEAD : status == DDR_STABLE;
}

#if defined(DDR_GPU)
#include "runtime/cuda/base/device_wide.h"

namespace {
/* Each function is called twice: without memory it says how much it needs. */
template <typename Call> const char *with_scratch(ddr_device *device, const char *what, Call call) {
  size_t n_bytes = 0;
  try { /* it throws when a lost device cannot be selected; our callers are C */
    const char *error = ddr_device_check(device, what, call(nullptr, n_bytes));
    if (!error) error = ddr_space_reserve(device, &device->scratch, n_bytes);
    if (error) return error;
    return ddr_device_check(device, what, call(device->scratch.memory, n_bytes));
  } catch (...) {
    const cudaError_t error = cudaGetLastError();
    return ddr_device_check(device, what, error ? error : cudaErrorUnknown);
  }
}

struct Choose {
  const uint8_t *status;
  ddr_choice choice;
  __device__ bool operator()(int64_t slot) const { return is_chosen(choice, status[slot]); }
};

template <typename Slots>
const char *select(ddr_device *device, Slots slots, int64_t n, Choose choose, int64_t *kept) {
  return with_scratch(device, "find strands", [=](void *memory, size_t &n_bytes) {
    return ddr_wide_select(memory, n_bytes, slots, kept, device->n_found, n, choose,
                           ddr_stream(device));
  });
}
} // namespace

const char *ddr_device_select(ddr_device *device, const int64_t *slots, int64_t n,
                              ddr_choice choice, int64_t *kept) {
  const Choose choose = {device->strands.status, choice};
  if (slots) return select(device, slots, n, choose, kept);
  return select(device, ddr_wide_counting(0), n, choose, kept);
}

template <typename Value>
static const char *scan(ddr_device *device, const Value *values, Value *sums, int64_t n) {
  return with_scratch(device, "add sizes", [=](void *memory, size_t &n_bytes) {
    return ddr_wide_sums(memory, n_bytes, values, sums, n, ddr_stream(device));
  });
}

const char *ddr_device_scan(ddr_device *device, int64_t *values, int64_t n) {
  return scan(device, values, values, n);
}

const char *ddr_device_scan_counts(ddr_device *device, const uint32_t *counts, int64_t n,
                                   uint32_t *sums) {
  return scan(device, counts, sums, n);
}
#else
const char *ddr_device_select(ddr_device *device, const int64_t *slots, int64_t n,
                              ddr_choice choice, int64_t *kept) {
  *device->n_found = 0;
  for (int64_t k = 0; k < n; k++) {
    const int64_t slot = slots ? slots[k] : k;
    if (is_chosen(choice, device->strands.status[slot])) kept[(*device->n_found)++] = slot;
  }
  return NULL;
}

const char *ddr_device_scan(ddr_device *device, int64_t *values, int64_t n) {
  int64_t sum = 0;
  (void)device;
  for (int64_t k = 0; k < n; k++) {
    const int64_t value = values[k];
    values[k] = sum;
    sum += value;
  }
  return NULL;
}

const char *ddr_device_scan_counts(ddr_device *device, const uint32_t *counts, int64_t n,
                                   uint32_t *sums) {
  uint32_t sum = 0;
  (void)device;
  for (int64_t k = 0; k < n; k++) {
    sums[k] = sum;
    sum += counts[k];
  }
  return NULL;
}
#endif

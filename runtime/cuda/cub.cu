/* cub.cu: choosing, adding up and sorting, by CUB, with HIP by rocPRIM: one file, for their headers
 * take ten seconds. The shim has neither: there they are loops. */
#include "runtime/cuda/check.h"

DDR_FN bool is_chosen(ddr_choice choice, uint8_t status) {
  if (choice == DDR_THAT_RUN) return status <= DDR_NEW;
  return choice == DDR_THAT_LIVE ? status != DDR_DEAD : status == DDR_STABLE;
}

#if defined(DDR_GPU)
#include "runtime/cuda/base/device_wide.h"

namespace {
/* A call without memory says how much it needs. */
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

const char *ddr_device_scan(ddr_device *device, int64_t *values, int64_t n) {
  return with_scratch(device, "add sizes", [=](void *memory, size_t &n_bytes) {
    return ddr_wide_sums(memory, n_bytes, values, n, ddr_stream(device));
  });
}

const char *ddr_device_sort(ddr_device *device, const uint64_t *keys, int64_t n, int begin_bit,
                            int end_bit, uint64_t *sorted) {
  return with_scratch(device, "sort", [=](void *memory, size_t &n_bytes) {
    return ddr_wide_sort(memory, n_bytes, keys, sorted, n, begin_bit, end_bit, ddr_stream(device));
  });
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

/* One digit after another, the lowest first. */
enum { DIGIT_BITS = 8, N_DIGITS = 1 << DIGIT_BITS };

static void sort_digit(const uint64_t *keys, int64_t n, int bit, uint64_t mask, uint64_t *sorted) {
  int64_t places[N_DIGITS] = {0}, next = 0;
  for (int64_t k = 0; k < n; k++) places[keys[k] >> bit & mask]++;
  for (int digit = 0; digit < N_DIGITS; digit++) {
    const int64_t count = places[digit];
    places[digit] = next;
    next += count;
  }
  for (int64_t k = 0; k < n; k++) sorted[places[keys[k] >> bit & mask]++] = keys[k];
}

const char *ddr_device_sort(ddr_device *device, const uint64_t *keys, int64_t n, int begin_bit,
                            int end_bit, uint64_t *sorted) {
  const size_t n_bytes = (size_t)n * sizeof *keys;
  const char *error = ddr_space_reserve(device, &device->scratch, n_bytes);
  if (error || n == 0) return error;
  uint64_t *copy = (uint64_t *)device->scratch.memory;
  memcpy(sorted, keys, n_bytes);
  for (int bit = begin_bit; bit < end_bit; bit += DIGIT_BITS) {
    const int n_bits = end_bit - bit < DIGIT_BITS ? end_bit - bit : DIGIT_BITS;
    memcpy(copy, sorted, n_bytes);
    sort_digit(copy, n, bit, (UINT64_C(1) << n_bits) - 1, sorted);
  }
  return NULL;
}
#endif

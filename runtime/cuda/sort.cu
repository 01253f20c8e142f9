/* sort.cu: keys in ascending order of some of their bits; equal ones keep the order they had. */
#include "runtime/cuda/check.h"

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>

static const char *sort(ddr_device *device, const uint64_t *keys, int64_t n, int begin_bit,
                        int end_bit, uint64_t *sorted) {
  const char *const what = "sort";
  cudaStream_t stream = ddr_stream(device);
  size_t n_bytes = 0;
  const char *error = ddr_device_check(
      device, what,
      cub::DeviceRadixSort::SortKeys(NULL, n_bytes, keys, sorted, n, begin_bit, end_bit, stream));
  if (!error) error = ddr_space_reserve(device, &device->scratch, n_bytes);
  if (error) return error;
  return ddr_device_check(device, what,
                          cub::DeviceRadixSort::SortKeys(device->scratch.memory, n_bytes, keys,
                                                         sorted, n, begin_bit, end_bit, stream));
}

const char *ddr_device_sort(ddr_device *device, const uint64_t *keys, int64_t n, int begin_bit,
                            int end_bit, uint64_t *sorted) {
  try { /* CUB throws when a lost device cannot be selected; our callers are C */
    return sort(device, keys, n, begin_bit, end_bit, sorted);
  } catch (...) {
    const cudaError_t error = cudaGetLastError();
    return ddr_device_check(device, "sort", error ? error : cudaErrorUnknown);
  }
}
#else
/* The shim has no CUB: one digit after another, the lowest first. */
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

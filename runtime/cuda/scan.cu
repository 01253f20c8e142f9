/* scan.cu: sums of all that comes before. */
#include "runtime/cuda/check.h"

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>

static const char *scan(ddr_device *device, int64_t *values, int64_t n) {
  const char *const what = "add sizes";
  cudaStream_t stream = ddr_stream(device);
  size_t n_bytes = 0;
  const char *error = ddr_device_check(
      device, what, cub::DeviceScan::ExclusiveSum(NULL, n_bytes, values, values, n, stream));
  if (!error) error = ddr_space_reserve(device, &device->scratch, n_bytes);
  if (error) return error;
  return ddr_device_check(
      device, what,
      cub::DeviceScan::ExclusiveSum(device->scratch.memory, n_bytes, values, values, n, stream));
}

const char *ddr_device_scan(ddr_device *device, int64_t *values, int64_t n) {
  try { /* CUB throws when a lost device cannot be selected; our callers are C */
    return scan(device, values, n);
  } catch (...) {
    const cudaError_t error = cudaGetLastError();
    return ddr_device_check(device, "add sizes", error ? error : cudaErrorUnknown);
  }
}
#else
/* The shim has no CUB. */
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
#endif

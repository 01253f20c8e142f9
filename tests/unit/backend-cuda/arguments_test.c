/* Arguments of kernels: the sizes that the compiler assumes are not less than the runtime's. */
#include "backend-cuda/local.h"
#include "ddr/device/device.h"
#include "ddr/image.h"
#include "tests/unit/test.h"

static void sizes_fit(void) {
  CHECK(sizeof(ddr_image) <= DEVICE_IMAGE_BYTES);
  /* Reductions and births add a few pointers and counts. */
  CHECK(sizeof(ddr_device_strands) + DEVICE_MOST_BYTES <= DEVICE_KERNEL_BYTES / 4 * 3);
}

int main(void) {
  RUN(sizes_fit);
  return test_result();
}

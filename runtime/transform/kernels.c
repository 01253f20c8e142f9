/* kernels.c: kernels for the machine that runs. */
#include "runtime/transform/kernels.h"

#include "runtime/element/sets.h"

ddr_transform_kernel *ddr_transform_kernel_of(ddr_transform transform, ddr_element type) {
  typedef ddr_transform_kernel *const Rows[DDR_ELEMENT_COUNT];
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_transform_kernels);
  return sets[ddr_best_set()][transform][type];
}

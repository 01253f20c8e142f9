/* kernels.c: chooses the kernels for this machine. */
#include "runtime/transform/kernels.h"

#include "runtime/element/sets.h"

ddr_transform_kernels ddr_transform_kernels_of(ddr_transform transform, ddr_element type) {
  typedef const ddr_transform_kernels Rows[DDR_ELEMENT_COUNT];
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_transform_kernels);
  return sets[ddr_best_set()][transform][type];
}

/* kernels.c: chooses the kernels for this machine. */
#include "runtime/reduce/kernels.h"

#include "runtime/element/sets.h"

ddr_reduce_kernel ddr_kernel_of(ddr_term term, ddr_element type, bool is_compensated) {
  typedef const ddr_reduce_kernels Rows[DDR_ELEMENT_COUNT];
  static Rows *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_reduce_kernels);
  const ddr_reduce_kernels *row = &sets[ddr_best_set()][term][type];
  return is_compensated && row->compensated.block ? row->compensated : row->plain;
}

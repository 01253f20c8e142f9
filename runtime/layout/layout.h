/* layout.h: where the elements of an array are: extents and strides.
 *
 * The one descriptor of the system.  A view (ndview.h) is a layout over typed memory; an index
 * function of the compiler (ir/index/ixfun.h) is one with symbols in it; pitches (pitch.h) are
 * another spelling; operands of convolutions, reductions and transforms are views.  Types and
 * functions are those of runtime/array/array.h.
 *
 * Plain C11 without dependencies; compiles as C, C++ and CUDA; the compiler and the runtime link
 * the same file.  Of a valid layout (ddr_layout_check) functions make valid ones.
 */
#pragma once

#include "runtime/layout/array_status.h"

#if defined(__CUDACC__) || defined(__HIPCC__)
#define DDR_LAYOUT_FN static __host__ __device__ inline
#elif defined(__GNUC__)
#define DDR_LAYOUT_FN static inline __attribute__((unused))
#else
#define DDR_LAYOUT_FN static inline
#endif

/* --- one element ------------------------------------------------------------------------------ */

/* Its offset; indices are inside the extents. */
DDR_LAYOUT_FN int64_t ddr_layout_at(const ddr_layout *layout, const int64_t *idx) {
  int64_t offset = layout->offset;
  for (int k = 0; k < layout->rank; k++) offset += idx[k] * layout->stride[k];
  return offset;
}

/* The offset of position p in canonical order: row-major over the extents, whatever the strides. */
DDR_LAYOUT_FN int64_t ddr_layout_at_position(const ddr_layout *layout, int64_t p) {
  int64_t offset = layout->offset;
  for (int k = layout->rank - 1; k >= 0; k--) {
    offset += p % layout->len[k] * layout->stride[k];
    p /= layout->len[k];
  }
  return offset;
}

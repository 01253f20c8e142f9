/* layout.h: where the elements of an array are: extents and strides.
 *
 * The one descriptor of the system.  A view (ndview.h) is a layout over typed memory; an index
 * function of the compiler (ir/index/ixfun.h) is one with symbols in it; pitches (pitch.h) are
 * another spelling; operands of convolutions, reductions and transforms are views.
 *
 * Axes run from the slowest to the fastest.  Offsets and strides count elements, are signed, and a
 * stride may be 0 (the same element again) or negative.  Where a layout has an axis of extent 0 it
 * has no elements.
 *
 * Plain C11 without dependencies; compiles as C, C++ and CUDA; the compiler and the runtime link
 * the same file.  Errors: a status, and then no result is written.  Functions take it for granted
 * that a layout would pass ddr_layout_check; what they make of such a one does, too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/layout/array_status.h"

#if defined(__CUDACC__)
#define DDR_LAYOUT_FN static __host__ __device__ inline
#elif defined(__GNUC__)
#define DDR_LAYOUT_FN static inline __attribute__((unused))
#else
#define DDR_LAYOUT_FN static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR_MAX_RANK = 16 };

typedef struct ddr_layout {
  int rank;                     /* 0: a single element */
  int64_t offset;               /* of index 0 on every axis */
  int64_t len[DDR_MAX_RANK];    /* extents */
  int64_t stride[DDR_MAX_RANK]; /* elements from one index to the next */
} ddr_layout;

/* --- making one ------------------------------------------------------------------------------- */

/* Row-major, packed, offset 0: stride[k] = len[k+1] * len[k+2] * ...  Errors: ERANK (more than 16,
 * or negative), EDIM (negative extent), EOVERFLOW (more than PTRDIFF_MAX elements, or a stride that
 * would be). */
ddr_array_status ddr_layout_packed(int rank, const int64_t *len, ddr_layout *layout);

/* Checks what came from outside: ERANK; EDIM for extents < 0; EOVERFLOW where offsets of elements,
 * the distance between two of them, or the number of elements do not fit. */
ddr_array_status ddr_layout_check(const ddr_layout *layout);

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

/* --- what it is like -------------------------------------------------------------------------- */

int64_t ddr_layout_size(const ddr_layout *layout); /* elements, with repetitions */
bool ddr_layout_is_empty(const ddr_layout *layout);
bool ddr_layout_same_shape(const ddr_layout *a, const ddr_layout *b);

/* The offsets are distinct and form an interval, in any order. */
bool ddr_layout_is_contiguous(const ddr_layout *layout);

/* In canonical order the offsets are consecutive and ascend. */
bool ddr_layout_is_canonical(const ddr_layout *layout);

/* No two indices have the same offset.  Exact; where the strides do not tell it takes memory for a
 * bit per element of the span, or 8 bytes per element.  Errors: ENOMEM. */
ddr_array_status ddr_layout_is_injective(const ddr_layout *layout, bool *is_injective);

/* Least and greatest offset of an element; false: there are none. */
bool ddr_layout_span(const ddr_layout *layout, int64_t *least, int64_t *greatest);

/* Whether both have an offset in common, when offsets count the same elements of one block: exact
 * where spans or the gcd of the strides tell, or sizes are up to 65536; else "yes", and also where
 * there is no memory to tell (at most 1 MiB). */
bool ddr_layout_overlap(const ddr_layout *a, const ddr_layout *b);

/* The same elements in the same canonical order with the fewest axes: axes of extent 1 go, and
 * neighbours merge where stride[k] = len[k+1] * stride[k+1].  At least one axis is left; no
 * elements give one axis of extent 0 and stride 1. */
ddr_layout ddr_layout_collapse(const ddr_layout *layout);

/* --- parts and other orders: the same elements, no copy; `part` may be `layout` --------------- */

/* Index `where` of axis `axis`; rank one less.  Errors: EDIM, EINDEX. */
ddr_array_status ddr_layout_fix(const ddr_layout *layout, int axis, int64_t where,
                                ddr_layout *part);

/* Indices begin to end-1.  Errors: EDIM; ERANGE unless 0 <= begin <= end <= extent. */
ddr_array_status ddr_layout_slice(const ddr_layout *layout, int axis, int64_t begin, int64_t end,
                                  ddr_layout *part);

/* Axis k of the result is axis order[k].  Errors: ERANK unless order is a permutation. */
ddr_array_status ddr_layout_permute(const ddr_layout *layout, const int *order, ddr_layout *part);

/* The axis backwards.  Errors: EDIM. */
ddr_array_status ddr_layout_flip(const ddr_layout *layout, int axis, ddr_layout *part);

/* Every step-th index, from the first on for step > 0, from the last on for step < 0; extent
 * ceil(n / |step|).  Errors: EDIM; ERANGE for step 0. */
ddr_array_status ddr_layout_step(const ddr_layout *layout, int axis, int64_t step,
                                 ddr_layout *part);

/* A new axis before axis `axis` (up to rank: after the last) along which every element is repeated
 * n times.  Errors: EDIM, ERANK, ERANGE for n < 0, EOVERFLOW. */
ddr_array_status ddr_layout_repeat(const ddr_layout *layout, int axis, int64_t n, ddr_layout *part);

/* Other extents for the same canonical order, where that needs no copy.  Errors: ESHAPE otherwise,
 * also for another number of elements; ERANK, EDIM; EOVERFLOW as of ddr_layout_packed. */
ddr_array_status ddr_layout_reshape(const ddr_layout *layout, int rank, const int64_t *len,
                                    ddr_layout *part);

#ifdef __cplusplus
}
#endif

/* ndview.h: strided views: a layout over typed memory (runtime/array/array.h).
 *
 * One function of a row does for flat and strided ranges: a flat range is one run.
 * Read next: runtime/transform (elementwise operations), runtime/reduce, runtime/conv.
 */
#pragma once

#include "runtime/layout/element.h"
#include "runtime/layout/layout.h"
#include "runtime/layout/storage.h"

/* Equal extents, and as many elements: the empty view has the extents of one element. */
static inline bool ddr_ndview_same_shape(const ddr_ndview *a, const ddr_ndview *b) {
  return ddr_layout_same_shape(&a->layout, &b->layout) &&
         ddr_ndview_is_empty(a) == ddr_ndview_is_empty(b);
}

#ifdef __cplusplus
extern "C" {
#endif

/* The range of ddr_ndview_range, in any order that of ddr_ndview_unordered_range, made where it is
 * kept: a range is large. */
void ddr_ndview_set_range(const ddr_ndview *view, bool any_order, ddr_range *range);

#ifdef __cplusplus
}
#endif

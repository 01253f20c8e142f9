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

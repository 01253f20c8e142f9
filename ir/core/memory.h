/* Memory: index functions of values that are in memory at run time.
 *
 * Next: ixfun.h. Used by mid-to-low for voxels, by back ends for sequences and state.
 */
#pragma once

#include "ir/core/ir.h"
#include "ir/index/ixfun.h"

/* A value of a fixed size: the axes of its sequences, outermost first, then one for the components
 * of its tensor (row-major), unless it is a scalar. In scalars. */
const Ixfun *memory_of_value(Arena *a, const Type *ty);

/* The samples of an image by (component, z, y, x): no component axis for scalars, and only the axes
 * that the image has. Components are side by side, and so are the samples of a row; rows are
 * stride_y apart, slices stride_z. Strides and lengths (len_x, ...) are variables, so that rows may
 * be padded and images flipped. In samples. */
const Ixfun *memory_of_image(Cx *cx, const Type *image);
/* The same, from the index function of an image value. */
const Ixfun *memory_of_image_value(Cx *cx, const Value *image);
/* n_taps samples on each axis from (corner_x, corner_y, corner_z) on: the support of a kernel. */
const Ixfun *memory_of_window(Cx *cx, const Type *image, uint32_t n_taps);
const Ixfun *memory_window_of(Cx *cx, const Ixfun *all, uint32_t dim, uint32_t n_taps);
/* The name of a quantity of an axis: corner_y for "corner" and 1. */
const Name *memory_axis_name(Cx *cx, const char *what, uint32_t axis);

/* Memory: index functions of what lies in memory while a program runs.
 *
 * Next: ixfun.h. Used by mid-to-low for voxels, by back ends for sequences and state.
 */
#pragma once

#include "ir/core/ir.h"
#include "ir/index/ixfun.h"

/* A value of a fixed size: the axes of its sequences, outermost first, then one for the components
 * of its tensor (row-major), unless it is a scalar. In scalars. */
const Ixfun *memory_of_value(Arena *a, const Type *ty);

/* The samples of an image by (component, z, y, x): row-major components, of several; as many of the
 * axes as the image has. Components lie side by side, and so do the samples of a row; rows are
 * stride_y apart, slices stride_z. These are names, so that rows may be padded and images flipped;
 * so are the lengths, len_x and so on. In samples. */
const Ixfun *memory_of_image(Cx *cx, const Type *image);
/* Where an image value says that they are. */
const Ixfun *memory_of_image_value(Cx *cx, const Value *image);
/* n_taps samples on each axis from (corner_x, corner_y, corner_z) on: what a kernel weighs. */
const Ixfun *memory_of_window(Cx *cx, const Type *image, uint32_t n_taps);
const Ixfun *memory_window_of(Cx *cx, const Ixfun *all, uint32_t dim, uint32_t n_taps);
/* The name of what there is one of for each axis: "corner", 1 is corner_y. */
const Name *memory_axis_name(Cx *cx, const char *what, uint32_t axis);

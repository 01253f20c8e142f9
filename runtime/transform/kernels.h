/* kernels.h: transforms of packed elements, for every type. */
#pragma once

#include "runtime/transform/transform.h"

/* n elements; the operands, and the result, each packed; the result may be one of the operands. */
typedef void ddr_transform_kernel(const void *const *operands, void *result, int64_t n);

/* NULL where there is nothing to do but copy, or the transform is not there for such elements. */
ddr_transform_kernel *ddr_transform_kernel_of(ddr_transform transform, ddr_element type);

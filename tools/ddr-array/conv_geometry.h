/* conv_geometry.h: which results of a convolution are computed, in indices of the image. */
#pragma once

#include "runtime/conv/conv.h"
#include "tools/ddr-array/request.h"

/* Per axis of the image. */
typedef struct Geometry {
  ddr_conv_op op;
  int rank;
  int64_t kernel_len[DDR_MAX_RANK], image_len[DDR_MAX_RANK];
  int64_t kernel_origin[DDR_MAX_RANK], image_origin[DDR_MAX_RANK];
  int64_t start[DDR_MAX_RANK], decimation[DDR_MAX_RANK], n[DDR_MAX_RANK];
} Geometry;

/* The geometry that the options ask for; the kernel has as many axes as the image. */
ddr_status geometry_find(const Request *request, const ddr_ndview *kernel, const ddr_ndview *image,
                         Geometry *g, ddr_reason *reason);

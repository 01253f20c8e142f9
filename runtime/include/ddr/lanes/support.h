/* support.h: the samples under a kernel as reals for all lanes, whatever type the image keeps: in
 * the image, or in copies (host/support.h).  The image is the same for all lanes, and so is the
 * choice.  Lanes that are masked off have valid addresses, too.
 *
 * The addresses of the first samples are given as if the image kept reals, since they may have been
 * computed a step ahead. If it does not, they are just another form of the offsets in samples.
 */
#pragma once

#include "ddr/host/support.h"
#include "ddr/lanes/lanes.h"

/* Images of one component have loops of their own, since with few rows to copy it matters what else
 * is done for each lane. The others are copied strand by strand. */
#define DDR_COPY_ROW(width, upper, y)                                                              \
  *(ddr_row##width##_at *)(copy + width * (y)) = DDR_ROW##width##_LOAD_##upper(src + (y)*stride_y)
#define DDR_COPY_ROWS2(upper) DDR_COPY_ROW(2, upper, 0), DDR_COPY_ROW(2, upper, 1)
#define DDR_COPY_ROWS4(upper)                                                                      \
  DDR_COPY_ROW(4, upper, 0), DDR_COPY_ROW(4, upper, 1), DDR_COPY_ROW(4, upper, 2),                 \
      DDR_COPY_ROW(4, upper, 3)
#define DDR_COPY_ROWS6(upper)                                                                      \
  for (int y = 0; y < 6; y++) DDR_COPY_ROW(6, upper, y)
#define DDR_COPY(width, id, upper, c_type)                                                         \
  case DDR_SAMPLE_##upper:                                                                         \
    for (int lane = 0; lane < DDR_LANES; lane++, copies += len) {                                  \
      const c_type *src = (const c_type *)image->samples + (given[lane] - first);                  \
      ddr_real *copy = copies;                                                                     \
      for (int z = 0; z < n_planes; z++, src += stride_z, copy += width * width)                   \
        DDR_COPY_ROWS##width(upper);                                                               \
    }                                                                                              \
    return;
#define DDR_COPY2(id, upper, c_type) DDR_COPY(2, id, upper, c_type)
#define DDR_COPY4(id, upper, c_type) DDR_COPY(4, id, upper, c_type)
#define DDR_COPY6(id, upper, c_type) DDR_COPY(6, id, upper, c_type)

/* Each copy has `len` reals. Returns the addresses: `given` or `copied`. */
#define DDR_DEFINE_SUPPORT(width)                                                                  \
  DDR_FN_SELDOM void ddr_vsupport##width(const ddr_image *image, const ddr_real *const given[],    \
                                         int64_t len, ddr_real *copies) {                          \
    const ddr_real *first = ddr_image_samples(image);                                              \
    const int64_t stride_y = image->stride[DDR_Y], stride_z = image->stride[DDR_Z];                \
    const int n_planes = image->dim > 2 ? width : 1;                                               \
    switch (image->sample) {                                                                       \
      DDR_SAMPLE_TYPES(DDR_COPY##width)                                                            \
    case DDR_SAMPLE_REAL: break;                                                                   \
    }                                                                                              \
  }                                                                                                \
  DDR_VFN const ddr_real *const *ddr_vsupport##width##_at(                                         \
      const ddr_image *image, const ddr_real *const given[], int64_t len, ddr_real *copies,        \
      const ddr_real *copied[]) {                                                                  \
    if (DDR_HAS_REALS(image)) return given;                                                        \
    for (int lane = 0; lane < DDR_LANES; lane++) copied[lane] = copies + lane * len;               \
    if (image->n_components == 1) {                                                                \
      ddr_vsupport##width(image, given, len, copies);                                              \
      return copied;                                                                               \
    }                                                                                              \
    for (int lane = 0; lane < DDR_LANES; lane++)                                                   \
      ddr_support##width(image, given[lane] - ddr_image_samples(image), copies + lane * len);      \
    return copied;                                                                                 \
  }
DDR_DEFINE_SUPPORT(2)
DDR_DEFINE_SUPPORT(4)
DDR_DEFINE_SUPPORT(6)
#undef DDR_DEFINE_SUPPORT
#undef DDR_COPY_ROW
#undef DDR_COPY_ROWS2
#undef DDR_COPY_ROWS4
#undef DDR_COPY_ROWS6
#undef DDR_COPY
#undef DDR_COPY2
#undef DDR_COPY4
#undef DDR_COPY6

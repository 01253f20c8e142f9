/* support.h: the samples under a kernel as reals, whatever type the image keeps.
 *
 * A mapped image keeps the type of its file, for which the program may not have been compiled.
 * Then the samples under a kernel, 2s on each axis for half-support s, are converted to a copy on
 * the stack; otherwise they stay in the image.  Rows are loaded from either in the same way, only
 * their distances differ (ddr_image_step).  In a copy rows are side by side, as are the components
 * of a sample, so that a row is as many chunks of 2s samples as there are components.
 *
 * For one strand; lanes/support.h has the same for lanes.
 */
#pragma once

#include "ddr/row_load.h"
#include "ddr/tap.h"

/* Whether the image keeps reals. The hint keeps values of the probe in registers: compilers save
 * them around the call for a copy, instead of always. */
#if defined(__GNUC__)
#define DDR_HAS_REALS(image) __builtin_expect((image)->sample == DDR_SAMPLE_REAL, 1)
#else
#define DDR_HAS_REALS(image) ((image)->sample == DDR_SAMPLE_REAL)
#endif

/* From a row, or plane, of samples to the next one; `copied`: in a copy. */
DDR_FN int64_t ddr_image_step(const ddr_image *image, int axis, int64_t copied) {
  return DDR_HAS_REALS(image) ? image->stride[axis] : copied;
}

/* Copies rows of 2s samples and so many chunks, `apart` samples from one to the next; a row of 6 is
 * stored as 8 reals. */
#define DDR_COPY_ROWS(width, upper, src, apart, n_chunks, copy)                                    \
  do {                                                                                             \
    DDR_EACH_TAP(ddr_y, 0, width) {                                                                \
      for (int ddr_k = 0; ddr_k < (n_chunks); ddr_k++, (copy) += width)                            \
        *(ddr_row##width##_at *)(copy) =                                                           \
            DDR_ROW##width##_LOAD_##upper((src) + ddr_y * (apart) + ddr_k * width);                \
    }                                                                                              \
  } while (0)

/* Copies the (2s)^dim samples from `src` on. Volumes of one component have a loop of their own,
 * which is unrolled. */
#define DDR_DEFINE_SUPPORT(width, id, upper, c_type)                                               \
  DDR_FN void ddr_support##width##_##id(const ddr_image *image, const c_type *src,                 \
                                        ddr_real *copy) {                                          \
    const int n_planes = image->dim > 2 ? width : 1, n_chunks = image->n_components;               \
    const int64_t stride_y = image->stride[DDR_Y], stride_z = image->stride[DDR_Z];                \
    if (n_chunks == 1 && n_planes == width) {                                                      \
      DDR_UNROLL_TAPS for (int z = 0; z < width; z++, src += stride_z)                             \
          DDR_COPY_ROWS(width, upper, src, stride_y, 1, copy);                                     \
      return;                                                                                      \
    }                                                                                              \
    for (int z = 0; z < n_planes; z++, src += stride_z)                                            \
      DDR_COPY_ROWS(width, upper, src, stride_y, n_chunks, copy);                                  \
  }
#define ROW(id, upper, c_type)                                                                     \
  DDR_DEFINE_SUPPORT(2, id, upper, c_type)                                                         \
  DDR_DEFINE_SUPPORT(4, id, upper, c_type)                                                         \
  DDR_DEFINE_SUPPORT(6, id, upper, c_type)
DDR_SAMPLE_TYPES(ROW)
#undef ROW
#undef DDR_DEFINE_SUPPORT

/* The first sample from an offset on: in the image, or in the copy. */
#define DDR_COPY2(id, upper, c_type)                                                               \
  case DDR_SAMPLE_##upper:                                                                         \
    ddr_support2_##id(image, ddr_image_samples_##id(image) + offset, copy);                        \
    return;
#define DDR_COPY4(id, upper, c_type)                                                               \
  case DDR_SAMPLE_##upper:                                                                         \
    ddr_support4_##id(image, ddr_image_samples_##id(image) + offset, copy);                        \
    return;
#define DDR_COPY6(id, upper, c_type)                                                               \
  case DDR_SAMPLE_##upper:                                                                         \
    ddr_support6_##id(image, ddr_image_samples_##id(image) + offset, copy);                        \
    return;
#define DDR_DEFINE_SUPPORT(width)                                                                  \
  DDR_FN_RARE void ddr_support##width(const ddr_image *image, int64_t offset, ddr_real *copy) {    \
    switch (image->sample) {                                                                       \
      DDR_SAMPLE_TYPES(DDR_COPY##width)                                                            \
    case DDR_SAMPLE_REAL: break;                                                                   \
    }                                                                                              \
  }                                                                                                \
  DDR_FN const ddr_real *ddr_support##width##_at(const ddr_image *image, int64_t offset,           \
                                                 ddr_real *copy) {                                 \
    if (DDR_HAS_REALS(image)) return ddr_image_samples(image) + offset;                            \
    ddr_support##width(image, offset, copy);                                                       \
    return copy;                                                                                   \
  }
DDR_DEFINE_SUPPORT(2)
DDR_DEFINE_SUPPORT(4)
DDR_DEFINE_SUPPORT(6)
#undef DDR_DEFINE_SUPPORT
#undef DDR_COPY2
#undef DDR_COPY4
#undef DDR_COPY6

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

#define DDR_COPY(width, id, upper)                                                                 \
  case DDR_SAMPLE_##upper:                                                                         \
    for (int lane = 0; lane < DDR_LANES; lane++)                                                   \
      ddr_support##width##_##id(image, ddr_image_samples_##id(image) + offset[lane],               \
                                copies + lane * len);                                              \
    return;
#define DDR_COPY2(id, upper, c_type) DDR_COPY(2, id, upper)
#define DDR_COPY4(id, upper, c_type) DDR_COPY(4, id, upper)
#define DDR_COPY6(id, upper, c_type) DDR_COPY(6, id, upper)

/* Each copy has `len` reals. Returns the addresses: `given` or `copied`. */
#define DDR_DEFINE_SUPPORT(width)                                                                  \
  DDR_FN_RARE void ddr_vsupport##width(const ddr_image *image, const ddr_real *const given[],      \
                                       int64_t len, ddr_real *copies, const ddr_real *copied[]) {  \
    int64_t offset[DDR_LANES];                                                                     \
    for (int lane = 0; lane < DDR_LANES; lane++) {                                                 \
      offset[lane] = ((intptr_t)given[lane] - (intptr_t)image->samples) / (int)sizeof(ddr_real);   \
      copied[lane] = copies + lane * len;                                                          \
    }                                                                                              \
    switch (image->sample) {                                                                       \
      DDR_SAMPLE_TYPES(DDR_COPY##width)                                                            \
    case DDR_SAMPLE_REAL: break;                                                                   \
    }                                                                                              \
  }                                                                                                \
  DDR_VFN const ddr_real *const *ddr_vsupport##width##_at(                                         \
      const ddr_image *image, const ddr_real *const given[], int64_t len, ddr_real *copies,        \
      const ddr_real *copied[]) {                                                                  \
    if (DDR_HAS_REALS(image)) return given;                                                        \
    ddr_vsupport##width(image, given, len, copies, copied);                                        \
    return copied;                                                                                 \
  }
DDR_DEFINE_SUPPORT(2)
DDR_DEFINE_SUPPORT(4)
DDR_DEFINE_SUPPORT(6)
#undef DDR_DEFINE_SUPPORT
#undef DDR_COPY
#undef DDR_COPY2
#undef DDR_COPY4
#undef DDR_COPY6

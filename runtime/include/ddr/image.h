/* image.h: a loaded image as probes see it.
 *
 * Samples are in memory as in the file, component fastest, then x, y, z, as reals of the program or
 * in another type (sample.h).  Arrays over axes are indexed by the names DDR_X, DDR_Y, DDR_Z (x
 * fastest in memory); unused axes have size 1 and unit transforms, so code for three dimensions is
 * right for all.  Positions are in world space (units of the file) or in index space (samples).
 * Offsets are 64-bit: an image may have more than 2^31 samples.  The world owns images and their
 * samples, or borrows samples of a client; probes only read.
 *
 * Filled by runtime/src/images/image.c.  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ddr/sample.h"
#include "ddr/scalar.h"

enum { DDR_X, DDR_Y, DDR_Z, DDR_MAX_DIM };

/* A load of DDR_ROW_SLACK samples may start at any voxel, and a block of DDR_MAX_TAPS samples on
 * every axis may start at any corner (tap.h), however small the image: images have enough readable
 * memory behind them. */
enum { DDR_ROW_SLACK = 16, DDR_MAX_TAPS = 6 };

/* Components of a sample up to which samples of any type are copied when they are probed
 * (host/support.h). The copies are on the stack, one for each lane: images of larger tensors are
 * converted when they are loaded. */
enum { DDR_MOST_COPIED = 16 };

/* Affine placement, once in each precision.  Rows of `matrix` are index axes, columns world ones.
 */
typedef struct ddr_placement64 {
  double matrix[DDR_MAX_DIM][DDR_MAX_DIM];   /* M: pos_index = M (pos_world - origin) */
  double translate[DDR_MAX_DIM];             /* tau = -M origin: pos_index = M pos_world + tau */
  double origin[DDR_MAX_DIM];                /* world position of sample (0,0,0) */
  double gradient[DDR_MAX_DIM][DDR_MAX_DIM]; /* P = M^T: d/d world = P d/d index */
} ddr_placement64;

typedef struct ddr_placement32 { /* the same, rounded from double */
  float matrix[DDR_MAX_DIM][DDR_MAX_DIM];
  float translate[DDR_MAX_DIM];
  float origin[DDR_MAX_DIM];
  float gradient[DDR_MAX_DIM][DDR_MAX_DIM];
} ddr_placement32;

typedef struct ddr_image {
  const void *samples;         /* component 0 of voxel (0,0,0), at any byte; NULL: `given` */
  int32_t dim;                 /* 1, 2 or 3 */
  int32_t n_components;        /* samples per voxel, row-major tensor order */
  ddr_sample sample;           /* their type */
  int64_t size[DDR_MAX_DIM];   /* samples along x, y, z */
  int64_t stride[DDR_MAX_DIM]; /* elements from one sample to the next along x, y, z; along x
                                  n_components, on which generated code relies */
  ddr_placement64 place64;
  ddr_placement32 place32;
  const struct ddr_given_samples *given; /* of a client, on a device (device/device.h); or NULL */
  uint64_t number; /* images of one number, in one or several worlds, are the same; 0: unknown */
} ddr_image;

#if defined(DDR_DOUBLE)
typedef ddr_placement64 ddr_placement;
typedef ddr_f64_at ddr_real_at;
#else
typedef ddr_placement32 ddr_placement;
typedef ddr_f32_at ddr_real_at;
#endif

/* First sample of an image that keeps reals; ..._u8 and so on for one that keeps that type. */
DDR_FN const ddr_real *ddr_image_samples(const ddr_image *image) {
  return (const ddr_real *)image->samples;
}

#define ROW(id, upper, c_type)                                                                     \
  DDR_FN const c_type *ddr_image_samples_##id(const ddr_image *image) {                            \
    return (const c_type *)image->samples;                                                         \
  }
DDR_SAMPLE_TYPES(ROW)
#undef ROW

/* Whether the samples have the narrower type that the program was compiled for. */
DDR_FN bool ddr_image_is_native(const ddr_image *image, ddr_sample sample) {
  return image->sample == sample;
}

/* The sample at an offset, of any type, as a real. */
DDR_FN_SELDOM ddr_real ddr_image_sample(const ddr_image *image, int64_t offset) {
  switch (image->sample) {
#define ROW(id, upper, c_type)                                                                     \
  case DDR_SAMPLE_##upper:                                                                         \
    return (ddr_real) * (const ddr_##id##_at *)(ddr_image_samples_##id(image) + offset);
    DDR_SAMPLE_TYPES(ROW)
#undef ROW
  case DDR_SAMPLE_REAL: break;
  }
  return *(const ddr_real_at *)(ddr_image_samples(image) + offset);
}

/* Placement at the precision of the program. */
DDR_FN const ddr_placement *ddr_image_placement(const ddr_image *image) {
#if defined(DDR_DOUBLE)
  return &image->place64;
#else
  return &image->place32;
#endif
}

/* Element offset of component 0 of voxel (x, y, z).  The voxel must be inside the image. */
DDR_FN int64_t ddr_image_offset(const ddr_image *image, int64_t x, int64_t y, int64_t z) {
  return x * image->stride[DDR_X] + y * image->stride[DDR_Y] + z * image->stride[DDR_Z];
}

/* --- border rules: from any tap index to one in [0, n), for every n >= 1 ---------------------- */

DDR_FN int64_t ddr_border_clamp(int64_t idx, int64_t n) {
  if (idx < 0) return 0;
  return idx < n ? idx : n - 1;
}

DDR_FN int64_t ddr_border_wrap(int64_t idx, int64_t n) {
  const int64_t rest = idx % n;
  return rest < 0 ? rest + n : rest;
}

/* Period 2n with the edge samples repeated: n = 4 maps -4..7 to 3 2 1 0 0 1 2 3 3 2 1 0. */
DDR_FN int64_t ddr_border_mirror(int64_t idx, int64_t n) {
  const int64_t rest = ddr_border_wrap(idx, 2 * n);
  return rest < n ? rest : 2 * n - 1 - rest;
}

/* First tap of a support of `width` samples, moved inside: [0, n - width], or 0 in a small image.
 */
DDR_FN int64_t ddr_border_corner(int64_t first, int64_t width, int64_t n) {
  const int64_t last = n > width ? n - width : 0;
  if (first < 0) return 0;
  return first < last ? first : last;
}

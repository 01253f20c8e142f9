/* nrrd_samples.c: converts samples of files to those of an image: to reals of the program by a
 * plain C cast, or unchanged.
 *
 * One conversion per pair of types, written once as a macro and chosen by a table.
 * Read next: nrrd_rows.c.
 */
#include <string.h>

#include "local.h"

/* n samples that are stored in the order of components. */
#define CAST(to, n)                                                                                \
  for (size_t k = 0; k < (n); k++) sample[k] = (to)stored[k]
#define COPY(to, n) memcpy(sample, stored, (n) * sizeof(to))

/* Voxels are outermost, so that a symmetric matrix can read one stored sample twice. */
#define CONVERT(name, from, to, MOVE)                                                              \
  static void name(const ddr_nrrd_image *image, size_t n_voxels, const void *src, void *dst) {     \
    const from *stored = src;                                                                      \
    to *sample = dst;                                                                              \
    if (!image->source) {                                                                          \
      const size_t n = n_voxels * (size_t)image->n_components;                                     \
      MOVE(to, n);                                                                                 \
      return;                                                                                      \
    }                                                                                              \
    for (size_t voxel = 0; voxel < n_voxels; voxel++, stored += image->n_stored) {                 \
      for (int k = 0; k < image->n_components; k++) *sample++ = (to)stored[image->source[k]];      \
    }                                                                                              \
  }

/* clang-format off */
#define SAMPLE_TYPES(ROW)                   \
  ROW(nrrdTypeChar,   i8,  int8_t)          \
  ROW(nrrdTypeUChar,  u8,  uint8_t)         \
  ROW(nrrdTypeShort,  i16, int16_t)         \
  ROW(nrrdTypeUShort, u16, uint16_t)        \
  ROW(nrrdTypeInt,    i32, int32_t)         \
  ROW(nrrdTypeUInt,   u32, uint32_t)        \
  ROW(nrrdTypeLLong,  i64, int64_t)         \
  ROW(nrrdTypeULLong, u64, uint64_t)        \
  ROW(nrrdTypeFloat,  f32, float)           \
  ROW(nrrdTypeDouble, f64, double)
/* clang-format on */

#define ROW(type, id, c_type)                                                                      \
  CONVERT(float_from_##id, c_type, float, CAST)                                                    \
  CONVERT(double_from_##id, c_type, double, CAST)                                                  \
  CONVERT(copy_##id, c_type, c_type, COPY)
SAMPLE_TYPES(ROW)
#undef ROW

ddr_convert *ddr_nrrd_conversion(int type, size_t real_size) {
  const bool is_float = real_size == sizeof(float);
  switch (type) {
#define ROW(type, id, c_type)                                                                      \
  case type: return is_float ? float_from_##id : double_from_##id;
    SAMPLE_TYPES(ROW)
#undef ROW
  default: return NULL; /* blocks and unknown types were refused with the header */
  }
}

ddr_convert *ddr_nrrd_copy(int type) {
  switch (type) {
#define ROW(type, id, c_type)                                                                      \
  case type: return copy_##id;
    SAMPLE_TYPES(ROW)
#undef ROW
  default: return NULL;
  }
}

ddr_sample ddr_nrrd_sample(int type) {
  switch (type) {
  case nrrdTypeChar: return DDR_SAMPLE_I8;
  case nrrdTypeUChar: return DDR_SAMPLE_U8;
  case nrrdTypeShort: return DDR_SAMPLE_I16;
  case nrrdTypeUShort: return DDR_SAMPLE_U16;
  case nrrdTypeInt: return DDR_SAMPLE_I32;
  case nrrdTypeUInt: return DDR_SAMPLE_U32;
  case nrrdTypeFloat: return DDR_SAMPLE_F32;
  default: return DDR_SAMPLE_REAL; /* never narrower than a real */
  }
}

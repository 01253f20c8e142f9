/* nrrd_samples.c: file samples become reals of the program, by a plain C cast.
 *
 * One conversion per pair of types, written once as a macro and chosen by a table.
 * Read next: nrrd_io.c.
 */
#include "nrrd_local.h"

/* Voxels outermost, so that a symmetric matrix can draw one stored sample twice. */
typedef void Convert(const ddr_nrrd_image *image, size_t n_voxels, const void *src, void *dst);

#define CONVERT(name, from, to)                                                                 \
  static void name(const ddr_nrrd_image *image, size_t n_voxels, const void *src, void *dst)   \
  {                                                                                             \
    const from *stored = src;                                                                   \
    to *sample = dst;                                                                           \
    if (!image->source) {                                                                       \
      const size_t n = n_voxels * (size_t)image->n_components;                                  \
      for (size_t k = 0; k < n; k++) sample[k] = (to)stored[k];                                 \
      return;                                                                                   \
    }                                                                                           \
    for (size_t voxel = 0; voxel < n_voxels; voxel++, stored += image->n_stored) {              \
      for (int k = 0; k < image->n_components; k++) *sample++ = (to)stored[image->source[k]];   \
    }                                                                                           \
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

#define ROW(type, id, c_type)                 \
  CONVERT(float_from_##id, c_type, float)     \
  CONVERT(double_from_##id, c_type, double)
SAMPLE_TYPES(ROW)
#undef ROW

static Convert *find_conversion(int type, size_t real_size)
{
  const bool is_float = real_size == sizeof(float);
  switch (type) {
#define ROW(type, id, c_type) \
  case type: return is_float ? float_from_##id : double_from_##id;
    SAMPLE_TYPES(ROW)
#undef ROW
  default: return NULL; /* blocks and unknown types were refused with the header */
  }
}

void ddr_nrrd_convert(const Nrrd *nrrd, const ddr_nrrd_image *image, size_t real_size, void *dst)
{
  Convert *convert = find_conversion(nrrd->type, real_size);
  size_t n_voxels = 1;
  for (int axis = 0; axis < image->grid.dim; axis++) n_voxels *= (size_t)image->grid.size[axis];
  if (convert) convert(image, n_voxels, nrrd->data, dst);
}

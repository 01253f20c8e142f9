/* kept.h: rows of samples for all lanes, of whatever type an image keeps, from where they lie.
 *
 * The type is known at run time only, and is the same for all lanes.  So a loop over slices
 * (slices.h) is compiled once for each type, as which `ddr_kept` is defined in it:
 *
 *   DDR_BY_SAMPLE(vol, {
 *     DDR_EACH_SLICE4(slice) {
 *       const ddr_starts4 starts = ddr_starts4_kept(corner, step_y, slice);
 *       ... DDR_KEPT(ddr_slice4_from)(starts, step_z) ...
 *     }
 *   });
 *
 * Other probes of such images copy the samples under a kernel (support.h), which takes longer.
 * Places in this file are addresses of samples, whatever the types of pointers say.
 */
#pragma once

#include "ddr/host/support.h"
#include "ddr/lanes/narrow.h"

/* In programs with floats, floats are the reals. */
#if defined(DDR_DOUBLE)
#define DDR_BY_FLOATS(...) DDR_BY_TYPE(case DDR_SAMPLE_F32, float, __VA_ARGS__)
#define DDR_KEPT_FLOATS(fn) , float : fn##_f32
#else
#define DDR_BY_FLOATS(...)
#define DDR_KEPT_FLOATS(fn)
#endif

/* `...`: statements. */
#define DDR_BY_TYPE(label, c_type, ...)                                                            \
  label : {                                                                                        \
    typedef c_type ddr_kept;                                                                       \
    __VA_ARGS__                                                                                    \
    break;                                                                                         \
  }
#define DDR_BY_SAMPLE(image, ...)                                                                  \
  switch (__builtin_expect((image)->sample, DDR_SAMPLE_REAL)) {                                    \
    DDR_BY_TYPE(default, ddr_real, __VA_ARGS__)                                                    \
    DDR_BY_TYPE(case DDR_SAMPLE_I8, int8_t, __VA_ARGS__)                                           \
    DDR_BY_TYPE(case DDR_SAMPLE_U8, uint8_t, __VA_ARGS__)                                          \
    DDR_BY_TYPE(case DDR_SAMPLE_I16, int16_t, __VA_ARGS__)                                         \
    DDR_BY_TYPE(case DDR_SAMPLE_U16, uint16_t, __VA_ARGS__)                                        \
    DDR_BY_TYPE(case DDR_SAMPLE_I32, int32_t, __VA_ARGS__)                                         \
    DDR_BY_TYPE(case DDR_SAMPLE_U32, uint32_t, __VA_ARGS__)                                        \
    DDR_BY_FLOATS(__VA_ARGS__)                                                                     \
  }

/* The function for the type: fn_u8 and so on, or fn itself for reals. Compilers choose it before
 * they inline anything: a switch in each load would take them twice as long. */
#define DDR_KEPT(fn)                                                                               \
  _Generic((ddr_kept)0, ddr_real                                                                   \
           : fn, int8_t                                                                            \
           : fn##_i8, uint8_t                                                                      \
           : fn##_u8, int16_t                                                                      \
           : fn##_i16, uint16_t                                                                    \
           : fn##_u16, int32_t                                                                     \
           : fn##_i32, uint32_t                                                                    \
           : fn##_u32 DDR_KEPT_FLOATS(fn))

/* The size of a real, in samples, as a power of two. */
#define DDR_SHIFT(id, upper, c_type)                                                               \
  case DDR_SAMPLE_##upper: return __builtin_ctz((unsigned)(sizeof(ddr_real) / sizeof(c_type)));
DDR_VFN int ddr_sample_shift(ddr_sample sample) {
  switch (sample) {
    DDR_SAMPLE_TYPES(DDR_SHIFT)
  case DDR_SAMPLE_REAL: break;
  }
  return 0;
}
#undef DDR_SHIFT

/* The addresses of the lanes' samples: `given` has them as if the image kept reals, since they may
 * have been computed a step ahead.  Returns `given`, if it does, or else `places`. */
DDR_VFN const ddr_real *const *ddr_vplaces(const ddr_image *image, const ddr_real *const given[],
                                           const ddr_real *places[]) {
  if (DDR_HAS_REALS(image)) return given;
  const char *const samples = (const char *)image->samples;
  const int shift = ddr_sample_shift(image->sample);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const ptrdiff_t n_bytes = ((const char *)given[lane] - samples) >> shift;
    places[lane] = (const ddr_real *)(const void *)(samples + n_bytes);
  }
  return places;
}

/* --- slices ----------------------------------------------------------------------------------- */

/* Where the rows of a slice begin, `step` samples from the places of its lanes. */
#define ddr_starts4_kept(at, step, slice)                                                          \
  ddr_starts4_bytes(at, (step) * (int64_t)sizeof(ddr_kept), slice)

/* Four rows of a slice, or two, at their starts. */
#define DDR_START(c_type, start, step) ((const c_type *)(const void *)(start) + (step))
#if DDR_LANES == 16
#define DDR_ROWS4_FROM(c_type, starts, step)                                                       \
  DDR_START(c_type, (starts).a, step), DDR_START(c_type, (starts).b, step),                        \
      DDR_START(c_type, (starts).c, step), DDR_START(c_type, (starts).d, step)
#define DDR_LOADS4(load, a, b, c, d) load(a), load(b), load(c), load(d)
#elif DDR_LANES == 8
#define DDR_ROWS4_FROM(c_type, starts, step)                                                       \
  DDR_START(c_type, (starts).a, step), DDR_START(c_type, (starts).b, step)
#define DDR_LOADS4(load, a, b) load(a), load(b)
#else
#define DDR_ROWS4_FROM(c_type, starts, step) DDR_START(c_type, (starts).a, step)
#define DDR_LOADS4(load, a) load(a)
#endif
#define DDR_ALL_LOADS4(...) DDR_LOADS4(__VA_ARGS__)

#define DDR_FROM(id, value)                                                                        \
  DDR_VFN ddr_slice4 ddr_slice4_from_##id(ddr_starts4 starts, int64_t step) { return value; }
#define DDR_FROM_ROWS(upper, id, c_type)                                                           \
  DDR_FROM(id, ddr_slice4_of_rows((const ddr_row4[]){                                              \
                   DDR_ALL_LOADS4(DDR_ROW4_LOAD_##upper, DDR_ROWS4_FROM(c_type, starts, step))}))
#if DDR_LANES >= 8
#define DDR_FROM_NARROW(upper, id, c_type, size)                                                   \
  DDR_FROM(id, DDR_SLICE_OF_##upper(DDR_##size##4(DDR_ROWS4_FROM(c_type, starts, step))))
#else
#define DDR_FROM_NARROW(upper, id, c_type, size) DDR_FROM_ROWS(upper, id, c_type)
#endif
DDR_FROM_NARROW(I8, i8, int8_t, BYTES)
DDR_FROM_NARROW(U8, u8, uint8_t, BYTES)
DDR_FROM_NARROW(I16, i16, int16_t, SHORTS)
DDR_FROM_NARROW(U16, u16, uint16_t, SHORTS)
#if defined(DDR_DOUBLE)
DDR_FROM_ROWS(I32, i32, int32_t)
DDR_FROM_ROWS(U32, u32, uint32_t)
DDR_FROM_ROWS(F32, f32, float)
#else /* as many bits as reals */
typedef int32_t ddr_slice4_i32 __attribute__((vector_size(sizeof(ddr_slice4))));
typedef uint32_t ddr_slice4_u32 __attribute__((vector_size(sizeof(ddr_slice4))));
#define DDR_FROM_WORDS(id)                                                                         \
  DDR_FROM(id, __builtin_convertvector((ddr_slice4_##id)ddr_slice4_from(starts, step), ddr_slice4))
DDR_FROM_WORDS(i32)
DDR_FROM_WORDS(u32)
#endif

/* Rows of 8: narrow.h takes the addresses of all lanes, these have one slice. */
#define DDR_SLICE6_AT(id, upper, c_type)                                                           \
  DDR_VFN ddr_slice6 ddr_slice6_at_##id(const ddr_real *const at[DDR_LANES], int64_t step,         \
                                        int slice) {                                               \
    const c_type *of_slice[DDR_LANES];                                                             \
    for (int lane = 0; lane < DDR_LANES; lane += 8)                                                \
      of_slice[lane] = (const c_type *)(const void *)at[lane + slice];                             \
    return ddr_slice6_load_##id(of_slice, step, 0);                                                \
  }
DDR_SAMPLE_TYPES(DDR_SLICE6_AT)
#undef DDR_SLICE6_AT
DDR_VFN ddr_slice6 ddr_slice6_at(const ddr_real *const at[DDR_LANES], int64_t step, int slice) {
  return ddr_slice6_load(at, step, slice);
}

/* --- taps: rows of two samples ---------------------------------------------------------------- */

#define DDR_TAPS2_AT(id, c_type)                                                                   \
  DDR_VFN void ddr_taps2_at_##id(const ddr_real *const at[DDR_LANES], int64_t step,                \
                                 ddr_vreal tap[2]) {                                               \
    const c_type *row[DDR_LANES];                                                                  \
    for (int lane = 0; lane < DDR_LANES; lane++)                                                   \
      row[lane] = (const c_type *)(const void *)at[lane];                                          \
    ddr_taps2_load_##id(row, step, tap);                                                           \
  }
DDR_TAPS2_AT(i8, int8_t)
DDR_TAPS2_AT(u8, uint8_t)
DDR_TAPS2_AT(i16, int16_t)
DDR_TAPS2_AT(u16, uint16_t)
#if defined(DDR_DOUBLE)
DDR_TAPS2_AT(i32, int32_t)
DDR_TAPS2_AT(u32, uint32_t)
DDR_TAPS2_AT(f32, float)
#else
#define DDR_TAPS2_OF_WORDS(id)                                                                     \
  DDR_VFN void ddr_taps2_at_##id(const ddr_real *const at[DDR_LANES], int64_t step,                \
                                 ddr_vreal tap[2]) {                                               \
    ddr_taps2_load(at, step, tap);                                                                 \
    for (int i = 0; i < 2; i++)                                                                    \
      tap[i] = __builtin_convertvector((ddr_slice4_##id)tap[i], ddr_vreal);                        \
  }
DDR_TAPS2_OF_WORDS(i32)
DDR_TAPS2_OF_WORDS(u32)
#endif
DDR_VFN void ddr_taps2_at(const ddr_real *const at[DDR_LANES], int64_t step, ddr_vreal tap[2]) {
  ddr_taps2_load(at, step, tap);
}

/* Each row by itself: a probe has few, and their taps are variables. */
DDR_VFN void ddr_taps2_kept(const ddr_image *image, const ddr_real *const at[DDR_LANES],
                            int64_t step, ddr_vreal tap[2]) {
  DDR_BY_SAMPLE(image, DDR_KEPT(ddr_taps2_at)(at, step, tap);)
}

/* narrow.h: rows of samples that are not reals, for all lanes: slices and taps of reals, as in
 * slices.h.
 *
 * The samples of several lanes are converted together: each row of narrow samples is loaded as one
 * integer, and these fill a register.  Row by row, conversions took as long as all the rest of a
 * probe.  Samples of 32 bits, which programs keep if their reals are doubles, are converted row by
 * row.
 */
#pragma once

#include "ddr/lanes/slices.h"
#include "ddr/row_load.h"

/* --- slices: rows side by side ---------------------------------------------------------------- */

/* All samples of a slice: as many as there are lanes, 16 or 8. gcc would widen 16 samples in
 * halves. */
#if DDR_LANES == 16
typedef int32_t ddr_ints16 __attribute__((vector_size(64)));
typedef int16_t ddr_shorts16 __attribute__((vector_size(32)));
typedef int64_t ddr_longs4 __attribute__((vector_size(32)));
#define DDR_REALS_OF(ints) __builtin_convertvector((ints), ddr_vreal)
#if defined(__clang__)
typedef uint16_t ddr_ushorts16 __attribute__((vector_size(32)));
typedef int8_t ddr_signed_bytes __attribute__((vector_size(16)));
#define DDR_WIDEN(type, samples) DDR_REALS_OF(__builtin_convertvector((type)(samples), ddr_ints16))
#define DDR_SLICE_OF_I8(bytes) DDR_WIDEN(ddr_signed_bytes, bytes)
#define DDR_SLICE_OF_U8(bytes) DDR_WIDEN(ddr_bytes, bytes)
#define DDR_SLICE_OF_I16(shorts) DDR_WIDEN(ddr_shorts16, shorts)
#define DDR_SLICE_OF_U16(shorts) DDR_WIDEN(ddr_ushorts16, shorts)
#else
typedef char ddr_chars __attribute__((vector_size(16)));
#define DDR_WIDEN(how, type, samples)                                                              \
  DDR_REALS_OF((ddr_ints16)__builtin_ia32_pmov##how##512_mask((type)(samples), (ddr_ints16){0},    \
                                                              UINT16_MAX))
#define DDR_SLICE_OF_I8(bytes) DDR_WIDEN(sxbd, ddr_chars, bytes)
#define DDR_SLICE_OF_U8(bytes) DDR_WIDEN(zxbd, ddr_chars, bytes)
#define DDR_SLICE_OF_I16(shorts) DDR_WIDEN(sxwd, ddr_shorts16, shorts)
#define DDR_SLICE_OF_U16(shorts) DDR_WIDEN(zxwd, ddr_shorts16, shorts)
#endif
#elif DDR_LANES == 8
#define DDR_SLICE_OF_I8(bytes) DDR_ROW6_OF_INTS8(DDR_INTS8_I16(DDR_SHORTS_I8(bytes)))
#define DDR_SLICE_OF_U8(bytes) DDR_ROW6_OF_INTS8(DDR_INTS8_I16(DDR_SHORTS_U8(bytes)))
#define DDR_SLICE_OF_I16(shorts) DDR_ROW6_OF_INTS8(DDR_INTS8_I16(shorts))
#define DDR_SLICE_OF_U16(shorts) DDR_ROW6_OF_INTS8(DDR_INTS8_U16(shorts))
#endif

/* The rows of lanes g, 4+g, ... of a slice of rows of 4, and of lanes g and 8+g of one of rows of
 * 8: their addresses, as arguments of those below. */
#define DDR_ROW_AT(at, step, lane) ((at)[lane] + (step))
#if DDR_LANES == 16
#define DDR_ROWS4_AT(at, step, g)                                                                  \
  DDR_ROW_AT(at, step, g), DDR_ROW_AT(at, step, 4 + (g)), DDR_ROW_AT(at, step, 8 + (g)),           \
      DDR_ROW_AT(at, step, 12 + (g))
#define DDR_ROWS6_AT(at, step, g) DDR_ROW_AT(at, step, g), DDR_ROW_AT(at, step, 8 + (g))
#elif DDR_LANES == 8
#define DDR_ROWS4_AT(at, step, g) DDR_ROW_AT(at, step, g), DDR_ROW_AT(at, step, 4 + (g))
#define DDR_ROWS6_AT(at, step, g) DDR_ROW_AT(at, step, g)
#endif

/* Rows as integers in a register. */
#define DDR_AT(type, at) (*(const type *)(at))
#define DDR_BYTES4(...) DDR_BYTES4_OF(__VA_ARGS__)
#define DDR_SHORTS4(...) DDR_SHORTS4_OF(__VA_ARGS__)
#define DDR_BYTES6(...) DDR_BYTES6_OF(__VA_ARGS__)
#define DDR_SHORTS6(...) DDR_SHORTS6_OF(__VA_ARGS__)
#if DDR_LANES == 16
#define DDR_BYTES4_OF(a, b, c, d)                                                                  \
  ((ddr_bytes)(ddr_ints){DDR_AT(ddr_int_at, a), DDR_AT(ddr_int_at, b), DDR_AT(ddr_int_at, c),      \
                         DDR_AT(ddr_int_at, d)})
#define DDR_SHORTS4_OF(a, b, c, d)                                                                 \
  ((ddr_shorts16)(ddr_longs4){DDR_AT(ddr_long_at, a), DDR_AT(ddr_long_at, b),                      \
                              DDR_AT(ddr_long_at, c), DDR_AT(ddr_long_at, d)})
#define DDR_BYTES6_OF(a, b) ((ddr_bytes)(ddr_longs){DDR_AT(ddr_long_at, a), DDR_AT(ddr_long_at, b)})
#define DDR_SHORTS6_OF(a, b)                                                                       \
  __builtin_shufflevector(DDR_AT(ddr_shorts_at, a), DDR_AT(ddr_shorts_at, b), 0, 1, 2, 3, 4, 5, 6, \
                          7, 8, 9, 10, 11, 12, 13, 14, 15)
#elif DDR_LANES == 8
#define DDR_BYTES4_OF(a, b) ((ddr_bytes)(ddr_ints){DDR_AT(ddr_int_at, a), DDR_AT(ddr_int_at, b)})
#define DDR_SHORTS4_OF(a, b)                                                                       \
  ((ddr_shorts)(ddr_longs){DDR_AT(ddr_long_at, a), DDR_AT(ddr_long_at, b)})
#define DDR_BYTES6_OF(a) DDR_LOAD_8(a)
#define DDR_SHORTS6_OF(a) ((ddr_shorts)DDR_LOAD_16(a))
#endif

/* Fewer lanes have one row in a slice. */
#define DDR_SLICES_BY_ROWS(upper, id, c_type)                                                      \
  DDR_VFN ddr_slice4 ddr_slice4_load_##id(const c_type *const at[DDR_LANES], int64_t step,         \
                                          int slice) {                                             \
    return DDR_SLICE4_LOAD(DDR_ROW4_LOAD_##upper, at, step, slice);                                \
  }                                                                                                \
  DDR_VFN ddr_slice6 ddr_slice6_load_##id(const c_type *const at[DDR_LANES], int64_t step,         \
                                          int slice) {                                             \
    return DDR_SLICE6_LOAD(DDR_ROW6_LOAD_##upper, at, step, slice);                                \
  }
#if DDR_LANES >= 8
#define DDR_SLICES(upper, id, c_type, size)                                                        \
  DDR_VFN ddr_slice4 ddr_slice4_load_##id(const c_type *const at[DDR_LANES], int64_t step,         \
                                          int slice) {                                             \
    return DDR_SLICE_OF_##upper(DDR_##size##4(DDR_ROWS4_AT(at, step, slice)));                     \
  }                                                                                                \
  DDR_VFN ddr_slice6 ddr_slice6_load_##id(const c_type *const at[DDR_LANES], int64_t step,         \
                                          int slice) {                                             \
    return DDR_SLICE_OF_##upper(DDR_##size##6(DDR_ROWS6_AT(at, step, slice)));                     \
  }
#else
#define DDR_SLICES(upper, id, c_type, size) DDR_SLICES_BY_ROWS(upper, id, c_type)
#endif
DDR_SLICES(I8, i8, int8_t, BYTES)
DDR_SLICES(U8, u8, uint8_t, BYTES)
DDR_SLICES(I16, i16, int16_t, SHORTS)
DDR_SLICES(U16, u16, uint16_t, SHORTS)
DDR_SLICES_BY_ROWS(I32, i32, int32_t)
DDR_SLICES_BY_ROWS(U32, u32, uint32_t)
DDR_SLICES_BY_ROWS(F32, f32, float)

/* --- taps: rows of two samples ---------------------------------------------------------------- */

/* Both samples of a lane are in one integer, of 16 bits for bytes, since processors load these into
 * a register as they are, but of 32 bits where there are few lanes. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef int32_t ddr_vword32 __attribute__((vector_size(4 * DDR_LANES)));
typedef uint32_t ddr_vuword32 __attribute__((vector_size(4 * DDR_LANES)));
#define DDR_LOW_I16(pair) ((pair) << 16 >> 16)
#define DDR_LOW_U16(pair) ((pair)&UINT16_MAX)
#define DDR_HIGH_I16(pair) ((pair) >> 16)
#define DDR_HIGH_U16(pair) ((ddr_vword32)((ddr_vuword32)(pair) >> 16))
#define DDR_PAIR(at, step, lane, type) DDR_AT(type, DDR_ROW_AT(at, step, lane))
#define DDR_4_PAIRS(at, step, lane, type)                                                          \
  DDR_PAIR(at, step, lane, type), DDR_PAIR(at, step, (lane) + 1, type),                            \
      DDR_PAIR(at, step, (lane) + 2, type), DDR_PAIR(at, step, (lane) + 3, type)
#if DDR_LANES == 16
#define DDR_PAIR_OF_EACH(at, step, type)                                                           \
  {                                                                                                \
    DDR_4_PAIRS(at, step, 0, type), DDR_4_PAIRS(at, step, 4, type),                                \
        DDR_4_PAIRS(at, step, 8, type), DDR_4_PAIRS(at, step, 12, type)                            \
  }
#elif DDR_LANES == 8
#define DDR_PAIR_OF_EACH(at, step, type)                                                           \
  { DDR_4_PAIRS(at, step, 0, type), DDR_4_PAIRS(at, step, 4, type) }
#else
#define DDR_PAIR_OF_EACH(at, step, type)                                                           \
  { DDR_4_PAIRS(at, step, 0, type) }
#endif
#define DDR_TAPS2_OF(upper, id, c_type, pairs, at_type, reals_of)                                  \
  DDR_VFN void ddr_taps2_load_##id(const c_type *const at[DDR_LANES], int64_t step,                \
                                   ddr_vreal tap[2]) {                                             \
    const pairs pair = DDR_PAIR_OF_EACH(at, step, at_type);                                        \
    tap[0] = reals_of(DDR_LOW_##upper(pair));                                                      \
    tap[1] = reals_of(DDR_HIGH_##upper(pair));                                                     \
  }
#define DDR_REALS_OF_WORDS(words) __builtin_convertvector(words, ddr_vreal)
#define DDR_TAPS2(upper, id, c_type)                                                               \
  DDR_TAPS2_OF(upper, id, c_type, ddr_vword32, ddr_int_at, DDR_REALS_OF_WORDS)
#if DDR_LANES >= 8
typedef int16_t ddr_vword16 __attribute__((vector_size(2 * DDR_LANES)));
typedef uint16_t ddr_vuword16 __attribute__((vector_size(2 * DDR_LANES)));
#define DDR_LOW_I8(pair) ((pair) << 8 >> 8)
#define DDR_LOW_U8(pair) ((pair)&UINT8_MAX)
#define DDR_HIGH_I8(pair) ((pair) >> 8)
#define DDR_HIGH_U8(pair) ((ddr_vword16)((ddr_vuword16)(pair) >> 8))
#define DDR_TAPS2_OF_BYTES(upper, id, c_type)                                                      \
  DDR_TAPS2_OF(upper, id, c_type, ddr_vword16, ddr_short_at, DDR_SLICE_OF_I16)
#else
#define DDR_LOW_I8(pair) ((pair) << 24 >> 24)
#define DDR_LOW_U8(pair) ((pair)&UINT8_MAX)
#define DDR_HIGH_I8(pair) ((pair) << 16 >> 24)
#define DDR_HIGH_U8(pair) ((pair) >> 8 & UINT8_MAX)
#define DDR_TAPS2_OF_BYTES(upper, id, c_type)                                                      \
  DDR_TAPS2_OF(upper, id, c_type, ddr_vword32, ddr_short_at, DDR_REALS_OF_WORDS)
#endif
#else
#define DDR_TAPS2(upper, id, c_type) DDR_TAPS2_EACH(id, c_type)
#define DDR_TAPS2_OF_BYTES(upper, id, c_type) DDR_TAPS2_EACH(id, c_type)
#endif

#define DDR_TAPS2_EACH(id, c_type)                                                                 \
  DDR_VFN void ddr_taps2_load_##id(const c_type *const at[DDR_LANES], int64_t step,                \
                                   ddr_vreal tap[2]) {                                             \
    DDR_TAPS2_LOAD(ddr_##id##_at, at, step, tap);                                                  \
  }
DDR_TAPS2_OF_BYTES(I8, i8, int8_t)
DDR_TAPS2_OF_BYTES(U8, u8, uint8_t)
DDR_TAPS2(I16, i16, int16_t)
DDR_TAPS2(U16, u16, uint16_t)
DDR_TAPS2_EACH(i32, int32_t)
DDR_TAPS2_EACH(u32, uint32_t)
DDR_TAPS2_EACH(f32, float)

/* row_load.h: loads rows of samples that are not reals.
 *
 * DDR_ROW4_LOAD_U8(src) is what DDR_ROW4_LOAD(src) would be if the samples at `src` were reals.
 * Integers of 8 and 16 bits are widened in ways for which compilers find one or two instructions,
 * instead of lane by lane: unsigned ones are interleaved with zeros, signed ones with themselves
 * and then shifted back, or more lanes are converted than needed.  A load reads the row, rounded up
 * to a power of two, and nothing behind it.
 *
 * Macros for the reason that row.h gives.
 */
#pragma once

#include "ddr/row.h"
#include "ddr/sample.h"

#if !defined(DDR_GPU) /* where row.h has them already */

/* --- loads into the lower part of a vector of 16 bytes; the rest is 0 ------------------------- */

typedef uint8_t ddr_bytes __attribute__((vector_size(16)));
typedef int16_t ddr_shorts __attribute__((vector_size(16)));
typedef uint16_t ddr_ushorts __attribute__((vector_size(16)));
typedef int32_t ddr_ints __attribute__((vector_size(16)));
typedef int32_t ddr_ints8 __attribute__((vector_size(32)));
typedef int64_t ddr_longs __attribute__((vector_size(16)));

typedef int16_t ddr_short_at __attribute__((aligned(1), may_alias));
typedef int32_t ddr_int_at __attribute__((aligned(1), may_alias));
typedef int64_t ddr_long_at __attribute__((aligned(1), may_alias));
typedef ddr_shorts ddr_shorts_at __attribute__((aligned(1), may_alias));

#define DDR_LOAD_2(src) ((ddr_bytes)(ddr_shorts){*(const ddr_short_at *)(src)})
#define DDR_LOAD_4(src) ((ddr_bytes)(ddr_ints){*(const ddr_int_at *)(src)})
#define DDR_LOAD_8(src) ((ddr_bytes)(ddr_longs){*(const ddr_long_at *)(src)})
#define DDR_LOAD_16(src) ((ddr_bytes) * (const ddr_shorts_at *)(src))

/* --- from 8 bits to 16, and from 16 to 32 ----------------------------------------------------- */

#define DDR_INTERLEAVE_BYTES(a, b)                                                                 \
  ((ddr_shorts)__builtin_shufflevector((a), (b), 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,  \
                                       7, 23))
#define DDR_INTERLEAVE_SHORTS(a, b)                                                                \
  ((ddr_ints)__builtin_shufflevector((a), (b), 0, 8, 1, 9, 2, 10, 3, 11))

#define DDR_SHORTS_U8(bytes) DDR_INTERLEAVE_BYTES(bytes, (ddr_bytes){0})
#define DDR_SHORTS_I8(bytes)                                                                       \
  __extension__({                                                                                  \
    const ddr_bytes ddr_b = (bytes);                                                               \
    DDR_INTERLEAVE_BYTES(ddr_b, ddr_b) >> 8;                                                       \
  })
#define DDR_INTS_U16(shorts) DDR_INTERLEAVE_SHORTS(shorts, (ddr_shorts){0})
#define DDR_INTS8_I16(shorts) __builtin_convertvector((shorts), ddr_ints8)
#define DDR_INTS_I16(shorts)                                                                       \
  __extension__({                                                                                  \
    const ddr_ints8 ddr_w = DDR_INTS8_I16(shorts);                                                 \
    __builtin_shufflevector(ddr_w, ddr_w, 0, 1, 2, 3);                                             \
  })
#define DDR_INTS8_U16(shorts) __builtin_convertvector((ddr_ushorts)(shorts), ddr_ints8)

#define DDR_ROW2_OF_INTS(ints)                                                                     \
  __extension__({                                                                                  \
    const ddr_ints ddr_i = (ints);                                                                 \
    __builtin_convertvector(__builtin_shufflevector(ddr_i, ddr_i, 0, 1), ddr_row2);                \
  })
#define DDR_ROW4_OF_INTS(ints) __builtin_convertvector((ints), ddr_row4)
#define DDR_ROW6_OF_INTS8(ints) __builtin_convertvector((ints), ddr_row6)

/* --- lane by lane, for machines that store the high byte first -------------------------------- */

#define DDR_LANE(src, k) (ddr_real)(src)[k]
#define DDR_ROW2_LANES(src) DDR_ROW2(DDR_LANE(src, 0), DDR_LANE(src, 1))
#define DDR_ROW4_LANES(src)                                                                        \
  DDR_ROW4(DDR_LANE(src, 0), DDR_LANE(src, 1), DDR_LANE(src, 2), DDR_LANE(src, 3))
#define DDR_ROW6_LANES(src)                                                                        \
  DDR_ROW6(DDR_LANE(src, 0), DDR_LANE(src, 1), DDR_LANE(src, 2), DDR_LANE(src, 3),                 \
           DDR_LANE(src, 4), DDR_LANE(src, 5))

/* --- the loads -------------------------------------------------------------------------------- */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DDR_ROW2_LOAD_I8(src) DDR_ROW2_OF_INTS(DDR_INTS_I16(DDR_SHORTS_I8(DDR_LOAD_2(src))))
#define DDR_ROW4_LOAD_I8(src) DDR_ROW4_OF_INTS(DDR_INTS_I16(DDR_SHORTS_I8(DDR_LOAD_4(src))))
#define DDR_ROW6_LOAD_I8(src) DDR_ROW6_OF_INTS8(DDR_INTS8_I16(DDR_SHORTS_I8(DDR_LOAD_8(src))))
#define DDR_ROW2_LOAD_U8(src) DDR_ROW2_OF_INTS(DDR_INTS_U16(DDR_SHORTS_U8(DDR_LOAD_2(src))))
#define DDR_ROW4_LOAD_U8(src) DDR_ROW4_OF_INTS(DDR_INTS_U16(DDR_SHORTS_U8(DDR_LOAD_4(src))))
#define DDR_ROW6_LOAD_U8(src) DDR_ROW6_OF_INTS8(DDR_INTS8_I16(DDR_SHORTS_U8(DDR_LOAD_8(src))))
#define DDR_ROW2_LOAD_I16(src) DDR_ROW2_OF_INTS(DDR_INTS_I16((ddr_shorts)DDR_LOAD_4(src)))
#define DDR_ROW4_LOAD_I16(src) DDR_ROW4_OF_INTS(DDR_INTS_I16((ddr_shorts)DDR_LOAD_8(src)))
#define DDR_ROW6_LOAD_I16(src) DDR_ROW6_OF_INTS8(DDR_INTS8_I16((ddr_shorts)DDR_LOAD_16(src)))
#define DDR_ROW2_LOAD_U16(src) DDR_ROW2_OF_INTS(DDR_INTS_U16((ddr_shorts)DDR_LOAD_4(src)))
#define DDR_ROW4_LOAD_U16(src) DDR_ROW4_OF_INTS(DDR_INTS_U16((ddr_shorts)DDR_LOAD_8(src)))
#define DDR_ROW6_LOAD_U16(src) DDR_ROW6_OF_INTS8(DDR_INTS8_U16((ddr_shorts)DDR_LOAD_16(src)))
#else
#define DDR_ROW2_LOAD_I8 DDR_ROW2_LANES
#define DDR_ROW4_LOAD_I8 DDR_ROW4_LANES
#define DDR_ROW6_LOAD_I8 DDR_ROW6_LANES
#define DDR_ROW2_LOAD_U8 DDR_ROW2_LANES
#define DDR_ROW4_LOAD_U8 DDR_ROW4_LANES
#define DDR_ROW6_LOAD_U8 DDR_ROW6_LANES
#define DDR_ROW2_LOAD_I16(src) DDR_ROW2_LANES((const ddr_i16_at *)(src))
#define DDR_ROW4_LOAD_I16(src) DDR_ROW4_LANES((const ddr_i16_at *)(src))
#define DDR_ROW6_LOAD_I16(src) DDR_ROW6_LANES((const ddr_i16_at *)(src))
#define DDR_ROW2_LOAD_U16(src) DDR_ROW2_LANES((const ddr_u16_at *)(src))
#define DDR_ROW4_LOAD_U16(src) DDR_ROW4_LANES((const ddr_u16_at *)(src))
#define DDR_ROW6_LOAD_U16(src) DDR_ROW6_LANES((const ddr_u16_at *)(src))
#endif

/* Integers and floats of 32 bits. A row of 6 reads 8. */
#define DDR_ROW_OF_32(name, c_type)                                                                \
  typedef c_type name##2 __attribute__((vector_size(8), aligned(1), may_alias));                   \
  typedef c_type name##4 __attribute__((vector_size(16), aligned(1), may_alias));                  \
  typedef c_type name##8 __attribute__((vector_size(32), aligned(1), may_alias));
DDR_ROW_OF_32(ddr_i32_at, int32_t)
DDR_ROW_OF_32(ddr_u32_at, uint32_t)
DDR_ROW_OF_32(ddr_f32_at, float)
#undef DDR_ROW_OF_32
#define DDR_ROW_CONVERT(type, src, row) __builtin_convertvector(*(const type *)(src), row)
#define DDR_ROW2_LOAD_I32(src) DDR_ROW_CONVERT(ddr_i32_at2, src, ddr_row2)
#define DDR_ROW4_LOAD_I32(src) DDR_ROW_CONVERT(ddr_i32_at4, src, ddr_row4)
#define DDR_ROW6_LOAD_I32(src) DDR_ROW_CONVERT(ddr_i32_at8, src, ddr_row6)
#define DDR_ROW2_LOAD_U32(src) DDR_ROW_CONVERT(ddr_u32_at2, src, ddr_row2)
#define DDR_ROW4_LOAD_U32(src) DDR_ROW_CONVERT(ddr_u32_at4, src, ddr_row4)
#define DDR_ROW6_LOAD_U32(src) DDR_ROW_CONVERT(ddr_u32_at8, src, ddr_row6)
#define DDR_ROW2_LOAD_F32(src) DDR_ROW_CONVERT(ddr_f32_at2, src, ddr_row2)
#define DDR_ROW4_LOAD_F32(src) DDR_ROW_CONVERT(ddr_f32_at4, src, ddr_row4)
#define DDR_ROW6_LOAD_F32(src) DDR_ROW_CONVERT(ddr_f32_at8, src, ddr_row6)

#endif

/* sample.h: the types in which an image keeps its samples.
 *
 * An image has reals, or what its file has: less memory, and the same values, since a sample is
 * converted whenever it is loaded.  Narrower samples are kept if the program was compiled for their
 * type, and those of any of these types if they are mapped, or borrowed from a client, and too many
 * for the caches.  All others become reals when the image is loaded.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: image.h, row_load.h, host/support.h.
 */
#pragma once

#include <stdint.h>

/* ROW(id, enumerator, C type) */
#define DDR_SAMPLE_TYPES(ROW)                                                                      \
  ROW(i8, I8, int8_t)                                                                              \
  ROW(u8, U8, uint8_t)                                                                             \
  ROW(i16, I16, int16_t)                                                                           \
  ROW(u16, U16, uint16_t)                                                                          \
  ROW(i32, I32, int32_t)                                                                           \
  ROW(u32, U32, uint32_t)                                                                          \
  ROW(f32, F32, float)

/* Samples begin wherever their file or client has them, at any byte: ddr_u16_at and so on are the
 * types by which they are loaded.  Pointers to samples may have the plain types, but are not
 * dereferenced by these. */
#define ROW(id, upper, c_type) typedef c_type ddr_##id##_at __attribute__((aligned(1), may_alias));
DDR_SAMPLE_TYPES(ROW)
ROW(f64, F64, double)
#undef ROW

typedef enum ddr_sample {
  DDR_SAMPLE_REAL, /* the program's real */
#define ROW(id, upper, c_type) DDR_SAMPLE_##upper,
  DDR_SAMPLE_TYPES(ROW)
#undef ROW
} ddr_sample;

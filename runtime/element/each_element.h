/* each_element.h: F( element, C type, type of its parts, ... ) for each type of some kinds.
 *
 * Tables whose rows cover kinds of elements are expanded by these.
 */
#pragma once

#include "runtime/layout/element.h"

#define DDR_EACH_TRUTH(F, ...) F(BOOL, bool, bool, __VA_ARGS__)
#define DDR_EACH_SIGNED(F, ...)                                                                    \
  F(INT8, int8_t, int8_t, __VA_ARGS__)                                                             \
  F(INT16, int16_t, int16_t, __VA_ARGS__)                                                          \
  F(INT32, int32_t, int32_t, __VA_ARGS__)                                                          \
  F(INT64, int64_t, int64_t, __VA_ARGS__)
#define DDR_EACH_UNSIGNED(F, ...)                                                                  \
  F(UINT8, uint8_t, uint8_t, __VA_ARGS__)                                                          \
  F(UINT16, uint16_t, uint16_t, __VA_ARGS__)                                                       \
  F(UINT32, uint32_t, uint32_t, __VA_ARGS__)                                                       \
  F(UINT64, uint64_t, uint64_t, __VA_ARGS__)
#define DDR_EACH_REAL(F, ...)                                                                      \
  F(FLOAT, float, float, __VA_ARGS__)                                                              \
  F(DOUBLE, double, double, __VA_ARGS__)
#define DDR_EACH_COMPLEX(F, ...)                                                                   \
  F(CFLOAT, ddr_complex_float, float, __VA_ARGS__)                                                 \
  F(CDOUBLE, ddr_complex_double, double, __VA_ARGS__)

#define DDR_EACH_INTS(F, ...) DDR_EACH_SIGNED(F, __VA_ARGS__) DDR_EACH_UNSIGNED(F, __VA_ARGS__)
#define DDR_EACH_WHOLE(F, ...) DDR_EACH_TRUTH(F, __VA_ARGS__) DDR_EACH_INTS(F, __VA_ARGS__)
#define DDR_EACH_ORDERED(F, ...) DDR_EACH_WHOLE(F, __VA_ARGS__) DDR_EACH_REAL(F, __VA_ARGS__)

/* Ints that are not negative. */
#define DDR_EACH_NATURAL(F, ...) DDR_EACH_TRUTH(F, __VA_ARGS__) DDR_EACH_UNSIGNED(F, __VA_ARGS__)

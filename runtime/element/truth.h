/* truth.h: bools of arrays, which others may have written: all bytes but 0 are true.
 *
 * Compilers assume that a bool is 0 or 1, and use its byte; so elements of any type are read by
 * DDR_VALUE(x[k]).  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ddr/scalar.h"

#if defined(__cplusplus)
template <typename Element> DDR_FN Element ddr_value_of(const Element &element) { return element; }
DDR_FN bool ddr_value_of(const bool &truth) { return *(const uint8_t *)&truth != 0; }
#define DDR_VALUE(element) ddr_value_of(element)
#else
#define DDR_VALUE(element)                                                                         \
  _Generic((element), bool : (bool)(*(const uint8_t *)&(element) != 0), default : (element))
#endif

/* columns.h: values of strands on their way between columns and records. */
#pragma once

#include "ddr/device/device.h"

/* Copies value `from` of src to value `to` of dst. A value that is not a scalar is the struct of a
 * fixed sequence, whose alignment may be less than its size. */
DDR_FN void ddr_move_value(char *dst, const char *src, int64_t to, int64_t from, uint32_t size) {
  const uintptr_t places = (uintptr_t)dst | (uintptr_t)src;
  if (size == 4 && places % 4 == 0) {
    ((uint32_t *)(void *)dst)[to] = ((const uint32_t *)(const void *)src)[from];
  } else if (size == 8 && places % 8 == 0) {
    ((uint64_t *)(void *)dst)[to] = ((const uint64_t *)(const void *)src)[from];
  } else {
    for (uint32_t k = 0; k < size; k++) dst[to * size + k] = src[from * size + k];
  }
}

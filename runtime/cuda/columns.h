/* columns.h: values of strands on their way between columns and records. */
#pragma once

#include "ddr/device.h"

/* Value `from` of src becomes value `to` of dst, both aligned to the size; what is no scalar is the
 * struct of a fixed sequence. */
DDR_FN void ddr_move_value(char *dst, const char *src, int64_t to, int64_t from, uint32_t size) {
  switch (size) {
  case 4: ((uint32_t *)(void *)dst)[to] = ((const uint32_t *)(const void *)src)[from]; return;
  case 8: ((uint64_t *)(void *)dst)[to] = ((const uint64_t *)(const void *)src)[from]; return;
  default: break;
  }
  for (uint32_t k = 0; k < size; k++) dst[to * size + k] = src[from * size + k];
}

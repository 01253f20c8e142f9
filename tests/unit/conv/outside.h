/* Border rules by definition, and rows of samples. */
#pragma once

#include "runtime/conv/filters/extend.h"
#include "runtime/layout/ndview.h"

static inline ddr_ndview row_of(ddr_element type, void *data, int64_t n) {
  return (ddr_ndview){type, data, {1, 0, {n}, {1}}, DDR_HOST, NULL};
}

/* The element at any index, by the border rule. */
static inline double outside_at(const double *data, int64_t n, ddr_outside border, int64_t idx) {
  if (idx >= 0 && idx < n) return data[idx];
  switch (border.extension) {
  case DDR_EXTEND_CLAMP: return data[idx < 0 ? 0 : n - 1];
  case DDR_EXTEND_WRAP: return data[((idx % n) + n) % n];
  case DDR_EXTEND_MIRROR:
    while (idx < 0 || idx >= n) idx = idx < 0 ? -1 - idx : 2 * n - 1 - idx;
    return data[idx];
  case DDR_EXTEND_CONSTANT: return border.value;
  case DDR_EXTEND_NONE: break;
  }
  return 0;
}

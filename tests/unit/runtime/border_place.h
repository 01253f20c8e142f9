/* The sample of a tap by the definition of a border rule, one step at a time; -1: the constant. */
#pragma once

#include "ddr/tap.h"

static inline int64_t place_of(ddr_border rule, int64_t tap, int64_t n) {
  while (tap < 0 || tap >= n) {
    if (rule == DDR_BORDER_CONST) return -1;
    if (rule == DDR_BORDER_CLAMP) tap = tap < 0 ? 0 : n - 1;
    else if (rule == DDR_BORDER_WRAP) tap += tap < 0 ? n : -n;
    else tap = tap < 0 ? -1 - tap : 2 * n - 1 - tap;
  }
  return tap;
}

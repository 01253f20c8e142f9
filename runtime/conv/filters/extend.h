/* extend.h: the values of an array beyond its ends: the border rules of the language (ddr/image.h),
 * applied to every axis separately (runtime/array/array.h). */
#pragma once

#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The index in [0, n), n >= 1, that a rule uses for `idx`; -1: none, or the constant. */
int64_t ddr_border_index(ddr_extension extension, int64_t idx, int64_t n);

/* As ddr_ndview_extend, by up to n_threads threads. */
ddr_array_status ddr_extend_by(int n_threads, const ddr_ndview *view, const int64_t *begin,
                               const int64_t *end, ddr_outside border, ddr_ndview *extended);

static inline bool ddr_extension_is_there(ddr_extension extension) {
  return (unsigned)extension <= DDR_EXTEND_CONSTANT;
}

#ifdef __cplusplus
}
#endif

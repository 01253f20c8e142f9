/* select.h: selects elements by a mask. */
#pragma once

#include "runtime/cuda/base/toolkit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Selects, from n packed elements of 1, 2, 4, 8 or 16 bytes, those whose mask is true, packed and
 * in order.  *n_selected, on the host, is valid after waiting for the stream.  *scratch grows if
 * necessary. */
cudaError_t ddr_device_select_elements(const ddr_launch *launch, size_t element_size,
                                       const void *from, const bool *mask, int64_t n, void *to,
                                       int64_t *n_selected, void **scratch, size_t *n_scratch);

#ifdef __cplusplus
}
#endif

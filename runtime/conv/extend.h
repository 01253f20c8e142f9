/* extend.h: what an array is beyond its ends.
 *
 * The border rules of the language (ddr/image.h), along every axis alone: n = 4 along an axis,
 * index
 *
 *            -4 -3 -2 -1 |  0  1  2  3 |  4  5  6  7
 *   clamp     0  0  0  0 |  0  1  2  3 |  3  3  3  3
 *   mirror    3  2  1  0 |  0  1  2  3 |  3  2  1  0
 *   wrap      0  1  2  3 |  0  1  2  3 |  0  1  2  3
 *   constant  the value wherever some index is outside
 */
#pragma once

#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ddr_extension {
  DDR_EXTEND_NONE, /* nothing is there: see each function */
  DDR_EXTEND_CLAMP,
  DDR_EXTEND_MIRROR,
  DDR_EXTEND_WRAP,
  DDR_EXTEND_CONSTANT
} ddr_extension;

typedef struct ddr_outside {
  ddr_extension extension;
  double value; /* of DDR_EXTEND_CONSTANT */
} ddr_outside;

/* Index in [0, n), n >= 1, that a rule takes for `idx`; -1: none, or the constant. */
int64_t ddr_border_index(ddr_extension extension, int64_t idx, int64_t n);

/* A packed copy of indices begin[k] to end[k]-1 along every axis k, which may reach beyond the
 * view; elements outside are 0 with DDR_EXTEND_NONE.  Element types: numbers.  Errors: EDIM (an
 * empty axis), ERANGE unless begin < end, ETYPE, ERESIDENCY, EOVERFLOW, ENOMEM. */
ddr_array_status ddr_ndview_extend(const ddr_ndview *view, const int64_t *begin, const int64_t *end,
                                   ddr_outside border, ddr_ndview *extended);

#ifdef __cplusplus
}
#endif

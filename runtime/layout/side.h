/* side.h: where an operation on arrays runs: on the host or on the device.
 *
 *   some array in memory of the device alone, none in that of the host alone   on the device
 *   some array in memory of the host alone, none in that of the device alone   on the host
 *   only unified memory       on the device if it was the last to work with one of the arrays
 *   both kinds                nowhere: nothing is copied unasked
 */
#pragma once

#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ddr_side { DDR_SIDE_NONE, DDR_SIDE_HOST, DDR_SIDE_DEVICE } ddr_side;

/* The arrays of an operation. */
typedef struct ddr_arrays {
  int n;
  const ddr_ndview *views[6];
} ddr_arrays;

void ddr_arrays_add(ddr_arrays *arrays, const ddr_ndview *view); /* NULL is fine */

/* NONE also where no device is in use that could do it. */
ddr_side ddr_side_of(const ddr_arrays *arrays);

/* The memory for results: of the side; of both kinds where all arrays are. */
ddr_residency ddr_side_residency(const ddr_arrays *arrays);

/* Notes that the operation has run there. */
void ddr_side_touch(ddr_side side, const ddr_arrays *arrays);

#ifdef __cplusplus
}
#endif

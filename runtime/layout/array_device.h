/* array_device.h: the functions that a device offers for arrays in its memory.
 *
 * This library calls no device itself.  Where there is one, its runtime fills in this table
 * (runtime/cuda/array/array_device.h) and puts it to use; until then only memory of the host can be
 * allocated.  Every function has done its work when it returns.
 */
#pragma once

#include "runtime/layout/array_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How memory was made, and therefore how it is freed. */
typedef enum ddr_allocation { DDR_IN_ORDER, DDR_PITCHED, DDR_MANAGED } ddr_allocation;

struct ddr_array_device {
  /* n_bytes > 0 that only the device reaches (IN_ORDER) or the host, too (MANAGED): uninitialised,
   * at addresses that are multiples of 256.  Errors: ENOMEM, EDEVICE. */
  ddr_array_status (*allocate)(ddr_array_device *device, ddr_allocation how, size_t n_bytes,
                               void **data);

  /* PITCHED memory for rows of row_bytes each: *pitch bytes, as the device likes them, from one to
   * the next, a multiple of the size of an element. */
  ddr_array_status (*allocate_rows)(ddr_array_device *device, size_t row_bytes, size_t n_rows,
                                    size_t element_size, void **data, size_t *pitch);

  /* Frees it after all work with it that was begun before. */
  void (*release)(ddr_array_device *device, ddr_allocation how, void *data);

  /* Rows from anywhere to anywhere; pitches are at least row_bytes.  Errors: EDEVICE. */
  ddr_array_status (*copy_rows)(ddr_array_device *device, void *to, size_t to_pitch,
                                const void *from, size_t from_pitch, size_t row_bytes,
                                size_t n_rows);

  const struct ddr_device_transforms *transforms; /* runtime/transform/on_device.h */
  const struct ddr_device_reductions *reductions; /* runtime/reduce/on_device.h */
};

#ifdef __cplusplus
}
#endif

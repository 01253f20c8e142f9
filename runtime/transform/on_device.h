/* on_device.h: elementwise operations on a device (runtime/layout/array_device.h). */
#pragma once

#include "runtime/transform/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A transform whose operands and output have been checked and are accessible from the device. */
typedef struct ddr_device_work {
  ddr_transform transform;
  ddr_element type; /* the common type of the operands, and of the numbers among them */
  int n_operands;
  ddr_operand operands[DDR_MAX_OPERANDS];
  const ddr_ndview *out;
  bool is_one_layout; /* all arrays have the same contiguous layout */
} ddr_device_work;

/* Called for arrays of at least one element.  Errors: ENOMEM, EDEVICE. */
typedef struct ddr_device_transforms {
  ddr_array_status (*apply)(ddr_array_device *device, const ddr_device_work *work);

  /* x[i] := from[i] where mask[i]; the types are the same, and x overlaps neither of the others. */
  ddr_array_status (*merge)(ddr_array_device *device, const ddr_ndview *x, const ddr_ndview *mask,
                            const ddr_operand *from);

  /* *result: whether any of the ints is 0; there is at least one. */
  ddr_array_status (*has_zero)(ddr_array_device *device, const ddr_ndview *ints, bool *result);
} ddr_device_transforms;

#ifdef __cplusplus
}
#endif

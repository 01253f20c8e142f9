/* on_device.h: elementwise operations as a device does them (runtime/layout/array_device.h). */
#pragma once

#include "runtime/transform/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A transform whose operands and output have been checked and can be reached from the device. */
typedef struct ddr_device_work {
  ddr_transform transform;
  ddr_element type; /* in which the operands meet, and of the numbers among them */
  int n_operands;
  ddr_operand operands[DDR_MAX_OPERANDS];
  const ddr_ndview *out;
  bool is_one_layout; /* all arrays are contiguous in the same way */
} ddr_device_work;

/* Called for arrays of at least one element.  Errors: ENOMEM, EDEVICE. */
typedef struct ddr_device_transforms {
  ddr_array_status (*apply)(ddr_array_device *device, const ddr_device_work *work);

  /* x[i] := from[i] where mask[i]; the types are the same, and x overlaps neither of the others. */
  ddr_array_status (*merge)(ddr_array_device *device, const ddr_ndview *x, const ddr_ndview *mask,
                            const ddr_operand *from);

  /* *result: whether one of at least one int is 0. */
  ddr_array_status (*has_zero)(ddr_array_device *device, const ddr_ndview *ints, bool *result);
} ddr_device_transforms;

#ifdef __cplusplus
}
#endif

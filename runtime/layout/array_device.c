/* array_device.c: the device that arrays are on. */
#include "runtime/layout/array_device.h"

#include <stdatomic.h>

static _Atomic(ddr_array_device *) in_use;

void ddr_array_device_use(ddr_array_device *device) { atomic_store(&in_use, device); }

ddr_array_device *ddr_array_device_in_use(void) { return atomic_load(&in_use); }

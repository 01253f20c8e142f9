/* assign.h: copies between the host's memory and the device's. */
#pragma once

#include "runtime/transform/transform.h"

/* Elements of one array to one of the same shape and type in the other's memory, which have been
 * checked.  Rows that both have are copied as they are; else packed copies are between them.
 * Errors: ERESIDENCY without a device, ENOMEM, EDEVICE. */
ddr_array_status ddr_assign_across(const ddr_ndview *from, const ddr_ndview *to, int n_threads);

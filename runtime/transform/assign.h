/* assign.h: copies between the host's memory and the device's. */
#pragma once

#include "runtime/transform/transform.h"

/* Copies elements of one array to another of the same shape and type in the other memory; both have
 * been checked.  Rows that both have are copied directly; otherwise via packed copies. Errors:
 * ERESIDENCY without a device, ENOMEM, EDEVICE. */
ddr_array_status ddr_assign_across(const ddr_ndview *from, const ddr_ndview *to, int n_threads);

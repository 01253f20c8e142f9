/* storage.h: blocks of memory and who frees them (runtime/array/array.h), inside.
 *
 * A cleanup is shared by all views of a block and runs once, when the last of them goes, on the
 * thread that dropped it.  Counts are atomic, and only for host objects: generated code and kernels
 * use pointers and layouts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/layout/array_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the argument up to the caller, who holds the only reference and now does himself what the
 * function would have done; the reference is gone.  False, and nothing happens, where others hold
 * one or it is another function or argument. */
bool ddr_cleanup_give(ddr_cleanup *cleanup, ddr_cleanup_function *function, const void *argument);

/* A hint for memory that both reach: which of them worked with it last; at first, the host. */
void ddr_cleanup_touch(ddr_cleanup *cleanup, bool is_on_device); /* NULL is fine in both */
bool ddr_cleanup_is_on_device(const ddr_cleanup *cleanup);

/* Takes over memory that the device made. Errors: ENOMEM, and then it is freed. */
ddr_array_status ddr_storage_own(ddr_array_device *device, ddr_allocation how, void *data,
                                 size_t n_bytes, ddr_storage *storage);

#ifdef __cplusplus
}
#endif

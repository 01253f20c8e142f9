/* storage.h: blocks of memory and their owners (runtime/array/array.h), for use within the library.
 *
 * A cleanup is shared by all views of a block and runs once, when the last of them is released, on
 * the thread that released it.  Counts are atomic, and exist only for host objects: generated code
 * and kernels use pointers and layouts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/layout/array_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the argument up to the caller, who must have the only reference, and does what the function
 * would have done; the reference is gone.  False, and nothing happens, if there are other
 * references, or if the function or the argument is another one. */
bool ddr_cleanup_give(ddr_cleanup *cleanup, ddr_cleanup_function *function, const void *argument);

/* A hint for memory that host and device reach: which of them used it last; at first, the host. */
void ddr_cleanup_touch(ddr_cleanup *cleanup, bool is_on_device); /* NULL is fine in both */
bool ddr_cleanup_is_on_device(const ddr_cleanup *cleanup);

/* Takes over memory that the device made. Errors: ENOMEM, and then it is freed. */
ddr_array_status ddr_storage_own(ddr_array_device *device, ddr_allocation how, void *data,
                                 size_t n_bytes, ddr_storage *storage);

/* Like malloc, in whole cache lines, and for large memory with a wish for huge pages. */
void *ddr_storage_malloc(size_t n_bytes);

#ifdef __cplusplus
}
#endif

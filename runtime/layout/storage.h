/* storage.h: blocks of memory and who frees them.
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

/* Whether memory of that kind can be made now: that of devices, where one is in use. */
bool ddr_residency_is_there(ddr_residency residency);

typedef struct ddr_cleanup ddr_cleanup;
typedef void ddr_cleanup_function(void *argument);

/* With one reference.  The function must not touch views that share it.  NULL: memory is short. */
ddr_cleanup *ddr_cleanup_new(ddr_cleanup_function *function, void *argument);
ddr_cleanup *ddr_cleanup_retain(ddr_cleanup *cleanup); /* NULL is fine in both */
void ddr_cleanup_release(ddr_cleanup *cleanup);

/* Gives the argument up to the caller, who holds the only reference and now does himself what the
 * function would have done; the reference is gone.  False, and nothing happens, where others hold
 * one or it is another function or argument. */
bool ddr_cleanup_give(ddr_cleanup *cleanup, ddr_cleanup_function *function, const void *argument);

/* A hint for memory that both reach: which of them worked with it last; at first, the host. */
void ddr_cleanup_touch(ddr_cleanup *cleanup, bool is_on_device); /* NULL is fine in both */
bool ddr_cleanup_is_on_device(const ddr_cleanup *cleanup);

/* A contiguous block, uninitialised, since nearly every block is overwritten by its first use. */
typedef struct ddr_storage {
  void *data;
  size_t n_bytes;
  ddr_residency residency;
  ddr_cleanup *cleanup; /* frees it; one reference is the caller's */
} ddr_storage;

/* On the device in use, if on any.  `align` is a power of two.  Errors: EALIGN, ERESIDENCY,
 * EOVERFLOW, ENOMEM, EDEVICE. */
ddr_array_status ddr_storage_alloc(size_t n_bytes, size_t align, ddr_residency residency,
                                   ddr_storage *storage);

/* For rows of row_bytes each, *pitch bytes from one to the next: what the device's allocator of
 * rows says, or as ddr_pitch_row_align does, and a vector of zeros behind the last row; then the
 * padding is 0, too.  Errors: the same. */
ddr_array_status ddr_storage_alloc_rows(size_t row_bytes, size_t n_rows, size_t element_size,
                                        ddr_residency residency, ddr_storage *storage,
                                        size_t *pitch);

/* Takes over memory that the device made. Errors: ENOMEM, and then it is freed. */
ddr_array_status ddr_storage_own(ddr_array_device *device, ddr_allocation how, void *data,
                                 size_t n_bytes, ddr_storage *storage);

void ddr_storage_release(ddr_storage *storage);

#ifdef __cplusplus
}
#endif

/* storage.h: blocks of memory and who frees them.
 *
 * A cleanup is shared by all views of a block and runs once, when the last of them goes, on the
 * thread that dropped it.  Counts are atomic, and only for host objects: generated code and kernels
 * use pointers and layouts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/layout/array_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who may touch the memory: the host, the device, or both. */
typedef enum ddr_residency { DDR_HOST, DDR_CUDA, DDR_UNIFIED } ddr_residency;

/* Whether this build and machine can make memory of that kind. */
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

/* A contiguous block, uninitialised, since nearly every block is overwritten by its first use. */
typedef struct ddr_storage {
  void *data;
  size_t n_bytes;
  ddr_residency residency;
  ddr_cleanup *cleanup; /* frees it; one reference is the caller's */
} ddr_storage;

/* `align` is a power of two.  Errors: EALIGN, ERESIDENCY, EOVERFLOW, ENOMEM. */
ddr_array_status ddr_storage_alloc(size_t n_bytes, size_t align, ddr_residency residency,
                                   ddr_storage *storage);
void ddr_storage_release(ddr_storage *storage);

#ifdef __cplusplus
}
#endif

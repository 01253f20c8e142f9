/* storage.c: blocks of memory, and reference counts that free them.
 *
 * Read next: storage_rows.c (rows with padding).
 */
#define _DEFAULT_SOURCE 1 /* madvise */
#include "runtime/layout/storage.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* --- whoever goes last cleans up -------------------------------------------------------------- */

struct ddr_cleanup {
  atomic_size_t n_references;
  atomic_bool is_on_device; /* where the memory was used last */
  ddr_cleanup_function *function;
  void *argument;
};

ddr_cleanup *ddr_cleanup_new(ddr_cleanup_function *function, void *argument) {
  ddr_cleanup *cleanup = malloc(sizeof *cleanup);
  if (!cleanup) return NULL;
  atomic_init(&cleanup->n_references, 1);
  atomic_init(&cleanup->is_on_device, false);
  cleanup->function = function;
  cleanup->argument = argument;
  return cleanup;
}

ddr_cleanup *ddr_cleanup_retain(ddr_cleanup *cleanup) {
  if (cleanup) atomic_fetch_add_explicit(&cleanup->n_references, 1, memory_order_relaxed);
  return cleanup;
}

/* The order acq_rel makes what other threads wrote before their release visible to the cleanup. */
void ddr_cleanup_release(ddr_cleanup *cleanup) {
  if (!cleanup) return;
  if (atomic_fetch_sub_explicit(&cleanup->n_references, 1, memory_order_acq_rel) > 1) return;
  if (cleanup->function) cleanup->function(cleanup->argument);
  free(cleanup);
}

/* No other thread can add a reference, as the caller has the only one. */
bool ddr_cleanup_give(ddr_cleanup *cleanup, ddr_cleanup_function *function, const void *argument) {
  if (!cleanup || cleanup->function != function || cleanup->argument != argument) return false;
  if (atomic_load_explicit(&cleanup->n_references, memory_order_acquire) > 1) return false;
  free(cleanup);
  return true;
}

void ddr_cleanup_touch(ddr_cleanup *cleanup, bool is_on_device) {
  if (cleanup) atomic_store_explicit(&cleanup->is_on_device, is_on_device, memory_order_relaxed);
}

bool ddr_cleanup_is_on_device(const ddr_cleanup *cleanup) {
  return cleanup && atomic_load_explicit(&cleanup->is_on_device, memory_order_relaxed);
}

/* --- blocks ----------------------------------------------------------------------------------- */

bool ddr_residency_is_there(ddr_residency residency) {
  if ((unsigned)residency > DDR_UNIFIED) return false;
  return residency == DDR_HOST || ddr_array_device_in_use() != NULL;
}

/* The allocator wants whole multiples of the alignment, and an address of its own also for nothing;
 * 0: the block would be larger than the address space. */
static size_t allocated_bytes(size_t n_bytes, size_t align) {
  const size_t n = n_bytes > 0 ? n_bytes : 1;
  if (n > PTRDIFF_MAX || align > PTRDIFF_MAX) return 0;
  const size_t padded = (n + align - 1) / align * align;
  return padded <= PTRDIFF_MAX ? padded : 0;
}

/* Asks for huge pages: then the first writes cause fewer page faults. The system may ignore it. */
static void wish_for_huge_pages(void *data, size_t n_bytes) {
#if defined(MADV_HUGEPAGE)
  const size_t page = 4096, least = (size_t)1 << 22, skipped = page - (uintptr_t)data % page;
  if (data && n_bytes >= least) madvise((char *)data + skipped, n_bytes - skipped, MADV_HUGEPAGE);
#else
  (void)data;
  (void)n_bytes;
#endif
}

void *ddr_storage_malloc(size_t n_bytes) {
  const size_t cache_line = 64, n_allocated = allocated_bytes(n_bytes, cache_line);
  void *data = n_allocated > 0 ? aligned_alloc(cache_line, n_allocated) : NULL;
  wish_for_huge_pages(data, n_bytes);
  return data;
}

static ddr_array_status alloc_on_host(size_t n_bytes, size_t align, ddr_storage *storage) {
  if (align < sizeof(void *)) align = sizeof(void *); /* the least that the allocator takes */
  const size_t n_allocated = allocated_bytes(n_bytes, align);
  if (n_allocated == 0) return DDR_ARRAY_EOVERFLOW;
  void *data = aligned_alloc(align, n_allocated);
  wish_for_huge_pages(data, n_allocated);
  ddr_cleanup *cleanup = data ? ddr_cleanup_new(free, data) : NULL;
  if (!cleanup) {
    free(data);
    return DDR_ARRAY_ENOMEM;
  }
  *storage = (ddr_storage){data, n_bytes, DDR_HOST, cleanup};
  return DDR_ARRAY_OK;
}

/* --- on devices ------------------------------------------------------------------------------- */

enum { DEVICE_ALIGN = 256 }; /* of all that it allocates */

typedef struct {
  ddr_array_device *device;
  ddr_allocation how;
  void *data;
} Block;

static void free_block(void *argument) {
  Block *block = argument;
  block->device->release(block->device, block->how, block->data);
  free(block);
}

ddr_array_status ddr_storage_own(ddr_array_device *device, ddr_allocation how, void *data,
                                 size_t n_bytes, ddr_storage *storage) {
  Block *block = malloc(sizeof *block);
  ddr_cleanup *cleanup = block ? ddr_cleanup_new(free_block, block) : NULL;
  if (!cleanup) {
    device->release(device, how, data);
    free(block);
    return DDR_ARRAY_ENOMEM;
  }
  *block = (Block){device, how, data};
  *storage = (ddr_storage){data, n_bytes, how == DDR_MANAGED ? DDR_UNIFIED : DDR_CUDA, cleanup};
  return DDR_ARRAY_OK;
}

static ddr_array_status alloc_on(ddr_array_device *device, size_t n_bytes, size_t align,
                                 ddr_residency residency, ddr_storage *storage) {
  const ddr_allocation how = residency == DDR_UNIFIED ? DDR_MANAGED : DDR_IN_ORDER;
  void *data;
  if (!device) return DDR_ARRAY_ERESIDENCY;
  if (align > DEVICE_ALIGN) return DDR_ARRAY_EALIGN;
  const size_t n_allocated = allocated_bytes(n_bytes, DEVICE_ALIGN);
  if (n_allocated == 0) return DDR_ARRAY_EOVERFLOW;
  const ddr_array_status status = device->allocate(device, how, n_allocated, &data);
  return status == DDR_ARRAY_OK ? ddr_storage_own(device, how, data, n_bytes, storage) : status;
}

ddr_array_status ddr_storage_alloc(size_t n_bytes, size_t align, ddr_residency residency,
                                   ddr_storage *storage) {
  DDR_NEED(storage);
  if (align == 0 || (align & (align - 1)) != 0) return DDR_ARRAY_EALIGN;
  if ((unsigned)residency > DDR_UNIFIED) return DDR_ARRAY_ERESIDENCY;
  if (residency == DDR_HOST) return alloc_on_host(n_bytes, align, storage);
  return alloc_on(ddr_array_device_in_use(), n_bytes, align, residency, storage);
}

void ddr_storage_release(ddr_storage *storage) {
  if (!storage) return;
  ddr_cleanup_release(storage->cleanup);
  *storage = (ddr_storage){.data = NULL};
}

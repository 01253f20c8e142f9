/* storage.c: blocks of memory, and the records of who still wants them.
 *
 * This build makes memory of the host only.
 */
#include "runtime/layout/storage.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* --- whoever goes last cleans up -------------------------------------------------------------- */

struct ddr_cleanup {
  atomic_size_t n_references;
  ddr_cleanup_function *function;
  void *argument;
};

ddr_cleanup *ddr_cleanup_new(ddr_cleanup_function *function, void *argument) {
  ddr_cleanup *cleanup = malloc(sizeof *cleanup);
  if (!cleanup) return NULL;
  atomic_init(&cleanup->n_references, 1);
  cleanup->function = function;
  cleanup->argument = argument;
  return cleanup;
}

ddr_cleanup *ddr_cleanup_retain(ddr_cleanup *cleanup) {
  if (cleanup) atomic_fetch_add_explicit(&cleanup->n_references, 1, memory_order_relaxed);
  return cleanup;
}

/* What other threads did to the memory before they let go comes before the cleaning. */
void ddr_cleanup_release(ddr_cleanup *cleanup) {
  if (!cleanup) return;
  if (atomic_fetch_sub_explicit(&cleanup->n_references, 1, memory_order_acq_rel) > 1) return;
  if (cleanup->function) cleanup->function(cleanup->argument);
  free(cleanup);
}

/* Who holds the only reference cannot be joined by others. */
bool ddr_cleanup_give(ddr_cleanup *cleanup, ddr_cleanup_function *function, const void *argument) {
  if (!cleanup || cleanup->function != function || cleanup->argument != argument) return false;
  if (atomic_load_explicit(&cleanup->n_references, memory_order_acquire) > 1) return false;
  free(cleanup);
  return true;
}

/* --- blocks ----------------------------------------------------------------------------------- */

bool ddr_residency_is_there(ddr_residency residency) { return residency == DDR_HOST; }

/* The allocator wants whole multiples of the alignment, and an address of its own also for nothing;
 * 0: the block would be larger than memory can be. */
static size_t allocated_bytes(size_t n_bytes, size_t align) {
  const size_t n = n_bytes > 0 ? n_bytes : 1;
  if (n > PTRDIFF_MAX || align > PTRDIFF_MAX) return 0;
  const size_t padded = (n + align - 1) / align * align;
  return padded <= PTRDIFF_MAX ? padded : 0;
}

ddr_array_status ddr_storage_alloc(size_t n_bytes, size_t align, ddr_residency residency,
                                   ddr_storage *storage) {
  if (align == 0 || (align & (align - 1)) != 0) return DDR_ARRAY_EALIGN;
  if (!ddr_residency_is_there(residency)) return DDR_ARRAY_ERESIDENCY;
  if (align < sizeof(void *)) align = sizeof(void *); /* the least that the allocator takes */
  const size_t n_allocated = allocated_bytes(n_bytes, align);
  if (n_allocated == 0) return DDR_ARRAY_EOVERFLOW;
  void *data = aligned_alloc(align, n_allocated);
  ddr_cleanup *cleanup = data ? ddr_cleanup_new(free, data) : NULL;
  if (!cleanup) {
    free(data);
    return DDR_ARRAY_ENOMEM;
  }
  *storage = (ddr_storage){data, n_bytes, residency, cleanup};
  return DDR_ARRAY_OK;
}

void ddr_storage_release(ddr_storage *storage) {
  ddr_cleanup_release(storage->cleanup);
  *storage = (ddr_storage){.data = NULL};
}

/* memory.h: how much memory the strands of a world may use, and how much they use.
 *
 * Read next: memory.c.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ddr_memory {
  _Atomic size_t most;            /* bytes that may be used; 0: not determined yet */
  uint64_t n_store_bytes;         /* of the store, which changes between phases only */
  _Atomic uint64_t n_birth_bytes; /* of strands that wait for the end of the phase */
  _Atomic int64_t n_sequence_bytes;
  _Atomic bool is_over_limit; /* some request was refused */
} ddr_memory;

/* Bytes that the system can really provide: it promises more than there are. */
size_t ddr_most_memory(void);

/* The most bytes that the process has used at any time so far. */
double ddr_peak_memory(void);

/* Like aligned_alloc, to be freed by free; blocks of a MiB and more are in huge pages, where the
 * system has them: a page fault for each 4 KiB of states takes as long as running their strands. At
 * most twice as much memory is used as asked for. */
void *ddr_memory_new(size_t alignment, size_t n_bytes);

/* Whether store and births may use that many bytes in all, besides the sequences. */
bool ddr_memory_fits(ddr_memory *memory, uint64_t n_bytes);

/* Account for the buffers of sequences; false: over the limit, and nothing was added.  A thread's
 * balance may still be only in its own account. */
bool ddr_memory_take(ddr_memory *memory, int64_t *n_account, size_t n_bytes);
void ddr_memory_give(ddr_memory *memory, int64_t *n_account, size_t n_bytes);

/* The reason for a refusal: the limit, or the system. */
enum { DDR_REASON_SIZE = 64 };
const char *ddr_memory_reason(const ddr_memory *memory, char reason[DDR_REASON_SIZE]);

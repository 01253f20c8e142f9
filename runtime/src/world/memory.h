/* memory.h: how much memory the strands of a world may have, and what they have.
 *
 * Read next: memory.c.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ddr_memory {
  _Atomic size_t most;            /* bytes that may be taken; 0: not looked up yet */
  uint64_t n_store_bytes;         /* of the store, which changes between phases only */
  _Atomic uint64_t n_birth_bytes; /* of strands that wait for the end of the phase */
  _Atomic int64_t n_sequence_bytes;
  _Atomic bool is_over_limit; /* some request was */
} ddr_memory;

/* Bytes that the system would really give us: it promises more than there are. */
size_t ddr_most_memory(void);

/* Most bytes that the process had at any time so far. */
double ddr_peak_memory(void);

/* As aligned_alloc, to be freed by free; much of it comes in huge pages, where the system has them:
 * a fault for each 4 KiB of states takes as long as their strands. */
void *ddr_memory_new(size_t alignment, size_t n_bytes);

/* Whether store and births may have that many bytes in all, besides what sequences have. */
bool ddr_memory_fits(ddr_memory *memory, uint64_t n_bytes);

/* Account for the buffers of sequences; false: over the limit, and not accounted for.  What a
 * thread has taken, less what it has given back, may still be only in its own account. */
bool ddr_memory_take(ddr_memory *memory, int64_t *n_account, size_t n_bytes);
void ddr_memory_give(ddr_memory *memory, int64_t *n_account, size_t n_bytes);

/* Why there is none: the limit, or the system. */
enum { DDR_REASON_SIZE = 64 };
const char *ddr_memory_reason(const ddr_memory *memory, char reason[DDR_REASON_SIZE]);

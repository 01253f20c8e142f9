/* sequences.h: whose buffers dynamic sequences are in (ddr/seq.h has what is done with them).
 *
 * Read next: sequences.c, Note [Ownership].
 */
#pragma once

#include "ddr/seq.h"
#include "memory.h"

struct ddr_pool {
  ddr_world *world;        /* for errors */
  ddr_seq_buffer *buffers; /* all that are its own */
  int64_t n_account;       /* bytes taken less given that the world does not know of yet */
  bool is_short;           /* memory ran out */
};

/* *seq of n elements of `size` bytes; NULL, or why there is none, which may be in `text`.  Nothing
 * is recorded.  Given ones are copied; lent ones stay where they are, as long as the pool. */
const char *ddr_seq_given(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                          char text[DDR_REASON_SIZE]);
const char *ddr_seq_lent(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                         char text[DDR_REASON_SIZE]);

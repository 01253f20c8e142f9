/* sequences.h: owners of the buffers of dynamic sequences (ddr/seq.h has the operations on
 * sequences).
 *
 * Read next: sequences.c, Note [Ownership].
 */
#pragma once

#include "ddr/seq.h"
#include "memory.h"

/* Sanitizers must be able to report stale buffers, so none is reused then. */
#if defined(__SANITIZE_ADDRESS__)
#define DDR_USES_SPARE false
#elif defined(__has_feature)
#define DDR_USES_SPARE (!__has_feature(address_sanitizer))
#else
#define DDR_USES_SPARE true
#endif

enum { DDR_SPARE_SIZES = 45 }; /* from 64 bytes to 128 KiB, four sizes for each power of two */

struct ddr_pool {
  ddr_world *world;        /* for errors */
  ddr_seq_buffer *buffers; /* all that belong to the pool */
  /* Bytes taken minus bytes given back that the world has not counted yet. */
  int64_t n_account;
  bool is_short; /* memory ran out */
  bool is_due;   /* a sweep may find something */

  /* In a pool that reuses swept buffers: a list for each size, of buffers with at least that
   * capacity. They are not counted as taken (memory.h). */
  bool keeps_spare;
  size_t n_spare_bytes;
  ddr_seq_buffer *spare[DDR_SPARE_SIZES];
};

/* Frees spare buffers, after the pool's last use. */
void ddr_pool_free_spare(ddr_pool *pool);

/* Makes *seq of n elements of `size` bytes; returns NULL, or why it failed, possibly in `text`.  No
 * error is recorded.  Given elements are copied; lent ones stay in place, and must live as long as
 * the pool. */
const char *ddr_seq_given(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                          char text[DDR_REASON_SIZE]);
const char *ddr_seq_lent(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                         char text[DDR_REASON_SIZE]);

/* A scalar for a letter of a pattern (ddr_put_seq). */
typedef struct ddr_scalar {
  enum {
    SCALAR_NONE, /* the letter stands for itself */
    SCALAR_BOOL,
    SCALAR_INT,
    SCALAR_FLOAT,
    SCALAR_DOUBLE,
    SCALAR_STRING
  } kind;
  union {
    int64_t i; /* and bool */
    float f;
    double d;
    const char *s;
  } of;
} ddr_scalar;

/* Reads the scalar at *src, which advances past it. */
ddr_scalar ddr_scalar_read(char letter, const char **src);

/* sequences.h: whose buffers dynamic sequences are in (ddr/seq.h has what is done with them).
 *
 * Read next: sequences.c, Note [Ownership].
 */
#pragma once

#include "ddr/seq.h"
#include "memory.h"

/* A sanitizer is to see a stale buffer: then none is used again. */
#if defined(__SANITIZE_ADDRESS__)
#define DDR_USES_SPARE false
#elif defined(__has_feature)
#define DDR_USES_SPARE (!__has_feature(address_sanitizer))
#else
#define DDR_USES_SPARE true
#endif

enum { DDR_SPARE_SIZES = 33 }; /* from 64 bytes to 16 KiB, four sizes from each power of two on */

struct ddr_pool {
  ddr_world *world;        /* for errors */
  ddr_seq_buffer *buffers; /* all that are its own */
  int64_t n_account;       /* bytes taken less given that the world does not know of yet */
  bool is_short;           /* memory ran out */

  /* Of a pool that keeps what it has swept, to use it again: a list for each size, of buffers with
   * at least that capacity. They are not counted as taken (memory.h). */
  bool keeps_spare;
  size_t n_spare_bytes;
  ddr_seq_buffer *spare[DDR_SPARE_SIZES];
};

/* Frees what it keeps, after its last use. */
void ddr_pool_free_spare(ddr_pool *pool);

/* *seq of n elements of `size` bytes; NULL, or why there is none, which may be in `text`.  Nothing
 * is recorded.  Given ones are copied; lent ones stay where they are, as long as the pool. */
const char *ddr_seq_given(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                          char text[DDR_REASON_SIZE]);
const char *ddr_seq_lent(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                         char text[DDR_REASON_SIZE]);

/* A scalar, as a letter of a pattern (ddr_put_seq) stands for one. */
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

/* The one at *src, which moves behind it. */
ddr_scalar ddr_scalar_read(char letter, const char **src);

/* scratch.h: a worker's memory for the results of one strand's queries.
 *
 * Read next: scratch.c; space/query.c, which asks.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DDR_NOBODY_ASKS = -1, DDR_SEVERAL_ASK = -2 };

typedef struct ddr_scratch {
  struct ddr_chunk *chunks, *current;
  int64_t asker;           /* slot whose results these are, or one of the above */
  uint32_t *hits, *merged; /* `capacity` each: results in the making */
  int64_t capacity;
  double reach; /* of the largest query since somebody looked (space/part.c) */
} ddr_scratch;

/* Memory that lasts until the asker changes; NULL when memory is short. */
void *ddr_scratch_allocate(ddr_scratch *scratch, size_t n_bytes);
void ddr_scratch_reset(ddr_scratch *scratch);
void ddr_scratch_free(ddr_scratch *scratch);

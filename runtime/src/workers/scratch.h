/* scratch.h: a worker's memory for the results of one strand's queries.
 *
 * Read next: scratch.c; space/query.c, which asks.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DDR_NOBODY_ASKS = -1, DDR_SEVERAL_ASK = -2 }; /* SEVERAL: the lanes of a gang, together */

typedef struct ddr_scratch {
  struct ddr_chunk *chunks, *current;
  int64_t asker;           /* slot of the strand that has these results, or one of the above */
  uint32_t *hits, *merged; /* `capacity` each: results before they are in order */
  int64_t capacity;
  double reach; /* the largest since ddr_take_reach reset it (space/part.c) */
} ddr_scratch;

/* Memory that lasts until the asker changes; NULL when memory is short. */
void *ddr_scratch_allocate(ddr_scratch *scratch, size_t n_bytes);
void ddr_scratch_reset(ddr_scratch *scratch);
void ddr_scratch_free(ddr_scratch *scratch);

/* scratch.h: a worker's memory for the results of one strand's queries.
 *
 * Read next: scratch.c; space/query.c, which uses it.
 */
#pragma once

#include <stdint.h>

#include "arena.h"

/* Instead of a slot; SEVERAL: the lanes of a gang. */
enum { DDR_NOBODY_ASKS = -1, DDR_SEVERAL_ASK = -2 };

typedef struct ddr_scratch {
  ddr_arena arena;         /* results, until the asker changes */
  int64_t asker;           /* slot of the strand that made the queries, or one of the above */
  uint32_t *hits, *merged; /* `capacity` each: results before they are sorted */
  int64_t capacity;
  double reach; /* the largest since ddr_take_reach reset it (space/partial_index.c) */
} ddr_scratch;

void ddr_scratch_reset(ddr_scratch *scratch);
void ddr_scratch_free(ddr_scratch *scratch);

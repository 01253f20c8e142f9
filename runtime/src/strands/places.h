/* places.h: where strands are, in `before`, as columns of doubles: a chunk of them at a time.
 *
 * On axes that the program has not, all are at 0.
 * Read next: survey.h, rows.c.
 */
#pragma once

#include "region.h"
#include "store.h"

#if defined(DDR_SMALL_SIZES)
enum { DDR_CHUNK = 4 };
#else
enum { DDR_CHUNK = 256 };
#endif

typedef struct ddr_places {
  int64_t n;
  int64_t slots[DDR_CHUNK];
  double at[DDR_MOST_DIM][DDR_CHUNK];
} ddr_places;

/* Of [begin, end), at most a chunk, those that are somewhere. */
void ddr_places_read(const ddr_world *world, int64_t begin, int64_t end, ddr_places *places);

/* Without those that run no more. */
void ddr_places_keep_running(const ddr_world *world, ddr_places *places);

/* The box around them. */
ddr_region ddr_places_box(const ddr_places *places);

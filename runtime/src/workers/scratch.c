/* scratch.c: see scratch.h. */
#include "scratch.h"

#include <stdlib.h>

void ddr_scratch_reset(ddr_scratch *scratch) {
  if (scratch->arena.current) ddr_arena_rewind(&scratch->arena);
  scratch->asker = DDR_NOBODY_ASKS;
}

void ddr_scratch_free(ddr_scratch *scratch) {
  ddr_arena_free(&scratch->arena);
  free(scratch->hits);
  free(scratch->merged);
  *scratch = (ddr_scratch){0};
}

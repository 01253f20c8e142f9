/* space.h: the spatial index of the strands, and supersteps in spatial order.
 *
 * Queries are made by generated code (ddr/host/spatial.h).
 * Read next: index.c, by_place.c.
 */
#pragma once

#include "runtime/src/strands/phases.h"

/* index.c: before a phase that may query: sorts the positions in `before`, unless none has
 * changed. */
ddr_status ddr_index_prepare(ddr_world *world);
void ddr_index_free(ddr_index *index);

/* by_place.c: whether there is an index, and there are so many strands that spatial order pays. */
bool ddr_places_known(const ddr_world *world);

/* One superstep.  Births and prints are still in rank order. */
uint32_t ddr_sched_places(ddr_world *world, ddr_phase *phase);

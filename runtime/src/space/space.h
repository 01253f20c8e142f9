/* space.h: where the strands are: an index of their positions, and a superstep in its order.
 *
 * Queries themselves are asked by generated code (ddr/host/spatial.h).
 * Read next: index.c, by_place.c.
 */
#pragma once

#include "runtime/src/strands/phases.h"

/* index.c: before a phase that may query: sort the positions in `before` unless nothing changed. */
ddr_status ddr_index_prepare(ddr_world *world);
void ddr_index_free(ddr_index *index);

/* by_place.c: whether there are so many strands, and an index of them, that this order is worth its
 * while. */
bool ddr_places_known(const ddr_world *world);

/* One superstep.  Births and prints are in rank order all the same. */
uint32_t ddr_sched_places(ddr_world *world, ddr_phase *phase);

/* run.h: tracing, thinning, and refusal of a world (its life is in ddr/ddr.h).
 *
 * Read next: life.c, superstep.c.
 */
#pragma once

#include "runtime/src/world/world.h"

/* How long a world has run. */
struct ddr_run_time {
  double seconds, cpu_seconds;
};

/* Replaces ddr_world_create and ddr_world_run: traces a strand (trace/trace.h) until it ends, or
 * for max_steps supersteps if that is not 0.  Keeps `limit` records; 0 is the default number. There
 * must be one worker. What the program prints goes only to the trace. Errors: those of both
 * functions; no such strand. */
ddr_status ddr_world_trace(ddr_world *world, const char *strand, uint32_t max_steps,
                           uint64_t limit);

/* Creates only every n-th strand of a grid along each axis, from the first on; allowed if strands
 * do not read each other.  They compute what they would compute in the full grid, fields on grids
 * up to rounding.  Outputs have as many entries as there are strands.  Call before create; only on
 * the CPU and in one process.  An error for other programs. */
bool ddr_can_thin(const ddr_world *world);
ddr_status ddr_set_thinning(ddr_world *world, uint32_t n);

/* Records why the program cannot run on this processor. */
ddr_status ddr_world_refuse(ddr_world *world);

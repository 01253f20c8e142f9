/* run.h: how long a world ran, and why one cannot (its life itself is in ddr/ddr.h).
 *
 * Read next: life.c, superstep.c.
 */
#pragma once

#include "runtime/src/world/world.h"

/* The world's part. */
struct ddr_run_time {
  double seconds, cpu_seconds;
};

/* In place of ddr_world_create and ddr_world_run: follows a strand (trace/trace.h) until it ends,
 * or for max_steps supersteps unless that is 0, and keeps so many records, or the usual number if
 * that is 0. There must be one worker. What the program prints is in the trace alone. Errors: those
 * of both; no such strand. */
ddr_status ddr_world_trace(ddr_world *world, const char *strand, uint32_t max_steps,
                           uint64_t limit);

/* Of a grid whose strands know nothing of each other, create only every n-th along each axis: the
 * first, and so on.  They compute what they would compute among all, fields on grids up to
 * rounding.  Outputs have as many places as there are strands.  Before create, on the CPU and in
 * one process; an error for other programs. */
bool ddr_can_thin(const ddr_world *world);
ddr_status ddr_set_thinning(ddr_world *world, uint32_t n);

/* Records why the program cannot run on this processor. */
ddr_status ddr_world_refuse(ddr_world *world);

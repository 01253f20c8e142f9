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

/* Records why the program cannot run on this processor. */
ddr_status ddr_world_refuse(ddr_world *world);

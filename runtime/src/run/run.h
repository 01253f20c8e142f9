/* run.h: how long a world ran (its life itself is in ddr/ddr.h).
 *
 * Read next: life.c, superstep.c.
 */
#pragma once

/* The world's part. */
struct ddr_run_time {
  double seconds, cpu_seconds;
};

/* sampling.h: what strands of a grid probe, computed for all of them together.
 *
 * Generated code reads the results with ddr_take_samples (ddr/program.h).
 * Read next: samples.c.
 */
#pragma once

#include "ddr/image.h"
#include "runtime/src/strands/phases.h"

typedef struct ddr_sampled ddr_sampled; /* local.h */

/* The samplings of a world. */
struct ddr_samplings {
  ddr_sampled *each;  /* one per sampling of the program */
  ddr_samples *taken; /* one per sampling and worker: what its block reads */
};

/* Called when the store is allocated, before strands are created.  Fails only if memory for the
 * tables is short. */
ddr_status ddr_samples_make(ddr_world *world);
void ddr_samples_free(ddr_world *world);

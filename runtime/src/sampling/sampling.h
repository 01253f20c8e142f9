/* sampling.h: what strands of a grid probe, made for all of them at once.
 *
 * Generated code takes what was made with ddr_take_samples (ddr/program.h).
 * Read next: samples.c.
 */
#pragma once

#include "ddr/image.h"
#include "runtime/src/strands/phases.h"

typedef struct ddr_sampled ddr_sampled; /* local.h */

/* The world's part. */
struct ddr_samplings {
  ddr_sampled *each;  /* one per sampling of the program */
  ddr_samples *taken; /* and worker: what its block takes */
};

/* When the strands are there, and before they are created.  Fails without memory for a few words.
 */
ddr_status ddr_samples_make(ddr_world *world);
void ddr_samples_free(ddr_world *world);

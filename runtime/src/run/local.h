/* local.h: what the files of this folder share. */
#pragma once

#include "ddr/program.h"

/* superstep.c: called around global code, which extends sequences of the globals in place. */
void ddr_globals_open(ddr_world *world);
void ddr_globals_close(ddr_world *world);

/* life.c: a phase that creates the strands of a block. */
uint32_t ddr_create_phase(ddr_world *world, ddr_block *block, uint32_t max_steps);

/* local.h: what the files of this room share. */
#pragma once

#include "ddr/program.h"

/* superstep.c: around global code, which extends the sequences of the globals in place. */
void ddr_globals_open(ddr_world *world);
void ddr_globals_close(ddr_world *world);

/* life.c: a phase: the strands of a block are created. */
uint32_t ddr_create_phase(ddr_world *world, ddr_block *block, uint32_t max_steps);

/* local.h: what the files of this room share. */
#pragma once

#include "ddr/ddr.h"

/* superstep.c: around global code, which extends the sequences of the globals in place. */
void ddr_globals_open(ddr_world *world);
void ddr_globals_close(ddr_world *world);

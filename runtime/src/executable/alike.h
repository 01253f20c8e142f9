/* alike.h: whether all ranks were started as the same program, on the same data.
 *
 * Read next: alike.c.
 */
#pragma once

#include "ddr/ddr.h"

/* Collective.  An error on all ranks if some rank runs another executable, has other arguments, or
 * uses code for another kind of processor. */
ddr_status ddr_alike_start(ddr_world *world, int argc, char **argv);

/* Collective.  The same if the file of an input has another size or begins with other bytes. */
ddr_status ddr_alike_inputs(ddr_world *world);

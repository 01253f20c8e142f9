/* alike.h: whether all ranks were started as the same program, on the same data.
 *
 * Read next: alike.c.
 */
#pragma once

#include "ddr/ddr.h"

/* Collective.  An error for everybody if some rank is another executable, has other words on its
 * command line, or other code for its processor. */
ddr_status ddr_alike_start(ddr_world *world, int argc, char **argv);

/* Collective.  Likewise if the file of some input has another size or another beginning. */
ddr_status ddr_alike_inputs(ddr_world *world);

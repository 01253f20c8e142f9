/* consistency.h: whether all ranks run the same program on the same data.
 *
 * Read next: consistency.c.
 */
#pragma once

#include "ddr/ddr.h"

/* Collective.  An error on all ranks if a rank runs another executable, has other arguments, or
 * uses code for another kind of processor. */
ddr_status ddr_check_same_start(ddr_world *world, int argc, char **argv);

/* Collective.  An error if a rank's file for an input has another size or another beginning. */
ddr_status ddr_check_same_inputs(ddr_world *world);

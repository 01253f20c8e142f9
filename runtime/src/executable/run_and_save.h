/* run_and_save.h: runs supersteps, and saves snapshots and checkpoints between them.
 *
 * Read next: run_and_save.c.
 */
#pragma once

#include "options.h"

/* Collective.  Runs the world to its end or to the limit.  Returns NULL, or the phrase with which
 * an error message begins. */
const char *ddr_run_and_save(ddr_world *world, const ddr_settings *settings);

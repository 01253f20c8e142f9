/* pieces.h: supersteps, and what is saved between them: snapshots and checkpoints.
 *
 * Read next: pieces.c.
 */
#pragma once

#include "options.h"

/* Collective.  Runs the world to its end or to the limit.  Returns NULL, or the phrase with which
 * the message about a failure begins. */
const char *ddr_run_in_pieces(ddr_world *world, const ddr_settings *settings);

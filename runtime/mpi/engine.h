/* engine.h: what carries bytes between ranks, by MPI, which is initialised already.
 *
 * Read next: engine.c; main.c (executables).
 */
#pragma once

#include <mpi.h>

#include "ddr/ranks.h"

typedef enum { FOR_ONE_WORLD, FOR_WORLDS } EngineUse;

/* Collective to the ranks of the communicator, of which a copy is made.  For worlds that come and
 * go nothing is lent and nothing counted.  False: no memory. */
bool mpi_engine_open(ddr_rank_engine *engine, MPI_Comm comm, EngineUse use);

/* After the last call of the engine, and common before MPI ends; for worlds also later, by one rank
 * alone: their communicators need no words of others to go. */
void mpi_engine_close(ddr_rank_engine *engine);

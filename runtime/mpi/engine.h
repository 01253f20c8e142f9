/* engine.h: the engine of ranks (ddr/ranks.h) by MPI, which must be initialised.
 *
 * Read next: engine.c; main.c (executables).
 */
#pragma once

#include <mpi.h>

#include "ddr/ranks.h"

typedef enum { FOR_ONE_WORLD, FOR_WORLDS } EngineUse;

/* Collective in the communicator, which is duplicated.  FOR_WORLDS, in libraries whose worlds come
 * and go: without shared memory and counter.  False: memory is short. */
bool mpi_engine_open(ddr_rank_engine *engine, MPI_Comm comm, EngineUse use);

/* After the last call of the engine.  Collective, and before MPI ends; FOR_WORLDS also later, and
 * by one rank alone. */
void mpi_engine_close(ddr_rank_engine *engine);

/* engine.h: the engine of ranks (ddr/ranks.h), implemented with MPI, which must be initialised.
 *
 * Read next: engine.c; main.c (executables).
 */
#pragma once

#include <mpi.h>

#include "ddr/ranks.h"

typedef enum { FOR_ONE_WORLD, FOR_WORLDS } EngineUse;

/* Collective.  Duplicates the communicator.  FOR_WORLDS is for libraries, whose worlds come and go:
 * no shared memory and no counter.  False: out of memory. */
bool mpi_engine_open(ddr_rank_engine *engine, MPI_Comm comm, EngineUse use);

/* To be called after the last call of the engine.  Collective, and before MPI is finalised;
 * FOR_WORLDS also later, and by a single rank. */
void mpi_engine_close(ddr_rank_engine *engine);

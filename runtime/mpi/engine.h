/* engine.h: what carries bytes between ranks, by MPI, which is initialised already.
 *
 * Read next: engine.c; main.c (executables).
 */
#pragma once

#include <mpi.h>

#include "ddr/ranks.h"

/* Common to the ranks of the communicator, of which a copy is made.  False: no memory. */
bool mpi_engine_open(ddr_rank_engine *engine, MPI_Comm comm);

/* Common, after the last call of the engine and before MPI ends. */
void mpi_engine_close(ddr_rank_engine *engine);

/* engine.h: what carries bytes between ranks, by MPI.  Read next: engine.c. */
#pragma once

#include "ddr/ranks.h"

/* Takes the words of MPI out of the command line.  False: MPI cannot be had, which is said. */
bool mpi_engine_begin(ddr_rank_engine *engine, int *argc, char ***argv);

/* After the last call of the engine. */
void mpi_engine_end(ddr_rank_engine *engine);

/* process.h: a table of all functions of MPI that an executable needs.
 *
 * The table is in a library of its own, so that the executable starts on machines without MPI, and
 * can say what is missing.
 * Read next: process.c; load.h (who loads that library).
 */
#pragma once

#include <stdbool.h>

#include "ddr/ranks.h"

typedef struct MpiProcess {
  /* Initialises MPI.  NULL, or why there can be no ranks; then `end` must not be called. */
  const char *(*begin)(int *argc, char ***argv);
  void (*end)(void);

  /* Between begin and end: the number of ranks; the name and version of MPI, in one line. */
  int (*count_ranks)(void);
  const char *(*version)(void);

  /* The engine of all ranks; false: out of memory. */
  bool (*open)(ddr_rank_engine *engine);
  void (*close)(ddr_rank_engine *engine);
} MpiProcess;

/* The name of the table in the library. */
#define MPI_PROCESS_NAME "ddr_mpi_process"

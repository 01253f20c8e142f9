/* process.h: all that an executable asks of MPI, as a table.
 *
 * The table is in a library of its own, so that the executable starts where there is no MPI, and
 * can say so.
 * Read next: process.c; load.h (who loads that library).
 */
#pragma once

#include <stdbool.h>

#include "ddr/ranks.h"

typedef struct MpiProcess {
  /* NULL, or why there can be no ranks; then there is nothing to end. */
  const char *(*begin)(int *argc, char ***argv);
  void (*end)(void);

  /* Between these.  How many ranks this MPI knows of; its name and version, in one line. */
  int (*count_ranks)(void);
  const char *(*version)(void);

  /* The engine of all of them; false: no memory. */
  bool (*open)(ddr_rank_engine *engine);
  void (*close)(ddr_rank_engine *engine);
} MpiProcess;

/* By this name: the table. */
#define MPI_PROCESS_NAME "ddr_mpi_process"

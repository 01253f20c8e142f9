/* launcher.h: whether somebody has started several processes that this MPI does not know of: the
 * mpirun of another one, or a srun that was told nothing of MPI.
 *
 * Read next: launcher.c.
 */
#pragma once

#include <stdbool.h>

/* What the environment says of the processes that were started together. */
typedef struct Launcher {
  const char *name; /* of who has started them, NULL: nobody whom we know */
  long n_processes;
  bool is_first;      /* of them */
  bool is_first_here; /* of those on this machine */
} Launcher;

Launcher launcher_here(void);

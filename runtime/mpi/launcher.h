/* launcher.h: finds out whether several processes were started of which this MPI does not know: by
 * the mpirun of another MPI, or by srun without an option for MPI.
 *
 * Read next: launcher.c.
 */
#pragma once

#include <stdbool.h>

/* What the environment says about the processes that were started together. */
typedef struct Launcher {
  const char *name; /* of the launcher; NULL: none that is known */
  long n_processes;
  const char *number; /* of this process; NULL if there is no launcher */
  bool is_first;      /* this process is the first of them */
  bool is_first_here; /* the first on this machine */
  bool names_lost;    /* it says which process was killed */
} Launcher;

Launcher launcher_here(void);

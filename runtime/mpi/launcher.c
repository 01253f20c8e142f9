/* launcher.c: see launcher.h.
 *
 * Who starts processes for an MPI tells them by the environment how many there are.
 */
#include "launcher.h"

#include <stdlib.h>
#include <string.h>

typedef struct Kind {
  const char *name, *count, *number; /* variables: how many there are, which one this is */
} Kind;

/* The innermost first: mpirun itself may be a step of Slurm. */
static const Kind kinds[] = {
    {"the mpirun of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"the mpirun of MPICH or its kin", "PMI_SIZE", "PMI_RANK"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
};

Launcher launcher_here(void) {
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    const char *count = getenv(kinds[k].count), *number = getenv(kinds[k].number);
    if (!count) continue;
    return (Launcher){kinds[k].name, atol(count), !number || strcmp(number, "0") == 0};
  }
  return (Launcher){NULL, 1, true};
}

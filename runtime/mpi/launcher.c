/* launcher.c: see launcher.h.
 *
 * Launchers of MPI tell processes by environment variables how many there are.
 */
#include "launcher.h"

#include <stdlib.h>
#include <string.h>

typedef struct Kind {
  const char *name;
  const char *count, *number,
      *number_here; /* names of variables: number of processes, rank, rank on this machine */
  bool names_lost;
} Kind;

/* The innermost first: mpirun itself may be a step of Slurm. */
static const Kind kinds[] = {
    {"the mpirun of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_LOCAL_RANK", true},
    {"the mpirun of MPICH or its kin", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", false},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID", true},
};

static bool is_zero(const char *variable) {
  const char *number = getenv(variable);
  return !number || strcmp(number, "0") == 0;
}

Launcher launcher_here(void) {
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    const Kind *kind = &kinds[k];
    const char *count = getenv(kind->count);
    if (!count) continue;
    return (Launcher){
        .name = kind->name,
        .n_processes = atol(count),
        .number = getenv(kind->number),
        .is_first = is_zero(kind->number),
        .is_first_here = is_zero(kind->number_here),
        .names_lost = kind->names_lost,
    };
  }
  return (Launcher){.n_processes = 1, .is_first = true, .is_first_here = true, .names_lost = true};
}

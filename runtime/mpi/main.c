/* main.c: main of executables for several ranks; others have that of runtime/src/executable.
 *
 * Read next: load.c, process.c.
 */
#define _POSIX_C_SOURCE 200809L /* SIGXFSZ */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "launcher.h"
#include "load.h"
#include "watch.h"

static int refuse(const char *message) {
  fprintf(stderr, "Error starting ranks: %s\n", message);
  return EXIT_FAILURE;
}

/* If all processes fail for the same reason, only the first one reports it and fails.  The others
 * end with status 0, because an mpirun ends all as soon as one has failed, which might be before
 * the first has written its message. */
static int leave_it_to_first(bool is_first, const char *message) {
  return is_first ? refuse(message) : EXIT_SUCCESS;
}

/* Otherwise each process would be a run of its own, and all would write the same files. */
static bool is_known_by(const Launcher *launcher, const MpiProcess *mpi) {
  return launcher->n_processes <= 1 || mpi->count_ranks() > 1;
}

static int refuse_others(const Launcher *launcher, const MpiProcess *mpi) {
  char message[1000];
  snprintf(message, sizeof message,
           "%s has started %ld processes, of which none sees another: this program needs the "
           "mpirun of its own MPI, %s",
           launcher->name, launcher->n_processes, mpi->version());
  return leave_it_to_first(launcher->is_first, message);
}

static int live(const MpiProcess *mpi, int argc, char **argv) {
  ddr_rank_engine engine;
  if (!mpi->open(&engine)) return refuse("out of memory");
  const int status = ddr_main_ranks(&ddr_program_main, &engine, argc, argv);
  mpi->close(&engine);
  return status;
}

int main(int argc, char **argv) {
  char why[1000];
  signal(SIGXFSZ, SIG_IGN); /* exceeding a limit on file sizes becomes an error with a message */
  const Launcher launcher = launcher_here();
  if (launcher.n_processes > 1 && !launcher.names_lost && launcher.number)
    go_on_watched(launcher.number);
  const MpiProcess *mpi = mpi_load(why, sizeof why);
  if (!mpi) return leave_it_to_first(launcher.is_first_here, why);
  const char *obstacle = mpi->begin(&argc, &argv);
  if (obstacle) return refuse(obstacle);
  const bool is_known = is_known_by(&launcher, mpi);
  const int status = is_known ? live(mpi, argc, argv) : refuse_others(&launcher, mpi);
  mpi->end();
  return status;
}

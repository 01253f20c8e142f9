/* main.c: main of executables for several ranks; otherwise that of runtime/src/executable is taken.
 *
 * Read next: engine.c.
 */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "launcher.h"

static int refuse(const char *message) {
  fprintf(stderr, "Error starting ranks: %s\n", message);
  return EXIT_FAILURE;
}

/* How many there are for the MPI that the program was linked with. */
static int count_ranks(void) {
  int n;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/* Its name and version are the first words of a text of many lines. */
static void show_own_mpi(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int len;
  MPI_Get_library_version(text, &len);
  for (char *at = text; *at; at++)
    if (*at == '\t') *at = ' ';
  fprintf(stderr, "%.*s\n", (int)strcspn(text, ",\n"), text);
}

/* As many runs that know nothing of each other would write the same files.  The first one says so
 * and fails; the others do nothing, and end well, since an mpirun ends all as soon as one has
 * failed, which might be before the first has spoken. */
static bool is_known_by(const Launcher *launcher) {
  if (launcher->n_processes <= 1 || count_ranks() > 1) return true;
  if (launcher->is_first) {
    fprintf(stderr,
            "Error starting ranks: %s has started %ld processes, of which none sees another: "
            "this program needs the mpirun of its own MPI, ",
            launcher->name, launcher->n_processes);
    show_own_mpi();
  }
  return false;
}

static int live(int argc, char **argv) {
  ddr_rank_engine engine;
  if (!mpi_engine_open(&engine, MPI_COMM_WORLD, FOR_ONE_WORLD)) return refuse("out of memory");
  const int status = ddr_main_ranks(&ddr_program_main, &engine, argc, argv);
  mpi_engine_close(&engine);
  return status;
}

int main(int argc, char **argv) {
  int provided, status = EXIT_FAILURE;
  const Launcher launcher = launcher_here();
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); /* alone, Open MPI would look for its daemon */
  setenv("OMPI_MCA_io", "^ompio", 0); /* which adds a line of its own to what fails */
  setenv("OMPI_MCA_osc", "^ucx", 0);  /* which takes windows on networks that it does not know */
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return refuse("MPI cannot be initialised");
  if (provided < MPI_THREAD_FUNNELED) refuse("this MPI does not allow threads");
  else if (is_known_by(&launcher)) status = live(argc, argv);
  else if (!launcher.is_first) status = EXIT_SUCCESS;
  MPI_Finalize();
  return status;
}

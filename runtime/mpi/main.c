/* main.c: main of executables for several ranks; otherwise that of runtime/src/executable is taken.
 */
#include "engine.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  ddr_rank_engine engine;
  if (!mpi_engine_begin(&engine, &argc, &argv)) return EXIT_FAILURE;
  const int status = ddr_main_ranks(&ddr_program_main, &engine, argc, argv);
  mpi_engine_end(&engine);
  return status;
}

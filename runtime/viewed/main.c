/* main.c: main of executables that are made for `diderotc view`; otherwise that of
 * runtime/src/executable is taken.
 */
#include <unistd.h>

#include "local.h"

int main(int argc, char **argv) { return viewed_main(&ddr_program_main, STDIN_FILENO, argc, argv); }

/* main.c: main of every executable.  Executables with the shared runtime take only this file from
 * the archive.
 *
 * Read next: executable.c.
 */
#include "ddr/program.h"

int main(int argc, char **argv) { return ddr_main(&ddr_program_main, argc, argv); }

/* main.c: main of every executable, also of those with the shared runtime, which take it alone from
 * the archive.
 *
 * Read next: executable.c.
 */
#include "ddr/program.h"

int main(int argc, char **argv) { return ddr_main(&ddr_program_main, argc, argv); }

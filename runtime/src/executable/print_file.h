/* print_file.h: the file of option -print.
 *
 * Read next: print_file.c.
 */
#pragma once

#include <stdio.h>

#include "options.h"

/* *file: where the first rank prints; NULL: standard output.  A resumed run keeps what was printed
 * before. */
ddr_status ddr_print_file_open(ddr_world *world, const ddr_settings *settings, FILE **file);

/* For a resumed world: cuts off what was printed after the checkpoint. */
ddr_status ddr_print_file_go_on(ddr_world *world, const ddr_settings *settings, FILE *file);

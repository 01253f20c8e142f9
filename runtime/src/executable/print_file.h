/* print_file.h: the file that -print names.
 *
 * Read next: print_file.c.
 */
#pragma once

#include <stdio.h>

#include "options.h"

/* *file is where the first rank prints to; NULL: standard output.  A run that goes on finds what
 * was printed before. */
ddr_status ddr_print_file_open(ddr_world *world, const ddr_settings *settings, FILE **file);

/* The world goes on, and so does its text: what was printed after the checkpoint is cut off. */
ddr_status ddr_print_file_go_on(ddr_world *world, const ddr_settings *settings, FILE *file);

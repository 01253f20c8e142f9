/* tables.h: parts of ddr-tables. */
#pragma once

#include <stdbool.h>

/* array_table.c: the functions of libddr-array. */
void put_array_functions(void);

/* array_header.c: its header, from the one of the tree; false: that cannot be read. */
bool put_array_header(const char *path);

/* main.c: a cell, in which bars are escaped: they would end it. */
void put_cell(const char *text);

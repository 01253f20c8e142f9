/* tables.h: parts of ddr-tables.  Not with stdbool.h: in rows that are printed bool is a word. */
#pragma once

/* array_table.c: the functions of libddr-array. */
void put_array_functions(void);

/* array_header.c: its header, from the one of the tree; 0: that cannot be read. */
int put_array_header(const char *path);

/* main.c: a cell, in which bars are escaped: they would end it. */
void put_cell(const char *text);

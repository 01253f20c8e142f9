/* tables.h: parts of ddr-tables.  Not with stdbool.h: in rows that are printed bool is a word. */
#pragma once

/* array_functions.c: the sections and functions of runtime/array, row by row; what C has of a row
 * is text. */
typedef void PutSection(const char *title, const char *text);
typedef void PutFunction(const char *result, const char *name, const char *arguments,
                         const char *meaning, const char *statuses);
void array_functions(PutSection *put_section, PutFunction *put_function);
void array_cuda_functions(PutSection *put_section, PutFunction *put_function);

/* array_table.c: the functions of libddr-array. */
void put_array_functions(void);

/* array_header.c: its header, from the one of the tree; 0: that cannot be read. */
int put_array_header(const char *path);

/* main.c: a cell, in which bars are escaped: they would end it. */
void put_cell(const char *text);

/* header.h: whether an image file may be given to Teem at all.
 *
 * Files come from strangers, and Teem trusts them: there are headers that make it write beyond its
 * buffers, divide by zero, wait for ever, or read something that is not a file
 * (Note [What Teem takes on trust]). So headers are checked here first, by rules that are a little
 * stricter than Teem's and leave it no choice about what a line means or where the header ends.
 * Whether the image is suitable is checked elsewhere.
 * Read next: header.c.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct ddr_header_check {
  const char *folder; /* of the file: where the data files are that it names */
  double most_bytes;  /* of samples that can be had; formats that name none do not matter */
  char problem[400];  /* why not: one line without control characters */
} ddr_header_check;

/* Leaves the file, which must be seekable, at its beginning.  Formats that Teem does not read, and
 * errors that Teem reports safely, pass. */
bool ddr_header_check_file(FILE *file, ddr_header_check *check);

/* The file at its beginning, or a copy that ends its last line if all of it are lines and that one
 * has no end; then the file is closed. NULL: no copy could be made. */
FILE *ddr_header_whole(FILE *file);

/* A copy of the rest of a file or pipe in a temporary file; NULL: none could be made. */
FILE *ddr_header_spool(FILE *file);

/* The path where Teem looks for a data file of a header, to be freed.  NULL: out of memory. */
char *ddr_header_data_path(const char *folder, const char *name);

/* A name of numbered data files, from a template that ddr_header_check_file has accepted. */
void ddr_header_number_name(const char *template, int number, char *name, size_t size);

/* Whether a header can have this name of a data file. It cannot have line ends, nor a template of
 * numbered files, as in "slice%03d.raw". */
bool ddr_header_can_name(const char *name);

/* Makes text fit for a message: control characters become question marks. */
void ddr_header_clean(char *text);

/* Formats a message that quotes parts of files, of at most size - 1 characters, and cleans it
 * likewise. */
void ddr_header_say(char *text, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

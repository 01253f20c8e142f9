/* header_local.h: what the files of this folder share. */
#pragma once

#include <stdint.h>

#include "runtime/header/header.h"

/* Teem quotes a line of a header in complaints of at most 1 kB, without looking at its length. */
enum { LINE_MOST = 640 };

enum {
  LINES_MOST = 1 << 14,  /* of a header: Teem compares all keys, and counts names, in pairs */
  HEADER_MOST = 4 << 20, /* bytes of all of them */
  /* Of a comment: Teem moves the rest for each character that it leaves out. */
  COMMENT_MOST = 4096
};

typedef struct Header {
  FILE *file;
  ddr_header_check *check;
  char line[LINE_MOST + 1]; /* without its end, cut at LINE_MOST */
  long length;              /* of the whole line */
  int number;               /* of the line, from 1 */
  long n_bytes;             /* of all lines so far */
} Header;

/* Fills problem; false. */
bool header_refuse(ddr_header_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the next line; like Teem, ends lines at \n, \r, or both.  False: there is none, or, if
 * *is_good is cleared, it is not allowed in a header. */
bool header_next(Header *header, bool *is_good);
/* Behind a carriage return. */
void header_skip_newline(FILE *file);

/* Is the line short enough to be quoted? */
bool header_is_quotable(Header *header);

/* Text that Teem cleans of what cannot be printed must leave something. */
bool header_is_printable(Header *header, const char *text);
bool header_check_comment(Header *header); /* a line that begins with # */

/* The formats: their headers from the second line on, with the first in header->line. */
bool header_check_nrrd(Header *header);
bool header_check_pnm(Header *header);
bool header_check_png(Header *header);
bool header_check_vtk(Header *header);
bool header_check_text(Header *header);

/* Whether a line is the first of plain text: Teem takes other files for such of no format. */
bool header_begins_with_number(const char *line);

/* data_files.c: a name in a header; when all is read as text, whether Teem can read its words. */
bool header_check_data_file(ddr_header_check *check, const char *name, bool is_ascii);
bool header_check_words(FILE *file, ddr_header_check *check);

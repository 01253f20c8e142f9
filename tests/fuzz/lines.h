/* Lines: an input as the words of a command line, one per line. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { MOST_WORDS = 100 };

typedef struct Lines {
  char *argv[MOST_WORDS + 2]; /* NULL-terminated */
  int argc;
  char *text; /* all of them */
} Lines;

/* The first line is what argv[0] is: the caller's to use, and to replace. A NUL byte ends the last
 * word. Free the text. */
Lines lines_split(const uint8_t *data, size_t size);

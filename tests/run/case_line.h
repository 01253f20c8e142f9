/* case_line.h: splits a line of a case file into words. Blanks separate words; "..." is one word,
 * which may contain blanks and #; outside of quotes, # begins a comment. Read next: case.h.
 */
#pragma once

#include "tests/run/process.h"

typedef struct Words {
  char *word[MAX_WORDS];
  int n;
} Words;

/* Splits `line` in place; the words point into it. False: there are more than MAX_WORDS. */
bool words_split(char *line, Words *words);

/* All but the first k. */
Words words_after(const Words *words, int k);

/* case_line.h: a line of a case file as words. Blanks separate; "..." is one word, blanks and #
 * inside; # starts a comment outside quotes. Read next: case.h.
 */
#pragma once

#include "tests/run/process.h"

typedef struct Words {
  char *word[MAX_WORDS];
  int n;
} Words;

/* Splits `line` in place; the words point into it. False where there are more than MAX_WORDS. */
bool words_split(char *line, Words *words);

/* All but the first k. */
Words words_after(const Words *words, int k);

/* case_line.c: see case_line.h. */
#include "tests/run/case_line.h"

#include <string.h>

bool words_split(char *line, Words *words) {
  words->n = 0;
  for (;;) {
    line += strspn(line, " \t\n");
    if (!*line || *line == '#') return true;
    if (words->n == MAX_WORDS) return false;
    const bool is_quoted = *line == '"';
    if (is_quoted) line++;
    words->word[words->n++] = line;
    line += strcspn(line, is_quoted ? "\"" : " \t\n");
    if (!*line) return true;
    *line++ = '\0';
  }
}

Words words_after(const Words *words, int k) {
  Words rest = {.n = words->n > k ? words->n - k : 0};
  for (int i = 0; i < rest.n; i++) rest.word[i] = words->word[k + i];
  return rest;
}

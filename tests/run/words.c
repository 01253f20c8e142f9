/* words.c: see words.h. */
#include "tests/run/words.h"

#include <string.h>

Words words_split(char *line) {
  Words words = {.n = 0};
  while (words.n < MAX_WORDS) {
    line += strspn(line, " \t\n");
    if (!*line || *line == '#') return words;
    const bool is_quoted = *line == '"';
    if (is_quoted) line++;
    words.word[words.n++] = line;
    line += strcspn(line, is_quoted ? "\"" : " \t\n");
    if (!*line) return words;
    *line++ = '\0';
  }
  return words;
}

Words words_after(const Words *words, int k) {
  Words rest = {.n = words->n > k ? words->n - k : 0};
  for (int i = 0; i < rest.n; i++) rest.word[i] = words->word[k + i];
  return rest;
}

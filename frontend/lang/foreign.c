#include "frontend/lang/foreign.h"

#include <string.h>

static const struct {
  const char *word, *instead;
} words[] = {
#define FOREIGN(word, instead) {word, instead},
#include "frontend/lang/foreign.def"
};

const char *foreign_word(const char *text, size_t len) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == len && memcmp(words[i].word, text, len) == 0)
      return words[i].instead;
  return NULL;
}

#include "frontend/lang/foreign.h"

#include <ctype.h>
#include <string.h>

typedef struct Foreign {
  const char *word, *instead;
  ForeignPlace place;
} Foreign;
static const Foreign words[] = {
#define FOREIGN(word, instead) {word, instead, FOREIGN_ANYWHERE},
#define BEGINS(word, instead) {word, instead, FOREIGN_BEGINS},
#define STATEMENT(word, instead) {word, instead, FOREIGN_STATEMENT},
#define CALLED(word, instead) {word, instead, FOREIGN_CALLED},
#include "frontend/lang/foreign.def"
};

static const Foreign *find(const char *text, size_t len) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].word) == len && memcmp(words[i].word, text, len) == 0) return &words[i];
  return NULL;
}

const char *foreign_word(const char *text, size_t len) {
  const Foreign *word = find(text, len);
  return word ? word->instead : NULL;
}

ForeignPlace foreign_place(const char *text, size_t len) {
  const Foreign *word = find(text, len);
  return word ? word->place : FOREIGN_ANYWHERE;
}

bool foreign_ends_number(const char *name) {
  if (strchr("eE", name[0]) && isdigit((unsigned char)name[1])) return true;
  return (strchr("eEfFdD", name[0]) && name[1] == '\0') || foreign_ends_int(name);
}

bool foreign_ends_int(const char *name) {
  if (strchr("xXbBoO", name[0]) && isxdigit((unsigned char)name[1])) return true;
  return strspn(name, "lLuU") == strlen(name);
}

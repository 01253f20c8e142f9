/* Foreign: words of other languages, for hints after an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What Diderot has instead of the word or character, to follow "write"; NULL if there is no row. */
const char *foreign_word(const char *text, size_t len);
/* Where the word has its meaning; elsewhere it is likely a name of the program. */
typedef enum {
  FOREIGN_ANYWHERE,
  FOREIGN_BEGINS,    /* at the beginning of a declaration, a method or a block */
  FOREIGN_STATEMENT, /* at the beginning of a statement or a part */
  FOREIGN_CALLED,    /* before a parenthesis */
} ForeignPlace;
ForeignPlace foreign_place(const char *text, size_t len);
/* Whether a name behind digits is part of a number: in `1e5`, `1.0f`, `2l`, `0xFF`. */
bool foreign_ends_number(const char *name);
/* Whether it is so only behind an int: in `0xFF`, `2l`, `10u`. */
bool foreign_ends_int(const char *name);

/* Foreign: words of other languages, for hints after an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What Diderot has instead of the word or character, to follow "write"; NULL when it is none. */
const char *foreign_word(const char *text, size_t len);
/* Does the word only mean something where a declaration, a method or a block begins? */
bool foreign_begins(const char *text, size_t len);

/* Words: the vocabulary of the language, for editors and for those who type it. */
#pragma once

#include <stdio.h>

/* A line each: CLASS WORD. The classes of words are type, structure, statement, value, word,
 * builtin and kernel; operator; character CHARACTER CODE NAME TWO-CHARACTERS. */
void words_print(FILE *out);
void words_print_unicode(FILE *out); /* the characters as a table of Markdown */

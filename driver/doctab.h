/* Doctab: the reference tables of the manual, printed from the compiler's own tables. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* table: options, errors, builtins, kernels, ops, passes, unicode; words, which is no Markdown.
 * False when there is no such table. */
bool doctab_print(const char *table, FILE *out);

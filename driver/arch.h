/* Arch: the kinds of processors that results are for, by the rows of archs.def. */
#pragma once

#include <stdio.h>

#include "ir/target.h"

/* Checks the argument of --arch, names separated by commas: returns NULL, or one line. */
const char *arch_wrong(Arena *a, const char *list);
/* The variants for such an argument; NULL: native. The list ends in one without a name. */
const BuildVariant *arch_variants(Arena *a, const char *list);
/* Whether no kind of the list is sure to have fused multiply-add. NULL: native, which may have it.
 */
bool arch_is_unfused(const char *list);
void arch_print_table(FILE *out); /* as Markdown */

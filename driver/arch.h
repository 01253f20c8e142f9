/* Arch: the kinds of processors that results are for, by the rows of archs.def. */
#pragma once

#include <stdio.h>

#include "ir/target.h"

/* NULL, or one line about the argument of --arch: names with commas between. */
const char *arch_wrong(Arena *a, const char *list);
/* Of such an argument; NULL: native. Ends in one without a name. */
const BuildVariant *arch_variants(Arena *a, const char *list);
/* No kind of the list has to have an instruction for a*b + c. NULL: native, which may have it. */
bool arch_is_unfused(const char *list);
void arch_print_table(FILE *out); /* as Markdown */

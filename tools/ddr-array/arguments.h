/* arguments.h: arguments of options as numbers. */
#pragma once

#include "runtime/layout/layout.h"
#include "tools/ddr-array/options.h"

/* Integers between `separator`s: exactly n_wanted, or 1 to 16 where that is 0; into the list, which
 * has room for 16.  The message says what the option wants. */
ddr_status read_ints(OptionId option, const char *text, char separator, int n_wanted, int64_t *list,
                     int *n, ddr_reason *reason);

/* Numbers between commas, at most MOST_WEIGHTS. */
enum { MOST_WEIGHTS = 1024 };
ddr_status read_reals(OptionId option, const char *text, double *list, int *n, ddr_reason *reason);

/* A number of at least 1. */
ddr_status read_count(OptionId option, const char *text, int *count, ddr_reason *reason);

/* Targets: the back ends by their names on the command line. */
#pragma once

#include "ir/target.h"

/* The target of that --target, or the default for NULL. NULL with *error set (one line) when there
 * is no such target, or not in this version. */
const Target *targets_find(Arena *a, const char *name, const char **error);

/* Plain: names of files that every tool takes as they are, even through a shell: letters, digits,
 * and / . _ - +. Functions that may fail give one line saying why.
 */
#pragma once

#include "frontend/base/arena.h"

/* `folder` if its path is plain, else a new private one; NULL with *error. */
const char *plain_folder(Arena *a, const char *folder, const char **error);

/* What is at `path` by a plain path: itself, or `name` in `folder`, a new link to it. NULL when
 * *shown is set. */
const char *plain_path(Arena *a, const char *folder, const char *name, const char *path,
                       const char **shown);

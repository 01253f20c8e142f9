/* Plain: names of files that no shell and no tool changes or splits: only letters, digits and
 * / . _ - +. Functions that can fail give one line that says why.
 */
#pragma once

#include "frontend/base/arena.h"

/* `folder` if its path is plain, else a new private folder below /tmp, which the caller removes.
 * NULL on failure, with *error. */
const char *plain_folder(Arena *a, const char *folder, const char **error);

/* Sets *shown to a plain path of the file `path`: itself, or a new symbolic link, `name` in
 * `folder`. Returns NULL, or the reason why it could not. */
const char *plain_path(Arena *a, const char *folder, const char *name, const char *path,
                       const char **shown);

/* File: files that are written completely or not at all, and temporary folders. Functions that can
 * fail return NULL, or one line with the name of the file and the reason.
 */
#pragma once

#include <stdbool.h>

#include "frontend/base/arena.h"

const char *file_write(Arena *a, const char *path, const char *text); /* truncates an old file */
/* Reads the whole file; as a C string, the text ends at its first NUL byte. */
const char *file_read(Arena *a, const char *path, const char **text);

/* Why the file cannot be made or replaced, as far as one can tell without trying. */
const char *file_obstacle(Arena *a, const char *path);
/* Copies a file; its mode is restricted by the umask. An old file is replaced in one step; devices
 * and pipes are written to. */
const char *file_install(Arena *a, const char *from, const char *to);
const char *file_write_whole(Arena *a, const char *path, const char *text); /* likewise, a text */
/* Replaces an existing file in one step: keeps its mode, and symbolic links to it. */
const char *file_rewrite(Arena *a, const char *path, const char *text);
bool file_is_same(const char *path, const char *other); /* both exist, and are one file */

#define FOLDER_PRIVATE "diderotc-" /* how the names of private folders begin */
/* Makes a folder that only this user can read, in parent, or, for NULL, in $TMPDIR or /tmp. On
 * failure returns NULL, with the reason in *error. */
const char *folder_private(Arena *a, const char *parent, const char **error);
void folder_remove(Arena *a, const char *path); /* with the files in it */

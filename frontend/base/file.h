/* File: files that are there whole or not at all, and folders that are gone afterwards. Functions
 * that may fail return NULL, or one line that names the file and the reason.
 */
#pragma once

#include <stdbool.h>

#include "frontend/base/arena.h"

const char *file_write(Arena *a, const char *path, const char *text); /* what is there goes first */
/* The whole file; a NUL byte ends what is seen of it. */
const char *file_read(Arena *a, const char *path, const char **text);

/* What stands in the way of making or replacing the file, as far as one can tell beforehand. */
const char *file_obstacle(Arena *a, const char *path);
/* Copies a file, with its mode as the umask has it. Regular files are replaced in one step; devices
 * and pipes are written to. */
const char *file_install(Arena *a, const char *from, const char *to);
const char *file_write_whole(Arena *a, const char *path, const char *text); /* likewise */
/* Likewise of one that is there: it keeps its mode, and a link to it stays one. */
const char *file_rewrite(Arena *a, const char *path, const char *text);
bool file_is_same(const char *path, const char *other); /* both exist, and are one */

#define FOLDER_PRIVATE "diderotc-" /* how its name begins */
/* A new folder for this process alone in parent, or in $TMPDIR or /tmp for NULL. NULL with the
 * reason in *error when it cannot be made. */
const char *folder_private(Arena *a, const char *parent, const char **error);
void folder_remove(Arena *a, const char *path); /* with the files in it */

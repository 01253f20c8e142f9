/* Plain: see plain.h. */
#define _XOPEN_SOURCE 700 /* realpath, symlink */

#include "backend-cuda/plain.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/base/file.h"
#include "frontend/base/text.h"

static bool is_plain(const char *path) {
  static const char allowed[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";
  return path[0] != '-' && path[strspn(path, allowed)] == '\0';
}

const char *plain_folder(Arena *a, const char *folder, const char **error) {
  return is_plain(folder) ? folder : folder_private(a, "/tmp", error);
}

/* A relative path in a symbolic link would start from the link's folder: the link gets the whole
 * path. */
const char *plain_path(Arena *a, const char *folder, const char *name, const char *path,
                       const char **shown) {
  *shown = path;
  if (is_plain(path)) return NULL;
  char *whole = realpath(path, NULL);
  *shown = text_format(a, "%s/%s", folder, name);
  const bool is_made = whole && symlink(whole, *shown) == 0;
  const int reason = errno;
  free(whole);
  return is_made ? NULL : text_format(a, "cannot read '%s': %s", path, strerror(reason));
}

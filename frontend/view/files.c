/* Files: a page can only name files below one folder. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frontend/view/local.h"

enum { MOST_NAMES = 200 };

/* Whether a path is below a folder; both are real paths. */
static bool is_below(const char *path, const char *folder) {
  const size_t n = strlen(folder);
  if (strcmp(folder, "/") == 0) return true;
  return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* The real path, below the real folder; else NULL with *why. */
static const char *settle(Arena *a, const char *folder, const char *name, const char **why) {
  char top[PATH_MAX], path[PATH_MAX];
  *why = "it is not below the folder of --files";
  if (*name == '/') return NULL;
  if (!realpath(folder, top)) return NULL;
  if (!realpath(text_format(a, "%s/%s", top, name), path)) {
    if (errno == ENOENT || errno == ENOTDIR) *why = "there is no such file";
    return NULL;
  }
  return is_below(path, top) ? arena_strdup(a, path, strlen(path)) : NULL;
}

const char *files_find(Arena *a, const char *folder, const char *name, const char **why) {
  struct stat status;
  const char *path = settle(a, folder, name, why);
  if (!path) return NULL;
  *why = "it is not a file";
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? path : NULL;
}

static int by_name(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

typedef VEC(const char *) NameVec;

/* Adds a file that a page may name, as the page would write it: from the folder on. */
static void offer(Arena *a, const char *folder, const char *name, NameVec *names) {
  const char *why, *path = settle(a, folder, name, &why);
  struct stat status;
  if (!path || stat(path, &status) != 0) return;
  if (S_ISDIR(status.st_mode)) vec_push(a, names, text_format(a, "%s/", name));
  else if (S_ISREG(status.st_mode)) vec_push(a, names, name);
}

json_t *files_complete(Arena *a, const char *folder, const char *begin) {
  const char *slash = strrchr(begin, '/'), *why;
  const int n_folder = slash ? (int)(slash + 1 - begin) : 0;
  const char *start = begin + n_folder;
  const char *path =
      settle(a, folder, n_folder ? text_format(a, "%.*s", n_folder, begin) : ".", &why);
  DIR *opened = path ? opendir(path) : NULL;
  NameVec names = {0};
  for (const struct dirent *file; opened && names.len < MOST_NAMES && (file = readdir(opened));) {
    if (file->d_name[0] == '.' || strncmp(file->d_name, start, strlen(start)) != 0) continue;
    offer(a, folder, text_format(a, "%.*s%s", n_folder, begin, file->d_name), &names);
  }
  if (opened) closedir(opened);
  if (names.len) qsort(names.data, names.len, sizeof *names.data, by_name);
  json_t *list = json_array();
  for (uint32_t k = 0; k < names.len; k++) {
    json_t *word = json_string(names.data[k]); /* NULL: no UTF-8 */
    if (word) json_array_append_new(list, word);
  }
  return list;
}

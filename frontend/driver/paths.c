/* Paths: see paths.h. The folders of the build tree come from CMake, so that a compiler that was
 * built and not installed works where it is.
 */
#include "frontend/driver/paths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/base/text.h"

enum { MAX_PATH = 4096 };

static const char *after_folders(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_without_suffix(Arena *a, const char *path) {
  const char *dot = strrchr(after_folders(path), '.');
  return arena_strdup(a, path, dot ? (size_t)(dot - path) : strlen(path));
}

const char *path_stem(Arena *a, const char *path) {
  return path_without_suffix(a, after_folders(path));
}

/* Folder of the running compiler's bin/, or NULL. */
static const char *own_prefix(Arena *a) {
  char path[MAX_PATH];
  const ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
  if (len <= 0) return NULL;
  path[len] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    *slash = '\0';
  }
  return arena_strdup(a, path, strlen(path));
}

static bool try_folders(const char *include_dir, const char *library, Arena *a,
                        RuntimePaths *paths) {
  const char *header = text_format(a, "%s/ddr/program.h", include_dir);
  if (access(header, R_OK) != 0 || access(library, R_OK) != 0) return false;
  paths->include_dir = include_dir;
  paths->library = library;
  return true;
}

static bool try_prefix(const char *prefix, Arena *a, RuntimePaths *paths) {
  if (!prefix || !*prefix) return false;
  return try_folders(text_format(a, "%s/include", prefix),
                     text_format(a, "%s/lib/diderot/libddr-runtime.a", prefix), a, paths);
}

const char *runtime_paths(Arena *a, RuntimePaths *paths) {
  static const char *const link_args[] = {DDR_RUNTIME_LINK_ARGS, NULL};
  paths->link_args = link_args;
  const char *home = getenv("DIDEROT_HOME");
  if (home && *home) {
    if (try_prefix(home, a, paths)) return NULL;
    return text_format(a, "DIDEROT_HOME=%s holds no include/ddr and lib/diderot", home);
  }
  if (try_prefix(own_prefix(a), a, paths)) return NULL;
  if (try_folders(DDR_BUILD_INCLUDE_DIR, DDR_BUILD_RUNTIME, a, paths)) return NULL;
  return "the runtime is not installed beside the compiler; set DIDEROT_HOME to its prefix";
}

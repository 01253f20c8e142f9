#define _XOPEN_SOURCE 700

#include "frontend/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/base/source.h"
#include "frontend/base/text.h"

enum { CHUNK = 1 << 16, MAX_TRIES = 100 };

static const char *cannot(Arena *a, const char *verb, const char *path, int reason) {
  return text_format(a, "cannot %s '%s': %s", verb, path, strerror(reason));
}

const char *file_write(Arena *a, const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool is_written = file && fputs(text, file) >= 0;
  int reason = errno;
  if (file && fclose(file) != 0) {
    is_written = false;
    reason = errno;
  }
  return is_written ? NULL : cannot(a, "write", path, reason);
}

const char *file_read(Arena *a, const char *path, const char **text) {
  const char *error = NULL;
  const Source *source = source_read(a, path, &error);
  if (!source) return text_format(a, "cannot read '%s': %s", path, error);
  *text = source->text;
  return NULL;
}

bool file_is_same(const char *path, const char *other) {
  struct stat one, two;
  return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

/* ---- replacing ------------------------------------------------------------------------------- */

static const char *folder_of(Arena *a, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  return slash == path ? "/" : arena_strdup(a, path, (size_t)(slash - path));
}

static bool is_special(const struct stat *status) {
  return !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode);
}

const char *file_obstacle(Arena *a, const char *path) {
  struct stat status;
  if (stat(path, &status) == 0) {
    if (S_ISDIR(status.st_mode)) return cannot(a, "write", path, EISDIR);
    if (is_special(&status)) return access(path, W_OK) ? cannot(a, "write", path, errno) : NULL;
  } else if (errno == ENAMETOOLONG || !*path) {
    return cannot(a, "write", path, errno);
  }
  const char *folder = folder_of(a, path);
  if (stat(folder, &status) != 0) return cannot(a, "write", path, errno);
  if (!S_ISDIR(status.st_mode)) return cannot(a, "write", path, ENOTDIR);
  return access(folder, W_OK | X_OK) != 0 ? cannot(a, "write", path, errno) : NULL;
}

/* These return 0 or the errno of what failed. */
static int write_all(int to, const char *bytes, size_t n) {
  for (size_t done = 0; done < n;) {
    const ssize_t step = write(to, bytes + done, n - done);
    if (step < 0) return errno;
    done += (size_t)step;
  }
  return 0;
}

static int copy(int from, int to) {
  char chunk[CHUNK];
  for (ssize_t n; (n = read(from, chunk, sizeof chunk)) != 0;) {
    const int failure = n < 0 ? errno : write_all(to, chunk, (size_t)n);
    if (failure != 0) return failure;
  }
  return 0;
}

/* A new file beside `to`, or -1. Its name is short, as that of `to` may be as long as names can be.
 */
static int open_beside(Arena *a, const char *to, mode_t mode, const char **name) {
  int file = -1;
  for (int i = 0; i < MAX_TRIES && file < 0; i++) {
    *name = text_format(a, "%s/.diderotc-%ld-%d~", folder_of(a, to), (long)getpid(), i);
    file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0 && errno != EEXIST) return -1;
  }
  return file;
}

/* Renames the new file to `to`; after a failure, removes it. */
static int take_place(int file, int failure, const char *name, const char *to) {
  if (close(file) != 0 && failure == 0) failure = errno;
  if (failure == 0 && rename(name, to) != 0) failure = errno;
  if (failure != 0) unlink(name);
  return failure;
}

static int replace(Arena *a, int from, mode_t mode, const char *to) {
  const char *name;
  const int file = open_beside(a, to, mode, &name);
  return file < 0 ? errno : take_place(file, copy(from, file), name, to);
}

static int write_through(int from, const char *to) {
  const int file = open(to, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int failure = copy(from, file);
  return close(file) != 0 && failure == 0 ? errno : failure;
}

const char *file_install(Arena *a, const char *from, const char *to) {
  const char *obstacle = file_obstacle(a, to);
  if (obstacle) return obstacle;
  struct stat made, there;
  const int file = open(from, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &made) != 0) {
    const int reason = errno;
    if (file >= 0) close(file);
    return cannot(a, "read", from, reason);
  }
  const bool is_through = stat(to, &there) == 0 && is_special(&there);
  const int failure = is_through ? write_through(file, to) : replace(a, file, made.st_mode, to);
  close(file);
  return failure ? cannot(a, "write", to, failure) : NULL;
}

const char *file_write_whole(Arena *a, const char *path, const char *text) {
  struct stat there;
  const char *name, *obstacle = file_obstacle(a, path);
  if (obstacle) return obstacle;
  if (stat(path, &there) == 0 && is_special(&there)) return file_write(a, path, text);
  const int file = open_beside(a, path, 0666, &name);
  const int failure =
      file < 0 ? errno : take_place(file, write_all(file, text, strlen(text)), name, path);
  return failure ? cannot(a, "write", path, failure) : NULL;
}

const char *file_rewrite(Arena *a, const char *path, const char *text) {
  struct stat there;
  char *behind_links = realpath(path, NULL);
  if (!behind_links || stat(behind_links, &there) != 0) {
    free(behind_links);
    return cannot(a, "write", path, errno);
  }
  const char *to = arena_strdup(a, behind_links, strlen(behind_links)), *name;
  free(behind_links);
  const char *obstacle = file_obstacle(a, to);
  if (obstacle) return obstacle;
  if (is_special(&there)) return file_write(a, to, text);
  const int file = open_beside(a, to, 0600, &name);
  if (file < 0) return cannot(a, "write", path, errno);
  int failure = write_all(file, text, strlen(text));
  if (failure == 0 && fchmod(file, there.st_mode & 07777) != 0) failure = errno;
  failure = take_place(file, failure, name, to);
  return failure ? cannot(a, "write", path, failure) : NULL;
}

/* ---- folders --------------------------------------------------------------------------------- */

const char *folder_private(Arena *a, const char *parent, const char **error) {
  if (!parent) parent = getenv("TMPDIR");
  if (!parent || !*parent) parent = "/tmp";
  const char *pattern = text_format(a, "%s/" FOLDER_PRIVATE "XXXXXX", parent);
  const char *folder = mkdtemp(arena_strdup(a, pattern, strlen(pattern)));
  if (!folder) *error = text_format(a, "cannot make a folder in %s: %s", parent, strerror(errno));
  return folder;
}

void folder_remove(Arena *a, const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return;
  for (const struct dirent *entry; (entry = readdir(folder));)
    unlink(text_format(a, "%s/%s", path, entry->d_name));
  closedir(folder);
  rmdir(path);
}

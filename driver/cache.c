/* Cache: see cache.h. The hash only finds the folder; the key it holds decides. */
#include "driver/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "frontend/base/file.h"
#include "frontend/base/hash.h"
#include "frontend/base/text.h"
#include "frontend/base/vec.h"

enum { MAX_ENTRIES = 100, MOST_MEGABYTES = 1024, SECONDS_OF_DAY = 24 * 60 * 60 };

/* ---- the folder ------------------------------------------------------------------------------ */

/* XDG Base Directory Specification: a relative $XDG_CACHE_HOME is to be ignored, and one that does
 * not exist is made. A home is not: users without one have a name there that must not exist. */
static const char *root_path(Arena *a, const char **why) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && *cache == '/') return text_format(a, "%s/diderot", cache);
  if (!home || *home != '/') *why = "neither XDG_CACHE_HOME nor HOME names a folder";
  else if (access(home, F_OK) == 0) return text_format(a, "%s/.cache/diderot", home);
  else *why = text_format(a, "cannot find '%s', which HOME names", home);
  return NULL;
}

static bool make_folders(Arena *a, const char *path) {
  for (const char *end = path; end; end = strchr(end + 1, '/')) {
    if (end == path) continue;
    mkdir(arena_strdup(a, path, (size_t)(end - path)), 0700);
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* The folder of the cache, which must belong to this user: no other user may choose what is run. */
static const char *root_folder(Arena *a, const char **why) {
  const char *path = root_path(a, why);
  struct stat status;
  if (!path) return NULL;
  if (!make_folders(a, path) || stat(path, &status) != 0) {
    *why = text_format(a, "cannot make the folder '%s': %s", path, strerror(errno));
  } else if (!S_ISDIR(status.st_mode)) {
    *why = text_format(a, "'%s' is not a folder", path);
  } else if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH))) {
    *why = text_format(a, "others may write to '%s'", path);
  } else {
    return path;
  }
  return NULL;
}

static const char *entry_folder(Arena *a, const CacheEntry *entry) {
  const uint64_t hash = hash_bytes(HASH_START, entry->key, strlen(entry->key));
  return text_format(a, "%s/%016" PRIx64, entry->root, hash);
}

/* Beside the executable, under a name that is never the executable's. */
static const char *key_path(Arena *a, const CacheEntry *entry, const char *folder) {
  return text_format(a, "%s/%s.key", folder, entry->name);
}

CacheEntry cache_entry(Arena *a, const char *key, const char *name, const char **why) {
  CacheEntry entry = {.root = root_folder(a, why), .key = key, .name = name};
  if (entry.root) entry.path = text_format(a, "%s/%s", entry_folder(a, &entry), name);
  return entry;
}

/* ---- looking --------------------------------------------------------------------------------- */

static bool holds(Arena *a, const char *path, const char *text) {
  const char *found;
  return file_read(a, path, &found) == NULL && strcmp(found, text) == 0;
}

/* The key as it is stored, with a checksum of the executable, which may be damaged when a disk is
 * full or a machine stops. */
static const char *sealed_key(Arena *a, const CacheEntry *entry, const char *folder) {
  const char *executable = text_format(a, "%s/%s", folder, entry->name);
  return text_format(a, "executable %016" PRIx64 "\n%s", hash_file(HASH_START, executable),
                     entry->key);
}

int cache_open(Arena *a, const CacheEntry *entry) {
  if (!entry->root) return -1;
  const char *folder = entry_folder(a, entry);
  if (!holds(a, key_path(a, entry, folder), sealed_key(a, entry, folder))) return -1;
  if (access(entry->path, X_OK) != 0) return -1;
  utimensat(AT_FDCWD, folder, NULL, 0); /* note the use: the oldest are removed first */
  return open(entry->path, O_RDONLY | O_CLOEXEC);
}

/* ---- adding and removing --------------------------------------------------------------------- */

typedef struct Used {
  const char *folder;
  struct timespec when;
  uint64_t n_bytes;
} Used;
typedef VEC(Used) UsedVec;

static int by_age(const void *left, const void *right) {
  const struct timespec l = ((const Used *)left)->when, r = ((const Used *)right)->when;
  if (l.tv_sec != r.tv_sec) return l.tv_sec < r.tv_sec ? -1 : 1;
  return (l.tv_nsec > r.tv_nsec) - (l.tv_nsec < r.tv_nsec);
}

static uint64_t size_of_folder(Arena *a, const char *path) {
  uint64_t n_bytes = 0;
  struct stat status;
  DIR *folder = opendir(path);
  for (const struct dirent *file; folder && (file = readdir(folder));)
    if (lstat(text_format(a, "%s/%s", path, file->d_name), &status) == 0 && S_ISREG(status.st_mode))
      n_bytes += (uint64_t)status.st_size;
  if (folder) closedir(folder);
  return n_bytes;
}

/* A folder, as a rule; others may have put a file in its place. */
static void remove_entry(Arena *a, const char *path) {
  if (unlink(path) != 0) folder_remove(a, path);
}

/* All entries. What was left by processes that were killed is removed after a day. */
static UsedVec list_entries(Arena *a, const char *root) {
  UsedVec all = {0};
  struct stat status;
  DIR *folder = opendir(root);
  for (const struct dirent *file; folder && (file = readdir(folder));) {
    const char *path = text_format(a, "%s/%s", root, file->d_name);
    if (file->d_name[0] == '.' || stat(path, &status) != 0) continue;
    const bool is_private = strncmp(file->d_name, FOLDER_PRIVATE, strlen(FOLDER_PRIVATE)) == 0;
    if (!is_private) vec_push(a, &all, ((Used){path, status.st_mtim, size_of_folder(a, path)}));
    else if (status.st_mtime < time(NULL) - SECONDS_OF_DAY) folder_remove(a, path);
  }
  if (folder) closedir(folder);
  return all;
}

/* $DIDEROT_CACHE_MB, or the default. False: it is not a number. */
static bool most_bytes(uint64_t *n_bytes) {
  const char *text = getenv("DIDEROT_CACHE_MB");
  char *end = NULL;
  *n_bytes = (uint64_t)MOST_MEGABYTES << 20;
  if (!text || !*text) return true;
  const unsigned long long n = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || n > UINT64_MAX >> 20) return false;
  *n_bytes = (uint64_t)n << 20;
  return true;
}

/* Removes the oldest entries until number and size are within the limits. The newest stays: it is
 * about to run. */
static void remove_oldest(Arena *a, const char *root, uint64_t most) {
  UsedVec all = list_entries(a, root);
  uint64_t n_bytes = 0;
  if (all.len == 0) return;
  qsort(all.data, all.len, sizeof *all.data, by_age);
  for (uint32_t i = 0; i < all.len; i++) n_bytes += all.data[i].n_bytes;
  for (uint32_t i = 0; i + 1 < all.len && (all.len - i > MAX_ENTRIES || n_bytes > most); i++) {
    remove_entry(a, all.data[i].folder);
    n_bytes -= all.data[i].n_bytes;
  }
}

uint32_t cache_clean(Arena *a, const char **why) {
  *why = NULL;
  const char *root = root_folder(a, why);
  if (!root) return 0;
  const UsedVec all = list_entries(a, root);
  for (uint32_t i = 0; i < all.len; i++) remove_entry(a, all.data[i].folder);
  return all.len;
}

/* Renames over a folder with files in it: those of another key, or half-deleted; or over a file. */
static bool displace(Arena *a, const CacheEntry *entry, const char *folder, const char *place) {
  const char *error, *aside = folder_private(a, entry->root, &error);
  if (aside && rename(place, aside) != 0) unlink(place);
  const bool is_done = aside && rename(folder, place) == 0;
  if (aside) folder_remove(a, aside);
  return is_done;
}

const char *cache_add(Arena *a, const CacheEntry *entry, const char *folder) {
  const char *error = file_write(a, key_path(a, entry, folder), sealed_key(a, entry, folder));
  const char *place = entry_folder(a, entry);
  if (!error && rename(folder, place) != 0) {
    const int other = cache_open(a, entry);
    if (other >= 0) close(other); /* another process was faster */
    else if (!displace(a, entry, folder, place))
      error = text_format(a, "cannot write '%s': %s", place, strerror(errno));
  }
  folder_remove(a, folder);
  uint64_t most;
  if (!most_bytes(&most) && !error)
    error =
        text_format(a, "DIDEROT_CACHE_MB is '%s', expected a number", getenv("DIDEROT_CACHE_MB"));
  remove_oldest(a, entry->root, most);
  return error;
}

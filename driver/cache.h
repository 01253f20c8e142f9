/* Cache: executables of `diderotc run`, by a key of everything that they were made from. An entry
 * is a folder in $XDG_CACHE_HOME/diderot, or ~/.cache/diderot, with the executable, its key and a
 * checksum. Entries are added and removed in one step, so any number of processes may use the cache
 * at once.
 */
#pragma once

#include "frontend/base/arena.h"

/* An entry to look for. Entries are the same if their keys are, byte for byte. */
typedef struct CacheEntry {
  const char *root; /* folder of the cache, made if need be; NULL: there is none */
  const char *key;
  const char *name; /* of the executable */
  const char *path; /* where the executable is when the entry is there */
} CacheEntry;

/* *why is one line when there is no cache. */
CacheEntry cache_entry(Arena *a, const char *key, const char *name, const char **why);
/* The executable of the entry, open for reading, or -1 if there is no such entry, or a damaged one,
 * which will be replaced. */
int cache_open(Arena *a, const CacheEntry *entry);
/* Makes an entry of a folder below its root that has the executable. The folder is moved, or
 * removed if another process was faster. Entries that were not used for long are removed: a hundred
 * remain, with at most $DIDEROT_CACHE_MB (1024) together. NULL, or one line. */
const char *cache_add(Arena *a, const CacheEntry *entry, const char *folder);
/* Removes all entries; how many there were. *why is one line when there is no cache. */
uint32_t cache_clean(Arena *a, const char **why);

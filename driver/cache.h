/* Cache: the executables that `diderotc run` made, by all that they were made of. An entry is a
 * folder in $XDG_CACHE_HOME/diderot, or ~/.cache/diderot, that holds the executable and its key,
 * with a checksum; it appears and goes whole, so that any number of processes may look at once.
 */
#pragma once

#include "frontend/base/arena.h"

/* What is looked for. Two entries are the same when their keys are, byte for byte. */
typedef struct CacheEntry {
  const char *root; /* folder of the cache, made if need be; NULL: there is none */
  const char *key;
  const char *name; /* of the executable */
  const char *path; /* where the executable is when the entry is there */
} CacheEntry;

/* *why is one line when there is no cache. */
CacheEntry cache_entry(Arena *a, const char *key, const char *name, const char **why);
/* The executable of the entry, open for reading, or -1 when there is no such entry, or a damaged
 * one, which gives way to the next that is added. */
int cache_open(Arena *a, const CacheEntry *entry);
/* Makes the entry of a folder below its root that holds the executable. The folder goes, also when
 * another process was faster. Entries that were not used for long are removed: a hundred stay, of
 * $DIDEROT_CACHE_MB (1024) together. NULL, or one line. */
const char *cache_add(Arena *a, const CacheEntry *entry, const char *folder);
/* Removes all entries; how many there were. *why is one line when there is no cache. */
uint32_t cache_clean(Arena *a, const char **why);

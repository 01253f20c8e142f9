/* Paths: names of files beside the source, and where the runtime is. */
#pragma once

#include <stdbool.h>

#include "frontend/base/arena.h"
#include "ir/target.h"

/* Name of a file without its folders and its last suffix; "dir/mip.diderot" is "mip". */
const char *path_stem(Arena *a, const char *path);
/* The path without its folders: "mip.diderot". */
const char *path_last(const char *path);
/* The path without its last suffix: "dir/mip". */
const char *path_without_suffix(Arena *a, const char *path);
/* The path without .o or .obj at its end. */
const char *path_without_object_suffix(Arena *a, const char *path);

/* How a result has the runtime: as a part of it, loaded when it runs, or as a part with sanitizers.
 */
typedef enum { RUNTIME_INSIDE, RUNTIME_SHARED, RUNTIME_SANITIZED } RuntimeKind;

typedef struct RuntimePaths {
  const char *include_dir;         /* holds ddr/ */
  const char *const *compile_args; /* -I of ddr/ and, when it is chosen, of Teem; NULL-terminated */
  const char *library;             /* the archive */
  const char *shared_library;      /* the same, to be loaded when a program runs */
  /* The archive for ranks, and what it needs; NULL: there is none. */
  const char *const *rank_args;
  const char *const *view_args; /* the archive for diderotc view; NULL: there is none */
  const char *const *link_args; /* NULL-terminated */
  struct {
    const char *library; /* the archive for the device; NULL: there is none */
    const char *release; /* of the toolkit it was compiled with; NULL: not known */
  } device[DEVICE_KIND_COUNT];
} RuntimePaths;

/* Looks in $DIDEROT_HOME, beside the running compiler as installed (../include, ../lib/diderot),
 * and in the build tree of a compiler that is not installed. Teem is in $DIDEROT_TEEM_DIR, in the
 * folder teem beside the archive, or where the C compiler finds it. Sets shared_library only if the
 * kind needs it. Returns NULL, or one line that says what is missing. */
const char *runtime_paths(Arena *a, RuntimeKind kind, RuntimePaths *paths);
/* What must be linked with a library: "teem", ..., perhaps after the shared runtime; ends in
 * NULL. */
const char *const *runtime_libraries(Arena *a, bool with_shared);
uint64_t runtime_hash(Arena *a, const RuntimePaths *paths); /* of the archives and all headers */

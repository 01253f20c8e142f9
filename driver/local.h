/* What the files of the driver share. */
#pragma once

#include "driver/options.h"
#include "driver/trace.h"
#include "frontend/base/cx.h"
#include "ir/target.h"

/* What is in the cache: an executable that is about to take our place, or a library. */
typedef struct Launch {
  int file;         /* open for reading; -1: none */
  const char *path; /* where it is, or NULL when it has no name any more */
} Launch;

typedef struct Compilation {
  Cx *cx;
  const Options *options;
  const Target *target;
  Launch *launch;
  StringVec *proxies; /* files that were looked at */
  Trace *trace;
} Compilation;

/* What the target made of the program. */
typedef struct Emitted {
  const char *text;
  const char *device_text; /* NULL: nothing runs on devices */
} Emitted;

/* build.c: what becomes of the emitted text. Those of type int return the exit status, after a
 * message if it is not 0. */
int build_executable(const Compilation *job, const Emitted *emitted);
int build_not_made(const Compilation *job, const char *why);
/* All but the names of what is made. NULL, or what is missing. */
const char *build_prepare(const Compilation *job, const Emitted *emitted, BuildJob *build);
/* Where the text is kept, or NULL: scripts of the vis15 generation delete BASE.cxx. */
const char *build_kept_source(const Compilation *job, const char *base);
/* Makes the files, and that of --depfile, if it is given: what `result` depends on. */
int build_make(const Compilation *job, const BuildJob *build, const char *result);

/* library.c: header, functions and description; then all files of it. */
void library_describe(const Compilation *job, const struct TreeProgram *tree,
                      const EmitOptions *emit, LibraryTexts *texts);
int library_build(const Compilation *job, const Emitted *emitted, const LibraryTexts *texts);
/* Prints the texts that are to be printed instead of making anything; true when there are any. */
bool library_print(const Compilation *job, const LibraryTexts *texts);

/* With --cached: the shared object alone, found or made; prints where it is and its description. */
int library_keep(const Compilation *job, const Emitted *emitted, const LibraryTexts *texts);

/* keep.c: looks in the cache for the executable, or the shared object of the job's library, else
 * makes it. Fills job->launch. NULL, or one line. */
const char *keep(const Compilation *job, BuildJob *build);

/* launch.c: diderotc run. */
int launch_prepare(const Compilation *job, const Emitted *emitted);
int launch_execute(const Launch *launch, const Options *options); /* returns when that failed */

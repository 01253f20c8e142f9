/* What the files of the driver share. */
#pragma once

#include "driver/options.h"
#include "driver/trace.h"
#include "frontend/base/cx.h"
#include "ir/target.h"

/* A result in the cache: an executable that is about to be run, or a library. */
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

/* The texts that the target generated. */
typedef struct Emitted {
  const char *text;
  const char *device_text; /* NULL: there is no code for devices */
} Emitted;

/* build.c: compiles the generated texts. Functions of type int return the exit status, after a
 * message if it is not 0. */
int build_executable(const Compilation *job, const Emitted *emitted);
int build_not_made(const Compilation *job, const char *why);
/* Fills the job, except for names of results. NULL, or what is missing. */
const char *build_prepare(const Compilation *job, const Emitted *emitted, BuildJob *build);
/* The file for the generated text, or NULL. For scripts of the vis15 generation, which delete it,
 * it is BASE.cxx. */
const char *build_kept_source(const Compilation *job, const char *base);
/* Makes the files, and that of --depfile, if given, with the dependencies of `result`. */
int build_make(const Compilation *job, const BuildJob *build, const char *result);

/* library.c: why the header cannot have the library's name, by which functions and clients include
 * it, or NULL. */
const char *library_wrong_name(const Compilation *job);

/* Header, functions and description; then all files of it. */
void library_describe(const Compilation *job, const struct TreeProgram *tree,
                      const EmitOptions *emit, LibraryTexts *texts);
int library_build(const Compilation *job, const Emitted *emitted, const LibraryTexts *texts);
/* Prints texts of the library if --dump asks for any, and returns true; then nothing is made. */
bool library_print(const Compilation *job, const LibraryTexts *texts);

/* With --cached: finds or makes the shared object; prints its path and description. */
int library_keep(const Compilation *job, const Emitted *emitted, const LibraryTexts *texts);

/* keep.c: looks in the cache for the executable, or the shared object of the job's library, else
 * makes it. Fills job->launch. NULL, or one line. */
const char *keep(const Compilation *job, BuildJob *build);

/* launch.c: diderotc run. */
int launch_prepare(const Compilation *job, const Emitted *emitted);
int launch_execute(const Launch *launch, const Options *options); /* returns when that failed */

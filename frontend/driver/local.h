/* What the files of the driver share. */
#pragma once

#include "frontend/base/cx.h"
#include "frontend/driver/options.h"
#include "frontend/driver/trace.h"
#include "ir/target.h"

/* An executable that is about to take our place. */
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

/* build.c: what becomes of the emitted text. They return the exit status, after a message if it is
 * not 0. */
int build_output(const Compilation *job, const char *text); /* the files that are asked for */
const char *build_prepare(const Compilation *job, const char *text, BuildJob *build);
int build_not_made(const Compilation *job, const char *why);

/* launch.c: diderotc run. */
int launch_prepare(const Compilation *job, const char *text);
int launch_execute(const Launch *launch, const Options *options); /* returns when that failed */

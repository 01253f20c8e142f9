/* View: `diderotc view`, a page on this machine that shows what a program computes while its inputs
 * are moved and its text is written.
 *
 * Three kinds of processes: this one answers requests and watches the file; `diderotc run --viewed`
 * compiles the program and becomes it (runtime/viewed); a copy of that does one run. Next:
 * runtime/viewed/README.md, server.c.
 */
#pragma once

#include <stdbool.h>

typedef struct ViewOptions {
  const char *compiler;         /* the path of diderotc */
  const char *program;          /* the file */
  const char *folder;           /* the page may name files below it */
  const char *const *options;   /* for diderotc run; ends in NULL */
  const char *const *arguments; /* of the program; ends in NULL */
  bool is_traced;               /* the program can follow one strand */
  unsigned port;                /* 0: any that is free */
  bool opens_browser;           /* if there is a desktop */
} ViewOptions;

/* Serves until a signal asks it to end. Returns the exit status; if it is not 0, a line on standard
 * error says why. */
int view_serve(const ViewOptions *options);

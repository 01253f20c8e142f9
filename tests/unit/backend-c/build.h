/* Emitting, compiling and running test programs with harness.c. */
#pragma once

#include <stdio.h>

#include "tests/unit/backend-c/programs.h"

#define FAST "-O2 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-psabi"
#define CHECKED "-O0 -g -Wno-psabi -fsanitize=address,undefined -fno-sanitize-recover=all"

typedef struct Build {
  const char *compiler, *flags;
  bool is_double, is_long_int;
} Build;

Cx *build_cx(const Build *build);
const char *build_text(Cx *cx, const TestProgram *program); /* the tree is verified; returns C */
bool build_write(const char *path, const char *text);
bool build_has(const char *command);
/* Compiles without a warning, or fails the test; returns the output of the program, to be closed by
 * pclose. NULL when the compiler is not installed or does not accept the text. */
FILE *build_run(Cx *cx, const TestProgram *program, const Build *build, const char *folder);

/* process.h: run one program to its end and keep what it printed. Read next: case.h. */
#pragma once

#include <stdbool.h>

typedef struct Outcome {
  int status; /* exit status; -1 when a signal ended it */
  char *out;
  char *err;
} Outcome;

enum { MAX_WORDS = 64 };

/* Runs argv[0] (found in PATH) in the working directory, with nothing to read. Sanitizers are told
 * to end with status SANITIZER_STATUS. False when it could not be started or has more than
 * MAX_WORDS words. Free with outcome_free in either case. */
bool process_run(const char *const argv[], Outcome *outcome);

void outcome_free(Outcome *outcome);

enum { SANITIZER_STATUS = 99 };

/* Makes `path` the working directory, new or emptied of files. Ends the program on failure. */
void enter_scratch(const char *path);

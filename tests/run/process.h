/* process.h: runs a program to its end and keeps what it prints. Read next: case.h. */
#pragma once

#include <stdbool.h>

typedef struct Outcome {
  int status; /* exit status; -1 when a signal ended it */
  char *out;
  char *err;
} Outcome;

enum { MAX_WORDS = 64 };

/* Runs argv[0] (found in PATH) in the working directory, with empty standard input. Sanitizers end
 * the program with status SANITIZER_STATUS. False: it could not be started, or there are more than
 * MAX_WORDS words. Free with outcome_free in either case. */
bool process_run(const char *const argv[], Outcome *outcome);

void outcome_free(Outcome *outcome);

enum { SANITIZER_STATUS = 99 };

/* Creates the folder `path`, or removes the files in it, and makes it the working directory. Ends
 * the program on failure. */
void enter_scratch(const char *path);

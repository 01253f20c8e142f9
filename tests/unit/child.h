/* Functions that end the process, observed in a child. The including file must request POSIX. */
#pragma once

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* Runs the function in a child; returns its exit status, and what it wrote to stderr. */
static inline int run_in_child(void (*fails)(void), char *said, size_t size) {
  FILE *log = tmpfile();
  fflush(NULL);
  pid_t child = log ? fork() : -1;
  if (child == 0) {
    dup2(fileno(log), STDERR_FILENO);
    fails();
    _exit(0);
  }
  int status = -1;
  if (!CHECK(child > 0 && waitpid(child, &status, 0) == child)) return -1;
  rewind(log);
  said[fread(said, 1, size - 1, log)] = '\0';
  fclose(log);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void check_fails(void (*fails)(void), int want_status, const char *want_words) {
  char said[2048];
  CHECK_EQ(run_in_child(fails, said, sizeof said), want_status);
  if (!CHECK(strstr(said, want_words) != NULL)) fprintf(stderr, "it said: %s\n", said);
}

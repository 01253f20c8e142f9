/* failing_calls.h: for tests of libraries for devices in which each call of CUDA fails in turn. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "tests/unit/test.h"

/* One line for each. */
static inline bool tells_of_device(const char *errors) {
  static const char lead[] = "[DIDEROT] device 0: cannot ";
  const char *end = strchr(errors, '\n');
  return strncmp(errors, lead, strlen(lead)) == 0 && end && end[1] == '\0';
}

/* One call after the other, up to a number that is behind the last one; `live` is whether one was
 * there to fail. */
static inline void each_call_fails(bool (*live)(long k), long most) {
  long n_failed = 0;
  for (long k = 1; k <= most; k++) n_failed += live(k);
  CHECK(n_failed >= 20 && n_failed < most);
}

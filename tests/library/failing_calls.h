/* failing_calls.h: for tests of libraries for devices in which each call of CUDA fails in turn. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "tests/unit/test.h"

/* Whether the errors are a single line about the device. */
static inline bool tells_of_device(const char *errors) {
  static const char lead[] = "[DIDEROT] device 0: cannot ";
  const char *end = strchr(errors, '\n');
  return strncmp(errors, lead, strlen(lead)) == 0 && end && end[1] == '\0';
}

/* Makes each call fail in turn, up to a number greater than that of all calls; `live` returns
 * whether call k was made, and so failed. */
static inline void each_call_fails(bool (*live)(long k), long most) {
  long n_failed = 0;
  for (long k = 1; k <= most; k++) n_failed += live(k);
  CHECK(n_failed >= 20 && n_failed < most);
}

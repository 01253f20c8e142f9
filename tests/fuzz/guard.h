/* Guard: runs a part of the compiler in a fuzz target, which must go on where the compiler would
 * end. The linker calls these instead of panic_bug and panic_limit (ddr_fuzz_target).
 */
#pragma once

#include "frontend/base/cx.h"

typedef enum { GUARD_DONE, GUARD_LIMIT, GUARD_BUG } GuardEnd;

typedef struct GuardJob {
  void (*run)(Cx *cx, void *state);
  void *state;
  bool may_be_bug; /* BUG is an answer, as to IR that someone wrote; else it is a find */
} GuardJob;

/* How the job ended. A find ends the process, after saying what it is. */
GuardEnd guard(Cx *cx, GuardJob job);

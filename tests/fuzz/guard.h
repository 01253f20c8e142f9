/* Guard: runs a part of the compiler in a fuzz target, which must go on where the compiler would
 * end. The linker calls these instead of panic_bug and panic_limit (ddr_fuzz_target).
 */
#pragma once

#include "frontend/base/cx.h"

typedef void GuardJob(Cx *cx, void *state);

/* False when the job ended in a LIMIT. A BUG is a find: it ends the process. */
bool guard(Cx *cx, GuardJob *job, void *state);

/* Guard: runs a part of the compiler in a fuzz target, which must continue when the compiler would
 * end the process. The linker replaces panic_bug and panic_limit by functions of guard.c
 * (ddr_fuzz_target).
 */
#pragma once

#include "frontend/base/cx.h"

typedef void GuardJob(Cx *cx, void *state);

/* False when the job ended in a LIMIT. A BUG is a find: it ends the process. */
bool guard(Cx *cx, GuardJob *job, void *state);

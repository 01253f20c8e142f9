/* plan.h: which calls of a process fail. The plan is in memory shared with the processes that it is
 * for, so that their calls are counted.
 * Read next: wrapped.c, system.c, every_fault.c.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define KIND(id, ...) FAULT_##id,
#include "tests/faults/kinds.def"
  FAULT_COUNT
} FaultKind;

typedef struct {
  _Atomic bool is_on;
  _Atomic int kind;
  _Atomic int64_t n_calls, first, last; /* calls of that kind; those that fail */
} FaultPlan;

extern FaultPlan *fault_plan; /* NULL: nothing fails */

/* Counts a call of that kind; true when it has to fail. Fit for signal handlers. */
bool fault_now(FaultKind kind);

/* From now on calls of the system obey the plan, too. False where that is impossible. */
bool fault_watch_system(void);

/* wrapped.c: functions of libraries that fail as planned; a row of wrapped.def each. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <teem/hest.h>
#include <teem/nrrd.h>

#include "tests/faults/plan.h"

FaultPlan *fault_plan;

bool fault_now(FaultKind kind) {
  if (!fault_plan || !atomic_load(&fault_plan->is_on) ||
      atomic_load(&fault_plan->kind) != (int)kind) {
    return false;
  }
  const int64_t n = atomic_fetch_add(&fault_plan->n_calls, 1);
  return n >= atomic_load(&fault_plan->first) && n <= atomic_load(&fault_plan->last);
}

#define WRAP(kind, type, name, parameters, arguments, failure)                                     \
  type __real_##name parameters;                                                                   \
  type __wrap_##name parameters;                                                                   \
  type __wrap_##name parameters {                                                                  \
    if (!fault_now(FAULT_##kind)) return __real_##name arguments;                                  \
    errno = ENOMEM;                                                                                \
    return failure;                                                                                \
  }
#include "tests/faults/wrapped.def"

/* It says why; as the linker has it, in a string to be freed. */
int __real_hestParse(hestOpt *opts, int argc, const char **argv, char **error,
                     const hestParm *parm);
int __wrap_hestParse(hestOpt *opts, int argc, const char **argv, char **error,
                     const hestParm *parm);

int __wrap_hestParse(hestOpt *opts, int argc, const char **argv, char **error,
                     const hestParm *parm) {
  if (!fault_now(FAULT_TEEM)) return __real_hestParse(opts, argc, argv, error, parm);
  *error = __real_strdup("hestParse failed");
  return 1;
}

/* Device cc: runs the compiler for devices that the job's kind of device has, then the C compiler.
 */
#pragma once

#include "ir/target.h"

/* What is known of such a compiler. Lists of arguments end in NULL. */
typedef struct DeviceCompiler {
  const char *machine;                   /* what it compiles for: "CUDA" */
  const char *what;                      /* for messages: "CUDA compiler" */
  const char *toolkit;                   /* where it comes from: "the CUDA toolkit" */
  const char *usual;                     /* the program, unless the variable names another */
  const char *variable, *flags_variable; /* of the environment; flags come after ours */
  const char *const *always, *const *debug;
  const char *const *machines;  /* which it compiles for, unless flags say */
  const char *const *compile;   /* to make one object */
  const char *foreign;          /* before what is for the host's compiler; NULL: the same one */
  const char *const *join;      /* to make one object of that and the runtime, which stand behind */
  const char *const *joined;    /* behind these; or NULL */
  bool joins_by_machines;       /* joining is its work, else join names the program */
  const char *const *version;   /* to be asked which it is */
  const char *release;          /* in the answer, before MAJOR.MINOR */
  const char *const *libraries; /* that programs need besides */
} DeviceCompiler;

extern const DeviceCompiler device_compilers[DEVICE_KIND_COUNT]; /* none for DEVICE_NONE */

const char *device_cc_build(Cx *cx, const BuildJob *build); /* Target.build, Target.identify */
const char *device_cc_build_ranks(Cx *cx, const BuildJob *build);
const char *device_cc_identify(Cx *cx, const BuildJob *build, const char **error);

/* The list, which ends in NULL, and behind it the libraries that a part for devices needs, each
 * with `prefix` before it. */
const char *const *device_cc_libraries(Cx *cx, const DeviceCompiler *compiler,
                                       const char *const *list, const char *prefix);

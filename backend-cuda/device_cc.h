/* Device cc: runs the compiler for the job's kind of device, then the C compiler. */
#pragma once

#include "ir/target.h"

/* How to run a compiler for devices. Lists of arguments end in NULL. */
typedef struct DeviceCompiler {
  const char *machine;                   /* what it compiles for: "CUDA" */
  const char *what;                      /* for messages: "CUDA compiler" */
  const char *toolkit;                   /* what users install to get it: "the CUDA toolkit" */
  const char *usual;                     /* its name, unless `variable` gives another */
  const char *variable, *flags_variable; /* of the environment; its flags come after ours */
  const char *const *always, *const *debug;
  const char *const *machines;  /* kinds of GPUs to compile for; flags_variable replaces them */
  const char *const *compile;   /* arguments to compile one object */
  const char *foreign;          /* prefix of arguments for the host's compiler; NULL: none */
  const char *const *join;      /* arguments to join that object and the runtime */
  const char *const *joined;    /* arguments behind the names of these two; or NULL */
  bool joins_by_machines;       /* this compiler joins; false: `join` begins with the program */
  const char *const *version;   /* arguments to print its version */
  const char *release;          /* what stands before MAJOR.MINOR in that */
  const char *const *libraries; /* that programs are linked with, besides */
} DeviceCompiler;

extern const DeviceCompiler device_compilers[DEVICE_KIND_COUNT]; /* none for DEVICE_NONE */

const char *device_cc_build(Cx *cx, const BuildJob *build); /* Target.build, Target.identify */
const char *device_cc_build_ranks(Cx *cx, const BuildJob *build);
const char *device_cc_identify(Cx *cx, const BuildJob *build, const char **error);

/* A list that ends in NULL, extended by the libraries that code for devices needs. Each of those
 * gets the prefix. */
const char *const *device_cc_libraries(Cx *cx, const DeviceCompiler *compiler,
                                       const char *const *list, const char *prefix);

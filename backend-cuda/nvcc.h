/* Nvcc: runs CUDA's compiler, then the C compiler. */
#pragma once

#include "ir/target.h"

const char *nvcc_build(Cx *cx, const BuildJob *job); /* Target.build, Target.identify */
const char *nvcc_identify(Cx *cx, const BuildJob *job, const char **error);

/* The list, which ends in NULL, and behind it the libraries that a part for devices needs, each
 * with `prefix` before it. */
const char *const *nvcc_with_libraries(Cx *cx, const char *const *list, const char *prefix);

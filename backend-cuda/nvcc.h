/* Nvcc: runs CUDA's compiler. */
#pragma once

#include "ir/target.h"

const char *nvcc_build(Cx *cx, const BuildJob *job); /* Target.build, Target.identify */
const char *nvcc_identify(Cx *cx, const BuildJob *job, const char **error);

/* Nvcc: runs CUDA's compiler, then the C compiler. */
#pragma once

#include "ir/target.h"

const char *nvcc_build(Cx *cx, const BuildJob *job); /* Target.build, Target.identify */
const char *nvcc_identify(Cx *cx, const BuildJob *job, const char **error);

/* What a program with a part for devices needs beside the rest; ends in NULL. */
extern const char *const nvcc_link_args[];

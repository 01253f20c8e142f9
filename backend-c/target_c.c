/* target_c: the Target value of this back end. */
#include "backend-c/target_c.h"

#include "backend-c/local.h"

const Target target_c = {
    .name = "sequential",
    .suffix = ".c",
    .meaning = "C, one strand at a time",
    .emit = gen_program,
    .build = cc_build,
};

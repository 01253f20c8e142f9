/* target_c: the Target values of this back end. Sharing the work is the runtime's business: the
 * text for several threads differs in one word of the descriptor.
 */
#include "backend-c/target_c.h"

#include "backend-c/local.h"

static const char *emit_sequential(Cx *cx, const TreeProgram *program, const EmitOptions *options) {
  return gen_program(cx, program, options, false);
}

static const char *emit_parallel(Cx *cx, const TreeProgram *program, const EmitOptions *options) {
  return gen_program(cx, program, options, true);
}

const Target target_c = {
    .name = "sequential",
    .suffix = ".c",
    .meaning = "C, one strand at a time",
    .emit = emit_sequential,
    .build = cc_build,
    .identify = cc_identify,
};

const Target target_c_parallel = {
    .name = "parallel",
    .suffix = ".c",
    .meaning = "the same, shared by threads",
    .emit = emit_parallel,
    .build = cc_build,
    .identify = cc_identify,
};

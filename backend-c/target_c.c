/* target_c: the Target values of this back end. Sharing the work is the runtime's business: the
 * text for several threads differs in one word of the descriptor.
 */
#include "backend-c/target_c.h"

#include "backend-c/code/code.h"
#include "backend-c/compile/cc.h"
#include "backend-c/lanes/lanes.h"
#include "backend-c/library/api.h"

static const char *emit_sequential(Cx *cx, const TreeProgram *program, const EmitOptions *options) {
  return gen_program(cx, program, options, false, lanes_choose);
}

static const char *emit_parallel(Cx *cx, const TreeProgram *program, const EmitOptions *options) {
  return gen_program(cx, program, options, true, lanes_choose);
}

static const MemoryPlace *memory(Cx *cx, const TreeProgram *program, const EmitOptions *options) {
  return gen_memory(cx, program, options, lanes_choose, ON_HOST);
}

static void describe_sequential(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                                const LibraryNames *names, LibraryTexts *texts) {
  gen_library(cx, program, options, names, API_SEQUENTIAL, texts);
}

static void describe_parallel(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                              const LibraryNames *names, LibraryTexts *texts) {
  gen_library(cx, program, options, names, API_PARALLEL, texts);
}

const Target target_c = {
    .name = "sequential",
    .suffix = ".c",
    .meaning = "C, one strand at a time",
    .emit = emit_sequential,
    .memory = memory,
    .describe = describe_sequential,
    .build = cc_build,
    .identify = cc_identify,
};

const Target target_c_parallel = {
    .name = "parallel",
    .suffix = ".c",
    .meaning = "the same, shared by threads",
    .emit = emit_parallel,
    .memory = memory,
    .describe = describe_parallel,
    .build = cc_build,
    .identify = cc_identify,
};

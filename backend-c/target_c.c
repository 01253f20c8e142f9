/* target_c: the Target values of this back end. Sharing the work is the runtime's business: the
 * text for several threads differs in one word of the descriptor.
 */
#include "backend-c/target_c.h"

#include "backend-c/code/code.h"
#include "backend-c/compile/cc.h"
#include "backend-c/lanes/lanes.h"
#include "backend-c/library/api.h"

const char *host_text(Cx *cx, const TreeProgram *program, const EmitOptions *options) {
  return gen_program(cx, program, options, lanes_choose);
}

const MemoryPlace *host_memory(Cx *cx, const TreeProgram *program, const EmitOptions *options) {
  return gen_memory(cx, program, options, lanes_choose);
}

const Target target_c = {
    .name = "sequential",
    .suffix = ".c",
    .meaning = "C, one strand at a time",
    .workers = BY_ONE_THREAD,
    .emit = host_text,
    .memory = host_memory,
    .describe = gen_library,
    .build = cc_build,
    .identify = cc_identify,
};

const Target target_c_parallel = {
    .name = "parallel",
    .suffix = ".c",
    .meaning = "the same, shared by threads",
    .workers = BY_THREADS,
    .emit = host_text,
    .memory = host_memory,
    .describe = gen_library,
    .build = cc_build,
    .identify = cc_identify,
};

const Target target_c_ranks = {
    .name = "mpi",
    .suffix = ".c",
    .meaning = "the same, shared by processes that MPI starts, on one machine or many",
    .workers = BY_RANKS,
    .emit = host_text,
    .memory = host_memory,
    .describe = gen_library,
    .build = cc_build_ranks,
    .identify = cc_identify,
};

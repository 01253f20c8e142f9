/* target_cuda: the Target value of this back end. What runs on the host is the parallel C target's
 * own text: it creates the world, takes over where there is no device, and writes the outputs.
 */
#include "backend-cuda/target_cuda.h"

#include "backend-c/library/api.h"
#include "backend-c/target_c.h"
#include "backend-cuda/local.h"
#include "backend-cuda/nvcc.h"

static void describe(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                     const LibraryNames *names, LibraryTexts *texts) {
  LibraryNames with = *names;
  if (options->has_device) with.libraries = nvcc_with_libraries(cx, names->libraries, "");
  gen_library(cx, program, options, &with, texts);
}

const Target target_cuda = {
    .name = "cuda",
    .suffix = ".c",
    .meaning = "a GPU, one strand per thread, or where there is none as parallel",
    .workers = BY_DEVICE,
    .emit = host_text,
    .emit_device = device_text,
    .memory = host_memory,
    .describe = describe,
    .build = nvcc_build,
    .identify = nvcc_identify,
};

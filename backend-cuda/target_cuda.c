/* target_cuda: the targets of this back end. The file for the host is that of the C target
 * `parallel`: it creates the world, writes the outputs, and updates strands where there is no
 * device. The kinds of devices differ in their compiler (device_compilers.c) and in nothing else.
 */
#include "backend-cuda/target_cuda.h"

#include "backend-c/library/api.h"
#include "backend-c/target_c.h"
#include "backend-cuda/device_cc.h"
#include "backend-cuda/local.h"

static void describe(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                     const LibraryNames *names, LibraryTexts *texts) {
  const DeviceCompiler *compiler = &device_compilers[options->device];
  LibraryNames with = *names;
  if (options->has_device) with.libraries = device_cc_libraries(cx, compiler, names->libraries, "");
  gen_library(cx, program, options, &with, texts);
}

#define TARGET_WITH_DEVICES(target_name, kind, files, by, how, target_meaning)                     \
  {                                                                                                \
    .name = target_name, .suffix = ".c", .device_suffix = files, .meaning = target_meaning,        \
    .workers = by, .device = kind, .emit = host_text, .emit_device = device_text,                  \
    .memory = host_memory, .describe = describe, .build = how, .identify = device_cc_identify,     \
  }

const Target target_cuda =
    TARGET_WITH_DEVICES("cuda", DEVICE_CUDA, ".cu", BY_DEVICE, device_cc_build,
                        "a GPU, one strand per thread, or where there is none as parallel");
const Target target_hip = TARGET_WITH_DEVICES("hip", DEVICE_HIP, ".hip", BY_DEVICE, device_cc_build,
                                              "the same for GPUs of AMD");
const Target target_cuda_ranks =
    TARGET_WITH_DEVICES("cuda,mpi", DEVICE_CUDA, ".cu", BY_RANKS, device_cc_build_ranks,
                        "shared by processes that MPI starts, each with a GPU");
const Target target_hip_ranks = TARGET_WITH_DEVICES(
    "hip,mpi", DEVICE_HIP, ".hip", BY_RANKS, device_cc_build_ranks, "the same for GPUs of AMD");

/* device_compilers: the compilers for devices: their names and arguments, a row each. */
#include <stddef.h>

#include "backend-cuda/device_cc.h"

#define LIST(...)                                                                                  \
  (const char *const[]) { __VA_ARGS__, NULL }

const DeviceCompiler device_compilers[DEVICE_KIND_COUNT] = {
    /* Machine code for the GPUs of compute capability 8.0 and 9.0, and PTX, which the driver
     * compiles for later ones. */
    [DEVICE_CUDA] = {.machine = "CUDA",
                     .what = "CUDA compiler",
                     .toolkit = "the CUDA toolkit",
                     .usual = "nvcc",
                     .variable = "DIDEROT_NVCC",
                     .flags_variable = "DIDEROT_NVCCFLAGS",
                     .always = LIST("-std=c++17"),
                     .debug = LIST("-g", "-G"),
                     .machines = LIST("-gencode=arch=compute_80,code=sm_80",
                                      "-gencode=arch=compute_90,code=[sm_90,compute_90]"),
                     .compile = LIST("--objdir-as-tempdir", "-fmad=false", "-Xcompiler=-fPIC",
                                     "-Xcompiler=-fvisibility=hidden"),
                     .foreign = "-Xcompiler=",
                     .join = LIST("--no-device-link", "--cudart=none", "--cudadevrt=none",
                                  "-Xcompiler=-r", "-Xcompiler=-nostdlib",
                                  "-Xlinker=--force-group-allocation"),
                     .joined = LIST("-lcudart_static"),
                     .joins_by_machines = true,
                     .version = LIST("--version"),
                     .release = "release ",
                     .libraries = LIST("stdc++", "dl", "rt")},
    /* Two of the GPUs that Debian's device libraries support: one with wavefronts of 64 threads,
     * one with 32. */
    [DEVICE_HIP] = {.machine = "HIP",
                    .what = "HIP compiler",
                    .toolkit = "ROCm (on Debian: hipcc, rocm-device-libs, librocprim-dev)",
                    .usual = "hipcc",
                    .variable = "DIDEROT_HIPCC",
                    .flags_variable = "DIDEROT_HIPCCFLAGS",
                    .always = LIST("-std=c++17", "-x", "hip", "-O3", "-Wno-unused-result"),
                    .debug = LIST("-g"),
                    .machines = LIST("--offload-arch=gfx90a", "--offload-arch=gfx1030"),
                    .compile = LIST("-ffp-contract=off", "-fPIC", "-fvisibility=hidden"),
                    .join = LIST("ld", "-r", "--force-group-allocation"),
                    .version = LIST("--offload-arch=gfx90a", "--version"),
                    .release = "HIP version: ",
                    .libraries = LIST("amdhip64", "stdc++")},
};

/* nvcc: two objects, the host's by the C compiler and the device's by nvcc, which then links them
 * with the runtimes of both, so that CUDA's own libraries are found where it looks for them.
 *
 * The compiler is $DIDEROT_NVCC, else nvcc; $DIDEROT_NVCCFLAGS adds arguments after ours, such as
 * other architectures.
 */
#include "backend-cuda/nvcc.h"

#include <string.h>

#include "backend-c/cc.h"
#include "frontend/base/file.h"

static const char *nvcc_name(void) {
  return cc_setting("DIDEROT_NVCC") ? cc_setting("DIDEROT_NVCC") : "nvcc";
}

/* Code for the machines there are, and for the compiler of the driver where there are others. */
static ArgVec common_arguments(Cx *cx, const BuildJob *job) {
  static const char *const architectures[] = {"-gencode=arch=compute_80,code=sm_80",
                                              "-gencode=arch=compute_90,code=[sm_90,compute_90]",
                                              NULL};
  ArgVec args = {0};
  args_push_words(cx->arena, &args, nvcc_name());
  cc_push(cx, &args, (const char *const[]){"-std=c++17", NULL});
  if (job->is_debug) cc_push(cx, &args, (const char *const[]){"-g", "-G", NULL});
  if (cc_setting("DIDEROT_NVCCFLAGS"))
    args_push_words(cx->arena, &args, cc_setting("DIDEROT_NVCCFLAGS"));
  else cc_push(cx, &args, architectures);
  return args;
}

/* What is not nvcc's own goes to the compiler that it calls; commas would separate arguments. */
static const char *foreign(Cx *cx, const char *arg) {
  Text text = text_new(cx->arena);
  text_add(&text, "-Xcompiler=");
  for (; *arg; arg++) {
    if (*arg == ',') text_add(&text, "\\");
    text_add_n(&text, arg, 1);
  }
  return text_str(&text);
}

static void push_foreign(Cx *cx, ArgVec *args, const char *const *list) {
  for (; *list; list++) {
    bool is_own = strncmp(*list, "-l", 2) == 0 || strncmp(*list, "-L", 2) == 0 ||
                  strncmp(*list, "-I", 2) == 0 || strncmp(*list, "-D", 2) == 0;
    vec_push(cx->arena, args, is_own ? *list : foreign(cx, *list));
  }
}

static ArgVec compile_arguments(Cx *cx, const BuildJob *job, const char *source,
                                const char *object) {
  ArgVec args = common_arguments(cx, job);
  push_foreign(cx, &args, job->compile_args);
  cc_push(cx, &args, (const char *const[]){"-c", source, "-o", object, NULL});
  return args;
}

static ArgVec link_arguments(Cx *cx, const BuildJob *job, const char *host, const char *device,
                             const char *executable) {
  ArgVec args = common_arguments(cx, job);
  cc_push(cx, &args,
          (const char *const[]){host, device, job->device_library, job->runtime_library, NULL});
  push_foreign(cx, &args, job->link_args);
  cc_push(cx, &args, (const char *const[]){"-o", executable, NULL});
  return args;
}

static const char *make(Cx *cx, const BuildJob *job, const char *folder) {
  Arena *a = cx->arena;
  const char *source = text_format(a, "%s/program.c", folder);
  const char *host = text_format(a, "%s/program.o", folder);
  const char *device_source = text_format(a, "%s/program.cu", folder);
  const char *device = text_format(a, "%s/device.o", folder);
  const char *executable = text_format(a, "%s/program", folder);
  const ArgVec compile = compile_arguments(cx, job, device_source, device);
  const ArgVec link = link_arguments(cx, job, host, device, executable);
  const char *error = file_write(a, source, job->text);
  if (!error) error = file_write(a, device_source, job->device_text);
  if (!error) error = cc_compile(cx, job, source, host);
  if (!error) error = cc_run(cx, &compile, job, "CUDA compiler", NULL);
  if (!error) error = cc_run(cx, &link, job, "CUDA compiler", NULL);
  if (!error) error = cc_missing(cx, executable);
  if (!error) error = cc_put(cx, source, job->source);
  if (!error) error = cc_put(cx, device_source, job->device_source);
  if (!error) error = cc_put(cx, host, job->object);
  return error ? error : cc_put(cx, executable, job->executable);
}

/* Objects and libraries have no part for devices yet (compile.c says so). */
static bool has_device_part(const BuildJob *job) { return job->device_text && job->executable; }

const char *nvcc_build(Cx *cx, const BuildJob *job) {
  if (!has_device_part(job)) return cc_build(cx, job);
  if (!job->device_library)
    return "this installation has no runtime for CUDA: it was built without nvcc";
  return cc_build_in_private(cx, job, make);
}

const char *nvcc_identify(Cx *cx, const BuildJob *job, const char **error) {
  const char *host = cc_identify(cx, job, error);
  if (!host || !has_device_part(job) || !job->device_library) return host;
  const ArgVec compile = compile_arguments(cx, job, "", "");
  const ArgVec link = link_arguments(cx, job, "", "", "");
  return text_format(cx->arena, "%s%s%s%s", host, args_text(cx->arena, &compile),
                     args_text(cx->arena, &link), job->device_text);
}

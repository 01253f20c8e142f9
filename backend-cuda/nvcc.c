/* nvcc: CUDA's compiler makes one object of the device's text, with the runtime for devices and
 * CUDA's own in it. All else is the C compiler's work (backend-c/compile/cc.c, cc_library.c), which
 * links that object like one of its own.
 *
 * The compiler is $DIDEROT_NVCC, else nvcc; $DIDEROT_NVCCFLAGS adds arguments after ours, such as
 * other architectures. It hands its arguments to a shell, and to tools that split them at commas:
 * it is shown nothing but plain names (backend-cuda/plain.c).
 */
#include "backend-cuda/nvcc.h"

#include <stdio.h>
#include <string.h>

#include "backend-c/compile/cc.h"
#include "backend-cuda/plain.h"
#include "frontend/base/file.h"

static const char what[] = "CUDA compiler";

static const char *nvcc_name(void) {
  return cc_setting("DIDEROT_NVCC") ? cc_setting("DIDEROT_NVCC") : "nvcc";
}

/* Its first word is the program. */
static ArgVec nvcc_words(Cx *cx) {
  ArgVec args = {0};
  args_push_words(cx->arena, &args, nvcc_name());
  return args;
}

/* Code for the machines there are, and for the compiler of the driver where there are others. */
static ArgVec common_arguments(Cx *cx, const BuildJob *job) {
  static const char *const architectures[] = {"-gencode=arch=compute_80,code=sm_80",
                                              "-gencode=arch=compute_90,code=[sm_90,compute_90]",
                                              NULL};
  ArgVec args = nvcc_words(cx);
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

/* ---- the object --------------------------------------------------------------------------------
 */

/* In a folder with a plain name. */
typedef struct Made {
  const char *source, *device, *joined;
  const char *runtime;        /* the archive */
  const char *const *headers; /* arguments for the compiler, folders by plain names */
} Made;

/* Of the object nothing is visible from outside a library (cc_library.c). */
static ArgVec compile_arguments(Cx *cx, const BuildJob *job, const Made *made) {
  ArgVec args = common_arguments(cx, job);
  cc_push(cx, &args,
          (const char *const[]){"--objdir-as-tempdir", "-fmad=false", "-Xcompiler=-fPIC",
                                "-Xcompiler=-fvisibility=hidden", NULL});
  for (const char *const *arg = made->headers; *arg; arg++) {
    const bool is_own = strncmp(*arg, "-I", 2) == 0 || strncmp(*arg, "-D", 2) == 0;
    vec_push(cx->arena, &args, is_own ? *arg : foreign(cx, *arg));
  }
  cc_push(cx, &args, (const char *const[]){"-c", made->source, "-o", made->device, NULL});
  return args;
}

/* Inline functions that several such objects have must not be merged once their names are local. */
static ArgVec join_arguments(Cx *cx, const BuildJob *job, const Made *made) {
  ArgVec args = common_arguments(cx, job);
  cc_push(cx, &args,
          (const char *const[]){"--no-device-link", "--cudart=none", "--cudadevrt=none",
                                "-Xcompiler=-r", "-Xcompiler=-nostdlib",
                                "-Xlinker=--force-group-allocation", made->device, made->runtime,
                                "-lcudart_static", "-o", made->joined, NULL});
  return args;
}

static const char *show_headers(Cx *cx, const BuildJob *job, const char *folder, Made *made) {
  ArgVec args = {0};
  for (const char *const *arg = job->compile_args; *arg; arg++) {
    const char *error = NULL, *shown = *arg;
    if (strncmp(shown, "-I", 2) == 0) {
      const char *name = text_format(cx->arena, "include%u", (unsigned)args.len);
      error = plain_path(cx->arena, folder, name, shown + 2, &shown);
      if (!error) shown = text_format(cx->arena, "-I%s", shown);
    }
    if (error) return error;
    vec_push(cx->arena, &args, shown);
  }
  vec_push(cx->arena, &args, NULL);
  made->headers = args.data;
  return NULL;
}

static const char *make_object(Cx *cx, const BuildJob *job, const char *folder, Made *made) {
  Arena *a = cx->arena;
  made->source = text_format(a, "%s/device.cu", folder);
  made->device = text_format(a, "%s/device_only.o", folder);
  made->joined = text_format(a, "%s/device.o", folder);
  const char *error = file_write(a, made->source, job->device_text);
  if (!error) error = show_headers(cx, job, folder, made);
  if (!error) error = plain_path(a, folder, "runtime.a", job->device_library, &made->runtime);
  if (error) return error;
  const ArgVec compile = compile_arguments(cx, job, made), join = join_arguments(cx, job, made);
  error = cc_run(cx, &compile, job, what, NULL);
  if (!error) error = cc_run(cx, &join, job, what, NULL);
  return error ? error : cc_missing(cx, what, nvcc_name(), made->joined);
}

/* ---- which one ---------------------------------------------------------------------------------
 */

/* The text of --version, or an error and none. */
static const char *ask_version(Cx *cx, const BuildJob *job, const char *folder, const char **text) {
  const char *file = text_format(cx->arena, "%s/version", folder);
  ArgVec args = nvcc_words(cx);
  cc_push(cx, &args, (const char *const[]){"--version", NULL});
  const char *error = cc_run(cx, &args, job, what, file);
  if (error)
    return text_format(cx->arena, "%s: install the CUDA toolkit, or set DIDEROT_NVCC to its nvcc",
                       error);
  return file_read(cx->arena, file, text);
}

/* Objects of a newer toolkit cannot be linked with the library of an older one. */
static const char *find_unfit(Cx *cx, const BuildJob *job, const char *version) {
  unsigned major, minor, least_major, least_minor;
  const char *release = strstr(version, "release ");
  if (!job->device_release || !release || sscanf(release, "release %u.%u", &major, &minor) != 2 ||
      sscanf(job->device_release, "%u.%u", &least_major, &least_minor) != 2)
    return NULL;
  if (major > least_major || (major == least_major && minor >= least_minor)) return NULL;
  return text_format(cx->arena,
                     "the CUDA compiler '%s' is of release %u.%u, expected %s, of which this "
                     "installation's runtime is, or later",
                     nvcc_name(), major, minor, job->device_release);
}

static const char *missing_runtime(const BuildJob *job) {
  if (job->device_library) return NULL;
  return "this installation has no runtime for CUDA: install the CUDA toolkit and build diderotc "
         "again";
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

const char *const *nvcc_with_libraries(Cx *cx, const char *const *list, const char *prefix) {
  static const char *const libraries[] = {"stdc++", "dl", "rt"};
  ArgVec all = {0};
  cc_push(cx, &all, list);
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    vec_push(cx->arena, &all, text_format(cx->arena, "%s%s", prefix, libraries[i]));
  vec_push(cx->arena, &all, NULL);
  return all.data;
}

/* The job of the C compiler, which has one more object and what that needs. */
static BuildJob rest_of(Cx *cx, const BuildJob *job, const char *object) {
  BuildJob rest = *job;
  rest.device_object = object;
  rest.link_args = nvcc_with_libraries(cx, job->link_args, "-l");
  return rest;
}

/* `folder` has a plain name, the result of the rest lies where it may. */
static const char *make_both(Cx *cx, const BuildJob *job, const char *folder, const char *plain) {
  const char *version = NULL, *error = ask_version(cx, job, plain, &version);
  Made made = {0};
  if (!version) return error;
  error = find_unfit(cx, job, version);
  if (!error) error = make_object(cx, job, plain, &made);
  if (error) return error;
  const BuildJob rest = rest_of(cx, job, made.joined);
  error = cc_make(cx, &rest, folder);
  return error ? error : cc_put(cx, made.source, job->device_source);
}

static const char *make(Cx *cx, const BuildJob *job, const char *folder) {
  const char *error, *plain = plain_folder(cx->arena, folder, &error);
  if (!plain) return error;
  error = make_both(cx, job, folder, plain);
  if (plain != folder) folder_remove(cx->arena, plain);
  return error;
}

const char *nvcc_build(Cx *cx, const BuildJob *job) {
  if (!job->device_text) return cc_build(cx, job);
  const char *missing = missing_runtime(job);
  return missing ? missing : cc_build_in_private(cx, job, make);
}

const char *nvcc_identify(Cx *cx, const BuildJob *job, const char **error) {
  const char *host = cc_identify(cx, job, error);
  if (!host || !job->device_text || missing_runtime(job)) return host;
  const SignalHold *hold = signals_hold(cx->arena);
  const char *version = NULL, *folder = folder_private(cx->arena, NULL, error);
  if (folder) {
    *error = ask_version(cx, job, folder, &version);
    folder_remove(cx->arena, folder);
  }
  signals_release(hold);
  if (!version) return NULL;
  const Made made = {"", "", "", "", job->compile_args};
  const ArgVec compile = compile_arguments(cx, job, &made), join = join_arguments(cx, job, &made);
  return text_format(cx->arena, "%s%s%s%s%s", host, args_text(cx->arena, &compile),
                     args_text(cx->arena, &join), version, job->device_text);
}

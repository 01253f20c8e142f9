/* device_cc: runs a compiler for devices (device_compilers.c). It compiles the device's text, and
 * joins it with our runtime for devices and that of the toolkit to one object. The C compiler does
 * the rest (backend-c/compile/cc.c, cc_library.c), and links that object like any other.
 *
 * nvcc gives its arguments to a shell, and to tools that split them at commas. So it only gets
 * names of files without special characters (backend-cuda/plain.c).
 */
#include "backend-cuda/device_cc.h"

#include <stdio.h>
#include <string.h>

#include "backend-c/compile/cc.h"
#include "backend-cuda/plain.h"
#include "frontend/base/file.h"

/* One run of one compiler for devices. */
typedef struct DeviceJob {
  Cx *cx;
  const DeviceCompiler *compiler;
  const BuildJob *build;
} DeviceJob;

static const char *compiler_name(const DeviceCompiler *compiler) {
  return cc_setting(compiler->variable) ? cc_setting(compiler->variable) : compiler->usual;
}

/* The program, and arguments that the variable of the environment may have behind it. */
static ArgVec compiler_words(const DeviceJob *job) {
  ArgVec args = {0};
  args_push_words(job->cx->arena, &args, compiler_name(job->compiler));
  return args;
}

static ArgVec common_arguments(const DeviceJob *job) {
  const DeviceCompiler *compiler = job->compiler;
  ArgVec args = compiler_words(job);
  cc_push(job->cx, &args, compiler->always);
  if (job->build->is_debug) cc_push(job->cx, &args, compiler->debug);
  if (cc_setting(compiler->flags_variable))
    args_push_words(job->cx->arena, &args, cc_setting(compiler->flags_variable));
  else cc_push(job->cx, &args, compiler->machines);
  return args;
}

/* An argument that nvcc does not know goes to the host's compiler, which it calls. Commas would
 * separate arguments there, so they are quoted. */
static const char *foreign(Cx *cx, const char *prefix, const char *arg) {
  if (!prefix) return arg;
  Text text = text_new(cx->arena);
  text_add(&text, prefix);
  for (; *arg; arg++) {
    if (*arg == ',') text_add(&text, "\\");
    text_add_n(&text, arg, 1);
  }
  return text_str(&text);
}

/* ---- the object ------------------------------------------------------------------------------ */

/* Files of the compilation, in a folder with a plain name. */
typedef struct Made {
  const char *source, *device, *joined;
  const char *runtime;        /* the archive */
  const char *const *headers; /* arguments for the compiler, folders by plain names */
} Made;

static ArgVec compile_arguments(const DeviceJob *job, const Made *made) {
  Cx *cx = job->cx;
  ArgVec args = common_arguments(job);
  cc_push(cx, &args, job->compiler->compile);
  for (const char *const *arg = made->headers; *arg; arg++) {
    const bool is_own = strncmp(*arg, "-I", 2) == 0 || strncmp(*arg, "-D", 2) == 0;
    vec_push(cx->arena, &args, is_own ? *arg : foreign(cx, job->compiler->foreign, *arg));
  }
  cc_push(cx, &args, (const char *const[]){"-c", made->source, "-o", made->device, NULL});
  return args;
}

/* The joined object has no sections that linkers merge with those of other objects
 * (--force-group-allocation): in a library, names of inline functions become local (cc_library.c),
 * and each library must keep its own. */
static ArgVec join_arguments(const DeviceJob *job, const Made *made) {
  ArgVec args = job->compiler->joins_by_machines ? common_arguments(job) : (ArgVec){0};
  cc_push(job->cx, &args, job->compiler->join);
  cc_push(job->cx, &args, (const char *const[]){made->device, made->runtime, NULL});
  cc_push(job->cx, &args, job->compiler->joined);
  cc_push(job->cx, &args, (const char *const[]){"-o", made->joined, NULL});
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

static const char *make_object(const DeviceJob *job, const char *folder, Made *made) {
  Cx *cx = job->cx;
  Arena *a = cx->arena;
  const BuildJob *build = job->build;
  made->source = text_format(a, "%s/device.cu", folder);
  made->device = text_format(a, "%s/device_only.o", folder);
  made->joined = text_format(a, "%s/device.o", folder);
  const char *error = file_write(a, made->source, build->device_text);
  if (!error) error = show_headers(cx, build, folder, made);
  if (!error) error = plain_path(a, folder, "runtime.a", build->device_library, &made->runtime);
  if (error) return error;
  const ArgVec compile = compile_arguments(job, made), join = join_arguments(job, made);
  const char *what = job->compiler->what;
  error = cc_run(cx, &compile, build, what, NULL);
  if (!error) error = cc_run(cx, &join, build, what, NULL);
  return error ? error : cc_missing(cx, what, compiler_name(job->compiler), made->joined);
}

/* ---- which one ------------------------------------------------------------------------------- */

/* Sets *text to what the compiler prints for --version, or returns an error and leaves it. */
static const char *ask_version(const DeviceJob *job, const char *folder, const char **text) {
  Cx *cx = job->cx;
  const DeviceCompiler *compiler = job->compiler;
  const char *file = text_format(cx->arena, "%s/version", folder);
  ArgVec args = compiler_words(job);
  cc_push(cx, &args, compiler->version);
  const char *error = cc_run(cx, &args, job->build, compiler->what, file);
  if (error)
    return text_format(cx->arena, "%s: install %s, or set %s to its %s", error, compiler->toolkit,
                       compiler->variable, compiler->usual);
  return file_read(cx->arena, file, text);
}

/* Objects of a newer toolkit cannot be linked with the library of an older one. */
static const char *find_unfit(const DeviceJob *job, const char *version) {
  unsigned major, minor, least_major, least_minor;
  const DeviceCompiler *compiler = job->compiler;
  const char *least = job->build->device_release, *release = strstr(version, compiler->release);
  if (!least || !release ||
      sscanf(release + strlen(compiler->release), "%u.%u", &major, &minor) != 2 ||
      sscanf(least, "%u.%u", &least_major, &least_minor) != 2)
    return NULL;
  if (major > least_major || (major == least_major && minor >= least_minor)) return NULL;
  return text_format(job->cx->arena,
                     "the %s '%s' is of release %u.%u, expected %s, of which this "
                     "installation's runtime is, or later",
                     compiler->what, compiler_name(compiler), major, minor, least);
}

static const char *missing_runtime(const DeviceJob *job) {
  if (job->build->device_library) return NULL;
  return text_format(job->cx->arena,
                     "this installation has no runtime for %s: install %s and build diderotc again",
                     job->compiler->machine, job->compiler->toolkit);
}

/* ---- all of it ------------------------------------------------------------------------------- */

const char *const *device_cc_libraries(Cx *cx, const DeviceCompiler *compiler,
                                       const char *const *list, const char *prefix) {
  ArgVec all = {0};
  cc_push(cx, &all, list);
  for (const char *const *name = compiler->libraries; *name; name++)
    vec_push(cx->arena, &all, text_format(cx->arena, "%s%s", prefix, *name));
  vec_push(cx->arena, &all, NULL);
  return all.data;
}

/* Makes the device's object in the folder `plain`, then all files of the job in `folder`: for the C
 * compiler that is a job with one more object, and the libraries that it needs. */
static const char *make_both(const DeviceJob *job, const char *folder, const char *plain) {
  const char *version = NULL, *error = ask_version(job, plain, &version);
  Made made = {0};
  if (!version) return error;
  error = find_unfit(job, version);
  if (!error) error = make_object(job, plain, &made);
  if (error) return error;
  BuildJob rest = *job->build;
  rest.device_object = made.joined;
  rest.link_args = device_cc_libraries(job->cx, job->compiler, rest.link_args, "-l");
  error = cc_make(job->cx, &rest, folder);
  return error ? error : cc_put(job->cx, made.source, rest.device_source);
}

static const char *make(Cx *cx, const BuildJob *build, const char *folder) {
  const DeviceJob job = {cx, &device_compilers[build->device], build};
  const char *error, *plain = plain_folder(cx->arena, folder, &error);
  if (!plain) return error;
  error = make_both(&job, folder, plain);
  if (plain != folder) folder_remove(cx->arena, plain);
  return error;
}

const char *device_cc_build(Cx *cx, const BuildJob *build) {
  const DeviceJob job = {cx, &device_compilers[build->device], build};
  if (!build->device_text) return cc_build(cx, build);
  const char *missing = missing_runtime(&job);
  return missing ? missing : cc_build_in_private(cx, build, make);
}

const char *device_cc_build_ranks(Cx *cx, const BuildJob *build) {
  const char *missing = cc_missing_ranks(build);
  return missing ? missing : device_cc_build(cx, build);
}

const char *device_cc_identify(Cx *cx, const BuildJob *build, const char **error) {
  const DeviceJob job = {cx, &device_compilers[build->device], build};
  const char *host = cc_identify(cx, build, error);
  if (!host || !build->device_text || missing_runtime(&job)) return host;
  const SignalHold *hold = signals_hold(cx->arena);
  const char *version = NULL, *folder = folder_private(cx->arena, NULL, error);
  if (folder) {
    *error = ask_version(&job, folder, &version);
    folder_remove(cx->arena, folder);
  }
  signals_release(hold);
  if (!version) return NULL;
  const Made made = {"", "", "", "", build->compile_args};
  const ArgVec compile = compile_arguments(&job, &made), join = join_arguments(&job, &made);
  return text_format(cx->arena, "%s%s%s%s%s", host, args_text(cx->arena, &compile),
                     args_text(cx->arena, &join), version, build->device_text);
}

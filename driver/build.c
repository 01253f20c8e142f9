/* Build: makes executables and object files, and chooses their names. Next: library.c. */
#include <string.h>
#include <unistd.h>

#include "driver/arch.h"
#include "driver/local.h"
#include "driver/paths.h"
#include "frontend/base/diag.h"
#include "frontend/base/file.h"
#include "frontend/base/text.h"

enum { MAX_PATH = 4096 };

int build_not_made(const Compilation *job, const char *why) {
  const char *what = job->options->given[OPT_EXEC] ? "executable" : "library";
  diag(job->cx, SPAN_NONE, E_NOT_MADE, d_text(what), d_text(why));
  return 1;
}

const char *build_prepare(const Compilation *job, const Emitted *emitted, BuildJob *build) {
  RuntimePaths runtime;
  const char *missing = runtime_paths(job->cx->arena, options_runtime(job->options), &runtime);
  if (missing) return missing;
  if (job->options->given[OPT_VIEWED] && !runtime.view_args)
    return text_format(job->cx->arena, "libddr-viewed.a is not beside %s", runtime.library);
  *build = (BuildJob){
      .text = emitted->text,
      .device_text = emitted->device_text,
      .variants = arch_variants(job->cx->arena, option_arg(job->options, OPT_ARCH)),
      .compile_args = runtime.compile_args,
      .runtime_library = runtime.library,
      .shared_runtime = runtime.shared_library,
      .device = job->target->device,
      .device_library = runtime.device[job->target->device].library,
      .device_release = runtime.device[job->target->device].release,
      .rank_args = job->target->workers == BY_RANKS ? runtime.rank_args : NULL,
      .view_args = job->options->given[OPT_VIEWED] ? runtime.view_args : NULL,
      .link_args = runtime.link_args,
      .is_debug = job->options->given[OPT_DEBUG],
      .is_verbose = job->options->given[OPT_VERBOSE],
  };
  return NULL;
}

const char *build_kept_source(const Compilation *job, const char *base) {
  Arena *a = job->cx->arena;
  if (options_are_vis15(job->options)) return text_format(a, "%s.cxx", base);
  if (!job->options->given[OPT_KEEP]) return NULL;
  return text_format(a, "%s%s", base, job->target->suffix);
}

/* ---- dependencies ---------------------------------------------------------------------------- */

/* A file as a word of make, by its absolute path: make may run in another folder. */
static void add_word(Text *text, const char *path) {
  char folder[MAX_PATH];
  if (*path != '/' && getcwd(folder, sizeof folder)) {
    add_word(text, folder);
    text_add(text, "/");
  }
  for (; *path; path++) {
    if (*path == ' ' || *path == '#') text_add(text, "\\");
    if (*path == '$') text_add(text, "$");
    text_add_n(text, path, 1);
  }
}

/* Checks dependencies before anything is made. */
static const char *wrong_dependencies(const Compilation *job, const BuildJob *build) {
  const char *path = option_arg(job->options, OPT_DEPFILE);
  const char *const made[] = {build->executable,    build->object, build->source, build->functions,
                              build->device_source, build->shared, build->header, build->json};
  if (!path) return NULL;
  bool is_taken = file_is_same(path, job->options->file);
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    is_taken = is_taken || (made[i] && strcmp(made[i], path) == 0);
  for (uint32_t i = 0; i < job->proxies->len; i++)
    is_taken = is_taken || file_is_same(path, job->proxies->data[i]);
  if (!is_taken) return file_obstacle(job->cx->arena, path);
  return text_format(job->cx->arena, "--depfile would replace '%s', which is read or made", path);
}

static const char *write_dependencies(const Compilation *job, const char *result) {
  const char *path = option_arg(job->options, OPT_DEPFILE);
  if (!path) return NULL;
  Text text = text_new(job->cx->arena);
  add_word(&text, result);
  text_add(&text, ": ");
  add_word(&text, job->options->file);
  for (uint32_t i = 0; i < job->proxies->len; i++) {
    text_add(&text, " ");
    add_word(&text, job->proxies->data[i]);
  }
  text_add(&text, "\n");
  return file_write_whole(job->cx->arena, path, text_str(&text));
}

/* ---- the files ------------------------------------------------------------------------------- */

/* The name of the result: that of -o, or that of the source. */
static const char *output_name(const Compilation *job) {
  const char *output = option_arg(job->options, OPT_OUTPUT);
  if (output) return output;
  const char *base = path_without_suffix(job->cx->arena, job->options->file);
  return job->options->given[OPT_OBJECT] ? text_format(job->cx->arena, "%s.o", base) : base;
}

int build_make(const Compilation *job, const BuildJob *build, const char *result) {
  const char *failure = wrong_dependencies(job, build);
  if (!failure) failure = job->target->build(job->cx, build);
  if (!failure) failure = write_dependencies(job, result);
  return failure ? build_not_made(job, failure) : 0;
}

int build_executable(const Compilation *job, const Emitted *emitted) {
  Arena *a = job->cx->arena;
  const char *output = output_name(job);
  if (file_is_same(output, job->options->file))
    return build_not_made(job, "it would replace its source");
  BuildJob build = {0};
  const char *failure = build_prepare(job, emitted, &build);
  if (failure) return build_not_made(job, failure);
  if (job->options->given[OPT_OBJECT]) {
    build.object = output;
  } else {
    build.executable = output;
    build.source = build_kept_source(job, output);
    if (build.source) build.object = text_format(a, "%s.o", output);
    if (build.source && build.device_text)
      build.device_source = text_format(a, "%s%s", output, job->target->device_suffix);
  }
  return build_make(job, &build, output);
}

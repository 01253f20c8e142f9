/* Build: the files that are made of the emitted text, and under which names.
 */
#include "frontend/base/diag.h"
#include "frontend/base/file.h"
#include "frontend/base/text.h"
#include "frontend/driver/local.h"
#include "frontend/driver/paths.h"

int build_not_made(const Compilation *job, const char *why) {
  diag(job->cx, SPAN_NONE, E_NOT_MADE, d_text(why));
  return 1;
}

/* All but the names of what is made. Returns NULL, or what is missing. */
const char *build_prepare(const Compilation *job, const char *text, BuildJob *build) {
  RuntimePaths runtime;
  const char *missing = runtime_paths(job->cx->arena, &runtime);
  if (missing) return missing;
  *build = (BuildJob){
      .text = text,
      .compile_args = runtime.compile_args,
      .runtime_library = runtime.library,
      .link_args = runtime.link_args,
      .is_debug = job->options->given[OPT_DEBUG],
      .is_verbose = job->options->given[OPT_VERBOSE],
  };
  return NULL;
}

/* Where the text is kept, or NULL: scripts of the vis15 generation delete BASE.cxx. */
static const char *kept_source(const Compilation *job, const char *base) {
  Arena *a = job->cx->arena;
  if (options_are_vis15(job->options)) return text_format(a, "%s.cxx", base);
  if (!job->options->given[OPT_KEEP]) return NULL;
  return text_format(a, "%s%s", base, job->target->suffix);
}

int build_output(const Compilation *job, const char *text) {
  Arena *a = job->cx->arena;
  const char *file = job->options->file;
  const char *output = option_arg(job->options, OPT_OUTPUT);
  if (!output) output = path_without_suffix(a, file);
  if (file_is_same(output, file)) return build_not_made(job, "it would replace its source");
  BuildJob build;
  const char *failure = build_prepare(job, text, &build);
  if (failure) return build_not_made(job, failure);
  build.executable = output;
  build.source = kept_source(job, output);
  if (build.source) build.object = text_format(a, "%s.o", output);
  failure = job->target->build(job->cx, &build);
  return failure ? build_not_made(job, failure) : 0;
}

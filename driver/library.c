/* Library: makes the texts and files of libraries, and chooses their names. */
#include <string.h>
#include <unistd.h>

#include "driver/local.h"
#include "driver/paths.h"
#include "frontend/base/text.h"

/* The files of the library without their suffixes. */
static const char *base_of(const Compilation *job) {
  const char *output = option_arg(job->options, OPT_OUTPUT);
  return output ? path_without_object_suffix(job->cx->arena, output)
                : path_without_suffix(job->cx->arena, job->options->file);
}

static const char *beside(const Compilation *job, const char *suffix) {
  return text_format(job->cx->arena, "%s%s", base_of(job), suffix);
}

void library_describe(const Compilation *job, const struct TreeProgram *tree,
                      const EmitOptions *emit, LibraryTexts *texts) {
  const char *prefix = option_arg(job->options, OPT_NAMESPACE);
  const LibraryNames names = {
      .prefix = prefix ? prefix : "Diderot",
      .stem = path_last(base_of(job)),
      .source_file = job->options->file,
      .command = job->options->command,
      .libraries = runtime_libraries(job->cx->arena, job->options->given[OPT_SHARED]),
  };
  job->target->describe(job->cx, tree, emit, &names, texts);
}

bool library_print(const Compilation *job, const LibraryTexts *texts) {
  const struct {
    const char *word, *text;
  } rows[] = {{"header", texts->header}, {"functions", texts->functions}, {"json", texts->json}};
  bool is_printed = false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!option_has(job->options, OPT_DUMP, rows[i].word)) continue;
    fputs(rows[i].text, stdout);
    is_printed = true;
  }
  return is_printed;
}

/* Checks the name of the header: the functions and clients include it by that name. */
const char *library_wrong_name(const Compilation *job) {
  const char *stem = path_last(base_of(job));
  if (!strpbrk(stem, "\"\n")) return NULL;
  return text_format(job->cx->arena, "C cannot include a header of the name '%s.h'", stem);
}

int library_keep(const Compilation *job, const Emitted *emitted, const LibraryTexts *texts) {
  BuildJob build = {0};
  const char *failure = build_prepare(job, emitted, &build);
  if (!failure) {
    build.library = texts;
    failure = keep(job, &build);
  }
  if (job->launch->file >= 0) close(job->launch->file);
  job->launch->file = -1;
  if (failure) return build_not_made(job, failure);
  printf("%s\n%s", job->launch->path, texts->json);
  return 0;
}

int library_build(const Compilation *job, const Emitted *emitted, const LibraryTexts *texts) {
  BuildJob build = {0};
  const char *failure = build_prepare(job, emitted, &build);
  if (failure) return build_not_made(job, failure);
  build.library = texts;
  build.object = beside(job, ".o");
  build.header = beside(job, ".h");
  build.source = build_kept_source(job, base_of(job));
  if (!job->options->given[OPT_STATIC]) build.shared = beside(job, ".so");
  if (job->options->given[OPT_JSON]) build.json = beside(job, ".json");
  if (job->options->given[OPT_KEEP]) build.functions = beside(job, "_api.c");
  return build_make(job, &build, build.object);
}

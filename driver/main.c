/* diderotc: arguments to exit status. */
#include <stdlib.h>
#include <string.h>

#include "driver/cache.h"
#include "driver/commands.h"
#include "driver/compile.h"
#include "driver/doctab.h"
#include "driver/paths.h"
#include "driver/report.h"
#include "driver/targets.h"
#include "frontend/base/diag.h"
#include "frontend/base/text.h"

static int usage_error(const Options *options, const char *what) {
  const DiagStyle style = options_style(options);
  Cx *cx = cx_new();
  diag(cx, SPAN_NONE, E_USAGE, d_text(what));
  const int status = style_is_document(style) ? report_usage(options, cx) : 1;
  if (!style_is_document(style)) {
    diag_print_all(cx, stderr, style);
    options_print_usage(stderr);
  }
  cx_free(cx);
  return status;
}

/* Scripts of the vis15 generation read a name and a date. */
static void print_version(const Options *options) {
  if (options_are_vis15(options)) puts("vis15:" DDR_VERSION_DATE " (diderotc " DDR_VERSION ")");
  else puts("diderotc " DDR_VERSION);
}

static void print_about(FILE *out) {
  fputs("diderotc compiles programs in Diderot, a parallel language for image analysis and\n"
        "visualization, to executables and libraries. It is free software under the MIT licence; "
        "what\n"
        "it makes uses Teem (LGPL with a linking exception).\n",
        out);
}

/* Options that answer and end. True when one was given. */
static bool answer(const Options *options) {
  if (options->given[OPT_HELP] || options->given[OPT_HELP_ALL]) {
    options_print_help(stderr, options->given[OPT_HELP_ALL]);
    if (options->given[OPT_HELP_ALL]) print_about(stderr);
    return true;
  }
  if (options->given[OPT_VERSION]) print_version(options);
  if (options->given[OPT_ABOUT]) print_about(stdout);
  if (options->given[OPT_DOC]) doctab_print(option_arg(options, OPT_DOC), stdout);
  return options->given[OPT_VERSION] || options->given[OPT_ABOUT] || options->given[OPT_DOC];
}

static int clean(Arena *a) {
  const char *why;
  const uint32_t n = cache_clean(a, &why);
  if (why) fprintf(stderr, "Error: no cache to clean: %s\n", why);
  else printf("%u executable%s removed\n", n, n == 1 ? "" : "s");
  return why ? 1 : 0;
}

static bool has_suffix(const char *text, const char *suffix) {
  const size_t len = strlen(text), n = strlen(suffix);
  return len > n && strcmp(text + len - n, suffix) == 0;
}

/* Programs end in .diderot or .ddro, IR text in .ir; what comes before names the result. */
static bool is_file_name(Arena *a, const Options *options, const char *file) {
  if (*path_stem(a, file) == '\0') return false;
  if (options->given[OPT_FROM]) return has_suffix(file, ".ir");
  return has_suffix(file, ".diderot") || has_suffix(file, ".ddro");
}

/* NULL, or what is wrong with the name of a file. */
static const char *wrong_file(Arena *a, const Options *options) {
  uint32_t i = 0;
  while (i < options->files.len && is_file_name(a, options, options->files.data[i])) i++;
  if (i == options->files.len) return NULL;
  const char *what = options->given[OPT_FROM]
                         ? "file of IR text, whose name ends in .ir"
                         : "diderot file, whose name ends in .diderot or .ddro";
  return text_format(a, "expected %s; found \"%s\"", what, options->files.data[i]);
}

static int run(Arena *a, int argc, char **argv) {
  Options options;
  const char *error;
  if (argc == 1) {
    options_print_usage(stderr);
    return 0;
  }
  if (!options_parse(a, argc, argv, &options, &error)) return usage_error(&options, error);
  if (answer(&options)) return 0;
  if (options.given[OPT_CLEAN]) return clean(a);
  error = wrong_file(a, &options);
  if (error) return usage_error(&options, error);
  const Target *target = targets_find(a, option_arg(&options, OPT_TARGET), &error);
  if (!target) return usage_error(&options, error);
  const bool is_apart = options.files.len > 1 || style_is_document(options_style(&options));
  return is_apart ? report_compile(&options, target) : compile(&options, target);
}

int main(int argc, char **argv) {
  int done;
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0); /* gcc without a PATH misses its own parts */
  if (commands_run(argc, argv, &done)) return done;
  Arena *a = arena_new();
  const int status = run(a, argc, argv);
  arena_free(a);
  return status;
}

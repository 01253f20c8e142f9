/* diderotc: arguments to exit status. */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/driver/compile.h"
#include "frontend/driver/doctab.h"
#include "frontend/driver/paths.h"
#include "frontend/driver/targets.h"

static int usage_error(const char *what) {
  fprintf(stderr, "Error: %s\n", what);
  options_print_usage(stderr);
  return 1;
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

static bool has_suffix(const char *text, const char *suffix) {
  const size_t len = strlen(text), n = strlen(suffix);
  return len > n && strcmp(text + len - n, suffix) == 0;
}

/* Programs end in .diderot or .ddro, IR text in .ir; what comes before names the result. */
static bool is_file_name(Arena *a, const Options *options) {
  if (*path_stem(a, options->file) == '\0') return false;
  if (options->given[OPT_FROM]) return has_suffix(options->file, ".ir");
  return has_suffix(options->file, ".diderot") || has_suffix(options->file, ".ddro");
}

static const char *expected_file(Arena *a, const Options *options) {
  const char *what = options->given[OPT_FROM]
                         ? "file of IR text, whose name ends in .ir"
                         : "diderot file, whose name ends in .diderot or .ddro";
  return text_format(a, "expected %s; found \"%s\"", what, options->file);
}

static int run(Arena *a, int argc, char **argv) {
  Options options;
  const char *error;
  if (argc == 1) {
    options_print_usage(stderr);
    return 0;
  }
  if (!options_parse(a, argc, argv, &options, &error)) return usage_error(error);
  if (answer(&options)) return 0;
  if (!is_file_name(a, &options)) return usage_error(expected_file(a, &options));
  const Target *target = targets_find(a, option_arg(&options, OPT_TARGET), &error);
  return target ? compile(&options, target) : usage_error(error);
}

int main(int argc, char **argv) {
  Arena *a = arena_new();
  const int status = run(a, argc, argv);
  arena_free(a);
  return status;
}

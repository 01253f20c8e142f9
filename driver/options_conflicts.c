/* Options together: combinations that make no sense; one line about the first. */
#include <string.h>

#include "driver/options.h"
#include "frontend/base/text.h"

/* Alone or as one of two. */
static bool has_target(const Options *options, const char *name) {
  const char *target = option_arg(options, OPT_TARGET);
  const size_t len = strlen(name);
  while (target) {
    if (strncmp(target, name, len) == 0 && (target[len] == '\0' || target[len] == ',')) return true;
    target = strchr(target, ',');
    if (target) target++;
  }
  return false;
}

/* Whether the target is for devices, by its name. */
static bool is_for_device(const Options *options) {
  return has_target(options, "cuda") || has_target(options, "hip");
}

/* The name of the first of n options that is given, or NULL. */
static const char *first_given(const Options *options, const OptionId *ids, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (options->given[ids[i]]) return option_name(ids[i]);
  }
  return NULL;
}

/* An executable is not a library, only parallel programs have a log, and only some targets have
 * devices. */
static const char *wrong_for_result(Arena *a, const Options *options) {
  static const OptionId of_libraries[] = {OPT_STATIC, OPT_JSON};
  const char *name = first_given(options, of_libraries, sizeof of_libraries / sizeof *of_libraries);
  const bool is_parallel = has_target(options, "parallel") || has_target(options, "pthread");
  if (!name && has_target(options, "debugger")) name = "target=debugger";
  if (options->given[OPT_EXEC] && name)
    return text_format(a, "inconsistent options: --%s is for libraries, --exec for executables",
                       name);
  if (options->given[OPT_RUN_LOG] && !is_parallel)
    return text_format(a, "inconsistent options: --%s is for --target=parallel",
                       option_name(OPT_RUN_LOG));
  if (!option_has(options, OPT_DUMP, "device") || is_for_device(options)) return NULL;
  return "inconsistent options: --dump=device is for --target=cuda or hip";
}

/* Options that diderotc run does not take: it leaves no files, and makes an executable. */
static const char *wrong_for_run(Arena *a, const Options *options) {
  static const OptionId wrong[] = {OPT_OUTPUT, OPT_OBJECT, OPT_LOG,   OPT_STATS,     OPT_DEPFILE,
                                   OPT_KEEP,   OPT_STATIC, OPT_JSON,  OPT_NAMESPACE, OPT_FROM,
                                   OPT_TO,     OPT_RUN,    OPT_STDIN, OPT_CACHED};
  const char *name = first_given(options, wrong, sizeof wrong / sizeof *wrong);
  if (options->given[OPT_CLEAN] && !options->is_run) return "--clean is for diderotc run";
  if (!options->is_run || !name) return NULL;
  return text_format(a, "diderotc run does not take --%s%s", name, options_run_hint);
}

/* Options that --cached does not take: a result in the cache has no name. */
static const char *wrong_for_cached(Arena *a, const Options *options) {
  static const OptionId wrong[] = {OPT_EXEC,  OPT_OBJECT, OPT_OUTPUT, OPT_DEPFILE, OPT_LOG,
                                   OPT_STATS, OPT_KEEP,   OPT_STATIC, OPT_CHECK};
  const char *name = first_given(options, wrong, sizeof wrong / sizeof *wrong);
  if (!options->given[OPT_CACHED] || !name) return NULL;
  return text_format(a, "--cached does not go with --%s", name);
}

/* The levels that IR text is read and printed at. */
static const char *wrong_levels(const Options *options) {
  if (options->given[OPT_FROM] && !options->given[OPT_TO]) return "--from needs --to";
  if (options->given[OPT_TO] && !options->given[OPT_FROM])
    return "--to needs --from; --dump shows a program's IR";
  return NULL;
}

/* The first option that prints a stage instead of making something, or NULL. */
static const char *printing_option(const Options *options) {
  static const OptionId printing[] = {OPT_EMIT_C, OPT_DUMP, OPT_DUMP_AFTER, OPT_TO, OPT_CACHED};
  return first_given(options, printing, sizeof printing / sizeof *printing);
}

/* Options that print to standard output cannot be combined with documents. */
static const char *wrong_for_document(Arena *a, const Options *options) {
  if (!style_is_document(options_style(options))) return NULL;
  const char *style = option_arg(options, OPT_DIAGNOSTICS), *name = printing_option(options);
  if (options->is_run)
    return text_format(a,
                       "diderotc run does not take --diagnostics=%s: it would be mixed with "
                       "what the program prints",
                       style);
  return !name ? NULL
               : text_format(a, "--diagnostics=%s and --%s both write to standard output", style,
                             name);
}

/* -o may still name the files of --log and --stats, and the library whose texts --dump prints. */
static const char *wrong_for_printing(Arena *a, const Options *options) {
  const char *name = printing_option(options);
  if (!name) return NULL;
  if (options->given[OPT_DEPFILE])
    return text_format(a, "--%s prints, and makes nothing for --depfile to describe", name);
  const bool is_of_use =
      options->given[OPT_LOG] || options->given[OPT_STATS] || options->given[OPT_DUMP];
  if (!options->given[OPT_OUTPUT] || is_of_use) return NULL;
  return text_format(a, "--%s prints, and makes nothing that -o could name", name);
}

/* Names that end in a folder would make files with nothing before their suffix. */
static bool names_a_file(const char *path) {
  const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
  return *last && strcmp(last, ".") != 0 && strcmp(last, "..") != 0;
}

static const char *wrong_for_sanitize(const Options *options) {
  if (!options->given[OPT_SANITIZE]) return NULL;
  if (options->given[OPT_SHARED])
    return "--sanitize does not go with --shared-runtime, which has no sanitizers";
  if (has_target(options, "cuda"))
    return "--sanitize does not go with --target=cuda: for GPUs there is compute-sanitizer";
  if (has_target(options, "hip"))
    return "--sanitize does not go with --target=hip: it is for the CPU";
  return NULL;
}

static const char *wrong_for_profile(const Options *options) {
  if (!options->given[OPT_PROFILE]) return NULL;
  if (has_target(options, "cuda"))
    return "--profile does not go with --target=cuda: for GPUs there is Nsight Compute";
  if (has_target(options, "hip"))
    return "--profile does not go with --target=hip: for GPUs of AMD there is rocprof";
  if (has_target(options, "mpi"))
    return "--profile does not go with --target=mpi: it profiles one process";
  if (options->given[OPT_EXEC] || options->is_run || printing_option(options)) return NULL;
  return "--profile needs --exec: only executables report where their time goes";
}

static const char *wrong_for_trace(const Options *options) {
  if (!options->given[OPT_TRACE]) return NULL;
  if (is_for_device(options))
    return "--trace does not go with --target=cuda or hip: it follows a strand on the processor";
  if (has_target(options, "mpi"))
    return "--trace does not go with --target=mpi: it follows a strand of one process";
  if (!options->given[OPT_PROFILE]) return NULL;
  return "--trace does not go with --profile, which would measure the tracing";
}

static const char *wrong_for_two_targets(const Options *options) {
  if (!is_for_device(options) || !has_target(options, "mpi")) return NULL;
  if (options->given[OPT_EXEC] || options->is_run || printing_option(options)) return NULL;
  return "--target=cuda,mpi needs --exec: libraries for ranks run on CPUs";
}

static const char *wrong_for_viewed(const Options *options) {
  if (!options->given[OPT_VIEWED]) return NULL;
  if (!options->is_run) return "--viewed is for diderotc run";
  if (options->given[OPT_SHARED]) return "--viewed does not go with --shared-runtime";
  if (is_for_device(options) || has_target(options, "mpi"))
    return "--viewed is for programs of one process on the CPU";
  return options->given[OPT_PROFILE] ? "--viewed does not go with --profile" : NULL;
}

const char *options_contradiction(Arena *a, const Options *options) {
  const char *error = wrong_for_run(a, options);
  if (!error) error = wrong_for_cached(a, options);
  if (!error) error = wrong_levels(options);
  if (!error) error = wrong_for_document(a, options);
  if (!error) error = wrong_for_printing(a, options);
  if (!error) error = wrong_for_sanitize(options);
  if (!error) error = wrong_for_profile(options);
  if (!error) error = wrong_for_trace(options);
  if (!error) error = wrong_for_two_targets(options);
  if (!error) error = wrong_for_viewed(options);
  if (!error && options->given[OPT_OUTPUT] && !names_a_file(option_arg(options, OPT_OUTPUT)))
    error = "-o needs the name of a file";
  return error ? error : wrong_for_result(a, options);
}

/* cc: runs the C compiler on the emitted text, once for each kind of processor, and links.
 * Everything is made in a private folder, which is removed; results are moved into place at the
 * end.
 *
 * The compiler is $DIDEROT_CC, else $CC, which may contain arguments ("ccache gcc"), else the first
 * of cc, clang and gcc that is installed. $DIDEROT_CFLAGS adds arguments after ours, e.g. for
 * sanitizers.
 * Next: cc_library.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend-c/compile/cc.h"
#include "frontend/base/file.h"

const char *cc_setting(const char *variable) {
  const char *value = getenv(variable);
  return value && value[strspn(value, " \t")] ? value : NULL;
}

/* The first one that is installed, or NULL. */
static const char *usual_compiler(void) {
  static const char *const names[] = {"cc", "clang", "gcc", NULL};
  const char *const *name = names;
  while (*name && !process_finds(*name)) name++;
  return *name;
}

/* The command, which may have arguments. */
static const char *cc_compiler(void) {
  if (cc_setting("DIDEROT_CC")) return cc_setting("DIDEROT_CC");
  if (cc_setting("CC")) return cc_setting("CC");
  return usual_compiler() ? usual_compiler() : "cc";
}

static bool has_compiler(void) {
  return cc_setting("DIDEROT_CC") || cc_setting("CC") || usual_compiler();
}

void cc_push(Cx *cx, ArgVec *args, const char *const *list) {
  for (; list && *list; list++) vec_push(cx->arena, args, *list);
}

static bool is_archive(const char *word) {
  const size_t len = strlen(word);
  return len > 2 && strcmp(word + len - 2, ".a") == 0;
}

void cc_push_ranks(Cx *cx, const BuildJob *job, bool are_archives, ArgVec *args) {
  for (const char *const *word = job->rank_args; word && *word; word++)
    if (is_archive(*word) == are_archives) vec_push(cx->arena, args, *word);
}

/* Arguments common to compiling and linking, with `more` before the user's. */
static ArgVec arguments_with(Cx *cx, const BuildJob *job, const BuildVariant *variant,
                             const char *const *more) {
  static const char *const always[] = {
      "-std=gnu17",
      "-ffp-contract=off", /* ddr/fma.h decides what is fused */
      "-fno-math-errno",
      "-fno-trapping-math",
      "-fno-tree-slp-vectorize", /* gcc 12 would fuse adjacent products that are added and
                                    subtracted */
      "-Wno-psabi",              /* the ABI for vectors does not matter: they stay in one file */
      NULL,
  };
  static const char *const optimised[] = {"-O2", NULL};
  /* What debuggers can still follow; without optimisation programs would take thirty times as long.
   * Without the third option, values that live across a rare call cost time in every iteration;
   * clang does not know it. */
  static const char *const debug[] = {"-Og", "-g", "-fcaller-saves",
                                      "-Wno-ignored-optimization-argument", NULL};
  ArgVec args = {0};
  args_push_words(cx->arena, &args, cc_compiler());
  cc_push(cx, &args, always);
  cc_push(cx, &args, job->is_debug ? debug : optimised);
  if (variant) cc_push(cx, &args, variant->args);
  cc_push(cx, &args, more);
  if (cc_setting("DIDEROT_CFLAGS")) args_push_words(cx->arena, &args, cc_setting("DIDEROT_CFLAGS"));
  return args;
}

ArgVec cc_common_arguments(Cx *cx, const BuildJob *job, const BuildVariant *variant) {
  return arguments_with(cx, job, variant, NULL);
}

/* The folder of a file, with its slash. */
static const char *folder_of(Cx *cx, const char *file) {
  const char *slash = strrchr(file, '/');
  return text_format(cx->arena, "%.*s", slash ? (int)(slash + 1 - file) : 0, file);
}

/* The descriptor of the first variant keeps its name; each one names the next (ddr/variant.h). */
static void push_names(Cx *cx, ArgVec *args, const BuildJob *job, const BuildVariant *variant) {
  const int idx = (int)(variant - job->variants);
  vec_push(cx->arena, args, text_format(cx->arena, "-DDDR_ARCH=\"%s\"", variant->name));
  if (idx > 0)
    vec_push(cx->arena, args,
             text_format(cx->arena, "-Dddr_program_main=ddr_program_other%d", idx));
  if (variant[1].name)
    vec_push(cx->arena, args, text_format(cx->arena, "-DDDR_OTHER=ddr_program_other%d", idx + 1));
}

static bool is_in_lanes(const char *text) { return strstr(text, "ddr/lanes/gang.h") != NULL; }

static const char *macros(Cx *cx, const BuildJob *job, const BuildVariant *variant,
                          const char *folder, const char **error);

/* The compiler's major version, from its predefined macros; 0: another compiler.  Compilers other
 * than gcc define gcc's macros, too. */
static int release_of(const char *macros, const char *macro) {
  const char *release = strstr(macros, macro);
  return release ? atoi(release + strlen(macro)) : 0;
}

static bool is_gcc_since_12(const char *macros) {
  const bool is_other = strstr(macros, "#define __clang__ ") ||
                        strstr(macros, "#define __INTEL_COMPILER ") ||
                        strstr(macros, "#define __NVCOMPILER ");
  return !is_other && release_of(macros, "#define __GNUC__ ") >= 12;
}

/* Options for particular compilers. gcc copies values larger than a register, such as 64-bit ints
 * in lanes, 16 bytes at a time, unless told otherwise or registers have 64 bytes; a following load
 * of the whole register then waits. It has an option against that since release 12. clang 19
 * vectorises scalar code incorrectly: it lost a term of a product of two matrices of doubles, with
 * AVX-512. 18 and 22 do not; the releases between are not trusted. */
static const char *const *words_for_compiler(Cx *cx, const BuildJob *job,
                                             const BuildVariant *variant, const char *source) {
  static const char *const whole[] = {"-mmove-max=512", "-mstore-max=512", NULL};
  static const char *const apart[] = {"-fno-slp-vectorize", NULL};
  const char *error;
  if (!*source || !job->text) return NULL;
  const char *text = macros(cx, job, variant, folder_of(cx, source), &error);
  if (!text) return NULL;
  const int clang = release_of(text, "#define __clang_major__ ");
  if (19 <= clang && clang <= 21) return apart;
  const bool is_for_copies = strstr(text, "#define __x86_64__ ") && is_in_lanes(job->text);
  return is_for_copies && is_gcc_since_12(text) ? whole : NULL;
}

/* Bytes of a text for which it matters how long the C compiler takes (ddr/fma.h). */
enum { LONG_TEXT = 60000 };

/* Of a library, only what its header declares is visible. The name of the private folder varies,
 * but the object must not depend on it. */
static ArgVec compile_arguments(Cx *cx, const BuildJob *job, const BuildVariant *variant,
                                const char *source, const char *object) {
  static const char *const hidden[] = {"-fPIC", "-fvisibility=hidden", NULL};
  const char *const *more = words_for_compiler(cx, job, variant, source);
  ArgVec args = arguments_with(cx, job, variant, more);
  if (variant) push_names(cx, &args, job, variant);
  vec_push(cx->arena, &args,
           text_format(cx->arena, "-ffile-prefix-map=%s=", folder_of(cx, source)));
  if (job->library) cc_push(cx, &args, hidden);
  if (job->text && strlen(job->text) > LONG_TEXT) vec_push(cx->arena, &args, "-DDDR_LONG_TEXT");
  cc_push(cx, &args, job->compile_args);
  cc_push(cx, &args, (const char *const[]){"-c", source, "-o", object, NULL});
  return args;
}

static ArgVec link_arguments(Cx *cx, const BuildJob *job, const char *object,
                             const char *executable) {
  ArgVec args = cc_common_arguments(cx, job, NULL);
  cc_push(cx, &args, (const char *const[]){object, NULL});
  cc_push_ranks(cx, job, true, &args); /* with main() for ranks */
  cc_push(cx, &args, job->view_args);
  if (job->shared_runtime) cc_push(cx, &args, (const char *const[]){job->shared_runtime, NULL});
  cc_push(cx, &args, (const char *const[]){job->runtime_library, NULL}); /* or only main() */
  cc_push(cx, &args, job->link_args);
  cc_push(cx, &args, (const char *const[]){"-o", executable, NULL});
  return args;
}

/* output: the file for what it prints, or NULL. */
static const char *run(Cx *cx, ArgVec args, const BuildJob *job, const char *output) {
  return cc_run(cx, &args, job, "C compiler", output);
}

const char *cc_run(Cx *cx, const ArgVec *args, const BuildJob *job, const char *what,
                   const char *output) {
  if (job->is_verbose) fputs(args_text(cx->arena, args), stderr);
  int status;
  const char *failure = process_run(cx->arena, args, output, &status);
  if (failure && !has_compiler())
    return "there is no C compiler (cc, clang, gcc): install one, or name one in DIDEROT_CC "
           "(with pip: 'diderot[cc]' has one)";
  if (failure)
    return text_format(cx->arena, "cannot run the %s '%s': %s", what, args->data[0], failure);
  return status == 0 ? NULL : text_format(cx->arena, "the %s '%s' failed", what, args->data[0]);
}

/* Status 0 is not enough: DIDEROT_CC may name any program. */
const char *cc_missing(Cx *cx, const char *what, const char *name, const char *made) {
  if (access(made, R_OK) == 0) return NULL;
  return text_format(cx->arena, "the %s '%s' made nothing", what, name);
}

static const char *missing(Cx *cx, const char *made) {
  return cc_missing(cx, "C compiler", cc_compiler(), made);
}

/* Whether the compiler accepts a valid program; if not, its options, the headers or the machine are
 * at fault. */
static bool compiles_anything(Cx *cx, const BuildJob *job, const BuildVariant *variant,
                              const char *folder, const char *text) {
  const char *source = text_format(cx->arena, "%s/nothing.c", folder);
  const char *object = text_format(cx->arena, "%s/nothing.o", folder);
  const char *said = text_format(cx->arena, "%s/nothing.txt", folder);
  return !file_write(cx->arena, source, text_lines_with(cx->arena, text, "#include")) &&
         !run(cx, compile_arguments(cx, job, variant, source, object), job, said);
}

/* The message if our own C is invalid: the file is kept, for a report. */
static const char *refusal(Cx *cx, const BuildJob *job, const BuildVariant *variant,
                           const char *source, const char *error) {
  const char *text = NULL, *failed = NULL;
  if (file_read(cx->arena, source, &text)) return error;
  if (!compiles_anything(cx, job, variant, folder_of(cx, source), text)) return error;
  const char *folder = folder_private(cx->arena, NULL, &failed);
  if (!folder) return error;
  const char *kept = text_format(cx->arena, "%s/program.c", folder);
  if (file_write(cx->arena, kept, text)) return error;
  return text_format(cx->arena,
                     "the C compiler '%s' refuses what diderotc made of the program, which is a "
                     "fault of diderotc: please report it with '%s'%s",
                     cc_compiler(), kept,
                     is_in_lanes(text) ? " (--scalar may be a way round it)" : "");
}

const char *cc_compile(Cx *cx, const BuildJob *job, const BuildVariant *variant, const char *source,
                       const char *object) {
  const char *error = run(cx, compile_arguments(cx, job, variant, source, object), job, NULL);
  if (error) return refusal(cx, job, variant, source, error);
  return missing(cx, object);
}

const char *cc_compile_variants(Cx *cx, const BuildJob *job, const char *source, ArgVec *objects) {
  const BuildVariant *variant = job->variants;
  const char *error;
  do {
    const char *name = variant ? variant->name : "program";
    const char *object = text_format(cx->arena, "%s%s.o", folder_of(cx, source), name);
    error = cc_compile(cx, job, variant, source, object);
    vec_push(cx->arena, objects, object);
  } while (!error && variant && (++variant)->name);
  return error;
}

const char *cc_join(Cx *cx, const BuildJob *job, const char *const *objects, const char *joined) {
  ArgVec args = {0};
  args_push_words(cx->arena, &args, cc_compiler());
  cc_push(cx, &args, (const char *const[]){"-r", "-nostdlib", NULL});
  cc_push(cx, &args, objects);
  cc_push(cx, &args, (const char *const[]){"-o", joined, NULL});
  const char *error = run(cx, args, job, NULL);
  return error ? error : missing(cx, joined);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Reported before time is spent on compiling. */
static const char *obstacle(Cx *cx, const BuildJob *job) {
  const char *const wanted[] = {job->executable, job->object, job->source, job->shared,
                                job->functions,  job->header, job->json,   job->device_source};
  const char *error = NULL;
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && !error; i++)
    if (wanted[i]) error = file_obstacle(cx->arena, wanted[i]);
  return error;
}

const char *cc_put(Cx *cx, const char *made, const char *wanted) {
  return wanted ? file_install(cx->arena, made, wanted) : NULL;
}

/* Makes one object from all variants and the objects that the target's own tools made. */
static const char *make_object(Cx *cx, const BuildJob *job, const char *source,
                               const char **object) {
  ArgVec parts = {0};
  const char *error = cc_compile_variants(cx, job, source, &parts);
  if (error) return error;
  if (job->device_object) vec_push(cx->arena, &parts, job->device_object);
  *object = parts.data[0];
  if (parts.len == 1) return NULL;
  vec_push(cx->arena, &parts, NULL);
  *object = text_format(cx->arena, "%sjoined.o", folder_of(cx, source));
  return cc_join(cx, job, parts.data, *object);
}

static const char *make_executable(Cx *cx, const BuildJob *job, const char *folder) {
  const char *source = text_format(cx->arena, "%s/program.c", folder);
  const char *executable = text_format(cx->arena, "%s/program", folder);
  const char *object = NULL, *error = file_write(cx->arena, source, job->text);
  if (!error) error = make_object(cx, job, source, &object);
  if (!error && job->executable)
    error = run(cx, link_arguments(cx, job, object, executable), job, NULL);
  if (!error && job->executable) error = missing(cx, executable);
  if (!error) error = cc_put(cx, source, job->source);
  if (!error) error = cc_put(cx, object, job->object);
  return error ? error : cc_put(cx, executable, job->executable);
}

const char *cc_build_in_private(Cx *cx, const BuildJob *job, CcMake *make) {
  const char *error = obstacle(cx, job);
  if (error) return error;
  const SignalHold *hold = signals_hold(cx->arena);
  const char *folder = folder_private(cx->arena, NULL, &error);
  if (folder) {
    error = make(cx, job, folder);
    folder_remove(cx->arena, folder);
  }
  signals_release(hold);
  return error;
}

const char *cc_make(Cx *cx, const BuildJob *job, const char *folder) {
  return job->library ? cc_make_library(cx, job, folder) : make_executable(cx, job, folder);
}

const char *cc_build(Cx *cx, const BuildJob *job) { return cc_build_in_private(cx, job, cc_make); }

/* Like cc_build, with other arguments for the linker. */
const char *cc_build_ranks(Cx *cx, const BuildJob *job) {
  const char *missing = cc_missing_ranks(job);
  return missing ? missing : cc_build(cx, job);
}

const char *cc_missing_ranks(const BuildJob *job) {
  if (job->rank_args) return NULL;
  return "this diderotc was built without MPI (on Debian and Ubuntu: apt-get install "
         "libopenmpi-dev openmpi-bin, and build it anew)";
}

/* ---- identity -------------------------------------------------------------------------------- */

/* All predefined macros: they include the version of gcc or clang, and what -march=native means. */
static const char *macros(Cx *cx, const BuildJob *job, const BuildVariant *variant,
                          const char *folder, const char **error) {
  const char *file = text_format(cx->arena, "%s/macros", folder), *text = NULL;
  ArgVec args = cc_common_arguments(cx, job, variant);
  cc_push(cx, &args, (const char *const[]){"-dM", "-E", "-x", "c", "/dev/null", NULL});
  *error = run(cx, args, job, file);
  if (!*error) *error = file_read(cx->arena, file, &text);
  return text;
}

/* The compiler commands of every variant, and the macros that they imply. */
static const char *identity(Cx *cx, const BuildJob *job, const char *folder, const char **error) {
  const BuildVariant *variant = job->variants;
  const ArgVec link = link_arguments(cx, job, "", "");
  Text all = text_new(cx->arena);
  text_add(&all, args_text(cx->arena, &link));
  do {
    const ArgVec compile = compile_arguments(cx, job, variant, "", "");
    const char *text = macros(cx, job, variant, folder, error);
    if (!text) return NULL;
    text_add(&all, args_text(cx->arena, &compile));
    text_add(&all, text);
  } while (variant && (++variant)->name);
  return text_str(&all);
}

const char *cc_identify(Cx *cx, const BuildJob *job, const char **error) {
  const SignalHold *hold = signals_hold(cx->arena);
  const char *text = NULL, *folder = folder_private(cx->arena, NULL, error);
  if (folder) {
    text = identity(cx, job, folder, error);
    folder_remove(cx->arena, folder);
  }
  signals_release(hold);
  return text;
}

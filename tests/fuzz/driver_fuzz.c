/* Fuzz target: any words as the command line of diderotc, on a few small programs.
 *
 * The first byte chooses what the C compiler does, each line behind the first is a word. There is
 * no C compiler: a stand-in makes the requested file, makes nothing, fails, or cannot be started.
 * Finds, besides crashes, leaks and internal errors: an exit status other than 0 and 1, an error
 * without a line that reports it, an invalid JSON document, control characters, a changed source,
 * and a file that a failed command has left or changed.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/local.h"
#include "frontend/base/process.h"
#include "frontend/base/text.h"
#ifdef DDR_HAS_VIEW
#include "frontend/view/view.h"
#endif
#include "tests/fuzz/command.h"
#include "tests/fuzz/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

CommandMain driver_main; /* driver/main.c */

/* Teem leaks some of its memory. Analyses are the pass runner's own memory, and are left when a
 * LIMIT ends the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:nrrdRead\nleak:libteem\nleak:runner_new\n";
}

/* --- arenas: none is forgotten ---------------------------------------------------------------- */

enum { MOST_ARENAS = 100 };
static Arena *arenas[MOST_ARENAS];
static int n_arenas;

Arena *__wrap_arena_new(void);
Arena *__real_arena_new(void);
void __wrap_arena_free(Arena *a);
void __real_arena_free(Arena *a);

Arena *__wrap_arena_new(void) {
  if (n_arenas == MOST_ARENAS) abort();
  return arenas[n_arenas++] = __real_arena_new();
}

void __wrap_arena_free(Arena *a) {
  int k = 0;
  while (k < n_arenas && arenas[k] != a) k++;
  if (k < n_arenas) arenas[k] = arenas[--n_arenas];
  __real_arena_free(a);
}

/* --- the source ------------------------------------------------------------------------------- */

static char source_path[300]; /* of the last one that was read; other texts have folders */

Source *__wrap_source_read(Arena *a, const char *path, const char **error);
Source *__real_source_read(Arena *a, const char *path, const char **error);

Source *__wrap_source_read(Arena *a, const char *path, const char **error) {
  if (*path != '/') snprintf(source_path, sizeof source_path, "%s", path);
  return __real_source_read(a, path, error);
}

/* --- processes -------------------------------------------------------------------------------- */

typedef enum { WORKS, FAILS, MAKES_NOTHING, IS_NOT_THERE, N_COMPILERS } Compiler;
static Compiler compiler;

const char *__wrap_process_run(Arena *a, const ArgVec *args, const char *output, int *status);
const char *__wrap_process_fork(Arena *a, CommandWork *work, void *state, const char **output,
                                int *status);
int __wrap_launch_execute(const Launch *launch, const Options *options);
#ifdef DDR_HAS_VIEW
int __wrap_view_serve(const ViewOptions *options);
#endif

/* The argument of -o, or the last of all. */
static const char *result_of(const ArgVec *args) {
  for (uint32_t i = 0; i + 1 < args->len; i++)
    if (strcmp(args->data[i], "-o") == 0) return args->data[i + 1];
  return vec_last(args);
}

const char *__wrap_process_run(Arena *a, const ArgVec *args, const char *output, int *status) {
  (void)a;
  *status = compiler == FAILS;
  if (compiler == IS_NOT_THERE) return "it cannot be started";
  FILE *made = compiler == WORKS ? fopen(output ? output : result_of(args), "w") : NULL;
  if (made) {
    fputs("made\n", made);
    fclose(made);
  }
  return NULL;
}

/* Runs the work in this process. */
const char *__wrap_process_fork(Arena *a, CommandWork *work, void *state, const char **output,
                                int *status) {
  FILE *const usual = stdout;
  char *text = NULL;
  size_t n;
  bool has_exited = false;
  stdout = open_memstream(&text, &n);
  if (!stdout) abort();
  *status = command_catch(work, state, &has_exited);
  if (fclose(stdout) == EOF) abort();
  stdout = usual;
  *output = arena_strdup(a, text, n);
  free(text);
  return NULL;
}

int __wrap_launch_execute(const Launch *launch, const Options *options) {
  if (!options->program_args || !options->program_args[0]) abort();
  close(launch->file);
  return 0;
}

#ifdef DDR_HAS_VIEW
int __wrap_view_serve(const ViewOptions *options) {
  if (!options->program || !options->folder || !options->compiler) abort();
  return 0;
}
#endif

/* --- once ------------------------------------------------------------------------------------- */

static void make(const char *name, bool is_folder) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", command_folder(), name);
  if (is_folder) {
    if (mkdir(path, 0700) != 0) abort();
    return;
  }
  FILE *file = fopen(path, "w");
  if (!file || fclose(file) == EOF) abort();
}

/* An installation with the files that the driver looks for, and no cache for diderotc run. */
static void enter(void) {
  static const char *const unset[] = {"DIDEROT_COMPAT", "DIDEROT_CC",           "CC",
                                      "DIDEROT_CFLAGS", "DIDEROT_CUDA_RUNTIME", "DIDEROT_TEEM_DIR",
                                      "XDG_CACHE_HOME", "DIDEROT_NVCC",         "OBJCOPY"};
  char path[300];
  command_enter(GIVEN "/driver");
  static const char *const folders[] = {
      "home", "home/" DDR_INSTALL_INCLUDEDIR, "home/" DDR_INSTALL_INCLUDEDIR "/ddr",
      "home/" DDR_INSTALL_LIBDIR, "home/" DDR_INSTALL_LIBDIR "/diderot"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) make(folders[i], true);
  make("home/" DDR_INSTALL_INCLUDEDIR "/ddr/program.h", false);
  make("home/" DDR_INSTALL_LIBDIR "/diderot/libddr-runtime.a", false);
  make("home/" DDR_INSTALL_LIBDIR "/diderot/libddr-runtime-cuda.a", false);
  make("home/" DDR_INSTALL_LIBDIR "/libddr-runtime.so", false);
  for (size_t i = 0; i < sizeof unset / sizeof *unset; i++) unsetenv(unset[i]);
  snprintf(path, sizeof path, "%s/home", command_folder());
  setenv("DIDEROT_HOME", path, 1);
  setenv("TMPDIR", command_folder(), 1);
  setenv("HOME", "", 1);
}

/* --- what must hold --------------------------------------------------------------------------- */

/* --diagnostics=json and sarif: what else would be errors at standard error. */
static bool is_report(const char *text) {
  return command_begins(text, "{\n  \"version\"") || command_begins(text, "{\n  \"$schema\"");
}

/* A report, or the description of a library (--dump=json): one value in UTF-8, in which no object
 * has a member twice. */
static void check_document(const Outcome *outcome) {
  json_error_t error;
  json_t *value = json_loads(outcome->out, JSON_REJECT_DUPLICATES, &error);
  if (!value) {
    fprintf(stderr, "line %d: %s\n", error.line, error.text);
    command_fail(outcome, "the document is no JSON");
  }
  json_decref(value);
}

/* Lines that people and terminals see; tabs come from the source. */
static void check_text(const Outcome *outcome) {
  for (const char *at = outcome->err; *at; at++) {
    const unsigned char byte = (unsigned char)*at;
    if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 127)
      command_fail(outcome, "control characters");
  }
}

static bool tells_error(const char *text) {
  return command_begins(text, "Error: ") || strstr(text, "] Error: ") || strstr(text, "\nError: ");
}

static void check_status(const Outcome *outcome) {
  const bool has_failed = outcome->status != 0;
  if (outcome->status != 0 && outcome->status != 1) command_fail(outcome, "another status");
  if (*outcome->out == '{') check_document(outcome);
  if (is_report(outcome->out)) {
    const bool has_error = strstr(outcome->out, "\"severity\": \"error\"") != NULL;
    const bool has_code = strstr(outcome->out, "\"exitCode\": 1") != NULL; /* of SARIF */
    if ((has_error || has_code) != has_failed)
      command_fail(outcome, "another status than the document says");
  } else if (tells_error(outcome->err) != has_failed) {
    command_fail(outcome, "an error that is not told, or told without need");
  }
}

/* Folders and temporary files must not be left; results may not be folders. */
static bool is_for_work(const char *name) {
  return command_is_folder(name) || (command_begins(name, ".diderotc-") && command_ends(name, "~"));
}

/* Traces are written even if the compilation fails. */
static void check_files(const Outcome *outcome) {
  const char *names[MOST_NAMES], *changed = command_changed();
  const int n = command_made(names);
  for (int k = 0; k < n; k++) {
    const bool is_trace = command_ends(names[k], ".log") || command_ends(names[k], ".stats");
    if (outcome->status != 0 && !is_trace) command_fail(outcome, names[k]);
    if (is_for_work(names[k])) command_fail(outcome, "what was for work is left");
  }
  if (changed && outcome->status != 0) command_fail(outcome, changed);
  if (changed && strcmp(changed, source_path) == 0) command_fail(outcome, "the source is replaced");
}

static void check_arenas(const Outcome *outcome) {
  if (n_arenas > 0 && !outcome->has_exited) command_fail(outcome, "an arena is left");
  while (n_arenas > 0) arena_free(arenas[0]);
}

/* Left out: the server, which waits for its client (lsp_fuzz.c), and the formatter, which replaces
 * sources, unless it only checks or prints. */
static bool is_left_out(const Lines *lines) {
  bool only_looks = false;
  for (int i = 1; i < lines->argc; i++)
    only_looks |= strcmp(lines->argv[i], "--check") == 0 || strcmp(lines->argv[i], "--print") == 0;
  if (lines->argc < 2) return false;
  return strcmp(lines->argv[1], "lsp") == 0 ||
         (strcmp(lines->argv[1], "format") == 0 && !only_looks);
}

static void run(Lines *lines) {
  if (is_left_out(lines)) return;
  static char tool[] = "diderotc";
  compiler = (unsigned char)*lines->argv[0] % N_COMPILERS;
  lines->argv[0] = tool;
  Outcome outcome = command_call(driver_main, lines->argc, lines->argv, "");
  check_status(&outcome);
  check_text(&outcome);
  check_files(&outcome);
  check_arenas(&outcome);
  outcome_free(&outcome);
  command_restore();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool is_entered;
  if (!is_entered) enter();
  is_entered = true;
  if (size > 1 << 12) return 0;
  Lines lines = lines_split(data, size);
  if (command_is_tame(lines.argc, lines.argv)) run(&lines);
  free(lines.text);
  return 0;
}

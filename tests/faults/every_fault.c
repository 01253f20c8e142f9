/* every_fault.c: linked into an executable, makes each call of each kind fail in turn, alone and
 * together with all later calls. Each time the program must end in an orderly way: either the
 * results are those without a fault, or the status is 1 and one line says why; each file has its
 * new or its old content; nothing leaks (LeakSanitizer). The linker renames the program's own main
 * __real_main.
 *
 *   PROGRAM KIND... -- ARGUMENT...   tries some kinds (kinds.def), or `all`; with `quick`, later
 *                                    calls fail, too, only for every eighth call
 *   PROGRAM -- ARGUMENT...           runs the program without a fault
 *
 * The program finds the files that inputs.h makes, and may print to a file `printed`.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/faults/inputs.h"
#include "tests/faults/plan.h"

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

enum {
  QUICK_STEP = 8,
  MOST_FILES = 64,
  MOST_CALLS = 20000,
  SKIPPED = 77,
  NOT_WATCHED = 98,
  NOT_FLUSHED = 97
};

typedef enum { ERROR, HARMLESS } Outcome;
static const struct {
  const char *name;
  int error;
  Outcome outcome;
  const char *text, *other;
} kinds[] = {
#define KIND(id, ...) {__VA_ARGS__},
#include "tests/faults/kinds.def"
};

typedef struct {
  char *name, *bytes;
  size_t n;
} File;

static struct {
  char *out, *err;
  File files[MOST_FILES];
  int n_files;
} good; /* what a run without faults makes */

static char **arguments; /* of the program, with its name, and NULL */
static int n_arguments;

/* --- one run ---------------------------------------------------------------------------------- */

static void redirect(const char *name, int to) {
  const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || dup2(fd, to) < 0) _exit(NOT_WATCHED);
  close(fd);
}

/* What is left for exit to write is lost when that fails. */
static int run_program(void) {
  redirect(".out", STDOUT_FILENO);
  redirect(".err", STDERR_FILENO);
  if (!fault_watch_system()) return NOT_WATCHED;
  atomic_store(&fault_plan->is_on, true);
  const int status = __real_main(n_arguments, arguments);
  atomic_store(&fault_plan->is_on, false);
  return status == 0 && __fpending(stdout) > 0 ? NOT_FLUSHED : status;
}

/* Its status as of wait; calls from `first` to `last` fail. */
static int run(FaultKind kind, int64_t first, int64_t last) {
  int status = 0;
  atomic_store(&fault_plan->kind, (int)kind);
  atomic_store(&fault_plan->n_calls, 0);
  atomic_store(&fault_plan->first, first);
  atomic_store(&fault_plan->last, last);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) exit(run_program());
  while (waitpid(child, &status, 0) != child) continue;
  atomic_store(&fault_plan->is_on, false);
  return status;
}

static char *read_text(const char *name) {
  size_t n = 0;
  char *text = files_read(name, &n);
  return text ? text : calloc(1, 1);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Calls `see` with each name that has no dot in front. */
static void for_each_file(void (*see)(const char *name)) {
  DIR *folder = opendir(".");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    if (entry->d_name[0] != '.') see(entry->d_name);
  }
  if (folder) closedir(folder);
}

static void remember(const char *name) {
  if (!CHECK(good.n_files < MOST_FILES)) return;
  File *file = &good.files[good.n_files++];
  file->name = strdup(name);
  file->bytes = files_read(name, &file->n);
}

static void remove_file(const char *name) { CHECK(remove(name) == 0); }

static const char old_text[] = "what was here before\n";

/* Old files, or none, in the place of results. */
static void prepare(bool has_old) {
  for_each_file(remove_file);
  for (int k = 0; has_old && k < good.n_files; k++) {
    files_write(good.files[k].name, old_text, sizeof old_text - 1);
  }
}

static bool is_new(const File *file, const char *bytes, size_t n) {
  return n == file->n && memcmp(bytes, file->bytes, n) == 0;
}

/* Whether all lines of a text are lines of the other; the last one may be cut. What strands print
 * arrives line by line, though not all of it when some of them failed. */
static bool are_lines_of(const char *whole, const char *part) {
  for (size_t n; *part; part += n) {
    const char *line = whole;
    n = strcspn(part, "\n");
    n += part[n] == '\n';
    while (*line && strncmp(line, part, n) != 0) {
      line += strcspn(line, "\n");
      line += *line == '\n';
    }
    if (!*line) return false;
  }
  return true;
}

static bool is_old(const File *file, const char *bytes, size_t n) {
  const bool is_log = strcmp(file->name, "printed") == 0;
  return (n == sizeof old_text - 1 && memcmp(bytes, old_text, n) == 0) ||
         (is_log && are_lines_of(file->bytes, bytes));
}

static bool check_file(const File *file, bool is_success, bool has_old) {
  size_t n = 0;
  char *bytes = files_read(file->name, &n);
  const bool was_kept = bytes ? is_old(file, bytes, n) : !has_old;
  const bool is_good = (bytes && is_new(file, bytes, n)) || (!is_success && was_kept);
  if (!is_good) fprintf(stderr, "  file %s: %d bytes\n", file->name, bytes ? (int)n : -1);
  free(bytes);
  return CHECK(is_good);
}

static int n_strange;

static void find_strange(const char *name) {
  for (int k = 0; k < good.n_files; k++) {
    if (strcmp(good.files[k].name, name) == 0) return;
  }
  fprintf(stderr, "  left behind: %s\n", name);
  n_strange++;
}

static bool check_files(bool is_success, bool has_old) {
  bool is_good = true;
  for (int k = 0; k < good.n_files; k++) {
    is_good = check_file(&good.files[k], is_success, has_old) && is_good;
  }
  n_strange = 0;
  for_each_file(find_strange);
  return CHECK_EQ(n_strange, 0) && is_good;
}

/* --- what is said ----------------------------------------------------------------------------- */

/* Lines that are no notes of the good run. */
static int count_lines(const char *text) {
  char line[4096];
  int n_lines = 0;
  while (*text) {
    const size_t n = strcspn(text, "\n") + 1;
    snprintf(line, sizeof line, "%.*s", (int)n, text);
    n_lines += !strstr(good.err, line);
    text += n - (text[n - 1] == '\0');
  }
  return n_lines;
}

/* A reason of one line, besides a phrase that leads it or ends the run; before the usage. */
static bool is_clear(FaultKind kind, char *err) {
  char *usage = strstr(err, "\nUsage: ");
  if (usage) usage[0] = '\0';
  const char *text = kinds[kind].text, *other = kinds[kind].other;
  const bool is_said = strstr(err, text ? text : strerror(kinds[kind].error)) ||
                       (other && strstr(err, other)) ||
                       (kinds[kind].error != ENOMEM && strstr(err, "out of memory"));
  return is_said && err[0] && count_lines(err) <= 2;
}

/* --- every fault ------------------------------------------------------------------------------ */

static bool recovers; /* from one fault */

/* As without the fault, but for a line that says why the host did the work of a device. */
static bool is_as_good(FaultKind kind, char *err) {
  char *end = strchr(err, '\n');
  if (!end || strncmp(err, "no GPU is used: ", 16) != 0) return CHECK_STR(err, good.err);
  const bool is_rest_good = CHECK_STR(end + 1, good.err);
  *end = '\0';
  return CHECK(is_clear(kind, err)) && is_rest_good;
}

static bool check_run(FaultKind kind, int status, bool may_fail, bool has_old) {
  char *out = read_text(".out"), *err = read_text(".err");
  const bool is_success = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  bool is_good = CHECK(is_success || (WIFEXITED(status) && WEXITSTATUS(status) == 1));
  char *copy = strdup(err);
  if (is_success) {
    is_good = CHECK_STR(out, good.out) && is_as_good(kind, copy) && is_good;
  } else {
    is_good = CHECK(may_fail && kinds[kind].outcome == ERROR) && is_good;
    is_good = CHECK(are_lines_of(good.out, out)) && is_good;
    is_good = CHECK(is_clear(kind, copy)) && is_good;
  }
  free(copy);
  is_good = check_files(is_success, has_old) && is_good;
  if (!is_good) fprintf(stderr, "  status %d\n%.3000s%.3000s", status, out, err);
  free(out);
  free(err);
  return is_good;
}

typedef struct {
  int n_calls, n_errors, n_bad;
} Count;

/* Until no call is left that could fail. */
static void fail_each(FaultKind kind, bool is_alone, int step, Count *count) {
  bool has_failed = true;
  for (int64_t first = 0; has_failed && first < MOST_CALLS && count->n_bad < 3; first += step) {
    prepare(is_alone);
    const int status = run(kind, first, is_alone ? first : INT64_MAX);
    has_failed = atomic_load(&fault_plan->n_calls) > first;
    count->n_calls += has_failed;
    count->n_errors += status != 0;
    const bool may_fail = has_failed && !(is_alone && recovers);
    if (check_run(kind, status, may_fail, is_alone)) continue;
    count->n_bad++;
    fprintf(stderr, "  fault %s %d%s\n", kinds[kind].name, (int)first,
            is_alone ? "" : " and all that follow");
  }
  CHECK(!has_failed || count->n_bad > 0);
}

static void fail_kind(FaultKind kind, int step) {
  Count alone = {0}, together = {0};
  fail_each(kind, true, 1, &alone);
  if (kinds[kind].outcome == ERROR) fail_each(kind, false, step, &together);
  printf("%-12s %5d calls, %5d are errors; from one on: %5d\n", kinds[kind].name, alone.n_calls,
         alone.n_errors, together.n_errors);
}

/* Makes `good`, if it is; false where faults are impossible. */
static bool run_well(bool *is_good) {
  prepare(false);
  const int status = run(FAULT_COUNT, INT64_MAX, INT64_MAX);
  if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_WATCHED) return false;
  *is_good = CHECK_EQ(status, 0);
  good.out = read_text(".out");
  good.err = read_text(".err");
  for_each_file(remember);
  if (status) fprintf(stderr, "%s", good.err);
  return true;
}

static bool has_word(int n_words, char *const *words, const char *wanted) {
  for (int k = 0; k < n_words; k++) {
    if (strcmp(words[k], wanted) == 0) return true;
  }
  return false;
}

static void fail_kinds(int n_words, char *const *words) {
  const int step = has_word(n_words, words, "quick") ? QUICK_STEP : 1;
  recovers = has_word(n_words, words, "recovers");
  const bool has_all = has_word(n_words, words, "all");
  for (int kind = 0; kind < FAULT_COUNT; kind++) {
    if (has_all || has_word(n_words, words, kinds[kind].name)) fail_kind((FaultKind)kind, step);
  }
}

int __wrap_main(int argc, char **argv) {
  int n_words = 0;
  while (n_words < argc && strcmp(argv[n_words], "--") != 0) n_words++;
  if (n_words == argc) return 2;
  arguments = argv + n_words;
  n_arguments = argc - n_words;
  arguments[0] = argv[0];
  if (n_words == 1) return __real_main(n_arguments, arguments);

  files_enter();
  inputs_make();
  fault_plan =
      mmap(NULL, sizeof *fault_plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fault_plan == MAP_FAILED) return 1;
  bool is_good = true;
  const bool is_watched = run_well(&is_good);
  if (!is_watched) puts("skipped: this system does not let a process watch its calls");
  if (is_watched && is_good) fail_kinds(n_words - 1, argv + 1);
  files_leave();
  return is_watched ? test_result() : SKIPPED;
}

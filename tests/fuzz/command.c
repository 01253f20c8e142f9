#include "tests/fuzz/command.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_GIVEN = 32, LONGEST_NAME = 255 };

typedef struct Entry {
  char name[LONGEST_NAME + 1];
  bool is_folder;
} Entry;

static char folder[] = "/tmp/ddr-fuzz-XXXXXX";
static const char *given_folder;
static int inside = -1, outside = -1;
static Entry given[MOST_GIVEN], made[MOST_NAMES];
static int n_given;

/* --- the folder ------------------------------------------------------------------------------- */

static void must(bool is_good, const char *what) {
  if (is_good) return;
  perror(what);
  abort();
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

static void leave(void) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static bool is_name(const char *name) { return strcmp(name, ".") != 0 && strcmp(name, "..") != 0; }

/* A copy that is older than any file written since. */
static void copy_given(const char *name) {
  static const struct timespec old[2] = {{0}, {0}};
  char path[4096], bytes[4096];
  snprintf(path, sizeof path, "%s/%s", given_folder, name);
  const int from = open(path, O_RDONLY | O_CLOEXEC);
  unlinkat(inside, name, 0);
  const int to = openat(inside, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  must(from >= 0 && to >= 0, name);
  for (ssize_t n; (n = read(from, bytes, sizeof bytes)) > 0;)
    must(write(to, bytes, (size_t)n) == n, name);
  must(futimens(to, old) == 0, name);
  close(from);
  close(to);
}

/* Calls look with every name in the folder at `path`. */
static void list(const char *path, void (*look)(const char *name)) {
  DIR *all = opendir(path);
  must(all != NULL, path);
  for (const struct dirent *entry; (entry = readdir(all));)
    if (is_name(entry->d_name)) look(entry->d_name);
  closedir(all);
}

void command_enter(const char *from) {
  given_folder = from;
  must(mkdtemp(folder) != NULL, folder);
  atexit(leave);
  inside = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  outside = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  must(inside >= 0 && outside >= 0, folder);
  list(given_folder, copy_given);
}

const char *command_folder(void) { return folder; }

bool command_is_folder(const char *name) {
  struct stat info;
  return fstatat(inside, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

static void set_name(Entry *entry, const char *name) {
  snprintf(entry->name, sizeof entry->name, "%s", name);
}

static void take_given(const char *name) {
  must(n_given < MOST_GIVEN, "too many given files");
  given[n_given].is_folder = command_is_folder(name);
  set_name(&given[n_given++], name);
}

const char *command_changed(void) {
  struct stat info;
  for (int k = 0; k < n_given; k++) {
    if (fstatat(inside, given[k].name, &info, AT_SYMLINK_NOFOLLOW) != 0) return given[k].name;
    if (!given[k].is_folder && info.st_mtim.tv_sec != 0) return given[k].name;
  }
  return NULL;
}

static int n_made;

static void take_made(const char *name) {
  int k = 0;
  while (k < n_given && strcmp(given[k].name, name) != 0) k++;
  if (k == n_given && n_made < MOST_NAMES) set_name(&made[n_made++], name);
}

int command_made(const char *names[MOST_NAMES]) {
  n_made = 0;
  list(folder, take_made);
  for (int k = 0; k < n_made; k++) names[k] = made[k].name;
  return n_made;
}

void command_restore(void) {
  const char *names[MOST_NAMES];
  for (int n; (n = command_made(names)) > 0;)
    for (int k = 0; k < n; k++)
      must(unlinkat(inside, names[k], command_is_folder(names[k]) ? AT_REMOVEDIR : 0) == 0,
           names[k]);
  for (const char *name; (name = command_changed());) copy_given(name);
}

/* --- calls ------------------------------------------------------------------------------------ */

static jmp_buf *way_out; /* of the innermost call */
static int exit_status;

_Noreturn void __wrap_exit(int status);
_Noreturn void __real_exit(int status);

_Noreturn void __wrap_exit(int status) {
  if (!way_out) __real_exit(status);
  exit_status = status;
  longjmp(*way_out, 1);
}

int command_catch(CommandWork *work, void *state, bool *has_exited) {
  jmp_buf here, *const outer = way_out;
  way_out = &here;
  if (setjmp(here) == 0) {
    exit_status = work(state);
  } else {
    *has_exited = true;
  }
  way_out = outer;
  return exit_status;
}

typedef struct Call {
  CommandMain *tool;
  int argc;
  char **argv;
} Call;

static int call_main(void *state) {
  const Call *call = state;
  optind = 0; /* as in a new process */
  return call->tool(call->argc, call->argv);
}

Outcome command_call(CommandMain *tool, int argc, char **argv, const char *input) {
  Outcome outcome = {.status = 0};
  size_t n_out, n_err;
  Call call = {tool, argc, argv};
  FILE *const usual_in = stdin, *const usual_out = stdout, *const usual_err = stderr;
  if (n_given == 0) list(folder, take_given);
  must(fchdir(inside) == 0, folder);
  stdin = fopen(input, "rb");
  if (!stdin) stdin = fopen("/dev/null", "rb");
  stdout = open_memstream(&outcome.out, &n_out);
  stderr = open_memstream(&outcome.err, &n_err);
  if (!stdin || !stdout || !stderr) abort();
  outcome.status = command_catch(call_main, &call, &outcome.has_exited);
  if (fclose(stdin) == EOF || fclose(stdout) == EOF || fclose(stderr) == EOF) abort();
  stdin = usual_in;
  stdout = usual_out;
  stderr = usual_err;
  must(fchdir(outside) == 0, "where the target runs");
  return outcome;
}

void outcome_free(Outcome *outcome) {
  free(outcome->out);
  free(outcome->err);
}

void command_fail(const Outcome *outcome, const char *what) {
  fprintf(stderr, "FOUND: %s\nstatus %d\n--- output\n%s\n--- errors\n%s\n---\n", what,
          outcome->status, outcome->out, outcome->err);
  abort();
}

/* --- words and text --------------------------------------------------------------------------- */

static bool is_tame(const char *word) {
  for (const char *at = strchr(word, '/'); at; at = strchr(at + 1, '/')) {
    const bool is_ratio =
        at > word && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]);
    if (!is_ratio) return false;
  }
  return true;
}

bool command_is_tame(int n_words, char *const *words) {
  int k = 0;
  while (k < n_words && is_tame(words[k])) k++;
  return k == n_words;
}

const char *command_after_line(const char *text) {
  const size_t n = strcspn(text, "\n");
  if (n == 0 || text[n] != '\n') return NULL;
  for (size_t k = 0; k < n; k++)
    if (iscntrl((unsigned char)text[k])) return NULL;
  return text + n + 1;
}

bool command_begins(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool command_ends(const char *text, const char *suffix) {
  const size_t len = strlen(text), n = strlen(suffix);
  return len >= n && strcmp(text + len - n, suffix) == 0;
}

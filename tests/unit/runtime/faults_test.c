/* Failures around an executable: full disks, closed pipes and streams, files at their size limit,
 * signals. Each ends with one message, a status, and no half-written result. GRID and QUEUE are the
 * hand-written programs. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "files.h"

/* Removes old results, and runs a shell command; returns its status. */
static int run(const char *command) {
  char line[1024];
  snprintf(line, sizeof line, "rm -f -- *; %s", command);
  return files_run(line);
}

static const struct {
  const char *command, *error;
} full[] = {
    {"'" GRID "' -o-at /dev/full 2> .err",
     "Error saving \"/dev/full\": No space left on device\nError generating output:\n"},
    {"'" GRID "' -o-at - > /dev/full 2> .err",
     "Error saving \"-\": No space left on device\nError generating output:\n"},
    {"'" GRID "' -o-at a.nhdr -o-right /dev/full 2> .err",
     "Error saving \"/dev/full\": No space left on device\nError generating output:\n"},
    {"'" GRID "' -t > /dev/full 2> .err",
     "Error during execution:\n[DIDEROT] cannot write the run time: No space left on device\n"},
    {"'" GRID "' -echo on -print /dev/full 2> .err",
     "Error in global initialization:\n"
     "[DIDEROT] cannot write printed text: No space left on device\n"},
    {"'" QUEUE "' > /dev/full 2> .err",
     "Error during execution:\n[DIDEROT] cannot write printed text: No space left on device\n"},
    {"'" QUEUE "' >&- 2> .err",
     "Error during execution:\n[DIDEROT] cannot write printed text: Bad file descriptor\n"},
    {"'" QUEUE "' -s 1 -sp-id nofolder/x > .out 2> .err",
     "Error generating snapshot:\n"
     "[DIDEROT] Error saving \"nofolder/x-0000.nrrd\": No such file or directory\n"},
    {"'" QUEUE "' -s 1 -sp-ids nofolder/x > .out 2> .err",
     "Error generating snapshot:\n"
     "[DIDEROT] Error saving \"nofolder/x-len-0000.nrrd\": No such file or directory\n"},
};

static const struct {
  const char *option, *error;
} wrong_names[] = {
    {"-o-id nofolder/x.nrrd", "\"nofolder/x.nrrd\": No such file or directory"},
    {"-o-ids nofolder/x", "\"nofolder/x-len.nrrd\": No such file or directory"},
    {"-o-id .", "\".\": Is a directory"},
    {"-o-id .out/x.nrrd", "\".out/x.nrrd\": Not a directory"},
    {"-o-id x%03d.nhdr", "\"x%03d.nhdr\": the header cannot name its data file (expected a name "
                         "without %d and line ends)"},
};

/* Nothing is printed, because nothing runs. */
static void names_are_tried_before_the_run(void) {
  for (size_t k = 0; k < sizeof wrong_names / sizeof *wrong_names; k++) {
    char command[256], want[256];
    snprintf(command, sizeof command, "'" QUEUE "' %s > .out 2> .err", wrong_names[k].option);
    snprintf(want, sizeof want, "Error saving %s\nError generating output:\n",
             wrong_names[k].error);
    CHECK_EQ(run(command), 1);
    files_check(".err", want);
    files_check(".out", "");
  }
}

static void full_disks_are_reported(void) {
  for (size_t k = 0; k < sizeof full / sizeof *full; k++) {
    CHECK_EQ(run(full[k].command), 1);
    files_check(".err", full[k].error);
  }
}

/* The timing cannot be written, but the results can. */
static void results_are_saved_all_the_same(void) {
  CHECK_EQ(run("'" GRID "' -t > /dev/full 2> .err"), 1);
  CHECK(files_exist("sum.nrrd") && files_exist("at.nrrd") && files_exist("right.nrrd"));
}

/* The result must not go to the descriptor of a closed stream. */
static void closed_streams_stay_closed(void) {
  CHECK_EQ(run("'" GRID "' -o-sum a.txt <&- >&- 2>&-"), 0);
  files_check("a.txt", "-1 0 1\n9 10 11\n");
}

/* --- processes -------------------------------------------------------------------------------- */

/* Starts a child with standard output `out` that may write files of `most` bytes. Signals end it,
 * even if the shell that started the tests, in the background, ignores them. */
static pid_t start(const char *const argv[], int out, rlim_t most) {
  const pid_t child = fork();
  if (child != 0) return child;
  const struct rlimit limit = {most, most};
  setrlimit(RLIMIT_FSIZE, &limit);
  signal(SIGINT, SIG_DFL);
  dup2(out, STDOUT_FILENO);
  const int err = open(".err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(err, STDERR_FILENO);
  char *words[16] = {NULL};
  for (int k = 0; k < 15 && argv[k]; k++) words[k] = strdup(argv[k]);
  execv(words[0], words);
  _exit(127);
}

static int end(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) != child) continue;
  return status;
}

static void a_closed_pipe_is_an_error(void) {
  static const char *const printing[] = {QUEUE, "-size", "900", NULL};
  static const char *const writing[] = {GRID, "-ny", "900", "-o-sum", "-", NULL};
  int ends[2];
  CHECK(pipe(ends) == 0);
  close(ends[0]);
  CHECK_EQ(end(start(printing, ends[1], RLIM_INFINITY)), 1 << 8);
  files_check(".err",
              "Error during execution:\n[DIDEROT] cannot write printed text: Broken pipe\n");
  CHECK_EQ(end(start(writing, ends[1], RLIM_INFINITY)), 1 << 8);
  files_check(".err", "Error saving \"-\": Broken pipe\nError generating output:\n");
  close(ends[1]);
}

/* The old file of that name stays complete. */
static void a_file_that_cannot_grow_keeps_its_old_content(void) {
  static const char *const names[] = {"old.nrrd", "old.nhdr", "old.png"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const char *const argv[] = {GRID, "-ny", "300", "-o-sum", "/dev/null", "-o-at", names[k], NULL};
    CHECK_EQ(run("true"), 0);
    files_write(names[k], "old", 3);
    files_write("old.raw", "old data", 8);
    CHECK_EQ(end(start(argv, STDOUT_FILENO, 100)), 1 << 8);
    char want[128];
    snprintf(want, sizeof want, "Error saving \"%s\": File too large\nError generating output:\n",
             names[k]);
    files_check(".err", want);
    files_check(names[k], "old");
    files_check("old.raw", "old data");
    CHECK(system("ls *.tmp > /dev/null 2>&1") != 0);
  }
}

static bool ends_with(const char *name, const char *suffix) {
  const size_t n = strlen(name), n_suffix = strlen(suffix);
  return n > n_suffix && strcmp(name + n - n_suffix, suffix) == 0;
}

/* Counts snapshots of four strands: each ends with an empty line and four ints. */
static int64_t count_complete(void) {
  int64_t n_files = 0;
  DIR *folder = opendir(".");
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strncmp(entry->d_name, "id-", 3) != 0 || !ends_with(entry->d_name, ".nrrd")) continue;
    size_t n = 0;
    char *bytes = files_read(entry->d_name, &n);
    const int32_t want[4] = {0, 1, 2, 3};
    CHECK(bytes && n > 18 && memcmp(bytes + n - 18, "\n\n", 2) == 0 &&
          memcmp(bytes + n - 16, want, 16) == 0);
    free(bytes);
    n_files++;
  }
  closedir(folder);
  return n_files;
}

/* Whenever it is stopped, files with final names are complete, and snapshots are kept. */
static void signals_leave_complete_files(void) {
  static const char *const argv[] = {QUEUE, "-endless", "on", "-s", "1", "-sp-ids", "ids", NULL};
  static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
  for (int k = 0; k < 9; k++) {
    CHECK_EQ(run("true"), 0);
    const pid_t child = start(argv, STDOUT_FILENO, RLIM_INFINITY);
    while (!files_exist("id-0003.nrrd")) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 700000 * k}, NULL);
    kill(child, signals[k % 3]);
    const int status = end(child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signals[k % 3]);
    CHECK(count_complete() >= 4);
    CHECK(!files_exist("id.nrrd") && !files_exist("ids-len.nrrd"));
  }
}

int main(void) {
  files_enter();
  RUN(names_are_tried_before_the_run);
  RUN(full_disks_are_reported);
  RUN(results_are_saved_all_the_same);
  RUN(closed_streams_stay_closed);
  RUN(a_closed_pipe_is_an_error);
  RUN(a_file_that_cannot_grow_keeps_its_old_content);
  RUN(signals_leave_complete_files);
  files_leave();
  return test_result();
}

/* The line of --progress: on a terminal one line that is removed at the end, elsewhere nothing.
 * QUEUE and GRID are the hand-written programs. */
#define _GNU_SOURCE /* pseudo-terminals */
#include <fcntl.h>

#include "files.h"

/* What a terminal as standard error receives from the program; standard output goes to `out`, or to
 * the terminal as well if that is NULL. */
static char *on_terminal(const char *const argv[], const char *out, int *status) {
  static char shown[1 << 20];
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  CHECK(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  const int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  const pid_t child = fork();
  if (child == 0) {
    dup2(end, STDERR_FILENO);
    dup2(out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600) : end, STDOUT_FILENO);
    char *words[16] = {NULL};
    for (int k = 0; k < 15 && argv[k]; k++) words[k] = strdup(argv[k]);
    execv(words[0], words);
    _exit(127);
  }
  close(end);
  size_t n = 0;
  for (ssize_t n_read; (n_read = read(terminal, shown + n, sizeof shown - 1 - n)) > 0;) {
    n += (size_t)n_read;
  }
  shown[n] = '\0';
  close(terminal);
  while (waitpid(child, status, 0) != child) continue;
  return shown;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), n_end = strlen(end);
  return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

#define CLEARED "\r\033[K"

/* Every renewal starts at the first column and stays on its line. */
static void check_lines(const char *shown) {
  CHECK(strncmp(shown, "\r", 1) == 0 && !strchr(shown, '\n'));
  for (const char *line = shown; *line; line++) {
    const size_t n = strcspn(line, "\r");
    CHECK(n <= 79 + strlen("\033[K"));
    line += n;
    if (!*line) break;
  }
  CHECK(ends_with(shown, CLEARED));
}

static void supersteps_have_a_bar_when_the_limit_is_known(void) {
  static const char *const argv[] = {QUEUE, "-size", "900", "-endless", "on", "-l",
                                     "200", "-pg",   "-n",  "2",        NULL};
  int status = 0;
  const char *shown = on_terminal(argv, ".out", &status);
  CHECK_EQ(status, 1 << 8);
  const char *last = strstr(shown, CLEARED "Error: no stable");
  CHECK(last != NULL);
  CHECK(strstr(shown, "/200, 900 active, ") && strstr(shown, " steps/s [") && strstr(shown, "..]"));
}

static void nothing_is_known_of_the_end_without_a_limit(void) {
  static const char *const argv[] = {QUEUE, "-size", "900", "--progress", NULL};
  int status = 0;
  const char *shown = on_terminal(argv, ".out", &status);
  CHECK_EQ(status, 0);
  check_lines(shown);
  CHECK(strstr(shown, "step ") && strstr(shown, " active") && !strchr(shown, '#') &&
        !strstr(shown, "left"));
}

static void programs_without_supersteps_count_blocks(void) {
  static const char *const argv[] = {GRID, "-ny", "3000", "-pg", NULL};
  int status = 0;
  const char *shown = on_terminal(argv, ".out", &status);
  CHECK_EQ(status, 0);
  check_lines(shown);
  CHECK(strstr(shown, " active") && strstr(shown, " strands/s [") && !strstr(shown, "step"));
}

/* Text of the program does not continue the progress line. */
static void prints_stand_alone(void) {
  static const char *const argv[] = {QUEUE, "-size", "200", "-pg", NULL};
  int status = 0;
  const char *shown = on_terminal(argv, NULL, &status);
  CHECK_EQ(status, 0);
  int n_prints = 0;
  for (const char *at = shown; (at = strstr(at, "stable\r\n")); at += 8) {
    const char *begin = at;
    while (begin > shown && begin[-1] != '\n' && begin[-1] != 'K') begin--;
    n_prints += at - begin <= 4;
  }
  CHECK_EQ(n_prints, 100);
}

static void elsewhere_nothing_is_shown(void) {
  CHECK_EQ(system("'" QUEUE "' -pg -size 50 -print /dev/null > .out 2> .err"), 0);
  CHECK_EQ(system("test ! -s .out && test ! -s .err"), 0);
}

/* Containers may have no pseudo-terminals. */
static bool has_terminals(void) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  const bool has_any = terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0;
  if (terminal >= 0) close(terminal);
  return has_any;
}

int main(void) {
  files_enter();
  RUN(elsewhere_nothing_is_shown);
  if (!has_terminals()) {
    files_leave();
    return test_skipped("there are no pseudo-terminals (/dev/pts)");
  }
  RUN(supersteps_have_a_bar_when_the_limit_is_known);
  RUN(nothing_is_known_of_the_end_without_a_limit);
  RUN(programs_without_supersteps_count_blocks);
  RUN(prints_stand_alone);
  files_leave();
  return test_result();
}

/* Running programs: arguments, exit statuses, output files, and signals that are passed on. */
#define _POSIX_C_SOURCE 200809L

#include "frontend/base/process.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/base/text.h"
#include "tests/unit/test.h"

static Arena *a;

static const char *run(const char *words, const char *last, int *status) {
  ArgVec args = {0};
  args_push_words(a, &args, words);
  if (last) vec_push(a, &args, last);
  return process_run(a, &args, "/dev/null", status);
}

static void words_are_split_at_blanks(void) {
  ArgVec args = {0};
  args_push_words(a, &args, "  ccache\tgcc  -m64 ");
  args_push_words(a, &args, " \t ");
  vec_push(a, &args, "a b");
  vec_push(a, &args, "");
  CHECK_EQ(args.len, 5);
  CHECK_STR(args_text(a, &args), "ccache gcc -m64 'a b' ''\n");
}

static void the_status_comes_back(void) {
  int status = -1;
  CHECK(run("true", NULL, &status) == NULL && status == 0);
  CHECK(run("sh -c", "exit 42", &status) == NULL && status == 42);
  CHECK(run("sh -c", "kill -TERM $$", &status) == NULL && status == 128 + SIGTERM);
  CHECK_STR(run("no-such-program-here", NULL, &status), "No such file or directory");
}

/* A child that ignores SIGCHLD, as daemons do, can start programs. */
static void an_ignored_sigchld_does_no_harm(void) {
  const pid_t child = fork();
  if (child == 0) {
    int status = -1;
    signal(SIGCHLD, SIG_IGN);
    _exit(run("true", NULL, &status) == NULL && status == 0 ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* While `sleep` runs, the parent gets a signal: `sleep` ends at once, the parent after its
 * release. */
static void signals_wait_for_the_release(void) {
  int ends[2];
  if (!CHECK_EQ(pipe(ends), 0)) return;
  const pid_t child = fork();
  if (child == 0) {
    int status = -1;
    const SignalHold *hold = signals_hold(a);
    const char *command = text_format(a, "kill -TERM %ld; exec sleep 20", (long)getpid());
    run("sh -c", command, &status);
    const bool is_told = write(ends[1], "x", 1) == 1;
    signals_release(hold);
    _exit(is_told ? 0 : 1); /* not reached */
  }
  int status = -1;
  char byte = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  CHECK(read(ends[0], &byte, 1) == 1 && byte == 'x');
  close(ends[0]);
  close(ends[1]);
}

/* --- copies ----------------------------------------------------------------------------------- */

static int prints_much(void *state) {
  for (int i = 0; i < 10000; i++) printf("%d\n", *(int *)state);
  return 3;
}

static int aborts(void *state) {
  (void)state;
  fputs("lost", stdout);
  raise(SIGKILL);
  return 0;
}

static void a_copy_prints_for_us(void) {
  const char *output = NULL;
  int status = -1, seven = 7;
  if (!CHECK(process_fork(a, prints_much, &seven, &output, &status) == NULL)) return;
  CHECK_EQ(status, 3);
  CHECK_EQ(strlen(output), 20000);
  CHECK(strncmp(output, "7\n7\n", 4) == 0);
}

static void a_copy_may_die(void) {
  const char *output = NULL;
  int status = -1;
  CHECK(process_fork(a, aborts, NULL, &output, &status) == NULL);
  CHECK_EQ(status, 128 + SIGKILL);
  CHECK_STR(output, "");
}

/* The copy of a process that ignores SIGCHLD can be waited for. */
static void a_copy_can_be_waited_for_when_sigchld_is_ignored(void) {
  const char *output = NULL;
  int status = -1, one = 1;
  signal(SIGCHLD, SIG_IGN);
  CHECK(process_fork(a, prints_much, &one, &output, &status) == NULL && status == 3);
  CHECK(signal(SIGCHLD, SIG_DFL) == SIG_IGN);
}

int main(void) {
  a = arena_new();
  RUN(words_are_split_at_blanks);
  RUN(the_status_comes_back);
  RUN(an_ignored_sigchld_does_no_harm);
  RUN(signals_wait_for_the_release);
  RUN(a_copy_prints_for_us);
  RUN(a_copy_may_die);
  RUN(a_copy_can_be_waited_for_when_sigchld_is_ignored);
  arena_free(a);
  return test_result();
}

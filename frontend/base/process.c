/* Process: posix_spawn, and signals that are waited for instead of handled, so that no state is
 * shared with a handler. Read first: process.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "frontend/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/base/text.h"

extern char **environ;

enum { STATUS_SIGNAL = 128, STATUS_NOT_FOUND = 127, N_SIGNALS = 65 };

void args_push_words(Arena *a, ArgVec *args, const char *words) {
  static const char gaps[] = " \t\r\n";
  for (words += strspn(words, gaps); *words; words += strspn(words, gaps)) {
    const size_t len = strcspn(words, gaps);
    vec_push(a, args, arena_strdup(a, words, len));
    words += len;
  }
}

const char *args_text(Arena *a, const ArgVec *args) {
  Text text = text_new(a);
  for (uint32_t i = 0; i < args->len; i++) {
    const bool is_plain = args->data[i][0] && !strpbrk(args->data[i], " \t\n\"'\\$`;&|<>()*?");
    text_addf(&text, is_plain ? "%s%s" : "%s'%s'", i ? " " : "", args->data[i]);
  }
  text_add(&text, "\n");
  return text_str(&text);
}

bool process_finds(const char *name) {
  enum { MAX_PATH = 4096 };
  const char *folders = getenv("PATH");
  bool is_found = false;
  for (; folders && *folders && !is_found; folders += *folders == ':') {
    char path[MAX_PATH];
    const int len = (int)strcspn(folders, ":");
    const int n = snprintf(path, sizeof path, "%.*s%s%s", len, folders, len ? "/" : "./", name);
    is_found = n < MAX_PATH && access(path, X_OK) == 0;
    folders += len;
  }
  return is_found;
}

/* ---- signals --------------------------------------------------------------------------------- */

/* The signals that ask a process to end, except those that our caller set to be ignored (nohup). */
static void ending_signals(sigset_t *set) {
  static const int all[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  sigemptyset(set);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct sigaction action;
    if (sigaction(all[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(set, all[i]);
  }
}

struct SignalHold {
  sigset_t before;
};

SignalHold *signals_hold(Arena *a) {
  SignalHold *hold = NEW(a, SignalHold);
  sigset_t set;
  ending_signals(&set);
  sigprocmask(SIG_BLOCK, &set, &hold->before);
  return hold;
}

void signals_release(const SignalHold *hold) { sigprocmask(SIG_SETMASK, &hold->before, NULL); }

/* ---- the child ------------------------------------------------------------------------------- */

static int spawn(const ArgVec *args, char **words, const char *output, const sigset_t *waited,
                 pid_t *child) {
  static const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t mask;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  for (int number = 1; number < N_SIGNALS; number++)
    if (sigismember(waited, number) == 1) sigdelset(&mask, number);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output) posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0600);
  else posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &mask);
  const int failure = posix_spawnp(child, args->data[0], &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

/* Waits for the child. The first signal of the set is passed on to it, and stays pending for us. */
static int wait_for(pid_t child, sigset_t *waited) {
  for (int status;;) {
    const int number = sigwaitinfo(waited, NULL);
    if (number == SIGCHLD && waitpid(child, &status, WNOHANG) == child) {
      return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL + WTERMSIG(status);
    }
    if (number <= 0 || number == SIGCHLD) continue;
    kill(child, number);
    raise(number); /* blocked: it stays pending */
    sigdelset(waited, number);
  }
}

const char *process_run(Arena *a, const ArgVec *args, const char *output, int *status) {
  const struct sigaction usual = {.sa_handler = SIG_DFL};
  struct sigaction chosen; /* children of those who ignore SIGCHLD cannot be waited for */
  sigset_t waited, before;
  pid_t child;
  char **words = NEWN(a, char *, args->len + 1); /* posix_spawn takes them writable */
  for (uint32_t i = 0; i < args->len; i++)
    words[i] = arena_strdup(a, args->data[i], strlen(args->data[i]));
  ending_signals(&waited);
  sigaddset(&waited, SIGCHLD);
  sigaction(SIGCHLD, &usual, &chosen);
  sigprocmask(SIG_BLOCK, &waited, &before);
  const int failure = spawn(args, words, output, &waited, &child);
  if (failure == 0) *status = wait_for(child, &waited);
  sigaction(SIGCHLD, &chosen, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (failure != 0) return text_format(a, "%s", strerror(failure));
  return *status == STATUS_NOT_FOUND ? "it cannot be started" : NULL;
}

/* ---- a copy of this process ------------------------------------------------------------------ */

/* In the copy: its output goes to the pipe, and it ends when its parent does. */
static void become_copy(const int ends[2], pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  if (getppid() != parent || dup2(ends[1], STDOUT_FILENO) < 0) _exit(STATUS_NOT_FOUND);
  close(ends[0]);
  close(ends[1]);
}

static const char *read_to_end(Arena *a, int file) {
  Text text = text_new(a);
  char chunk[4096];
  for (ssize_t n; (n = read(file, chunk, sizeof chunk)) != 0;) {
    if (n > 0) text_add_n(&text, chunk, (size_t)n);
    else if (errno != EINTR) break;
  }
  return text_str(&text);
}

const char *process_fork(Arena *a, int (*work)(void *state), void *state, const char **output,
                         int *status) {
  const struct sigaction usual = {.sa_handler = SIG_DFL};
  struct sigaction chosen; /* children of those who ignore SIGCHLD cannot be waited for */
  const pid_t parent = getpid();
  int ends[2], ended = 0;
  fflush(NULL); /* or both processes would write what is buffered */
  if (pipe(ends) != 0) return text_format(a, "%s", strerror(errno));
  sigaction(SIGCHLD, &usual, &chosen);
  const pid_t child = fork();
  if (child == 0) {
    become_copy(ends, parent);
    exit(work(state));
  }
  const int failure = child < 0 ? errno : 0;
  close(ends[1]);
  if (child > 0) {
    *output = read_to_end(a, ends[0]);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) continue;
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : STATUS_SIGNAL + WTERMSIG(ended);
  }
  close(ends[0]);
  sigaction(SIGCHLD, &chosen, NULL);
  return failure ? text_format(a, "%s", strerror(failure)) : NULL;
}

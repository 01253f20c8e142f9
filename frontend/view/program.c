/* Program: a process that compiles the file and then becomes the program. While a new one is being
 * compiled, the old one continues; if that fails, it remains, beside the messages.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/view/local.h"

enum { MOST_DYING = 8, MOST_SAID = 1 << 16, MOST_DESCRIPTION = 1 << 20 };

typedef struct Process {
  pid_t pid;   /* of the process and its group; 0: none */
  int control; /* orders go there, its description comes from there */
  int output;  /* its standard output and error */
  char *said;  /* so far, MOST_SAID at most */
  size_t n_said;
} Process;

struct Program {
  const ViewOptions *options;
  Phase phase;
  json_int_t version, n_builds;
  json_t *description;
  Process now, next;
  pid_t dying[MOST_DYING]; /* killed, but not gone yet; 0: none */
  char *said;
};

/* ---- processes ------------------------------------------------------------------------------- */

static const char **arguments(Arena *a, const ViewOptions *options) {
  static const char *const first[] = {"run", "--viewed", "--target=parallel", NULL};
  VEC(const char *) args = {0};
  vec_push(a, &args, options->compiler);
  for (const char *const *arg = first; *arg; arg++) vec_push(a, &args, *arg);
  if (options->is_traced) vec_push(a, &args, "--trace");
  for (const char *const *arg = options->options; *arg; arg++) vec_push(a, &args, *arg);
  vec_push(a, &args, options->program);
  vec_push(a, &args, "--");
  for (const char *const *arg = options->arguments; *arg; arg++) vec_push(a, &args, *arg);
  vec_push(a, &args, NULL);
  return args.data;
}

static void become(const ViewOptions *options, int control, int output) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  setpgid(0, 0); /* a group, so that the C compiler ends, too */
  Arena *a = arena_new();
  const char **args = arguments(a, options);
  size_t n = 0;
  while (args[n]) n++;
  char **words = NEWN(a, char *, n + 1);
  for (size_t k = 0; k < n; k++) words[k] = arena_strdup(a, args[k], strlen(args[k]));
  if (dup2(control, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(output, STDERR_FILENO) >= 0)
    execv(options->compiler, words);
  _exit(127);
}

static bool start(const ViewOptions *options, Process *process) {
  int control[2], output[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) return false;
  if (pipe2(output, O_CLOEXEC) != 0) {
    close(control[0]);
    close(control[1]);
    return false;
  }
  const pid_t pid = fork();
  if (pid == 0) become(options, control[1], output[1]);
  if (pid > 0) setpgid(pid, pid);
  close(control[1]);
  close(output[1]);
  fcntl(control[0], F_SETFL, O_NONBLOCK);
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  *process = (Process){.pid = pid > 0 ? pid : 0, .control = control[0], .output = output[0]};
  process->said = calloc(1, MOST_SAID + 1);
  return pid > 0 && process->said;
}

/* Notes a process that was killed, and reaps those that are gone; waits only if there are many. */
static void bury(pid_t dying[MOST_DYING], pid_t next) {
  int status, at = 0;
  for (int k = 0; k < MOST_DYING; k++) {
    if (dying[k] != 0 && waitpid(dying[k], &status, WNOHANG) != 0) dying[k] = 0;
    if (dying[k] == 0) at = k;
  }
  if (dying[at] != 0) waitpid(dying[at], &status, 0);
  dying[at] = next;
}

static void end(Program *program, Process *process) {
  if (process->pid == 0) return;
  kill(-process->pid, SIGKILL);
  bury(program->dying, process->pid);
  close(process->control);
  close(process->output);
  free(process->said);
  *process = (Process){0};
}

/* Reads its output; what exceeds MOST_SAID is dropped. True if there may be more. */
static bool listen_to(Process *process) {
  const size_t before = process->n_said;
  char lost[4096];
  for (;;) {
    const size_t room = MOST_SAID - process->n_said;
    const ssize_t n = room > 0 ? read(process->output, process->said + process->n_said, room)
                               : read(process->output, lost, sizeof lost);
    if (n <= 0) break;
    if (room > 0) process->n_said += (size_t)n;
  }
  return process->n_said > before;
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void say(Program *program, const char *text) {
  char *copy = strdup(text);
  free(program->said);
  program->said = copy;
}

static void enter(Program *program, Phase phase) {
  program->phase = phase;
  program->version++;
}

Program *program_new(const ViewOptions *options) {
  Program *program = calloc(1, sizeof *program);
  if (program) program->options = options;
  return program;
}

void program_free(Program *program) {
  if (!program) return;
  end(program, &program->now);
  end(program, &program->next);
  json_decref(program->description);
  free(program->said);
  free(program);
}

void program_build(Program *program) {
  end(program, &program->next);
  const bool is_started = start(program->options, &program->next);
  if (!is_started) say(program, strerror(errno));
  enter(program, is_started ? PHASE_BUILDING : PHASE_BROKEN);
}

ProgramView program_see(const Program *program) {
  return (ProgramView){program->phase, program->version, program->n_builds,
                       program->said ? program->said : "", program->description};
}

/* The new program has sent its description, and replaces the old one. */
static void replace(Program *program, json_t *description) {
  end(program, &program->now);
  program->now = program->next;
  program->next = (Process){0};
  json_decref(program->description);
  program->description = description;
  program->n_builds++;
  say(program, program->now.said);
  enter(program, PHASE_READY);
}

static void give_up(Program *program, Process *process, const char *what) {
  listen_to(process);
  say(program, process->n_said > 0 ? process->said : what);
  end(program, process);
  enter(program, PHASE_BROKEN);
}

static void hear_next(Program *program) {
  static char bytes[MOST_DESCRIPTION];
  const ssize_t n = recv(program->next.control, bytes, sizeof bytes, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  json_t *description = n > 0 ? json_loadb(bytes, (size_t)n, 0, NULL) : NULL;
  listen_to(&program->next);
  if (description) replace(program, description);
  else give_up(program, &program->next, "the compiler ended without a message");
}

/* ---- waiting --------------------------------------------------------------------------------- */

size_t program_watch(const Program *program, struct pollfd fds[PROGRAM_FDS]) {
  const Process *both[] = {&program->now, &program->next};
  size_t n = 0;
  for (int k = 0; k < 2; k++) {
    if (both[k]->pid == 0) continue;
    fds[n++] = (struct pollfd){.fd = both[k]->output, .events = POLLIN};
    fds[n++] = (struct pollfd){.fd = both[k]->control, .events = POLLIN};
  }
  return n;
}

static bool is_ready(const struct pollfd *fds, size_t n, int fd) {
  for (size_t k = 0; k < n; k++)
    if (fds[k].fd == fd) return fds[k].revents != 0;
  return false;
}

bool program_advance(Program *program, const struct pollfd fds[PROGRAM_FDS], size_t n) {
  const json_int_t version = program->version;
  Process *now = &program->now, *next = &program->next;
  if (now->pid && is_ready(fds, n, now->output) && listen_to(now)) {
    say(program, now->said);
    program->version++;
  }
  if (now->pid && is_ready(fds, n, now->control)) /* it sends nothing more: it has ended */
    give_up(program, now, "the program has ended");
  if (next->pid && is_ready(fds, n, next->output)) listen_to(next);
  if (next->pid && is_ready(fds, n, next->control)) hear_next(program);
  return program->version != version;
}

/* ---- orders ---------------------------------------------------------------------------------- */

static bool send_order(int control, const Order *order, int wire) {
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } space = {0};
  struct iovec part = {order->message, order->n_bytes};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = space.bytes,
                           .msg_controllen = sizeof space.bytes};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof wire);
  memcpy(CMSG_DATA(head), &wire, sizeof wire);
  return sendmsg(control, &message, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

int program_order(Program *program, const Order *order) {
  int wire[2];
  if (program->now.pid == 0) return -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wire) != 0) return -1;
  fcntl(wire[0], F_SETFL, O_NONBLOCK);
  const bool is_sent = send_order(program->now.control, order, wire[1]);
  close(wire[1]);
  if (is_sent) return wire[0];
  close(wire[0]);
  return -1;
}

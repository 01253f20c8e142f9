/* viewed.c: a program that `diderotc view` runs again and again: it takes orders, and makes a copy
 * of itself for each, which has the images already.
 *
 * An order is a message with a socket, the wire of the run.  If the view closes it, the process of
 * the run is killed; when the orders end, the program ends. Read next: run.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local.h"
#include "runtime/src/files/mapping.h"

enum { MAX_RUNS = 8, MAX_MESSAGE = 1 << 17 };

typedef struct Run {
  pid_t process; /* 0: none */
  int wire;      /* -1: the process was killed, but is not reaped yet */
} Run;

typedef struct Runs {
  Run each[MAX_RUNS];
} Runs;

/* --- orders ----------------------------------------------------------------------------------- */

static OrderMode mode_of(const char *word) {
  if (strcmp(word, "trace") == 0) return ORDER_TRACE;
  return strcmp(word, "play") == 0 ? ORDER_PLAY : ORDER_END;
}

/* n bytes, the last of which is 0: THINNING, end, play, or trace and a strand, then fields. */
static bool read_order(char *bytes, size_t n, Order *order) {
  size_t n_words = 0;
  for (size_t k = 0; k < n; k++) n_words += bytes[k] == '\0';
  if (n_words < 2 || bytes[n - 1] != '\0') return false;
  const char **words = calloc(n_words, sizeof *words);
  if (!words) return false;
  for (size_t k = 0; k < n_words; k++, bytes += strlen(bytes) + 1) words[k] = bytes;
  const OrderMode mode = mode_of(words[1]);
  const size_t n_first = mode == ORDER_TRACE && n_words > 2 ? 3 : 2;
  *order = (Order){
      .thinning = (uint32_t)strtoul(words[0], NULL, 10),
      .mode = mode,
      .strand = n_first == 3 ? words[2] : "",
      .fields = words,
      .n_fields = n_words - n_first,
      .wire = order->wire,
  };
  memmove(words, words + n_first, order->n_fields * sizeof *words);
  return true;
}

/* A message and its socket; the number of bytes, or 0 when there are no more. */
static size_t receive(int from, char *bytes, int *wire) {
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control = {0};
  struct iovec part = {bytes, MAX_MESSAGE};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  *wire = -1;
  ssize_t n;
  while ((n = recvmsg(from, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  const struct cmsghdr *head = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head && head->cmsg_type == SCM_RIGHTS) memcpy(wire, CMSG_DATA(head), sizeof *wire);
  return n > 0 ? (size_t)n : 0;
}

/* --- runs ------------------------------------------------------------------------------------- */

static void end_run(Run *run) {
  if (run->process == 0 || run->wire < 0) return;
  kill(run->process, SIGKILL);
  close(run->wire);
  run->wire = -1;
}

static void say_signal(int wire, int number) {
  struct pollfd room = {.fd = wire, .events = POLLOUT};
  if (wire < 0 || poll(&room, 1, 0) != 1 || !(room.revents & POLLOUT)) return;
  char *text = ddr_format("the program ended by signal %d: %s", number, strsignal(number));
  frame_text(wire, "error", "", text ? text : "the program ended by a signal");
  free(text);
}

/* Reaps the processes that have ended. If a signal ended a run that was not killed here, its wire
 * is told, unless it is full. */
static void reap(Runs *runs) {
  int status;
  for (Run *run = runs->each; run < runs->each + MAX_RUNS; run++) {
    if (run->process == 0 || waitpid(run->process, &status, WNOHANG) != run->process) continue;
    if (WIFSIGNALED(status)) say_signal(run->wire, WTERMSIG(status));
    if (run->wire >= 0) close(run->wire);
    *run = (Run){0};
  }
}

/* Room for a run. If there is none, the oldest run is ended: the client looks at the latest. */
static Run *room(Runs *runs) {
  Run *free_room = NULL;
  for (int k = 0; k < MAX_RUNS && !free_room; k++)
    if (runs->each[k].process == 0) free_room = &runs->each[k];
  if (free_room) return free_room;
  int status;
  end_run(&runs->each[0]);
  waitpid(runs->each[0].process, &status, 0);
  memmove(runs->each, runs->each + 1, (MAX_RUNS - 1) * sizeof *runs->each);
  runs->each[MAX_RUNS - 1] = (Run){0};
  return &runs->each[MAX_RUNS - 1];
}

/* Closes the wires of other runs in this process, as a wire ends only when all its copies are
 * closed. */
static void be_run(Viewed *viewed, const Runs *runs, const Order *order, int orders,
                   const sigset_t *signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, signals, NULL);
  close(orders);
  for (const Run *run = runs->each; run < runs->each + MAX_RUNS; run++)
    if (run->process != 0 && run->wire >= 0) close(run->wire);
  viewed_run(viewed, order);
  _exit(EXIT_SUCCESS); /* nothing of the copy needs to be cleaned up */
}

static void start(Viewed *viewed, Runs *runs, const Order *order, int orders,
                  const sigset_t *signals) {
  const char *missing;
  if (!viewed_load_images(viewed, order, &missing)) {
    char *errors = ddr_take_errors(viewed->world);
    frame_text(order->wire, "missing", missing, errors ? errors : "");
    free(errors);
    close(order->wire);
    return;
  }
  Run *run = room(runs);
  const pid_t process = fork();
  if (process == 0) be_run(viewed, runs, order, orders, signals);
  if (process > 0) {
    *run = (Run){process, order->wire};
    return;
  }
  frame_text(order->wire, "error", "", strerror(errno));
  close(order->wire);
}

/* False: there are no more orders. */
static bool obey(Viewed *viewed, Runs *runs, int orders, const sigset_t *signals) {
  static char bytes[MAX_MESSAGE];
  Order order = {0};
  const size_t n = receive(orders, bytes, &order.wire);
  if (n == 0) return false;
  if (order.wire < 0) return true;
  if (read_order(bytes, n, &order)) start(viewed, runs, &order, orders, signals);
  else close(order.wire);
  free(order.fields);
  return true;
}

/* Runs end when their wire is closed at the other end. */
static void serve(Viewed *viewed, int orders) {
  Runs runs = {0};
  sigset_t child, signals;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &signals); /* it comes while ppoll waits */
  for (bool goes_on = true; goes_on;) {
    struct pollfd polled[MAX_RUNS + 1];
    polled[MAX_RUNS] = (struct pollfd){.fd = orders, .events = POLLIN};
    for (int k = 0; k < MAX_RUNS; k++)
      polled[k] =
          (struct pollfd){.fd = runs.each[k].process ? runs.each[k].wire : -1, .events = POLLRDHUP};
    const int n = ppoll(polled, MAX_RUNS + 1, NULL, &signals);
    for (int k = 0; k < MAX_RUNS && n > 0; k++)
      if (polled[k].revents & (POLLHUP | POLLRDHUP | POLLERR)) end_run(&runs.each[k]);
    reap(&runs);
    if (n > 0 && polled[MAX_RUNS].revents) goes_on = obey(viewed, &runs, orders, &signals);
  }
  for (Run *run = runs.each; run < runs.each + MAX_RUNS; run++) end_run(run);
}

static void on_child(int signal) { (void)signal; }

/* --- the process ------------------------------------------------------------------------------ */

static int fail(Viewed *viewed, const char *why) {
  fprintf(stderr, "Error: %s\n", why);
  ddr_world_free(viewed->world);
  return EXIT_FAILURE;
}

static int serve_world(Viewed *viewed, int wire) {
  char *text = viewed_describe(viewed);
  viewed->files = calloc(viewed->world->program->n_inputs + 1U, sizeof *viewed->files);
  const bool is_told = text && viewed->files && send(wire, text, strlen(text), MSG_NOSIGNAL) > 0;
  free(text);
  if (is_told) serve(viewed, wire);
  for (uint32_t k = 0; viewed->files && k < viewed->world->program->n_inputs; k++)
    free(viewed->files[k]);
  free(viewed->files);
  ddr_settings_clear(&viewed->settings);
  if (!is_told) return fail(viewed, "this program can only be started by diderotc view");
  ddr_world_free(viewed->world);
  return EXIT_SUCCESS;
}

int viewed_main(const ddr_program *program, int wire, int argc, char **argv) {
  const struct sigaction child = {.sa_handler = on_child, .sa_flags = SA_NOCLDSTOP};
  sigaction(SIGCHLD, &child, NULL);
  signal(SIGPIPE, SIG_IGN);
  ddr_mapping_guard();
  Viewed viewed = {.world = ddr_world_new(program)};
  if (!viewed.world || viewed.world->is_unfit)
    return fail(&viewed, "the program does not fit this machine, or memory is short");
  const ddr_option_result result =
      ddr_options_read_some(viewed.world, argc, argv, &viewed.settings, stderr);
  if (result == OPTIONS_RUN) return serve_world(&viewed, wire);
  ddr_settings_clear(&viewed.settings);
  ddr_world_free(viewed.world);
  return result == OPTIONS_HELP ? EXIT_SUCCESS : EXIT_FAILURE;
}

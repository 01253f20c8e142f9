/* Server: one loop that waits for requests, the program, its file and signals. Next: answers.c,
 * program.c.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frontend/base/file.h"
#include "frontend/view/server_local.h"

enum {
  SECONDS_OF_SILENCE = 30,
  BYTES_PER_CONNECTION = 1 << 18,
  MOST_FDS = 2 * MOST_CONNECTIONS + 2 * PROGRAM_FDS + 3
};

static int fail(const char *what, const char *why) {
  fprintf(stderr, "Error: diderotc view: %s%s%s\n", what, why ? ": " : "", why ? why : "");
  return 1;
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* A socket that listens to this machine only. *port 0: any free port, which is returned there. -1:
 * errno says why. */
static int listen_here(unsigned *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
  if (fd < 0) return -1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, MOST_CONNECTIONS) == 0 &&
      getsockname(fd, (struct sockaddr *)&address, &size) == 0) {
    *port = ntohs(address.sin_port);
    return fd;
  }
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

static bool start_daemon(Server *server, int fd) {
  server->daemon = server->mhd->MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answers_take, server,
      MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, answers_end, server,
      MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
      (unsigned)SECONDS_OF_SILENCE, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      (size_t)BYTES_PER_CONNECTION, MHD_OPTION_END);
  return server->daemon != NULL;
}

/* A file that redirects to the address, readable by this user only. So the arguments of the
 * browser, which other users can see, do not have the token. NULL: it could not be made. */
static const char *make_doorway(Arena *a, const char *address) {
  const char *error, *folder = folder_private(a, NULL, &error);
  if (!folder) return NULL;
  const char *page = text_format(a,
                                 "<!DOCTYPE html><meta charset=\"utf-8\"><title>Diderot</title>"
                                 "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
                                 address);
  if (!file_write(a, text_format(a, "%s/view.html", folder), page)) return folder;
  folder_remove(a, folder);
  return NULL;
}

static void open_browser(Arena *a, const char *folder) {
  const char *page = text_format(a, "%s/view.html", folder);
  if (fork() != 0) return;
  const int nowhere = open("/dev/null", O_RDWR);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int fd = 0; fd <= 2; fd++) dup2(nowhere, fd);
  setsid();
  execlp("xdg-open", "xdg-open", page, (char *)NULL);
  _exit(127);
}

static bool has_desktop(void) {
  const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  return (x && *x) || (wayland && *wayland);
}

/* ---- waiting --------------------------------------------------------------------------------- */

typedef struct Waiting {
  struct pollfd fds[MOST_FDS]; /* three, those of programs, two for each connection */
  size_t n_program, n;
} Waiting;

enum { WAITS_REQUESTS, WAITS_FILE, WAITS_SIGNAL, WAITS_PROGRAM };

static int epoll_of(const Server *server) {
  const union MHD_DaemonInfo *info =
      server->mhd->MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static void prepare(const Server *server, int signals, Waiting *waiting) {
  struct pollfd *fds = waiting->fds;
  fds[WAITS_REQUESTS] = (struct pollfd){.fd = epoll_of(server), .events = POLLIN};
  fds[WAITS_FILE] = (struct pollfd){.fd = watch_fd(server->watch), .events = POLLIN};
  fds[WAITS_SIGNAL] = (struct pollfd){.fd = signals, .events = POLLIN};
  waiting->n_program = program_watch(server->program, fds + WAITS_PROGRAM);
  waiting->n_program += program_watch(server->tracer, fds + WAITS_PROGRAM + waiting->n_program);
  waiting->n = WAITS_PROGRAM + waiting->n_program;
  for (const Conn *conn = server->conns; conn && waiting->n + 2 <= MOST_FDS; conn = conn->next) {
    fds[waiting->n++] =
        (struct pollfd){.fd = conn->is_suspended ? conn->fd : -1, .events = POLLRDHUP};
    fds[waiting->n++] =
        (struct pollfd){.fd = conn->is_suspended ? conn->wire : -1, .events = POLLIN};
  }
}

/* Milliseconds until libmicrohttpd has a timeout; -1: it has none. */
static int patience(const Server *server) {
  MHD_UNSIGNED_LONG_LONG most;
  if (server->mhd->MHD_get_timeout(server->daemon, &most) != MHD_YES) return -1;
  return most < 60000 ? (int)most : 60000;
}

/* Ends the requests of clients that have gone, and continues those whose runs have output. */
static void wake_ready(Server *server, const Waiting *waiting) {
  size_t at = WAITS_PROGRAM + waiting->n_program;
  for (Conn *conn = server->conns; conn && at + 2 <= waiting->n; conn = conn->next, at += 2) {
    if (waiting->fds[at].revents) {
      conn->is_over = true;
      conn_end_run(conn);
      conn_wake(conn);
    } else if (waiting->fds[at + 1].revents) {
      conn_wake(conn);
    }
  }
}

static void wake_all_without_run(Server *server) {
  for (Conn *conn = server->conns; conn; conn = conn->next)
    if (conn->wire < 0) conn_wake(conn);
}

static void serve(Server *server, int signals) {
  for (;;) {
    Waiting waiting;
    prepare(server, signals, &waiting);
    if (poll(waiting.fds, waiting.n, patience(server)) < 0 && errno != EINTR) return;
    if (waiting.fds[WAITS_SIGNAL].revents) return;
    bool is_other =
        program_advance(server->program, waiting.fds + WAITS_PROGRAM, waiting.n_program);
    is_other |= program_advance(server->tracer, waiting.fds + WAITS_PROGRAM, waiting.n_program);
    wake_ready(server, &waiting);
    if (waiting.fds[WAITS_FILE].revents && watch_has_changed(server->watch)) {
      program_build(server->program);
      server->has_tracer = false;
      is_other = true;
    }
    if (is_other) wake_all_without_run(server);
    server->mhd->MHD_run(server->daemon);
  }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int block_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  signal(SIGPIPE, SIG_IGN);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

static void announce(Arena *a, const Server *server, unsigned port, const char **doorway) {
  const char *address = text_format(a, "http://127.0.0.1:%u/%s/", port, server->token);
  printf("%s\n", address);
  fflush(stdout);
  if (!server->options->opens_browser || !has_desktop()) return;
  *doorway = make_doorway(a, address);
  if (*doorway) open_browser(a, *doorway);
}

static int serve_at(Server *server, unsigned port) {
  const int fd = listen_here(&port);
  Arena *a = arena_new();
  const char *doorway = NULL;
  int status = 0;
  const int signals = block_signals();
  if (fd < 0) {
    status = fail(text_format(a, "cannot listen on port %u of 127.0.0.1", port), strerror(errno));
  } else if (signals < 0 || !token_make(server->token) || !start_daemon(server, fd)) {
    status = fail("cannot start a server", NULL);
    close(fd);
  } else {
    program_build(server->program);
    announce(a, server, port, &doorway);
    serve(server, signals);
    for (Conn *conn = server->conns; conn; conn = conn->next) {
      conn->is_over = true;
      conn_wake(conn);
    }
    server->mhd->MHD_stop_daemon(server->daemon);
  }
  if (doorway) folder_remove(a, doorway);
  arena_free(a);
  return status;
}

int view_serve(const ViewOptions *options) {
  const char *why = NULL;
  Server server = {.options = options, .mhd = mhd_load(&why)};
  if (!server.mhd) return fail(why, NULL);
  server.watch = watch_new(options->program, &why);
  if (!server.watch) return fail(options->program, why);
  server.of_tracer = *options;
  server.of_tracer.is_traced = true;
  server.program = program_new(options);
  server.tracer = program_new(&server.of_tracer);
  const int status = server.program && server.tracer ? serve_at(&server, options->port)
                                                     : fail("out of memory", NULL);
  program_free(server.program);
  program_free(server.tracer);
  watch_free(server.watch);
  return status;
}

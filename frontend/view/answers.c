/* Answers: the responses to requests. A request for the next state waits until there is one; a
 * request for a run gets its frames as they come.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frontend/base/file.h"
#include "frontend/view/server_local.h"

static const char type_text[] = "text/plain; charset=utf-8", type_json[] = "application/json";

void conn_wake(Conn *conn) {
  if (!conn->is_suspended) return;
  conn->is_suspended = false;
  conn->server->mhd->MHD_resume_connection(conn->connection);
}

void conn_end_run(Conn *conn) {
  if (conn->wire >= 0) close(conn->wire);
  conn->wire = -1;
}

static void wait(Conn *conn) {
  conn->is_suspended = true;
  conn->server->mhd->MHD_suspend_connection(conn->connection);
}

/* ---- responses ------------------------------------------------------------------------------- */

/* Headers that forbid other pages to use the response, and this page to contact other servers. */
static void add_headers(const Mhd *mhd, struct MHD_Response *response, const char *type) {
  static const char *const headers[][2] = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
       "connect-src 'self'; base-uri 'none'; form-action 'none'; "
       "frame-ancestors 'self' http://127.0.0.1:* http://localhost:*"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  mhd->MHD_add_response_header(response, "Content-Type", type);
  for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
    mhd->MHD_add_response_header(response, headers[k][0], headers[k][1]);
}

static enum MHD_Result queue(Conn *conn, unsigned status, struct MHD_Response *response,
                             const char *type) {
  const Mhd *mhd = conn->server->mhd;
  if (!response) return MHD_NO;
  add_headers(mhd, response, type);
  const enum MHD_Result is_queued = mhd->MHD_queue_response(conn->connection, status, response);
  mhd->MHD_destroy_response(response);
  return is_queued;
}

static enum MHD_Result answer(Conn *conn, unsigned status, const char *type, const char *bytes,
                              size_t n) {
  char *copy = malloc(n + 1);
  if (!copy) return MHD_NO;
  memcpy(copy, bytes, n);
  struct MHD_Response *response =
      conn->server->mhd->MHD_create_response_from_buffer(n, copy, MHD_RESPMEM_MUST_FREE);
  if (!response) free(copy);
  return queue(conn, status, response, type);
}

static enum MHD_Result answer_text(Conn *conn, unsigned status, const char *text) {
  return answer(conn, status, type_text, text, strlen(text));
}

static enum MHD_Result answer_json(Conn *conn, json_t *json) {
  char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
  json_decref(json);
  if (!text) return answer_text(conn, 500, "out of memory\n");
  const enum MHD_Result is_queued = answer(conn, 200, type_json, text, strlen(text));
  free(text);
  return is_queued;
}

static enum MHD_Result answer_refusal(Conn *conn, unsigned status) {
  static const struct {
    unsigned status;
    const char *text;
  } rows[] = {{403, "not from this page\n"},
              {404, "there is nothing here\n"},
              {405, "not by this method\n"},
              {413, "too long\n"},
              {414, "too long\n"}};
  const char *text = "not possible\n";
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].status == status) text = rows[k].text;
  return answer_text(conn, status, text);
}

/* ---- state and files ------------------------------------------------------------------------- */

/* Text as JSON; invalid UTF-8 becomes question marks. */
static json_t *any_text(Arena *a, const char *text) {
  json_t *string = json_string(text);
  if (string) return string;
  char *copy = arena_strdup(a, text, strlen(text));
  for (char *c = copy; *c; c++)
    if ((unsigned char)*c >= 0x80) *c = '?';
  return json_string(copy);
}

static json_t *texts(Arena *a, const char *const *words) {
  json_t *all = json_array();
  for (const char *const *word = words; *word; word++)
    json_array_append_new(all, any_text(a, *word));
  return all;
}

/* The command by which the view was started. */
static json_t *command_of(Arena *a, const ViewOptions *options) {
  return json_pack("{so so so so}", "program", any_text(a, options->program), "folder",
                   any_text(a, options->folder), "options", texts(a, options->options), "arguments",
                   texts(a, options->arguments));
}

static enum MHD_Result answer_state(Arena *a, Conn *conn, const Request *request) {
  static const char *const phases[] = {
      [PHASE_BUILDING] = "building", [PHASE_READY] = "ready", [PHASE_BROKEN] = "broken"};
  const ProgramView view = program_see(conn->server->program);
  const long long after = request->after ? strtoll(request->after, NULL, 10) : -1;
  if (after == view.version && !conn->is_over) {
    wait(conn);
    return MHD_YES;
  }
  json_t *state = json_pack("{sI ss sI}", "version", view.version, "phase", phases[view.phase],
                            "builds", view.n_builds);
  const char *file = conn->server->options->program;
  const char *slash = strrchr(file, '/');
  json_object_set_new(state, "file", any_text(a, slash ? slash + 1 : file));
  json_object_set_new(state, "command", command_of(a, conn->server->options));
  json_object_set_new(state, "said", any_text(a, view.said));
  json_t *description = json_deep_copy(view.description);
  json_object_set_new(state, "program", description ? description : json_null());
  return answer_json(conn, state);
}

static enum MHD_Result answer_source(Arena *a, Conn *conn) {
  const char *text, *error = file_read(a, conn->server->options->program, &text);
  return error ? answer_text(conn, 404, error) : answer_text(conn, 200, text);
}

static enum MHD_Result answer_asset(Conn *conn, const char *name) {
  const Asset *asset = asset_find(name);
  return answer(conn, 200, asset->type, (const char *)asset->bytes, asset->n_bytes);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static ssize_t read_frames(void *cls, uint64_t pos, char *buffer, size_t max) {
  (void)pos;
  Conn *conn = cls;
  if (conn->is_over || conn->wire < 0) return MHD_CONTENT_READER_END_OF_STREAM;
  const ssize_t n = recv(conn->wire, buffer, max, 0);
  if (n > 0) return n;
  if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
    conn_end_run(conn);
    return MHD_CONTENT_READER_END_OF_STREAM;
  }
  wait(conn);
  return 0;
}

/* Ends the earlier runs of a page: it only shows its last one. */
static void end_others(const Conn *conn, const char *page) {
  for (Conn *other = conn->server->conns; other; other = other->next) {
    if (other == conn || !other->is_run || strcmp(other->page, page) != 0) continue;
    conn_end_run(other);
    other->is_over = true;
    conn_wake(other);
  }
}

/* The program for an order. NULL with *why set: there is none, but the next order tries again; NULL
 * with *why NULL: not ready yet. */
static Program *find_program(Server *server, const Order *order, const char **why) {
  *why = NULL;
  if (!order->is_trace) return server->program;
  if (!server->has_tracer) program_build(server->tracer);
  const ProgramView view = program_see(server->tracer);
  server->has_tracer = view.phase != PHASE_BROKEN;
  if (view.phase == PHASE_READY) return server->tracer;
  if (view.phase == PHASE_BROKEN) *why = view.said;
  return NULL;
}

static enum MHD_Result answer_run(Arena *a, Conn *conn, const Request *request) {
  Server *server = conn->server;
  const ProgramView view = program_see(server->program);
  Order order = {0};
  if (!view.description) return answer_text(conn, 409, "there is no program yet\n");
  const char *wrong = order_read(a, server->options->folder, view.description, request, &order);
  if (wrong) return answer_text(conn, 400, wrong);
  if (conn->is_over) return answer_text(conn, 409, "out of date\n");
  end_others(conn, order.page);
  strncpy(conn->page, order.page, sizeof conn->page - 1);
  conn->run = order.run;
  conn->is_run = true;
  Program *program = find_program(server, &order, &wrong);
  if (wrong) return answer_text(conn, 409, wrong);
  if (!program) {
    wait(conn);
    return MHD_YES;
  }
  conn->wire = program_order(program, &order);
  if (conn->wire < 0) return answer_text(conn, 409, "the program has ended\n");
  struct MHD_Response *frames = server->mhd->MHD_create_response_from_callback(
      MHD_SIZE_UNKNOWN, MOST_BODY_PART, read_frames, conn, NULL);
  return queue(conn, 200, frames, "application/octet-stream");
}

static enum MHD_Result answer_step(Arena *a, Conn *conn, const Request *request) {
  Order order = {0};
  char letter = 's';
  const char *wrong = order_read_letter(a, request, &order, &letter);
  if (wrong) return answer_text(conn, 400, wrong);
  for (const Conn *other = conn->server->conns; other; other = other->next) {
    if (other->wire < 0 || other->run != order.run || strcmp(other->page, order.page) != 0)
      continue;
    const bool is_sent = send(other->wire, &letter, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
    return answer_text(conn, is_sent ? 200 : 409, "");
  }
  return answer_text(conn, 409, "there is no such run\n");
}

/* ---- requests -------------------------------------------------------------------------------- */

static enum MHD_Result answer_route(Arena *a, Conn *conn, const Request *request, Route route,
                                    const char *name) {
  switch (route) {
  case ROUTE_STATE: return answer_state(a, conn, request);
  case ROUTE_SOURCE: return answer_source(a, conn);
  case ROUTE_FILES:
    return answer_json(conn, files_complete(a, conn->server->options->folder,
                                            request->under ? request->under : ""));
  case ROUTE_RUN: return answer_run(a, conn, request);
  case ROUTE_STEP: return answer_step(a, conn, request);
  case ROUTE_PAGE: return answer_asset(conn, name);
  case ROUTE_REFUSED: break;
  }
  return MHD_NO;
}

static Request request_of(const Conn *conn, const char *path, const char *method) {
  const Mhd *mhd = conn->server->mhd;
  struct MHD_Connection *c = conn->connection;
  return (Request){
      .method = method,
      .path = path,
      .host = mhd->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host"),
      .origin = mhd->MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin"),
      .after = mhd->MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "after"),
      .under = mhd->MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "under"),
      .body = conn->body,
      .n_body = conn->n_body,
  };
}

static Conn *conn_new(Server *server, struct MHD_Connection *connection) {
  Conn *conn = calloc(1, sizeof *conn);
  if (!conn) return NULL;
  const union MHD_ConnectionInfo *info =
      server->mhd->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  *conn = (Conn){.next = server->conns, .server = server, .connection = connection, .wire = -1};
  conn->fd = info ? info->connect_fd : -1;
  server->conns = conn;
  return conn;
}

/* Refuses bad requests before their body is read. */
static enum MHD_Result begin(Server *server, struct MHD_Connection *connection, const char *path,
                             const char *method, void **cls) {
  Conn *conn = conn_new(server, connection);
  unsigned status;
  const char *name;
  if (!conn) return MHD_NO;
  *cls = conn;
  Request request = request_of(conn, path, method);
  const char *length =
      server->mhd->MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
  if (length) request.n_body = strtoull(length, NULL, 10);
  if (request_route(server->token, &request, &status, &name) != ROUTE_REFUSED) return MHD_YES;
  return answer_refusal(conn, status);
}

/* Adds a part of the body; false: the body is too large. */
static bool take_part(Conn *conn, const char *part, size_t n) {
  if (n > MAX_BODY - conn->n_body) return false;
  char *body = realloc(conn->body, conn->n_body + n);
  if (!body) return false;
  memcpy(body + conn->n_body, part, n);
  conn->body = body;
  conn->n_body += n;
  return true;
}

enum MHD_Result answers_take(void *server, struct MHD_Connection *connection, const char *path,
                             const char *method, const char *version, const char *part,
                             size_t *n_part, void **conn) {
  (void)version;
  Server *view = server;
  Conn *its = *conn;
  unsigned status;
  const char *name = NULL;
  if (!its) return begin(view, connection, path, method, conn);
  if (*n_part > 0) {
    const bool is_taken = take_part(its, part, *n_part);
    *n_part = 0;
    return is_taken ? MHD_YES : MHD_NO;
  }
  const Request request = request_of(its, path, method);
  const Route route = request_route(view->token, &request, &status, &name);
  if (route == ROUTE_REFUSED) return answer_refusal(its, status);
  Arena *a = arena_new();
  const enum MHD_Result is_queued = answer_route(a, its, &request, route, name);
  arena_free(a);
  return is_queued;
}

void answers_end(void *server, struct MHD_Connection *connection, void **conn,
                 enum MHD_RequestTerminationCode why) {
  (void)connection;
  (void)why;
  Server *view = server;
  Conn *its = *conn;
  if (!its) return;
  Conn **at = &view->conns;
  while (*at && *at != its) at = &(*at)->next;
  if (*at) *at = its->next;
  conn_end_run(its);
  free(its->body);
  free(its);
  *conn = NULL;
}

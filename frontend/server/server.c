/* Server: making and freeing it, and the stream of messages: lines of a header, an empty line, and
 * as many bytes of JSON as the header says.
 */
#include "frontend/server/server.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/server/local.h"

enum { MAX_HEADER = 4096, FIRST_CAP = 4096 };

static const char header_end[] = "\r\n\r\n";

Server *server_new(ServerOut out, CheckHost host) {
  Arena *arena = arena_new();
  Server *server = NEW(arena, Server);
  server->arena = arena;
  server->out = out;
  server->status = -1;
  server->place = NEW(arena, PlaceCache);
  server->images = images_new(arena, host);
  server->input_arena = arena_new();
  return server;
}

void server_free(Server *server) {
  if (!server) return;
  close_documents(server);
  images_free(server->images);
  arena_free(server->input_arena);
  arena_free(server->arena); /* holds the server itself */
}

int server_status(const Server *server) { return server->status; }

void send_message(Server *server, json_t *message) {
  char *text = json_dumps(message, JSON_COMPACT);
  json_decref(message);
  if (!text) return;
  const size_t len = strlen(text);
  char header[64];
  const int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", len);
  server->out.write(server->out.state, header, (size_t)n);
  server->out.write(server->out.state, text, len);
  free(text);
}

/* ---- the stream ----------------------------------------------------------------------------- */

/* Makes room for n more bytes; memory of bytes that were taken is reused. */
static void make_room(Server *server, size_t n) {
  if (server->n_input + n <= server->input_cap) return;
  Arena *old = server->input_arena;
  size_t cap = FIRST_CAP;
  while (cap < server->n_input + n) cap *= 2;
  server->input_arena = arena_new();
  char *input = arena_alloc(server->input_arena, cap);
  if (server->n_input > 0) memcpy(input, server->input, server->n_input);
  server->input = input;
  server->input_cap = cap;
  arena_free(old);
}

static void drop(Server *server, size_t n) {
  if (n == 0) return; /* moving what is behind it may be expensive */
  server->n_input -= n;
  memmove(server->input, server->input + n, server->n_input);
}

static const char *find_bytes(const char *text, size_t len, const char *word) {
  const size_t n = strlen(word);
  for (size_t i = 0; i + n <= len; i++)
    if (memcmp(text + i, word, n) == 0) return text + i;
  return NULL;
}

/* The text behind "Content-Length", in any case of letters; NULL if the line has another name. */
static const char *behind_name(const char *line, const char *end) {
  static const char small[] = "content-length:", large[] = "CONTENT-LENGTH:";
  for (size_t i = 0; i < sizeof small - 1; i++, line++)
    if (line == end || (*line != small[i] && *line != large[i])) return NULL;
  return line;
}

/* The length that a header of n bytes gives; false when it gives none. */
static bool read_length(const char *header, size_t n, size_t *length) {
  for (const char *line = header, *end = header + n; line < end;) {
    const char *stop = find_bytes(line, (size_t)(end - line), "\r\n");
    if (!stop) stop = end;
    const char *at = behind_name(line, stop);
    if (at) {
      size_t value = 0, n_digits = 0;
      while (at < stop && *at == ' ') at++;
      for (; at < stop && *at >= '0' && *at <= '9' && n_digits < 12; at++, n_digits++)
        value = value * 10 + (size_t)(*at - '0');
      *length = value;
      return n_digits > 0 && at == stop;
    }
    line = stop + 2;
  }
  return false;
}

static void refuse_header(Server *server) {
  send_error(server, NULL, ERROR_PARSE, "expected a header with Content-Length and an empty line");
}

/* Skips to the next header; returns where its message begins, or 0 if more bytes are needed. */
static size_t next_header(Server *server, size_t *length) {
  for (;;) {
    const size_t n_seen = server->n_input < MAX_HEADER ? server->n_input : MAX_HEADER;
    const char *end = find_bytes(server->input, n_seen, header_end);
    if (!end && server->n_input < MAX_HEADER) return 0;
    const size_t n = end ? (size_t)(end - server->input) : n_seen - strlen(header_end);
    if (end && read_length(server->input, n, length)) return n + strlen(header_end);
    refuse_header(server);
    drop(server, end ? n + strlen(header_end) : n);
  }
}

static void skip_message(Server *server, size_t begin, size_t length) {
  send_error(server, NULL, ERROR_REQUEST, "message is larger than 8 MiB");
  drop(server, begin);
  server->n_skipped = length;
}

static void add_message(Server *server, json_t *messages, const char *text, size_t length) {
  json_error_t error;
  json_t *message = json_loadb(text, length, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
  if (message) json_array_append_new(messages, message);
  else send_error(server, NULL, ERROR_PARSE, error.text);
}

/* Takes one message; false if more bytes are needed. */
static bool take_message(Server *server, json_t *messages) {
  const size_t n = server->n_skipped < server->n_input ? server->n_skipped : server->n_input;
  size_t length;
  drop(server, n);
  server->n_skipped -= n;
  const size_t begin =
      server->n_skipped > 0 || server->n_input == 0 ? 0 : next_header(server, &length);
  if (begin == 0) return false;
  if (length > MAX_MESSAGE) {
    skip_message(server, begin, length);
    return true;
  }
  if (server->n_input - begin < length) {
    make_room(server, length);
    return false;
  }
  add_message(server, messages, server->input + begin, length);
  drop(server, begin + length);
  return true;
}

void server_take(Server *server, const char *bytes, size_t n) {
  json_t *messages = json_array();
  make_room(server, n);
  memcpy(server->input + server->n_input, bytes, n);
  server->n_input += n;
  while (take_message(server, messages)) continue;
  take_messages(server, messages);
}

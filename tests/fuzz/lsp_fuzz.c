/* Fuzz target: a session of the language server. Lines of `--` part the input: what begins with {
 * is a message, what begins with C bytes as they come, and all else the text of a document that is
 * opened, changed and asked about at places that depend on it.
 *
 * What must hold: what comes out are whole messages of JSON-RPC; each request is answered once; the
 * compiler has no fault. Next: frontend/server/server.h.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Session {
  Server *server;
  Arena *arena;
  Text out;
  json_int_t last_id; /* of the requests made here */
  json_int_t n_answers;
  bool is_broken; /* bytes have come that may wait for others */
} Session;

/* Other requests have smaller ones. */
static const json_int_t FIRST_ID = (json_int_t)1 << 52;

static void find(const char *what, const char *text) {
  fprintf(stderr, "%s: %.300s\n", what, text);
  abort();
}

/* ---- what comes out ------------------------------------------------------------------------- */

static void see_message(Session *session, const json_t *message, const char *text) {
  const json_t *id = json_object_get(message, "id"), *error = json_object_get(message, "error");
  const char *version = json_string_value(json_object_get(message, "jsonrpc"));
  if (!version || strcmp(version, "2.0") != 0) find("no message of JSON-RPC", text);
  if (strstr(text, "the compiler has a fault")) find("a fault", text);
  if (json_is_integer(id) && json_integer_value(id) > FIRST_ID) session->n_answers++;
  if (error && !json_is_integer(json_object_get(error, "code")))
    find("an error without a code", text);
}

static void see_messages(Session *session) {
  const char *at = text_str(&session->out), *end = at + session->out.len;
  while (at < end) {
    char *body;
    static const char header[] = "Content-Length: ";
    if (strncmp(at, header, sizeof header - 1) != 0) find("no header", at);
    const unsigned long len = strtoul(at + sizeof header - 1, &body, 10);
    if (strncmp(body, "\r\n\r\n", 4) != 0 || len > (size_t)(end - body) - 4) find("no length", at);
    json_t *message = json_loadb(body + 4, len, 0, NULL);
    if (!message) find("no JSON", body + 4);
    see_message(session, message, arena_strdup(session->arena, body + 4, len));
    json_decref(message);
    at = body + 4 + len;
  }
  session->out = text_new(session->arena);
}

static void write_out(void *state, const char *bytes, size_t n) {
  text_add_n(&((Session *)state)->out, bytes, n);
}

/* ---- what goes in --------------------------------------------------------------------------- */

static void send_bytes(Session *session, const char *text, size_t len) {
  const char *header = text_format(session->arena, "Content-Length: %zu\r\n\r\n", len);
  server_take(session->server, header, strlen(header));
  server_take(session->server, text, len);
}

static void send_json(Session *session, json_t *message) {
  char *text = message ? json_dumps(message, 0) : NULL;
  json_decref(message);
  if (text) send_bytes(session, text, strlen(text));
  free(text);
}

static void ask(Session *session, const char *method, json_t *params) {
  send_json(session, json_pack("{s:s, s:I, s:s, s:o}", "jsonrpc", "2.0", "id", ++session->last_id,
                               "method", method, "params", params));
}

static void tell(Session *session, const char *method, json_t *params) {
  send_json(session,
            json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

static json_t *place(uint32_t line, uint32_t character) {
  return json_pack("{s:i, s:i}", "line", (int)line, "character", (int)character);
}

static json_t *about(uint32_t line, uint32_t character) {
  return json_pack("{s:{s:s}, s:o, s:s, s:{}, s:{s:[], s:b}, s:{s:o, s:o}}", "textDocument", "uri",
                   "file:///a", "position", place(line, character), "newName", "ω1", "options",
                   "context", "diagnostics", "includeDeclaration", 1, "range", "start", place(0, 0),
                   "end", place(line, character));
}

static void ask_all(Session *session, uint32_t line, uint32_t character) {
  static const char *const methods[] = {
      "hover",          "definition",    "references",          "documentHighlight",
      "rename",         "prepareRename", "signatureHelp",       "completion",
      "documentSymbol", "foldingRange",  "semanticTokens/full", "inlayHint",
      "formatting",     "codeAction",    "diagnostic"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    ask(session, text_format(session->arena, "textDocument/%s", methods[i]),
        about(line, character));
}

/* Replaces a line by the text. */
static void change(Session *session, uint32_t line, const char *text, size_t len) {
  json_t *string = json_stringn(text, len);
  if (!string) return;
  tell(session, "textDocument/didChange",
       json_pack("{s:{s:s, s:i}, s:[{s:{s:o, s:o}, s:o}]}", "textDocument", "uri", "file:///a",
                 "version", 2, "contentChanges", "range", "start", place(line, 0), "end",
                 place(line + 1, 0), "text", string));
}

static void edit_document(Session *session, const char *text, size_t len) {
  json_t *string = json_stringn(text, len);
  uint32_t n_lines = 1, sum = 0;
  for (size_t i = 0; i < len; i++) {
    n_lines += text[i] == '\n';
    sum = sum * 31 + (unsigned char)text[i];
  }
  if (!string) return;
  tell(session, "textDocument/didOpen",
       json_pack("{s:{s:s, s:s, s:i, s:o}}", "textDocument", "uri", "file:///a", "languageId",
                 "diderot", "version", 1, "text", string));
  ask_all(session, sum % n_lines, sum / n_lines % 40);
  ask_all(session, sum / 7 % n_lines, sum / 3 % 20);
  change(session, sum % n_lines, text, len / 2);
  ask_all(session, sum / 5 % n_lines, sum / 11 % 60);
}

static void take_part(Session *session, const char *text, size_t len) {
  if (len > 0 && *text == '{') send_bytes(session, text, len);
  else if (len > 0 && *text == 'C') {
    session->is_broken = true;
    server_take(session->server, text, len);
  } else edit_document(session, text, len);
  see_messages(session);
}

static void take_parts(Session *session, const char *text, size_t size) {
  static const char line[] = "\n--\n";
  size_t start = 0;
  for (size_t i = 0; i + 4 <= size; i++) {
    if (memcmp(text + i, line, 4) != 0) continue;
    take_part(session, text + start, i - start);
    start = i + 4;
  }
  take_part(session, text + start, size - start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Session session = {.arena = arena_new(), .last_id = FIRST_ID};
  session.out = text_new(session.arena);
  session.server = server_new((ServerOut){&session, write_out}, (CheckHost){0});
  ask(&session, "initialize", json_object());
  take_parts(&session, (const char *)data, size);
  const bool is_whole = !session.is_broken && server_status(session.server) < 0;
  if (is_whole && session.n_answers != session.last_id - FIRST_ID)
    find("a request without an answer", "");
  server_free(session.server);
  arena_free(session.arena);
  return 0;
}

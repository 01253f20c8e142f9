/* Dispatch: looks up the method of a message in methods.def, finds what it needs, and answers. */
#include <string.h>

#include "frontend/server/local.h"

typedef enum { REQUEST, NOTICE } MethodKind;
typedef enum { NOTHING, DOCUMENT, POSITION } MethodNeeds;

typedef struct Method {
  const char *name;
  void (*handle)(Request *request);
  MethodKind kind;
  MethodNeeds needs;
} Method;

static const Method methods[] = {
#define METHOD(name, function, kind, needs, capability, options)                                   \
  {name, handle_##function, kind, needs},
#include "frontend/server/methods.def"
};
enum { N_METHODS = sizeof methods / sizeof *methods };

void handle_nothing(Request *request) { (void)request; }

void request_fail(Request *request, ErrorCode error, const char *reason) {
  request->error = error;
  request->reason = reason;
}

const Analysis *request_analysis(Request *request) {
  return document_analysis(request->server, request->document);
}

/* ---- what goes out -------------------------------------------------------------------------- */

void send_error(Server *server, json_t *id, ErrorCode error, const char *reason) {
  json_t *named = id ? json_incref(id) : json_null();
  send_message(server, json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", named, "error",
                                 "code", (int)error, "message", reason));
}

void send_notice(Server *server, const char *method, json_t *params) {
  send_message(server,
               json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

static void answer(Request *request, json_t *id) {
  json_t *result = request->result ? request->result : json_null();
  if (request->reason) {
    json_decref(result);
    send_error(request->server, id, request->error, request->reason);
    return;
  }
  send_message(request->server,
               json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

/* ---- what a method needs -------------------------------------------------------------------- */

static const Method *find_method(const char *name) {
  for (int i = 0; i < N_METHODS; i++)
    if (strcmp(methods[i].name, name) == 0) return &methods[i];
  return NULL;
}

/* Why a message is not allowed in the present state of the server, or NULL. */
static const char *wrong_state(const Server *server, const char *name, ErrorCode *error) {
  const bool is_first = strcmp(name, "initialize") == 0;
  *error = ERROR_REQUEST;
  if (server->state == STATE_SHUT_DOWN) return "the server is shut down";
  if (server->state == STATE_RUNNING) return is_first ? "the server is initialized already" : NULL;
  *error = ERROR_NOT_INITIALIZED;
  return is_first ? NULL : "the server is not initialized";
}

static const char *find_needed(Request *request, MethodNeeds needs) {
  if (needs == NOTHING) return NULL;
  const json_t *document = json_object_get(request->params, "textDocument");
  const json_t *uri = json_object_get(document, "uri");
  if (!json_is_string(uri)) return "expected textDocument.uri, a string";
  request->document = find_document(request->server, json_string_value(uri));
  if (!request->document) return "no document of this URI is open";
  if (needs == DOCUMENT) return NULL;
  const json_t *position = json_object_get(request->params, "position");
  const bool is_inside =
      find_offset(request->server, request->document->source, position, &request->offset);
  return is_inside ? NULL : "position is not in the document";
}

static void run_method(Server *server, const Method *method, const json_t *params, json_t *id) {
  Request request = {.server = server, .params = params, .arena = arena_new()};
  ErrorCode error = ERROR_PARAMS;
  const char *wrong =
      strcmp(method->name, "exit") == 0 ? NULL : wrong_state(server, method->name, &error);
  if (!wrong) {
    error = ERROR_PARAMS;
    wrong = find_needed(&request, method->needs);
  }
  if (wrong) request_fail(&request, error, wrong);
  else method->handle(&request);
  if (id) answer(&request, id);
  else json_decref(request.result);
  arena_free(request.arena);
}

/* ---- what comes in -------------------------------------------------------------------------- */

static bool is_id(const json_t *id) { return json_is_integer(id) || json_is_string(id); }

static void take_message(Server *server, const json_t *message) {
  json_t *id = json_object_get(message, "id");
  const json_t *name = json_object_get(message, "method");
  const json_t *params = json_object_get(message, "params");
  const bool is_answer = json_object_get(message, "result") || json_object_get(message, "error");
  if (!name && is_answer) return; /* the server has asked nothing */
  const bool is_good =
      json_is_string(name) && (!id || is_id(id)) &&
      (!params || json_is_object(params) || json_is_array(params) || json_is_null(params));
  if (!is_good) {
    send_error(server, is_id(id) ? id : NULL, ERROR_REQUEST, "not a JSON-RPC 2.0 request");
    return;
  }
  const Method *method = find_method(json_string_value(name));
  if (method && (method->kind == REQUEST) == (id != NULL)) run_method(server, method, params, id);
  else if (id) send_error(server, id, ERROR_METHOD, "unknown method");
}

static const json_t *cancelled_id(const json_t *message) {
  const json_t *name = json_object_get(message, "method");
  if (!json_is_string(name) || strcmp(json_string_value(name), "$/cancelRequest") != 0) return NULL;
  return json_object_get(json_object_get(message, "params"), "id");
}

/* Whether a later message cancels the request. */
static bool is_cancelled(const json_t *cancels, const json_t *message, size_t i) {
  const json_t *id = json_object_get(message, "id");
  size_t k;
  json_t *cancel;
  if (!is_id(id) || !json_object_get(message, "method")) return false;
  json_array_foreach(cancels, k, cancel) {
    const bool is_later = (size_t)json_integer_value(json_array_get(cancel, 0)) > i;
    if (is_later && json_equal(json_array_get(cancel, 1), id)) return true;
  }
  return false;
}

static json_t *find_cancels(const json_t *messages) {
  json_t *cancels = json_array(), *message;
  size_t i;
  json_array_foreach(messages, i, message) {
    const json_t *id = cancelled_id(message);
    if (is_id(id))
      json_array_append_new(cancels, json_pack("[I, o]", (json_int_t)i, json_deep_copy(id)));
  }
  return cancels;
}

static void publish(Server *server) {
  for (int i = 0; i < MAX_DOCUMENTS; i++)
    if (server->documents[i].arena && server->documents[i].is_dirty)
      publish_diagnostics(server, &server->documents[i]);
}

void take_messages(Server *server, json_t *messages) {
  json_t *cancels = find_cancels(messages), *message;
  size_t i;
  json_array_foreach(messages, i, message) {
    if (server->state == STATE_ENDED) break;
    if (is_cancelled(cancels, message, i))
      send_error(server, json_object_get(message, "id"), ERROR_CANCELLED, "cancelled");
    else take_message(server, message);
  }
  json_decref(cancels);
  json_decref(messages);
  publish(server);
}

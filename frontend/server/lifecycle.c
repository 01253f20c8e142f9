/* Lifecycle: initialize, shutdown, exit; the capabilities of the server. */
#include <string.h>

#include "frontend/server/colours.h"
#include "frontend/server/local.h"

/* The rows of methods.def that have one. */
static json_t *capabilities(const Server *server) {
  static const struct {
    const char *name, *options;
  } rows[] = {
#define METHOD(name, function, kind, needs, capability, options) {capability, options},
#include "frontend/server/methods.def"
  };
  json_t *all = json_pack("{s:s}", "positionEncoding", server->is_utf8 ? "utf-8" : "utf-16");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (*rows[i].name)
      json_object_set_new(all, rows[i].name, json_loads(rows[i].options, JSON_DECODE_ANY, NULL));
  json_object_set_new(all, "semanticTokensProvider",
                      json_pack("{s:o, s:b}", "legend", colours_legend(), "full", 1));
  return all;
}

/* The client lists encodings by preference; UTF-16 need not be listed. */
static bool prefers_utf8(const json_t *params) {
  const json_t *general = json_object_get(json_object_get(params, "capabilities"), "general");
  const json_t *offered = json_object_get(general, "positionEncodings");
  size_t i;
  json_t *encoding;
  json_array_foreach(offered, i, encoding) {
    const char *name = json_string_value(encoding);
    if (name && strcmp(name, "utf-8") == 0) return true;
    if (name && strcmp(name, "utf-16") == 0) return false;
  }
  return false;
}

void handle_initialize(Request *request) {
  Server *server = request->server;
  server->is_utf8 = prefers_utf8(request->params);
  server->state = STATE_RUNNING;
  request->result = json_pack("{s:o, s:{s:s}}", "capabilities", capabilities(server), "serverInfo",
                              "name", "diderotc");
}

void handle_shutdown(Request *request) { request->server->state = STATE_SHUT_DOWN; }

void handle_exit(Request *request) {
  Server *server = request->server;
  server->status = server->state == STATE_SHUT_DOWN ? 0 : 1;
  server->state = STATE_ENDED;
}

/* Documents: the open ones. Each version has an arena, which is freed when the next one comes. */
#include <string.h>

#include "frontend/server/local.h"

static const char too_large[] = "the text is larger than 1 MiB";

Document *find_document(Server *server, const char *uri) {
  for (int i = 0; i < MAX_DOCUMENTS; i++) {
    Document *document = &server->documents[i];
    if (document->arena && strcmp(document->uri, uri) == 0) return document;
  }
  return NULL;
}

static void forget(Document *document) {
  analysis_free(document->analysis);
  analysis_free(document->good);
  arena_free(document->arena);
  *document = (Document){0};
}

void close_documents(Server *server) {
  for (int i = 0; i < MAX_DOCUMENTS; i++) forget(&server->documents[i]);
}

/* Drops the analysis that was not used for the longest time; it is made again on demand. */
static void forget_oldest(Server *server) {
  Document *oldest = NULL;
  int n_kept = 0;
  for (int i = 0; i < MAX_DOCUMENTS; i++) {
    Document *document = &server->documents[i];
    if (!document->analysis) continue;
    n_kept++;
    if (!oldest || document->last_use < oldest->last_use) oldest = document;
  }
  if (n_kept <= MAX_ANALYSES) return;
  analysis_free(oldest->analysis);
  analysis_free(oldest->good);
  oldest->analysis = oldest->good = NULL;
}

const Analysis *document_analysis(Server *server, Document *document) {
  document->last_use = ++server->n_uses;
  if (document->analysis) return document->analysis;
  document->analysis = analyse(server->images, document->source);
  forget_oldest(server);
  return document->analysis;
}

/* Takes the last good analysis from the present version: it outlives that version. */
static Analysis *take_good(Document *document) {
  Analysis **kept = &document->good;
  if (document->analysis && document->analysis->is_whole) kept = &document->analysis;
  Analysis *good = *kept;
  *kept = NULL;
  return good;
}

/* Replaces the present version. */
static void set_text(Server *server, Document *document, const char *uri, const char *text,
                     size_t len, json_int_t version) {
  Document made = {.arena = arena_new(), .version = version, .is_dirty = true};
  made.uri = arena_strdup(made.arena, uri, strlen(uri));
  made.source = source_from_text(made.arena, made.uri, text, len);
  made.good = take_good(document);
  forget(document);
  *server->place = (PlaceCache){0};
  *document = made;
}

static void complain(const Request *request, const char *what) {
  send_notice(request->server, "window/showMessage",
              json_pack("{s:i, s:s}", "type", 1, "message", what));
}

void handle_open(Request *request) {
  const json_t *item = json_object_get(request->params, "textDocument");
  const json_t *uri = json_object_get(item, "uri"), *text = json_object_get(item, "text");
  if (!json_is_string(uri) || !json_is_string(text)) return;
  Document *document = find_document(request->server, json_string_value(uri));
  for (int i = 0; i < MAX_DOCUMENTS && !document; i++)
    if (!request->server->documents[i].arena) document = &request->server->documents[i];
  if (!document) complain(request, "more than 256 documents are open");
  else if (json_string_length(text) > MAX_TEXT) complain(request, too_large);
  else
    set_text(request->server, document, json_string_value(uri), json_string_value(text),
             json_string_length(text), json_integer_value(json_object_get(item, "version")));
}

void handle_close(Request *request) {
  send_notice(request->server, "textDocument/publishDiagnostics",
              json_pack("{s:s, s:[]}", "uri", request->document->uri, "diagnostics"));
  forget(request->document);
  *request->server->place = (PlaceCache){0}; /* of a text that is gone */
}

/* The text after one change; NULL when it is too large. */
static const Source *changed(const Request *request, const Source *source, const json_t *change) {
  const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
  Span span = {0, source->len};
  if (!json_is_string(text)) return source;
  if (range && !find_span(request->server, source, range, &span)) return source;
  const size_t n_new = json_string_length(text);
  Text result = text_new(request->arena);
  if (source->len - (span.end - span.start) + n_new > MAX_TEXT) return NULL;
  text_add_n(&result, source->text, span.start);
  text_add_n(&result, json_string_value(text), n_new);
  text_add_n(&result, source->text + span.end, source->len - span.end);
  return source_from_text(request->arena, source->path, text_str(&result), result.len);
}

void handle_change(Request *request) {
  Document *document = request->document;
  const json_t *changes = json_object_get(request->params, "contentChanges");
  const json_t *item = json_object_get(request->params, "textDocument");
  const json_int_t version = json_integer_value(json_object_get(item, "version"));
  const Source *source = document->source;
  size_t i;
  json_t *change;
  json_array_foreach(changes, i, change) {
    const Source *next = changed(request, source, change);
    if (!next) complain(request, too_large);
    if (next) source = next;
  }
  set_text(request->server, document,
           arena_strdup(request->arena, document->uri, strlen(document->uri)), source->text,
           source->len, version);
}

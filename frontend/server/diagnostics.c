/* Diagnostics: the messages of the compiler. Notes with a place of their own are related, help is
 * part of the text.
 */
#include "frontend/server/local.h"

static int severity_of(Severity severity) {
  switch (severity) {
  case SEV_ERROR: return 1;
  case SEV_WARNING: return 2;
  case SEV_REMARK: return 3;
  case SEV_NOTE:
  case SEV_HELP: return 4;
  }
  return 4;
}

static const char *text_with_help(Arena *a, const DiagMessage *message) {
  Text text = text_new(a);
  text_add(&text, message->text);
  for (const DiagMessage *note = message->notes; note; note = note->next)
    if (span_is_none(note->span))
      text_addf(&text, "\n%s: %s", note->severity == SEV_HELP ? "help" : "note", note->text);
  return text_str(&text);
}

static json_t *related(const Server *server, const Document *document, const DiagMessage *message) {
  json_t *all = json_array();
  for (const DiagMessage *note = message->notes; note; note = note->next) {
    if (span_is_none(note->span)) continue;
    json_array_append_new(all, json_pack("{s:{s:s, s:o}, s:s}", "location", "uri", document->uri,
                                         "range", range_json(server, document->source, note->span),
                                         "message", note->text));
  }
  return all;
}

json_t *diagnostic_json(const Server *server, const Document *document, const Analysis *analysis,
                        const DiagMessage *message) {
  const char *text = text_with_help(analysis->cx->arena, message);
  json_t *made = json_pack("{s:o, s:i, s:s, s:s, s:s}", "range",
                           range_json(server, document->source, message->span), "severity",
                           severity_of(message->severity), "code", diag_code(message->id), "source",
                           "diderotc", "message", text);
  json_object_set_new(made, "relatedInformation", related(server, document, message));
  if (message->id == W_UNUSED || message->id == W_UNREACHABLE)
    json_object_set_new(made, "tags", json_pack("[i]", 1));
  return made;
}

static json_t *diagnostics_json(const Server *server, const Document *document,
                                const Analysis *analysis) {
  json_t *all = json_array();
  for (uint32_t i = 0; i < analysis->n_messages; i++)
    json_array_append_new(
        all, diagnostic_json(server, document, analysis, diag_message_at(analysis->cx, i)));
  if (analysis->has_failed)
    json_array_append_new(
        all,
        json_pack("{s:o, s:i, s:s, s:s}", "range", range_json(server, document->source, SPAN_NONE),
                  "severity", 1, "source", "diderotc", "message",
                  "the compiler has a fault; standard error of the server says more"));
  return all;
}

void publish_diagnostics(Server *server, Document *document) {
  const Analysis *analysis = document_analysis(server, document);
  document->is_dirty = false;
  send_notice(server, "textDocument/publishDiagnostics",
              json_pack("{s:s, s:I, s:o}", "uri", document->uri, "version", document->version,
                        "diagnostics", diagnostics_json(server, document, analysis)));
}

void handle_diagnostic(Request *request) {
  const Analysis *analysis = request_analysis(request);
  request->result = json_pack("{s:s, s:o}", "kind", "full", "items",
                              diagnostics_json(request->server, request->document, analysis));
}

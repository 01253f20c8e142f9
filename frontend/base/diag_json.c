/* Diag as JSON: a message with its notes and helps is one object on one line; doc/diderotc.md says
 * what its members mean. diag_document.c puts the lines of all files in one document.
 */
#include "frontend/base/local.h"
#include "frontend/base/utf8.h"

static const char *severity_word(Severity severity) {
  switch (severity) {
  case SEV_ERROR: return "error";
  case SEV_WARNING: return "warning";
  case SEV_REMARK: return "remark";
  case SEV_NOTE: return "note";
  case SEV_HELP: return "help";
  }
  return "";
}

/* Columns count from 1 in three units, so that no editor has to read the file to convert them. */
static void add_position(Json *json, const char *key, const Source *s, uint32_t offset) {
  const Position position = source_position(s, offset);
  const uint32_t start = s->line_starts[position.line - 1];
  const uint32_t n_bytes = (offset < s->len ? offset : s->len) - start;
  json_open_object(json, key);
  json_put_int(json, "line", position.line);
  json_put_int(json, "column", position.column);
  json_put_int(json, "byteColumn", n_bytes + 1);
  json_put_int(json, "utf16Column", utf8_count16(s->text + start, n_bytes) + 1);
  json_close_object(json);
}

/* Opens an object, for the caller to close. */
static void open_message(Json *json, const Cx *cx, const DiagMessage *message) {
  json_open_object(json, NULL);
  if (cx->file) json_put_string(json, "file", cx->file);
  if (cx->source && !span_is_none(message->span)) {
    add_position(json, "start", cx->source, message->span.start);
    add_position(json, "end", cx->source, message->span.end);
  }
  json_put_string(json, "severity", severity_word(message->severity));
  json_put_string(json, "code", diag_code(message->id));
  json_put_string(json, "name", diag_name(cx->arena, message->id));
  json_put_string(json, "message", message->text);
}

void diag_json_add(Json *json, const Cx *cx, const DiagMessage *message) {
  open_message(json, cx, message);
  json_open_array(json, "notes");
  for (const DiagMessage *note = message->notes; note; note = note->next) {
    open_message(json, cx, note);
    json_close_object(json);
  }
  json_close_array(json);
  json_close_object(json);
}

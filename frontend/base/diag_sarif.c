/* Diag as SARIF 2.1.0: a message about a program is a result on one line, any other message a
 * notification. The rules are the rows of diag.def, so the index of a result's rule depends on
 * nothing else. Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0,
 * §3.
 */
#include "frontend/base/diag_sarif.h"

#include <string.h>

#include "frontend/base/local.h"

static const char *level_word(Severity severity) {
  switch (severity) {
  case SEV_ERROR: return "error";
  case SEV_WARNING: return "warning";
  case SEV_REMARK:
  case SEV_NOTE:
  case SEV_HELP: return "note";
  }
  return "none";
}

bool diag_is_notification(DiagId id) { return id == E_USAGE || id == E_STOPPED; }

bool diag_is_rule(DiagId id) {
  const Severity severity = diag_severity(id);
  return severity != SEV_NOTE && severity != SEV_HELP && !diag_is_notification(id);
}

static int rule_index(DiagId id) {
  int n_before = 0;
  for (int other = 0; other < (int)id; other++) n_before += diag_is_rule((DiagId)other);
  return n_before;
}

/* Braces would mean arguments (§3.11.5). */
void diag_sarif_text(Json *json, const char *key, Arena *a, const char *text) {
  Text escaped = text_new(a);
  for (; *text; text++) {
    if (*text == '{' || *text == '}') text_add_n(&escaped, text, 1);
    text_add_n(&escaped, text, 1);
  }
  json_open_object(json, key);
  json_put_string(json, "text", text_str(&escaped));
  json_close_object(json);
}

/* A path as a URI (RFC 3986): relative ones stay so, all but unreserved characters are escaped. */
void diag_sarif_file(Json *json, Arena *a, const char *file) {
  static const char unreserved[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  Text uri = text_new(a);
  if (*file == '/') text_add(&uri, "file://");
  for (; *file; file++) {
    if (strchr(unreserved, *file)) text_add_n(&uri, file, 1);
    else text_addf(&uri, "%%%02X", (unsigned)(unsigned char)*file);
  }
  json_put_string(json, "uri", text_str(&uri));
}

/* Columns are those of columnKind unicodeCodePoints; the end is behind the last (§3.30). */
static void add_region(Json *json, const Source *s, Span span) {
  const Position start = source_position(s, span.start), end = source_position(s, span.end);
  json_open_object(json, "region");
  json_put_int(json, "startLine", start.line);
  json_put_int(json, "startColumn", start.column);
  json_put_int(json, "endLine", end.line);
  json_put_int(json, "endColumn", end.column);
  json_close_object(json);
}

/* Opens a location object, for the caller to close. */
static void open_location(Json *json, const Cx *cx, Span span) {
  json_open_object(json, NULL);
  json_open_object(json, "physicalLocation");
  json_open_object(json, "artifactLocation");
  diag_sarif_file(json, cx->arena, cx->file);
  json_close_object(json);
  if (cx->source && !span_is_none(span)) add_region(json, cx->source, span);
  json_close_object(json);
}

static bool has_place(const Cx *cx, const DiagMessage *message) {
  return cx->file && cx->source && !span_is_none(message->span);
}

/* The message, and the notes and helps that belong to no other place. */
static const char *whole_text(const Cx *cx, const DiagMessage *message) {
  Text text = text_new(cx->arena);
  text_add(&text, message->text);
  for (const DiagMessage *note = message->notes; note; note = note->next) {
    const char *title = note->severity == SEV_HELP ? "help" : "note";
    if (!has_place(cx, note)) text_addf(&text, "\n%s: %s", title, note->text);
  }
  return text_str(&text);
}

static void add_related(Json *json, const Cx *cx, const DiagMessage *notes) {
  json_open_array(json, "relatedLocations");
  for (; notes; notes = notes->next) {
    if (!has_place(cx, notes)) continue;
    open_location(json, cx, notes->span);
    diag_sarif_text(json, "message", cx->arena, notes->text);
    json_close_object(json);
  }
  json_close_array(json);
}

void diag_sarif_add(Json *json, const Cx *cx, const DiagMessage *message) {
  json_open_object(json, NULL);
  if (diag_is_notification(message->id)) {
    json_open_object(json, "descriptor");
    json_put_string(json, "id", diag_code(message->id));
    json_close_object(json);
  } else {
    json_put_string(json, "ruleId", diag_code(message->id));
    json_put_int(json, "ruleIndex", rule_index(message->id));
  }
  json_put_string(json, "level", level_word(message->severity));
  diag_sarif_text(json, "message", cx->arena, whole_text(cx, message));
  json_open_array(json, "locations");
  if (cx->file) {
    open_location(json, cx, message->span);
    json_close_object(json);
  }
  json_close_array(json);
  if (!diag_is_notification(message->id)) add_related(json, cx, message->notes);
  json_close_object(json);
}

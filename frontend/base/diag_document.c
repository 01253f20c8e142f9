/* DiagDocument: see diag_document.h. */
#include "frontend/base/diag_document.h"

#include <string.h>

#include "frontend/base/diag_sarif.h"
#include "frontend/base/json.h"

/* Each line is a member of the open array. */
static void add_lines(Json *json, const char *lines) {
  while (lines && *lines) {
    const size_t len = strcspn(lines, "\n");
    json_put_raw(json, NULL, lines, len);
    lines += lines[len] ? len + 1 : len;
  }
}

static void add_results(Json *json, const char *key, const DiagDocument *document) {
  json_open_array(json, key);
  for (uint32_t i = 0; i < document->lines.len; i++) add_lines(json, document->lines.data[i]);
  if (document->style == DIAG_JSON) {
    add_lines(json, document->usage_lines);
    add_lines(json, document->failed_lines);
  }
  json_close_array(json);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_json(Json *json, const DiagDocument *document) {
  json_put_int(json, "version", 1); /* of this form: greater when a member changes its meaning */
  json->is_flat = true;
  json_open_object(json, "tool");
  json_put_string(json, "name", "diderotc");
  json_put_string(json, "version", document->version);
  json_close_object(json);
  json_open_array(json, "files");
  for (uint32_t i = 0; i < document->files.len; i++)
    json_put_string(json, NULL, document->files.data[i]);
  json_close_array(json);
  json->is_flat = false;
  add_results(json, "diagnostics", document);
}

/* ---- SARIF ----------------------------------------------------------------------------------- */

/* The text of a row, its holes as they stand in the table. */
static const char *plain_template(Arena *a, const char *template) {
  Text text = text_new(a);
  for (; *template; template ++) {
    text_add_n(&text, template, 1);
    if ((*template == '{' || *template == '}') && template[1] == *template) template ++;
  }
  return text_str(&text);
}

static void add_descriptors(Json *json, const char *key, Arena *a, bool (*is_member)(DiagId)) {
  json_open_array(json, key);
  for (int i = 0; i < DIAG_COUNT; i++) {
    const DiagId id = (DiagId)i;
    if (!is_member(id)) continue;
    json_open_object(json, NULL);
    json->is_flat = true;
    json_put_string(json, "id", diag_code(id));
    json_put_string(json, "name", diag_name(a, id));
    diag_sarif_text(json, "shortDescription", a, plain_template(a, diag_template(id)));
    json_open_object(json, "defaultConfiguration");
    json_put_string(json, "level", diag_severity(id) == SEV_ERROR ? "error" : "warning");
    json_close_object(json);
    json_close_object(json);
    json->is_flat = false;
  }
  json_close_array(json);
}

static void add_tool(Json *json, Arena *a, const DiagDocument *document) {
  json_open_object(json, "tool");
  json_open_object(json, "driver");
  json_put_string(json, "name", "diderotc");
  json_put_string(json, "version", document->version);
  add_descriptors(json, "rules", a, diag_is_rule);
  add_descriptors(json, "notifications", a, diag_is_notification);
  json_close_object(json);
  json_close_object(json);
}

static void add_notifications(Json *json, const char *key, const char *lines) {
  json_open_array(json, key);
  add_lines(json, lines);
  json_close_array(json);
}

static void add_invocation(Json *json, const DiagDocument *document) {
  json_open_array(json, "invocations");
  json_open_object(json, NULL);
  json_put_bool(json, "executionSuccessful", !document->usage_lines && !document->failed_lines);
  json_put_int(json, "exitCode", document->status);
  add_notifications(json, "toolConfigurationNotifications", document->usage_lines);
  add_notifications(json, "toolExecutionNotifications", document->failed_lines);
  json_close_object(json);
  json_close_array(json);
}

static void add_artifacts(Json *json, Arena *a, const DiagDocument *document) {
  json_open_array(json, "artifacts");
  for (uint32_t i = 0; i < document->files.len; i++) {
    json_open_object(json, NULL);
    json->is_flat = true;
    json_open_object(json, "location");
    diag_sarif_file(json, a, document->files.data[i]);
    json_close_object(json);
    json_close_object(json);
    json->is_flat = false;
  }
  json_close_array(json);
}

static void add_sarif(Json *json, Arena *a, const DiagDocument *document) {
  json_put_string(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json_put_string(json, "version", "2.1.0");
  json_open_array(json, "runs");
  json_open_object(json, NULL);
  add_tool(json, a, document);
  json_put_string(json, "columnKind", "unicodeCodePoints");
  add_invocation(json, document);
  add_artifacts(json, a, document);
  add_results(json, "results", document);
  json_close_object(json);
  json_close_array(json);
}

const char *diag_document(Arena *a, const DiagDocument *document) {
  Json json = json_new(a);
  json_open_object(&json, NULL);
  if (document->style == DIAG_SARIF) add_sarif(&json, a, document);
  else add_json(&json, document);
  json_close_object(&json);
  return text_str(&json.out);
}

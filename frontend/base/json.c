/* Json: see json.h. */
#include "frontend/base/json.h"

#include <string.h>

#include "frontend/base/utf8.h"

Json json_new(Arena *a) { return (Json){.out = text_new(a), .is_first = true}; }

static void quote(Json *json, const char *text) {
  const size_t len = strlen(text);
  text_add(&json->out, "\"");
  for (size_t i = 0; i < len;) {
    uint32_t n_bytes;
    const uint32_t code_point = utf8_decode(text + i, len - i, &n_bytes);
    if (code_point == UTF8_INVALID) text_add(&json->out, "\\ufffd");
    else if (code_point < ' ' || code_point == 127) text_addf(&json->out, "\\u%04x", code_point);
    else if (code_point == '"' || code_point == '\\') text_addf(&json->out, "\\%c", text[i]);
    else text_add_n(&json->out, text + i, n_bytes);
    i += n_bytes;
  }
  text_add(&json->out, "\"");
}

static void new_line(Json *json) {
  if (json->is_flat) return;
  text_add(&json->out, "\n");
  for (uint32_t i = 0; i < json->depth; i++) text_add(&json->out, "  ");
}

static void begin_value(Json *json, const char *key) {
  if (!json->is_first) text_add(&json->out, json->is_flat ? ", " : ",");
  if (json->depth > 0) new_line(json);
  json->is_first = false;
  if (!key) return;
  quote(json, key);
  text_add(&json->out, ": ");
}

static void open_with(Json *json, const char *key, const char *bracket) {
  begin_value(json, key);
  text_add(&json->out, bracket);
  json->depth++;
  json->is_first = true;
}

static void close_with(Json *json, const char *bracket) {
  json->depth--;
  if (!json->is_first) new_line(json);
  text_add(&json->out, bracket);
  if (json->depth == 0) text_add(&json->out, "\n");
  json->is_first = false;
}

void json_open_object(Json *json, const char *key) { open_with(json, key, "{"); }
void json_close_object(Json *json) { close_with(json, "}"); }
void json_open_array(Json *json, const char *key) { open_with(json, key, "["); }
void json_close_array(Json *json) { close_with(json, "]"); }

void json_put_string(Json *json, const char *key, const char *value) {
  begin_value(json, key);
  quote(json, value);
}

void json_put_int(Json *json, const char *key, int64_t value) {
  begin_value(json, key);
  text_addf(&json->out, "%lld", (long long)value);
}

void json_put_bool(Json *json, const char *key, bool value) {
  begin_value(json, key);
  text_add(&json->out, value ? "true" : "false");
}

void json_put_raw(Json *json, const char *key, const char *value, size_t len) {
  begin_value(json, key);
  text_add_n(&json->out, value, len);
}

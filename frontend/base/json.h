/* Json: writes one JSON value, a member a line, members in the order they are given.
 *
 *   Json json = json_new(arena);
 *   json_open_object(&json, NULL);
 *   json_put_string(&json, "name", "iso");
 *   json_close_object(&json);
 *   text_str(&json.out);
 *
 * The key is NULL in an array and for the outermost value. Text that is no UTF-8 loses its broken
 * bytes to U+FFFD.
 */
#pragma once

#include <stdint.h>

#include "frontend/base/text.h"

typedef struct Json {
  Text out;
  uint32_t depth;
  bool is_first; /* of the members of the innermost object or array */
  bool is_flat;  /* set by the caller: what is opened and closed now stays on one line */
} Json;

Json json_new(Arena *a);
void json_open_object(Json *json, const char *key);
void json_close_object(Json *json);
void json_open_array(Json *json, const char *key);
void json_close_array(Json *json);
void json_put_string(Json *json, const char *key, const char *value);
void json_put_int(Json *json, const char *key, int64_t value);
void json_put_bool(Json *json, const char *key, bool value);
/* A value that is JSON already, without line ends. */
void json_put_raw(Json *json, const char *key, const char *value, size_t len);

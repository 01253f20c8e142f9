/* Json: the text is RFC 8259, members keep their order, and any string survives. */
#include "frontend/base/json.h"

#include "tests/unit/test.h"

static void nests_and_indents(void) {
  Arena *a = arena_new();
  Json json = json_new(a);
  json_open_object(&json, NULL);
  json_put_string(&json, "b", "text");
  json_put_int(&json, "a", INT64_MIN);
  json_open_array(&json, "list");
  json_put_bool(&json, NULL, true);
  json_open_object(&json, NULL);
  json_close_object(&json);
  json_open_array(&json, NULL);
  json_close_array(&json);
  json_close_array(&json);
  json_close_object(&json);
  CHECK_STR(text_str(&json.out), "{\n"
                                 "  \"b\": \"text\",\n"
                                 "  \"a\": -9223372036854775808,\n"
                                 "  \"list\": [\n"
                                 "    true,\n"
                                 "    {},\n"
                                 "    []\n"
                                 "  ]\n"
                                 "}\n");
  arena_free(a);
}

static void keeps_on_a_line_what_is_flat(void) {
  Arena *a = arena_new();
  Json json = json_new(a);
  json_open_array(&json, NULL);
  json_put_int(&json, NULL, 1);
  json_open_array(&json, NULL);
  json.is_flat = true;
  json_put_int(&json, NULL, 2);
  json_put_int(&json, NULL, 3);
  json_close_array(&json);
  json.is_flat = false;
  json_put_int(&json, NULL, 4);
  json_close_array(&json);
  CHECK_STR(text_str(&json.out), "[\n  1,\n  [2, 3],\n  4\n]\n");
  arena_free(a);
}

static void check_string(const char *value, const char *quoted) {
  Arena *a = arena_new();
  Json json = json_new(a);
  json_put_string(&json, NULL, value);
  CHECK_STR(text_str(&json.out), quoted);
  arena_free(a);
}

static void quotes_every_string(void) {
  check_string("", "\"\"");
  check_string("a \"b\" \\c/", "\"a \\\"b\\\" \\\\c/\"");
  check_string("\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\"");
  check_string("∇F ⊛ 😀", "\"∇F ⊛ 😀\"");
  check_string("a\xff\xc3", "\"a\\ufffd\\ufffd\"");
}

static void takes_over_what_is_json_already(void) {
  Arena *a = arena_new();
  Json json = json_new(a);
  json_open_object(&json, NULL);
  json_put_raw(&json, "x", "[1, 2]rest", 6);
  json_put_raw(&json, "y", "null", 4);
  json_close_object(&json);
  CHECK_STR(text_str(&json.out), "{\n  \"x\": [1, 2],\n  \"y\": null\n}\n");
  arena_free(a);
}

int main(void) {
  RUN(takes_over_what_is_json_already);
  RUN(nests_and_indents);
  RUN(keeps_on_a_line_what_is_flat);
  RUN(quotes_every_string);
  return test_result();
}

/* DiagDocument: any message text survives in the documents, and documents without messages are
 * complete. Expected texts are written by hand; tests/diagnostics checks that they are JSON and
 * SARIF.
 */
#include "frontend/base/diag_document.h"

#include "tests/unit/test.h"

static Cx *cx_with(const char *file, const char *text) {
  Cx *cx = cx_new();
  cx->file = file;
  if (text) cx->source = source_from_text(cx->arena, file, text, strlen(text));
  return cx;
}

static Span span_of(const Cx *cx, const char *part) {
  const char *found = strstr(cx->source->text, part);
  if (!CHECK(found != NULL)) return SPAN_NONE;
  const uint32_t start = (uint32_t)(found - cx->source->text);
  return (Span){start, start + (uint32_t)strlen(part)};
}

#define PLACE(l, c, b, u)                                                                          \
  "{\"line\": " #l ", \"column\": " #c ", \"byteColumn\": " #b ", \"utf16Column\": " #u "}"

static void columns_come_in_three_units(void) {
  Cx *cx = cx_with("t.diderot", "/* \U0001F600 */ ∇F;\n");
  diag(cx, span_of(cx, "∇"), E_RETURN_PLACE);
  CHECK_STR(diag_lines(cx, DIAG_JSON),
            "{\"file\": \"t.diderot\", \"start\": " PLACE(1, 9, 12, 10) ", \"end\": " PLACE(
                1, 10, 15,
                11) ", \"severity\": \"error\", \"code\": \"E0404\", \"name\": \"return-place\", "
                    "\"message\": \"return outside a function\", \"notes\": []}\n");
  cx_free(cx);
}

static void notes_without_a_place_join_the_text_of_a_result(void) {
  Cx *cx = cx_with("a b.diderot", "x y\n");
  diag(cx, span_of(cx, "x"), E_NOT_A_STRAND, d_name(name_from(cx->names, "x")));
  diag_note(cx, span_of(cx, "y"), N_FIRST_HERE);
  diag_note(cx, SPAN_NONE, H_WRITE, d_text("{ x }"));
  const char *line = diag_lines(cx, DIAG_SARIF);
  CHECK(strstr(line, "\"message\": {\"text\": \"'x' is not a strand\\u000ahelp: write {{ x }}\"}"));
  CHECK(strstr(line, "\"uri\": \"a%20b.diderot\""));
  CHECK(strstr(line,
               "\"region\": {\"startLine\": 1, \"startColumn\": 3, \"endLine\": 1, "
               "\"endColumn\": 4}}, \"message\": {\"text\": \"the first one is here\"}}]}\n"));
  cx_free(cx);
}

static void paths_become_uris(void) {
  static const char *const pairs[][2] = {{"/x/é.diderot", "\"file:///x/%C3%A9.diderot\""},
                                         {"../a:b.diderot", "\"../a%3Ab.diderot\""},
                                         {"%20#?.diderot", "\"%2520%23%3F.diderot\""},
                                         {"\xFF.diderot", "\"%FF.diderot\""}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Cx *cx = cx_with(pairs[i][0], NULL);
    diag(cx, SPAN_NONE, E_SOURCE_EMPTY);
    CHECK(strstr(diag_lines(cx, DIAG_SARIF), pairs[i][1]));
    CHECK(!strstr(diag_lines(cx, DIAG_SARIF), "region"));
    cx_free(cx);
  }
}

static void no_message_gives_an_empty_list(void) {
  Arena *a = arena_new();
  DiagDocument document = {.style = DIAG_JSON, .version = "1.2.3"};
  vec_push(a, &document.files, "a.diderot");
  vec_push(a, &document.lines, "");
  CHECK_STR(diag_document(a, &document),
            "{\n"
            "  \"version\": 1, \"tool\": {\"name\": \"diderotc\", \"version\": \"1.2.3\"}, "
            "\"files\": [\"a.diderot\"],\n"
            "  \"diagnostics\": []\n"
            "}\n");
  arena_free(a);
}

static void the_lines_of_all_files_are_members(void) {
  Arena *a = arena_new();
  DiagDocument document = {.style = DIAG_JSON, .version = "1", .failed_lines = "{\"f\": 4}\n"};
  vec_push(a, &document.lines, "{\"a\": 1}\n{\"b\": 2}\n");
  vec_push(a, &document.lines, "");
  vec_push(a, &document.lines, "{\"c\": 3}\n");
  CHECK(strstr(diag_document(a, &document),
               "[\n    {\"a\": 1},\n    {\"b\": 2},\n    {\"c\": 3},\n    {\"f\": 4}\n  ]\n}\n"));
  document.style = DIAG_SARIF;
  const char *sarif = diag_document(a, &document);
  CHECK(strstr(sarif, "\"executionSuccessful\": false"));
  CHECK(strstr(sarif, "\"toolExecutionNotifications\": [\n            {\"f\": 4}\n          ]"));
  arena_free(a);
}

int main(void) {
  RUN(columns_come_in_three_units);
  RUN(notes_without_a_place_join_the_text_of_a_result);
  RUN(paths_become_uris);
  RUN(no_message_gives_an_empty_list);
  RUN(the_lines_of_all_files_are_members);
  return test_result();
}

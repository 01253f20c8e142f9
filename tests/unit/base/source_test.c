/* Source: lines and columns in characters, line ends of both kinds, files that cannot be read. */
#include "frontend/base/source.h"

#include "tests/unit/test.h"

static void check_position(const Source *s, uint32_t offset, uint32_t line, uint32_t column) {
  Position pos = source_position(s, offset);
  CHECK_EQ(pos.line, line);
  CHECK_EQ(source_line_number(s, offset), line);
  CHECK_EQ(pos.column, column);
}

static void check_line(const Source *s, uint32_t line, const char *want) {
  uint32_t len;
  const char *text = source_line(s, line, &len);
  CHECK_EQ(len, strlen(want));
  CHECK(len == strlen(want) && memcmp(text, want, len) == 0);
}

static void columns_count_characters(void) {
  Arena *a = arena_new();
  const char text[] = "ab\n∇F;\n\nx";
  Source *s = source_from_text(a, "t.diderot", text, sizeof text - 1);
  check_position(s, 0, 1, 1);
  check_position(s, 2, 1, 3); /* the newline belongs to the line it ends */
  check_position(s, 3, 2, 1);
  check_position(s, 6, 2, 2); /* F, after the three bytes of ∇ */
  check_position(s, 7, 2, 3);
  check_position(s, 9, 3, 1);
  check_position(s, 10, 4, 1);
  check_position(s, 11, 4, 2);
  check_position(s, 999, 4, 2);
  CHECK_EQ(s->n_lines, 4);
  check_line(s, 2, "∇F;");
  check_line(s, 3, "");
  check_line(s, 4, "x");
  arena_free(a);
}

static void lines_end_in_both_ways(void) {
  Arena *a = arena_new();
  Source *s = source_from_text(a, "t.diderot", "a\r\nb\rc\n", 7);
  CHECK_EQ(s->n_lines, 3);
  check_line(s, 1, "a");
  check_line(s, 2, "b\rc");
  check_line(s, 3, "");
  arena_free(a);
}

static void byte_order_mark_is_no_part_of_the_text(void) {
  Arena *a = arena_new();
  Source *s = source_from_text(a, "t.diderot", "\xEF\xBB\xBF#version", 11);
  CHECK_EQ(s->len, 8);
  CHECK_STR(s->text, "#version");
  arena_free(a);
}

static void empty_text_has_one_line(void) {
  Arena *a = arena_new();
  Source *s = source_from_text(a, "t.diderot", "", 0);
  CHECK_EQ(s->n_lines, 1);
  check_position(s, 0, 1, 1);
  check_line(s, 1, "");
  arena_free(a);
}

static void reads_files(void) {
  static const char path[] = "tests/unit/base/source_test.c"; /* tests run in the source tree */
  Arena *a = arena_new();
  const char *error = NULL;
  Source *s = source_read(a, path, &error);
  if (CHECK(s != NULL)) {
    CHECK_STR(s->path, path);
    CHECK_EQ(s->text[s->len], 0);
    check_line(s, 2, "#include \"frontend/base/source.h\"");
  }
  CHECK(source_read(a, "no/such/file.diderot", &error) == NULL);
  CHECK_STR(error, "No such file or directory");
  CHECK(source_read(a, "tests", &error) == NULL);
  CHECK_STR(error, "Is a directory");
  arena_free(a);
}

static void joins_spans(void) {
  Span joined = span_join((Span){5, 8}, (Span){2, 6});
  CHECK_EQ(joined.start, 2);
  CHECK_EQ(joined.end, 8);
  CHECK_EQ(span_join(SPAN_NONE, (Span){2, 6}).start, 2);
  CHECK_EQ(span_join((Span){2, 6}, SPAN_NONE).end, 6);
  CHECK(span_is_none(span_join(SPAN_NONE, SPAN_NONE)));
  CHECK(!span_is_none((Span){0, 0}));
}

int main(void) {
  RUN(columns_count_characters);
  RUN(lines_end_in_both_ways);
  RUN(byte_order_mark_is_no_part_of_the_text);
  RUN(empty_text_has_one_line);
  RUN(reads_files);
  RUN(joins_spans);
  return test_result();
}

/* The name of the source in generated files. */
#include "backend-c/text/emit.h"
#include "frontend/base/text.h"
#include "tests/unit/test.h"

static Cx *cx;

/* The #line mark of line 2 of a source with that path. */
static const char *line_mark(const char *path) {
  static const char text[] = "#version 2.0\ninput int n;\n";
  cx->source = source_from_text(cx->arena, path, text, sizeof text - 1);
  Emit em = {.cx = cx, .out = text_new(cx->arena), .with_line_marks = true};
  em_source(&em, (Span){13, 18});
  return text_str(&em.out);
}

static void a_path_is_named_as_given(void) {
  CHECK_STR(line_mark("vr.diderot"), "#line 2 \"vr.diderot\"\n");
  CHECK_STR(line_mark("examples/vr/vr.diderot"), "#line 2 \"examples/vr/vr.diderot\"\n");
  CHECK_STR(line_mark("../vr.diderot"), "#line 2 \"../vr.diderot\"\n");
}

/* The generated text does not depend on the folder of the source. */
static void an_absolute_path_is_a_name(void) {
  CHECK_STR(line_mark("/home/me/vr.diderot"), "#line 2 \"vr.diderot\"\n");
  CHECK_STR(line_mark("/vr.diderot"), "#line 2 \"vr.diderot\"\n");
}

/* Any character of the path stays inside the string. */
static void a_path_is_a_string(void) {
  CHECK_STR(line_mark("a\"b.diderot"), "#line 2 \"a\\\"b.diderot\"\n");
  CHECK_STR(line_mark("a\"\nint b;\n#.diderot"), "#line 2 \"a\\\"\\nint b;\\n#.diderot\"\n");
}

int main(void) {
  cx = cx_new();
  RUN(a_path_is_named_as_given);
  RUN(an_absolute_path_is_a_name);
  RUN(a_path_is_a_string);
  cx_free(cx);
  return test_result();
}

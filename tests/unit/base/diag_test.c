/* Diag: the table is well formed; messages are filled, ordered, counted, kept once; carets stand
 * under the characters they mean. Expected texts are written by hand. */
#include "frontend/base/diag.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static Cx *cx_with(const char *text) {
  Cx *cx = cx_new();
  cx->source = source_from_text(cx->arena, "t.diderot", text, strlen(text));
  return cx;
}

static void check_printed(const Cx *cx, DiagStyle style, const char *want) {
  static char printed[4096];
  FILE *file = tmpfile();
  if (!CHECK(file != NULL)) return;
  diag_print_all(cx, file, style);
  rewind(file);
  printed[fread(printed, 1, sizeof printed - 1, file)] = '\0';
  fclose(file);
  CHECK_STR(printed, want);
}

static Span span_of(const Cx *cx, const char *part) {
  const char *found = strstr(cx->source->text, part);
  if (!CHECK(found != NULL)) return SPAN_NONE;
  uint32_t start = (uint32_t)(found - cx->source->text);
  return (Span){start, start + (uint32_t)strlen(part)};
}

static void rows_are_well_formed(void) {
  static const char prefixes[] = {[SEV_ERROR] = 'E',
                                  [SEV_WARNING] = 'W',
                                  [SEV_REMARK] = 'R',
                                  [SEV_NOTE] = 'N',
                                  [SEV_HELP] = 'H'};
  static const char ids[][32] = {
#define DIAG(id, ...) #id,
#include "frontend/base/diag.def"
  };
  for (int id = 0; id < DIAG_COUNT; id++) {
    const char *code = diag_code((DiagId)id), *text = diag_template((DiagId)id);
    CHECK_EQ(strlen(code), 5);
    CHECK_EQ(code[0], prefixes[diag_severity((DiagId)id)]);
    CHECK_EQ(ids[id][0], code[0]);
    CHECK(text[strlen(text) - 1] != '.' && !strchr(text, '\n'));
    if (id > 0 && diag_code((DiagId)(id - 1))[0] == code[0])
      CHECK(strcmp(diag_code((DiagId)(id - 1)), code) < 0);
    for (const char *p = strchr(text, '{'); p; p = strchr(p, '{')) {
      bool is_hole = !strncmp(p, "{text}", 6) || !strncmp(p, "{name}", 6) ||
                     !strncmp(p, "{type}", 6) || !strncmp(p, "{int}", 5);
      CHECK(is_hole || p[1] == '{');
      p += p[1] == '{' ? 2 : 1;
    }
  }
}

static void holes_take_their_arguments_in_order(void) {
  Cx *cx = cx_with("int x = 2.5;\n");
  diag(cx, span_of(cx, "2.5"), E_TYPE_MISMATCH, d_text("initializer"), d_type_text("int"),
       d_type_text("real"));
  diag(cx, SPAN_NONE, E_INDEX_RANGE, d_int(-7), d_int(2));
  diag(cx, SPAN_NONE, E_STRAND_SET_USE, d_name(name_from(cx->names, "S")));
  check_printed(
      cx, DIAG_PLAIN,
      "[t.diderot:1.9-11] Error: type mismatch in initializer: expected int, found real\n"
      "[t.diderot] Error: index -7 is out of range 0..2\n"
      "[t.diderot] Error: a strand set can only be reduced, as in sum { p.x | p in S.all }\n");
  cx_free(cx);
}

static void messages_are_sorted_by_position_and_counted(void) {
  Cx *cx = cx_with("a b\nc\n");
  diag(cx, SPAN_NONE, E_NO_OUTPUT, d_name(name_from(cx->names, "s")));
  diag(cx, span_of(cx, "c"), E_RETURN_PLACE);
  diag(cx, span_of(cx, "b"), W_UNREACHABLE, d_text("return"));
  diag(cx, span_of(cx, "a"), E_RETURN_PLACE);
  diag(cx, span_of(cx, "a"), E_NEW_PLACE);
  CHECK_EQ(diag_error_count(cx), 4);
  check_printed(
      cx, DIAG_PLAIN,
      "[t.diderot:1.1-1] Error: return outside a function\n"
      "[t.diderot:1.1-1] Error: new is only allowed in start and update methods\n"
      "[t.diderot:2.1-1] Error: return outside a function\n"
      "[t.diderot] Error: strand 's' has no output\n"
      "[t.diderot:1.3-3] Warning: statements after return are unreachable [unreachable]\n");
  cx_free(cx);
}

static void one_mistake_is_said_once(void) {
  Cx *cx = cx_with("x = y;\n");
  for (int i = 0; i < 3; i++) {
    diag(cx, span_of(cx, "y"), E_UNDECLARED_VARIABLE, d_name(name_from(cx->names, "y")));
    diag_note(cx, SPAN_NONE, H_DID_YOU_MEAN, d_name(name_from(cx->names, "x")));
  }
  CHECK_EQ(diag_error_count(cx), 1);
  check_printed(cx, DIAG_FULL,
                "[t.diderot:1.5-5] Error: undeclared variable 'y'\n"
                "   1 | x = y;\n"
                "     |     ^\n"
                "help: did you mean 'x'?\n");
  cx_free(cx);
}

static void carets_stand_under_wide_and_narrow_characters(void) {
  Cx *cx = cx_with("/* 体积 */\t∇F = img ⊛ φ;\n");
  diag(cx, span_of(cx, "img ⊛ φ"), E_CONVOLUTION, d_type_text("int"), d_type_text("real"));
  check_printed(cx, DIAG_FULL,
                "[t.diderot:1.15-21] Error: '⊛' needs an image and a kernel, found int and real\n"
                "   1 | /* 体积 */\t∇F = img ⊛ φ;\n"
                "     |           \t     ^~~~~~~\n");
  cx_free(cx);
}

static void wide_characters_get_wide_marks(void) {
  Cx *cx = cx_with("a 体\tb c\n");
  diag(cx, span_of(cx, "体\tb"), E_RETURN_PLACE);
  check_printed(cx, DIAG_FULL,
                "[t.diderot:1.3-5] Error: return outside a function\n"
                "   1 | a 体\tb c\n"
                "     |   ^~\t~\n");
  cx_free(cx);
}

static void spans_of_several_lines_show_both_ends(void) {
  Cx *cx = cx_with("x\nif (a) {\n  b;\n\n  c; }\n");
  diag(cx, span_of(cx, "if (a) {\n  b;\n\n  c; }"), E_RETURN_PLACE);
  diag_note(cx, span_of(cx, "x"), N_FIRST_HERE);
  check_printed(cx, DIAG_FULL,
                "[t.diderot:2.1-5.6] Error: return outside a function\n"
                "   2 | if (a) {\n"
                "     | ^~~~~~~~\n"
                " ... |\n"
                "   5 |   c; }\n"
                "     |   ^~~~\n"
                "[t.diderot:1.1-1] Note: the first one is here\n"
                "   1 | x\n"
                "     | ^\n");
  cx_free(cx);
}

static void the_end_of_the_file_can_be_marked(void) {
  Cx *cx = cx_with("x =");
  diag(cx, (Span){3, 3}, E_SYNTAX_AFTER_END, d_text("end of file"));
  check_printed(cx, DIAG_FULL,
                "[t.diderot:1.4-4] Error: unexpected end of file after the creation of strands, "
                "which ends a program\n"
                "   1 | x =\n"
                "     |    ^\n");
  cx_free(cx);
}

static void control_characters_do_not_reach_the_terminal(void) {
  Cx *cx = cx_with("\x1B[2J\xFF $\n");
  diag(cx, span_of(cx, "$"), E_UNEXPECTED_CHARACTER, d_text("U+0024"));
  check_printed(cx, DIAG_FULL,
                "[t.diderot:1.7-7] Error: unexpected character U+0024\n"
                "   1 | \xEF\xBF\xBD[2J\xEF\xBF\xBD $\n"
                "     |       ^\n");
  cx_free(cx);
  cx = cx_new();
  diag(cx, SPAN_NONE, E_USAGE, d_text("unknown option --\x1B[2J\n\x7F\xFFπ"));
  check_printed(cx, DIAG_PLAIN,
                "Error: unknown option --\xEF\xBF\xBD[2J\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDπ\n");
  cx_free(cx);
}

static void without_a_source_the_text_stands_alone(void) {
  Cx *cx = cx_new();
  diag(cx, SPAN_NONE, E_SOURCE_UNREADABLE, d_text("x.diderot"), d_text("it is a folder"));
  check_printed(
      cx, DIAG_FULL,
      "Error: source file \"x.diderot\" does not exist or is not readable: it is a folder\n");
  cx_free(cx);
  cx_free(NULL);
}

static void warnings_are_found_by_name_and_code(void) {
  CHECK_EQ(diag_find_warning("no-proxy"), W_NO_PROXY);
  CHECK_EQ(diag_find_warning("W0502"), W_UNUSED);
  CHECK_EQ(diag_find_warning("unuse"), DIAG_COUNT);
  CHECK_EQ(diag_find_warning("unused-"), DIAG_COUNT);
  CHECK_EQ(diag_find_warning("return-place"), DIAG_COUNT); /* an error */
}

static void warnings_can_be_left_out_or_count_as_errors(void) {
  Cx *cx = cx_with("x\n");
  diag_set_policy(cx, DIAG_COUNT, WARN_AS_ERROR);
  diag_set_policy(cx, W_UNUSED, WARN_NEVER);
  diag(cx, span_of(cx, "x"), W_UNUSED, d_text("global"), d_name(name_from(cx->names, "x")));
  diag_note(cx, SPAN_NONE, H_BRACES);
  diag(cx, SPAN_NONE, W_NO_VERSION);
  CHECK_EQ(diag_error_count(cx), 1);
  check_printed(cx, DIAG_FULL,
                "[t.diderot] Error: no #version line; assuming version 1.0 [no-version]\n");
  cx_free(cx);
}

int main(void) {
  RUN(rows_are_well_formed);
  RUN(holes_take_their_arguments_in_order);
  RUN(messages_are_sorted_by_position_and_counted);
  RUN(one_mistake_is_said_once);
  RUN(carets_stand_under_wide_and_narrow_characters);
  RUN(wide_characters_get_wide_marks);
  RUN(spans_of_several_lines_show_both_ends);
  RUN(the_end_of_the_file_can_be_marked);
  RUN(control_characters_do_not_reach_the_terminal);
  RUN(without_a_source_the_text_stands_alone);
  RUN(warnings_are_found_by_name_and_code);
  RUN(warnings_can_be_left_out_or_count_as_errors);
  return test_result();
}

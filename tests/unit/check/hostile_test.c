/* Hostile input: megabytes of one token, deep nesting, invalid bytes, huge numbers and shapes. Each
 * is answered in bounded time and memory; sanitizers find crashes. */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "tests/unit/test.h"

enum { MEGABYTE = 1 << 20 };

#define TAIL                                                                                       \
  "\nstrand s (int i) {\n  output real x = i;\n  update { stabilize; }\n}\n"                       \
  "create_array { s(i) | i in 0..2 }\n"

/* The program consists of `before`, n times `part`, and `after`. */
typedef struct Repeated {
  const char *before, *part, *after;
  uint32_t n;
} Repeated;

typedef struct Answer {
  uint32_t n_errors;
  size_t n_printed; /* bytes of messages */
  double seconds;
} Answer;

static size_t printed_bytes(const Cx *cx) {
  FILE *file = tmpfile();
  if (!file) return 0;
  diag_print_all(cx, file, DIAG_FULL);
  const long len = ftell(file);
  fclose(file);
  return len > 0 ? (size_t)len : 0;
}

static Answer answer_to(const char *text, size_t len) {
  Cx *cx = cx_new();
  types_init(cx);
  const clock_t start = clock();
  cx->source = source_from_text(cx->arena, "hostile.diderot", text, len);
  const Ast *ast = parse(cx);
  const TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  Answer answer = {
      .n_errors = diag_error_count(cx),
      .n_printed = printed_bytes(cx),
      .seconds = (double)(clock() - start) / CLOCKS_PER_SEC,
  };
  CHECK((program != NULL) == (answer.n_errors == 0));
  cx_free(cx);
  return answer;
}

/* Generous for sanitized builds; without bounds these would take minutes. */
static void check_bounds(Answer answer, const char *what) {
  bool held = CHECK(answer.seconds < 20);
  held &= CHECK(answer.n_printed < MEGABYTE);
  if (!held) fprintf(stderr, "  %s\n", what);
}

static Answer answer_to_repeated(const Repeated *input) {
  Arena *a = arena_new();
  Text text = text_new(a);
  text_add(&text, "#version 2.0\n");
  text_add(&text, input->before);
  const uint32_t n = input->n < 5000 ? input->n : test_rounds(input->n);
  for (uint32_t i = 0; i < n; i++) text_add(&text, input->part);
  text_add(&text, input->after);
  text_add(&text, TAIL);
  Answer answer = answer_to(text_str(&text), text.len);
  check_bounds(answer, input->before[0] ? input->before : input->part);
  arena_free(a);
  return answer;
}

static void refused(Repeated input) { CHECK(answer_to_repeated(&input).n_errors > 0); }
static void accepted(Repeated input) { CHECK_EQ(answer_to_repeated(&input).n_errors, 0); }

static void deep_nesting_is_refused(void) {
  static const char *const opening[] = {
      "(",  "[",    "{",          "|",  "-",    "!", "∇", "sin(", "f(", "1 + (", "a if b else ",
      "2^", "-1*(", "{x | x in ", "a[", "real("};
  for (size_t i = 0; i < sizeof opening / sizeof *opening; i++)
    refused((Repeated){"real y = ", opening[i], "", 10000});
  refused((Repeated){"real y = ", "(", ";", MEGABYTE});
  refused((Repeated){"function real f () { ", "{ ", "", 100000});
  refused((Repeated){"function real f () { ", "if (true) ", "return 1; }", 100000});
  refused((Repeated){"function real f () { ", "foreach (int i in ", "", 10000});
}

static void long_flat_texts_are_read(void) {
  accepted((Repeated){"", " \n\t", "", MEGABYTE / 6});
  accepted((Repeated){"// ", "comment ", "\n", MEGABYTE / 8});
  accepted((Repeated){"/* ", "* / ", "*/", MEGABYTE / 4});
  accepted((Repeated){"int ", "name", " = 1;", MEGABYTE / 8});
  accepted((Repeated){"string t = \"", "text", "\";", MEGABYTE / 4});
  accepted((Repeated){"int[] t = {1", ", 1", "};", MEGABYTE / 12});
  accepted((Repeated){"function real f (real x) = x; real y = 0", " + f(1)", ";", 500});
}

static void long_nonsense_is_refused(void) {
  static const char *const parts[] = {")",
                                      "}",
                                      ";",
                                      "$",
                                      "'",
                                      "\"",
                                      "real ",
                                      "1.",
                                      "...",
                                      "#",
                                      "strand ",
                                      "@ ",
                                      "= ",
                                      "{}",
                                      "\\",
                                      "real a = b;\n",
                                      "int a = true; ",
                                      "∇×",
                                      "#version 2.0\n",
                                      "else ",
                                      "|"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    refused((Repeated){"", parts[i], "", (uint32_t)(MEGABYTE / 16 / strlen(parts[i]))});
}

static void a_megabyte_of_mistakes_is_refused(void) {
  refused((Repeated){"", "}", "", MEGABYTE});
  refused((Repeated){"", "$", "", MEGABYTE});
  refused((Repeated){"", "real a = b;\n", "", MEGABYTE / 12});
  refused((Repeated){"", "int a = true; ", "", MEGABYTE / 14});
}

static void huge_numbers_and_shapes_are_refused(void) {
  refused((Repeated){"int y = 1", "0", ";", MEGABYTE});
  refused((Repeated){"int y = -", "9", ";", 30});
  refused((Repeated){"tensor[", "9", "] y = nan;", 30});
  refused((Repeated){"tensor[", "9", "] y = nan;", 8});
  refused((Repeated){"tensor[2", ",2", "] y = nan;", 100000});
  refused((Repeated){"field#1(", "3", ")[] y = 1;", 30});
  refused((Repeated){"real y = (zeros[4096]⊗zeros[4096]", "⊗zeros[4096]", ")[0,0];", 30});
  refused((Repeated){"real y = |", "[zeros[4096], 1],", "|;", 10});
  accepted((Repeated){"real y = 1", "0", ".5;", MEGABYTE});
  accepted((Repeated){"real y = 1.5e", "0", "9;", 100000});
  accepted((Repeated){"field#", "9", "(3)[] y(x) = 1;", 100});
}

static void begin_program(char *bytes) {
  static const char version[] = "#version 2.0\n";
  for (size_t i = 0; version[i]; i++) bytes[i] = version[i];
}

/* Not a C string: NUL, and bytes that are not UTF-8. */
static void bytes_that_are_no_text_are_refused(void) {
  static char bytes[MEGABYTE];
  for (unsigned byte = 0; byte < 256; byte++) {
    const bool is_blank = byte == ' ' || (byte >= '\t' && byte <= '\r');
    memset(bytes, (int)byte, sizeof bytes / 64);
    begin_program(bytes);
    Answer answer = answer_to(bytes, sizeof bytes / 64);
    check_bounds(answer, "one byte repeated");
    CHECK(answer.n_errors > 0 || is_blank);
  }
  memset(bytes, 0, sizeof bytes);
  check_bounds(answer_to(bytes, sizeof bytes), "NUL bytes");
  begin_program(bytes);
  check_bounds(answer_to(bytes, sizeof bytes), "NUL bytes in a program");
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * 2654435761u >> 13);
  check_bounds(answer_to(bytes, sizeof bytes), "noise");
}

static void memory_stays_bounded(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  CHECK(usage.ru_maxrss < 2L * 1024 * 1024); /* KiB; the largest input above is 1 MB */
}

int main(void) {
  RUN(deep_nesting_is_refused);
  RUN(long_flat_texts_are_read);
  RUN(long_nonsense_is_refused);
  RUN(a_megabyte_of_mistakes_is_refused);
  RUN(huge_numbers_and_shapes_are_refused);
  RUN(bytes_that_are_no_text_are_refused);
  RUN(memory_stays_bounded);
  return test_result();
}

/* IR text: printing a parsed module gives the same text, at every level and for every kind of
 * attribute; invalid text gives a message and no crash, wherever it is cut off or changed. */
#include <string.h>

#include "tests/unit/test.h"

#include "tests/unit/core/ir_text.h"

static const char high_text[] =
    "ir high\n"
    "strand \"RayCast\" grid 2\n"
    "input \"step\": real = real (0.1 \"0.10\") description \"a \\\"step\\\"\\x0a\" @3-9\n"
    "input \"flags\": bool[2] = bool[2] {bool true, bool false} @3-9\n"
    "input \"names\": string[] = string[0] {} @3-9\n"
    "input \"eye\": vec3 = vec3 (1, 2.5 \"2.50\", -0) @3-9\n"
    "input \"n\": int = int -3 @3-9\n"
    "image \"img\": image(3)[] file \"img.nrrd\" @10-20\n"
    "state \"pos\": vec3 varying @21-24\n"
    "state \"out\": real output shared @25-28\n"
    "\n"
    "func user \"scale\" -> vec3 @0-5 {\n"
    "  b0(%0 \"x\": vec3, %1 \"s\": real):\n"
    "    %2: vec3 = ein<i:3 | $0[i] * $1> %0, %1 @1-2\n"
    "    leave<return> %2 @1-2\n"
    "}\n"
    "\n"
    "func update @0-5 {\n"
    "  b0(%0: vec3, %1: real):\n"
    "    %2: image(3)[] = global_load<5 \"img\"> @1-2\n"
    "    %3: kernel#2 = kernel<bspln3> @1-2\n"
    "    %4 \"F\": field#2(3)[] = convolve %2, %3 @1-2\n"
    "    %5: bool = inside %0, %4 @1-2\n"
    "    branch %5, b1(), b2(), merge b3 @1-2\n"
    "  b1():\n"
    "    %6: real = probe %4, %0 @1-2\n"
    "    %7: real = global_load<0 \"step\"> @1-2\n"
    "    %8: vec3 = call<0 \"scale\"> %0, %7 @1-2\n"
    "    jump b3(%6, %8) @1-2\n"
    "  b2():\n"
    "    leave<die> %0, %1 @1-2\n"
    "  b3(%9: real, %10: vec3):\n"
    "    %11: int = const_int<3> @1-2\n"
    "    %12: bool = const_bool<true> @1-2\n"
    "    %13: string = const_string<\"a\\\\b\"> @1-2\n"
    "    print %13, %11 @1-2\n"
    "    foreach %11, %11, b4(%9), b5() @1-2\n"
    "  b4(%14 \"i\": int, %15: real):\n"
    "    %16: real = i2r %14 @1-2\n"
    "    next %16 @1-2\n"
    "  b5(%17: real):\n"
    "    leave<stabilize> %10, %17 @1-2\n"
    "}\n";

static const char mid_text[] =
    "ir mid\n"
    "image \"img\": image(3)[3] @10-20\n"
    "state \"v\": mat3 @21-24\n"
    "\n"
    "func start @0-5 {\n"
    "  b0(%0: mat3):\n"
    "    %1: image(3)[3] at <1 <= len_x | 0 [9 : stride_z, 8 : stride_y, len_x : 3, 3 : 1] "
    "perm 3 0 1 2 of [4096]> = global_load<0 \"img\"> @1-2\n"
    "    %2: real = const_real<0.5> @1-2\n"
    "    %3: vec3 = cons %2, %2, %2 @1-2\n"
    "    %4: mat3, %5: tensor[3,3,3] = probe_group<KRNS(ctmr,tent,bspln5) orders 1 2 border const> "
    "%1, "
    "%3, %3 @1-2\n"
    "    %6: mat3 = gradient_matrix %1 @1-2\n"
    "    %7: bool = inside_index<2> %1, %3 @1-2\n"
    "    %8: bool = inside_index<2,1> %1, %3 @1-2\n"
    "    %9: bool = inside_index<2,1,3> %1, %3 @1-2\n"
    "    leave<active> %4 @1-2\n"
    "}\n";

static const char low_text[] = "ir low\n"
                               "global \"g\": vec2 @0-1\n"
                               "image \"img\": image(2)[] @10-20\n"
                               "state \"p\": vec2 output @21-24\n"
                               "\n"
                               "func user \"f\" -> vec2 @0-5 {\n"
                               "  b0(%0: real):\n"
                               "    leave<return> %0, %0 @1-2\n"
                               "}\n"
                               "\n"
                               "func update @0-5 {\n"
                               "  b0(%0: real, %1: real):\n"
                               "    %2: image(2)[] = global_load<1 \"img\"> @1-2\n"
                               "    %3: real = image_matrix<0,1> %2 @1-2\n"
                               "    %4: offset = const_offset<-7> @1-2\n"
                               "    %5: addr = sample_addr<2> %2, %4 @1-2\n"
                               "    %6: row(4) = row_load %5 @1-2\n"
                               "    %7: row(4) = const_row<1 -1/2 2/3 0> @1-2\n"
                               "    %8: real = row_dot %6, %7 @1-2\n"
                               "    %9: real = row_get<3> %6 @1-2\n"
                               "    global_store<0.1 \"g\"> %9 @1-2\n"
                               "    %10: real, %11: real = call<0 \"f\"> %9 @1-2\n"
                               "    leave<active> %10, %3 @1-2\n"
                               "}\n";

static const char *const texts[] = {high_text, mid_text, low_text};

static void printing_gives_back_the_text(void) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Cx *cx = test_cx();
    char said[4096];
    Module *m = module_from_text(cx, texts[i]);
    if (!CHECK(m != NULL)) fprintf(stderr, "%s", messages(cx, said, sizeof said));
    else CHECK_STR(ir_print(cx, m), texts[i]);
    cx_free(cx);
  }
}

static void spans_are_of_the_text_when_none_is_given(void) {
  Cx *cx = test_cx();
  Module *m = module_from_text(cx, "ir high // comment\n"
                                   "func globals {\n"
                                   "  b0():\n"
                                   "    leave<return> // another\n"
                                   "}\n");
  if (CHECK(m != NULL)) {
    Span span = m->funcs.data[0]->blocks.data[0]->last->span;
    CHECK_EQ(source_position(cx->source, span.start).line, 4);
    CHECK_EQ(source_position(cx->source, span.start).column, 5);
    CHECK_EQ(span.end - span.start, strlen("leave<return>"));
  }
  cx_free(cx);
}

/* Every prefix, and every text with one byte changed, is either a module or gives at least one
 * message. */
static void damaged_text_is_reported(void) {
  static const char bytes[] = "%b<>(){},@\"0 x\n";
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    size_t len = strlen(texts[i]);
    for (size_t at = 0; at < len; at++) {
      char copy[4096];
      memcpy(copy, texts[i], len + 1);
      if (at % 2) copy[at] = '\0';
      else copy[at] = bytes[at % (sizeof bytes - 1)];
      Cx *cx = test_cx();
      Module *m = module_from_text(cx, copy);
      CHECK((m == NULL) == (diag_error_count(cx) > 0));
      cx_free(cx);
    }
  }
}

static void mistakes_name_their_place(void) {
  static const char *const cases[][2] = {
      {"ir high\nfunc globals {\n  b0():\n    frob\n}\n",
       "[test.ir:4.5-5] Error: bad IR: unknown op"},
      {"ir high\nfoo\n", "[test.ir:2.1-1] Error: bad IR: func, state,"},
      {"ir up\n", "high, mid or low expected"},
      {"ir high\nfunc globals {\n b0():\n  print %7\n  leave<return>\n}\n", "%7 is not defined"},
      {"ir high\nfunc globals {\n b0():\n  jump b9()\n}\n", "a block is not defined"},
      {"ir high\nfunc globals {\n b0():\n  leave<return>\n b0():\n  leave<return>\n}\n",
       "b0 is defined twice"},
      {"ir high\nfunc globals {\n b0(%0: int, %0: int):\n  leave<return>\n}\n",
       "%0 is defined twice"},
      {"ir high\nfunc globals {\n b0():\n  %4000000000: int = const_int<1>\n}\n",
       "number too large"},
      {"ir high\nfunc globals {\n b0():\n  %0: int = const_int<9223372036854775808>\n}\n",
       "integer too large"},
      {"ir high\nfunc globals {\n b0():\n  %0: kernel#1 = kernel<box>\n}\n", "unknown kernel"},
      {"ir high\nfunc globals {\n b0():\n  %0: int = global_load<0>\n}\n", "no such global"},
      {"ir high\ninput \"a\": int @0-1\nfunc globals {\n b0():\n  %0: int = global_load<0 "
       "\"b\">\n}\n",
       "the number is not that of the name"},
      {"ir mid\nfunc globals {\n b0():\n  %0: bool = inside_index<257,1,1>\n}\n",
       "257 is no half-support"},
      {"ir high\ninput \"a\": tensor[ @0-1\n", "type expected"},
      {"ir high\ninput \"a: int\n", "string is not closed"},
      {"ir high\ninput \"\\q\": int\n", "bad escape"},
      {"ir high\ninput \"a\": vec2 = vec2 (1)\n", "wrong number of components"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char said[4096];
    Cx *cx = test_cx();
    CHECK(module_from_text(cx, cases[i][0]) == NULL);
    if (!CHECK(strstr(messages(cx, said, sizeof said), cases[i][1]) != NULL))
      fprintf(stderr, "  expected: %s\n  found: %s", cases[i][1], said);
    CHECK_EQ(diag_error_count(cx), 1);
    cx_free(cx);
  }
}

int main(void) {
  RUN(printing_gives_back_the_text);
  RUN(spans_are_of_the_text_when_none_is_given);
  RUN(damaged_text_is_reported);
  RUN(mistakes_name_their_place);
  return test_result();
}

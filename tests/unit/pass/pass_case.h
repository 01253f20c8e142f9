/* A pass on a function given as text: the resulting text, and whether the pass reports a change. */
#pragma once

#include "ir/analysis/dom.h"
#include "ir/pass/pass.h"
#include "tests/unit/core/ir_text.h"
#include "tests/unit/test.h"

/* The body of a method over %0: int, %1: real, %2: bool. */
#define HEADER                                                                                     \
  "global \"g\": real @0-1\n"                                                                      \
  "state \"i\": int @0-1\nstate \"r\": real @0-1\nstate \"b\": bool @0-1\n"
#define BODY(level, body)                                                                          \
  "ir " level "\n" HEADER "\nfunc update @0-1 {\n  b0(%0: int, %1: real, %2: bool):\n" body "}\n"

static inline Module *module_or_fail(Cx *cx, const char *text) {
  char said[2048];
  Module *m = module_from_text(cx, text);
  if (!CHECK(m != NULL)) fprintf(stderr, "%s%s", text, messages(cx, said, sizeof said));
  return m;
}

/* The text of the module after the pass; the pass must report correctly whether it changed
 * anything. */
static inline const char *run_on_text(Cx *cx, PassFn *pass, const char *text) {
  Module *m = module_or_fail(cx, text);
  if (!m) return "";
  const char *before = ir_print(cx, m);
  bool has_changed = false;
  for (uint32_t i = 0; i < m->funcs.len; i++) {
    Pass px = {.cx = cx, .module = m, .dom = dom_new(cx->arena, m->funcs.data[i])};
    has_changed |= pass(&px, m->funcs.data[i]);
  }
  const char *after = ir_print(cx, m);
  CHECK_STR(ir_check(cx, m), NULL);
  CHECK_EQ(has_changed, strcmp(before, after) != 0);
  return after;
}

/* The pass turns the first text into the second, except for spans and numbers. */
static inline void becomes(PassFn *pass, const char *from, const char *to) {
  Cx *cx = test_cx();
  const char *found = run_on_text(cx, pass, from);
  CHECK_STR(found, to);
  cx_free(cx);
}

static inline uint32_t count_text(const char *text, const char *what) {
  uint32_t n = 0;
  for (; (text = strstr(text, what)) != NULL; text += strlen(what)) n++;
  return n;
}

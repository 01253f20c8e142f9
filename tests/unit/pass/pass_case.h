/* A pass on a function given as text: what it makes of it, and whether it says that it changed it.
 */
#pragma once

#include "ir/analysis/dom.h"
#include "ir/pass/pass.h"
#include "tests/unit/core/ir_text.h"
#include "tests/unit/test.h"

/* What a case is about: the body of a method over %0: int, %1: real, %2: bool. */
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

/* Text of module after the pass; the pass must report truly whether it changed anything. */
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

/* The pass turns the one text into the other, but for spans and numbers that the texts leave open.
 */
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

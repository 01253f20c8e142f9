/* A program of the language as a module in HIGH. */
#pragma once

#include <string.h>

#include "frontend/base/panic.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"

static inline Module *high_from_text(Cx *cx, const char *text) {
  cx->source = source_from_text(cx->arena, "test.diderot", text, strlen(text));
  const Ast *ast = parse(cx);
  TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  if (!program) {
    diag_print_all(cx, stderr, DIAG_PLAIN);
    BUG(cx, "the program of the test is wrong");
  }
  return high_from_tast(cx, program);
}

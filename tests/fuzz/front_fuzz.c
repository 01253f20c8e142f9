/* Fuzz target: any bytes through lexer, parser and checker, and every message printed.
 *
 * Two mains drive it: libFuzzer's, which searches (preset fuzz), and that of replay.c, which runs
 * files. What counts as a find, besides crashes, leaks and internal errors of the compiler: a text
 * that is neither accepted nor answered with an error. Next: CMakeLists.txt.
 */
#include <stdio.h>
#include <stdlib.h>

#include "frontend/base/diag.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const ConstOverride overrides[] = {{"N", "[1, -2.5e3]"}, {"x", "{\"a\\n\", \"\"}"}};
static const CheckOptions options = {.overrides = overrides, .n_overrides = 2};

static void print_messages(const Cx *cx) {
  FILE *nowhere = fopen("/dev/null", "w");
  if (!nowhere) return;
  diag_print_all(cx, nowhere, DIAG_FULL);
  fclose(nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Cx *cx = cx_new();
  types_init(cx);
  cx->source = source_from_text(cx->arena, "fuzz.diderot", (const char *)data, size);
  const Ast *ast = parse(cx);
  const TProgram *program = ast ? check(cx, ast, &options) : NULL;
  if (!program && diag_error_count(cx) == 0) abort();
  print_messages(cx);
  cx_free(cx);
  return 0;
}

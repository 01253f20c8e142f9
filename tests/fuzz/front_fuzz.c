/* Fuzz target: any bytes through lexer, parser and checker, and every message printed in each
 * style.
 *
 * What counts as a find, besides crashes, leaks and internal errors of the compiler: a text that is
 * neither accepted nor answered with an error, and one whose answer differs the second time. Next:
 * compile_fuzz.c for what becomes of accepted programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  diag_print_all(cx, nowhere, DIAG_PLAIN);
  diag_print_all(cx, nowhere, DIAG_JSON);
  diag_print_all(cx, nowhere, DIAG_SARIF);
  fclose(nowhere);
}

static Cx *read_program(const uint8_t *data, size_t size) {
  Cx *cx = cx_new();
  types_init(cx);
  cx->source = source_from_text(cx->arena, "fuzz.diderot", (const char *)data, size);
  const Ast *ast = parse(cx);
  const TProgram *program = ast ? check(cx, ast, &options) : NULL;
  if (!program && diag_error_count(cx) == 0) abort();
  return cx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Cx *cx = read_program(data, size), *again = read_program(data, size);
  print_messages(cx);
  if (strcmp(diag_lines(cx, DIAG_JSON), diag_lines(again, DIAG_JSON)) != 0) abort();
  if (strcmp(diag_lines(cx, DIAG_SARIF), diag_lines(again, DIAG_SARIF)) != 0) abort();
  cx_free(cx);
  cx_free(again);
  return 0;
}

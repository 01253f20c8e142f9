/* ir-roundtrip FILE.diderot ...: checks for each program that its IR can be printed and read back
 * unchanged, print(parse(print(m))) == print(m), at first and after every pass of the pipeline, and
 * that the verifier accepts it.
 */
#include <stdlib.h>

#include "frontend/base/diag.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"
#include "ir/pass/pass.h"
#include "tests/unit/test.h"

static bool read_back(const char *when, const char *text) {
  Cx *cx = cx_new();
  types_init(cx);
  cx->source = source_from_text(cx->arena, when, text, strlen(text));
  const Module *m = ir_parse(cx);
  const bool is_good = CHECK(m != NULL) && CHECK_STR(ir_print(cx, m), text);
  if (!m) diag_print_all(cx, stderr, DIAG_PLAIN);
  cx_free(cx);
  return is_good;
}

static void after_pass(void *context, PassId after, const char *text) {
  if (!read_back(pass_name(after), text))
    fprintf(stderr, "  %s after %s\n", (const char *)context, pass_name(after));
}

/* Images need not exist: no file is read. */
static TProgram *check_program(Cx *cx, char *path) {
  const char *why = "";
  types_init(cx);
  cx->source = source_read(cx->arena, path, &why);
  const Ast *ast = cx->source ? parse(cx) : NULL;
  TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  if (program) return program;
  diag_print_all(cx, stderr, DIAG_PLAIN);
  fprintf(stderr, "%s: cannot be compiled %s\n", path, why);
  exit(2);
}

static void check_file(char *path) {
  Cx *cx = cx_new();
  Module *m = high_from_tast(cx, check_program(cx, path));
  bool dumped[PASS_COUNT];
  for (uint32_t i = 0; i < PASS_COUNT; i++) dumped[i] = true;
  const RunOptions options = {.dump_after = dumped, .dump = after_pass, .context = path};
  if (!read_back("high", ir_print(cx, m))) fprintf(stderr, "  %s as made\n", path);
  run_pipeline(cx, m, LEVEL_LOW, NULL, &options);
  CHECK_EQ(m->level, LEVEL_LOW);
  cx_free(cx);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) check_file(argv[i]);
  return test_result();
}

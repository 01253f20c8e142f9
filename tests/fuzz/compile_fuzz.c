/* Fuzz target: a program that the checker accepts has IR, a tree and C by every target, or is
 * beyond a limit that the compiler names. Anything else is a find. Next: guard.h.
 */
#include <stdlib.h>

#include "backend-c/target_c.h"
#include "backend-cuda/target_cuda.h"
#include "frontend/base/diag.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"
#include "ir/pass/pass.h"
#include "ir/tree/tree.h"
#include "tests/fuzz/guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const Target *const targets[] = {&target_c, &target_c_parallel, &target_cuda};

static void emit(Cx *cx, const Target *target, const TreeProgram *tree) {
  static const char *const none[] = {NULL};
  static const LibraryNames names = {"fuzz", "fuzz", "fuzz.diderot", "", none};
  EmitOptions options = {
      .workers = target->workers, .program = "fuzz", .version = "0", .has_snapshots = true};
  const char *obstacle = NULL;
  LibraryTexts library = {0};
  target->emit(cx, tree, &options);
  target->memory(cx, tree, &options);
  target->describe(cx, tree, &options, &names, &library);
  if (target->emit_device) options.has_device = target->emit_device(cx, tree, &options, &obstacle);
  options.is_scalar = options.with_line_marks = options.is_lockstep = true;
  target->emit(cx, tree, &options);
}

static void compile(Cx *cx, void *state) {
  const bool *with_checks = state;
  const Ast *ast = parse(cx);
  const TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  if (!program) return;
  Module *m = high_from_tast(cx, program);
  ir_verify(cx, m);
  if (*with_checks) run_pass(cx, m, PASS_insert_checks, &target_c, NULL);
  run_pipeline(cx, m, LEVEL_LOW, &target_c, NULL);
  TreeProgram *tree = tree_from_low(cx, m);
  tree_verify(cx, tree);
  tree_print(cx, tree);
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) emit(cx, targets[i], tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Cx *cx = cx_new();
  types_init(cx);
  cx->source = source_from_text(cx->arena, "fuzz.diderot", (const char *)data, size);
  uint32_t sum = 0; /* decides the options */
  for (size_t i = 0; i < size; i++) sum += data[i];
  cx->is_double = sum & 1;
  cx->is_long_int = sum & 2;
  bool with_checks = sum & 4;
  guard(cx, compile, &with_checks);
  cx_free(cx);
  return 0;
}

/* device_code.h: the code for devices of a program in a test. */
#pragma once

#include <string.h>

#include "backend-cuda/target_cuda.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"
#include "ir/pass/pass.h"
#include "ir/tree/tree.h"
#include "tests/unit/core/ir_text.h"
#include "tests/unit/test.h"

/* Of a program without mistakes, which devices can run. */
static inline const char *device_code(Cx *cx, const char *text) {
  const EmitOptions options = {
      .device = DEVICE_CUDA, .workers = BY_DEVICE, .program = "test", .version = "0"};
  const char *obstacle = NULL;
  cx->source = source_from_text(cx->arena, "test.diderot", text, strlen(text));
  const Ast *ast = parse(cx);
  TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  if (!CHECK(program != NULL)) return "";
  Module *m = high_from_tast(cx, program);
  run_pipeline(cx, m, LEVEL_LOW, &target_cuda, NULL);
  const char *device = target_cuda.emit_device(cx, tree_from_low(cx, m), &options, &obstacle);
  CHECK_STR(obstacle, NULL);
  return device ? device : "";
}

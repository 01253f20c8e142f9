/* Functions over reals before and after mid_to_low, evaluated on one image. */
#pragma once

#include "frontend/base/panic.h"
#include "ir/core/build.h"
#include "tests/oracle/ir_eval.h"
#include "tests/unit/test.h"

enum { MAX_PARAMS = 16 };

/* This grid has no symmetry. */
static inline Grid sheared_grid(uint32_t dim) {
  Grid grid = {.dim = (int)dim, .size = {9, 8, 7}, .origin = {0.25L, -0.5L, 1}};
  static const long double dir[3][3] = {{0.75L, -0.25L, 0.5L}, {0.375L, 1, -1}, {0.125L, 0.5L, 1}};
  for (int axis = 0; axis < 3; axis++)
    for (int r = 0; r < 3; r++) grid.dir[axis][r] = dir[axis][r];
  return grid;
}

/* Runs fn on params; stores its results in `out`, bools as 0 and 1. No sample outside the image is
 * read. The image, if any, is global 0. */
static inline void run_func(const Func *fn, const Image *image, const double *params,
                            uint32_t n_params, double *out) {
  IrEval *eval = ir_eval_new(fn->module, 0x1p-53);
  IrScalar args[MAX_PARAMS];
  if (image) ir_eval_set_image(eval, 0, image);
  for (uint32_t i = 0; i < n_params; i++) args[i] = ir_real(params[i]);
  const IrOutcome outcome = ir_eval_call(eval, fn, args, n_params);
  for (uint32_t i = 0; i < outcome.n; i++) {
    const OpValue value = outcome.values[i].value;
    out[i] = value.kind == OV_BOOL ? value.b : value.real;
  }
  CHECK_EQ(ir_eval_stray_reads(eval), 0);
  ir_eval_free(eval);
}

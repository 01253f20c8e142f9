/* ir_same.c: comparing scalars within their bounds. Read next: ir_same.h. */
#include "tests/oracle/ir_same.h"

#include <math.h>

static double allowed(const IrScalar *want) {
  return IR_ROUNDING_FACTOR * want->error + 1e-14 * (1e-3 + fabs(want->value.real));
}

/* A series may give NaN for 0/0 where a formula avoids the division. */
static bool is_free(const IrScalar *want) {
  if (want->value.kind != OV_REAL) return want->error > 0;
  return isnan(want->value.real) || !(want->error < 1e-3 * (1 + fabs(want->value.real)));
}

static void compare_one(IrComparison *result, const IrScalar *want, const IrScalar *found,
                        uint32_t pos) {
  if (is_free(want)) {
    result->n_free++;
    return;
  }
  bool is_same = op_value_is_same(want->value, found->value);
  if (!is_same && want->value.kind == OV_REAL && found->value.kind == OV_REAL) {
    const double ratio = fabs(want->value.real - found->value.real) / allowed(want);
    if (ratio > result->worst) result->worst = ratio;
    is_same = ratio <= 1;
  }
  result->n_compared++;
  if (is_same) return;
  if (result->n_wrong++ == 0) result->first_wrong = pos;
}

void ir_compare(IrComparison *result, const IrScalar *want, const IrScalar *found, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) compare_one(result, &want[i], &found[i], i);
}

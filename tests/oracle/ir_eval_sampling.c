/* ir_eval_sampling.c: samplings (ir.h). This evaluator never makes one, so strands always probe,
 * which gives the same values up to rounding.
 */
#include <math.h>

#include "tests/oracle/ir_eval_local.h"

/* Of tap j + 1 - s at a fraction: horner's sum, and what rounding and an inexact fraction do. */
static IrScalar weight_of(const Kernel *kernel, uint32_t order, int32_t tap, double fraction,
                          double fraction_error, double epsilon) {
  const WeightPoly poly = kernel_weight(kernel, order, tap);
  double value = 0, slope = 0, magnitude = 0;
  for (uint32_t k = poly.degree + 1; k-- > 0;) {
    const double coeff = rational_to_double(poly.coeff[k]);
    slope = slope * fraction + value;
    value = value * fraction + coeff;
    magnitude += fabs(coeff);
  }
  IrScalar weight = ir_real(value);
  weight.error =
      (fabs(slope) + magnitude) * fraction_error + 2 * (poly.degree + 1) * epsilon * magnitude;
  return weight;
}

static void eval_weights(const IrFrame *frame, const Inst *inst) {
  const ProbeGroup *group = &inst->attr.group;
  const IrValue *pos = ir_arg(frame, inst, 0);
  const uint32_t n_taps = 2 * group->kernel->support, n_orders = group_max_order(group) + 1;
  const IrValue value = ir_new_value(frame, pos->n * n_orders * n_taps);
  for (uint32_t i = 0; i < value.n; i++) {
    const IrScalar at = pos->at[i / (n_orders * n_taps)];
    const double fraction = at.value.real - floor(at.value.real);
    if (fraction < at.error || 1 - fraction < at.error) frame->eval->is_unsure = true;
    const int32_t tap = (int32_t)(i % n_taps) + 1 - (int32_t)group->kernel->support;
    const Kernel *kernel = kernel_along(group->kernel, i / (n_orders * n_taps));
    value.at[i] = weight_of(kernel, i / n_taps % n_orders, tap, fraction,
                            at.error + frame->eval->epsilon, frame->eval->epsilon);
  }
  frame->of[inst->results[0]->id] = value;
}

static void set_one(const IrFrame *frame, const Inst *inst, IrScalar scalar) {
  const IrValue value = ir_new_value(frame, 1);
  *value.at = scalar;
  frame->of[inst->results[0]->id] = value;
}

bool ir_eval_sampling_op(const IrFrame *frame, const Inst *inst) {
  switch (inst->op) {
  case OP_KERNEL_WEIGHTS: eval_weights(frame, inst); return true;
  case OP_SAMPLING_IS_MADE: set_one(frame, inst, ir_bool(false)); return true;
  case OP_SAMPLING_VALUE: set_one(frame, inst, ir_real(NAN)); return true;
  default: return false; /* has nothing to do with one */
  }
}

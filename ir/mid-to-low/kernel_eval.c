/* Kernel weights: polynomials in the fraction f, all taps of an axis in one row. */
#include "ir/mid-to-low/local.h"

static Value *coefficient_row(Lower *lower, const WeightPoly *polys, uint32_t n_taps,
                              uint32_t power) {
  Rational *lanes = NEWN(lower->cx->arena, Rational, n_taps);
  for (uint32_t tap = 0; tap < n_taps; tap++) lanes[tap] = polys[tap].coeff[power];
  const Attr attr = {.row = {.width = n_taps, .lanes = lanes}};
  return build_typed(&lower->b, OP_CONST_ROW, attr, type_row(lower->cx, n_taps), NULL, 0);
}

Value *lower_weights(Lower *lower, const Kernel *kernel, uint32_t axis, uint32_t order,
                     Value *fraction) {
  const uint32_t n_taps = 2 * kernel->support;
  const Kernel *one = kernel_along(kernel, axis);
  WeightPoly polys[MAX_TAPS];
  uint32_t degree = 0;
  for (uint32_t tap = 0; tap < n_taps; tap++) {
    polys[tap] = kernel_weight(one, order, (int32_t)tap + 1 - (int32_t)kernel->support);
    if (polys[tap].degree > degree) degree = polys[tap].degree;
  }
  Value *weights = coefficient_row(lower, polys, n_taps, degree);
  for (uint32_t power = degree; power-- > 0;) {
    Value *horner[] = {weights, fraction, coefficient_row(lower, polys, n_taps, power)};
    weights = build_op(&lower->b, OP_ROW_FMA, ATTR_EMPTY, horner, 3);
  }
  return weights;
}

Parts lower_weight_table(Lower *lower, const Inst *inst) {
  Builder *b = &lower->b;
  const ProbeGroup *group = &inst->attr.group;
  const Parts pos_index = parts_of(lower, inst->args[0]);
  const uint32_t n_taps = 2 * group->kernel->support, n_orders = group_max_order(group) + 1;
  const Parts table = parts_new(lower->cx, pos_index.n * n_orders * n_taps);
  for (uint32_t i = 0; i < pos_index.n * n_orders; i++) {
    Value *at = pos_index.v[i / n_orders];
    Value *fraction = build_op2(b, OP_RSUB, at, build_op1(b, OP_RFLOOR, at));
    Value *row = lower_weights(lower, group->kernel, i / n_orders, i % n_orders, fraction);
    for (uint32_t tap = 0; tap < n_taps; tap++)
      table.v[i * n_taps + tap] = build_op(b, OP_ROW_GET, (Attr){.i = tap}, &row, 1);
  }
  return table;
}

/* ir_eval_low.c: rows and windows of samples, from the meanings in ops.def and not from the pass
 * that makes them. A sample address is the number of the sample and, as its kind of scalar, an int.
 */
#include <math.h>

#include "tests/oracle/ir_eval_local.h"

/* The image that an address is of: found through its definition, as there is no pointer. */
static const IrImage *image_behind(const IrFrame *frame, const Value *addr) {
  while (addr->def && addr->def->op == OP_ADDR_ADD) addr = addr->def->args[0];
  if (!addr->def || addr->def->op != OP_SAMPLE_ADDR)
    BUG(frame->eval->cx, "an address comes from nowhere");
  return ir_image_of(frame, addr->def->args[0]);
}

static IrScalar read_sample(const IrFrame *frame, const IrImage *image, int64_t at) {
  const int64_t n = (int64_t)grid_count(&image->image->grid) * image->image->n_comp;
  if (at >= 0 && at < n) return ir_real((double)image->image->samples[at]);
  frame->eval->n_stray_reads++;
  return ir_real(NAN);
}

static int64_t stride_of(const IrImage *image, int64_t axis) {
  int64_t stride = image->image->n_comp;
  for (int64_t a = 0; a < axis; a++) stride *= image->image->grid.size[a];
  return stride;
}

static int64_t corner(double floor_index, int64_t len, int64_t support) {
  const int64_t last = len - 2 * support, first = ir_first_tap(floor_index, support);
  return first < 0 || last < 0 ? 0 : first > last ? last : first;
}

static bool is_within(double floor_index, int64_t len, int64_t support) {
  const int64_t first = ir_first_tap(floor_index, support);
  return isfinite(floor_index) && first >= 0 && first + 2 * support <= len;
}

/* Elsewhere it may be anything: far from every sample. */
static int64_t corner_within(const IrFrame *frame, const Inst *inst, int64_t len) {
  const double floor_index = ir_real_arg(frame, inst, 0);
  if (!is_within(floor_index, len, inst->attr.i)) return INT32_MIN;
  return ir_first_tap(floor_index, inst->attr.i);
}

/* --- results that are one scalar -------------------------------------------------------------- */

static bool eval_tap(const IrFrame *frame, const Inst *inst, IrScalar *out) {
  const int64_t n = inst->n_args > 1 ? ir_int_arg(frame, inst, 1) : 0;
  switch (inst->op) {
  case OP_CORNER: *out = ir_int(corner(ir_real_arg(frame, inst, 0), n, inst->attr.i)); return true;
  case OP_SUPPORT_WITHIN:
    *out = ir_bool(is_within(ir_real_arg(frame, inst, 0), n, inst->attr.i));
    return true;
  case OP_CORNER_WITHIN: *out = ir_int(corner_within(frame, inst, n)); return true;
  case OP_TAP: *out = ir_int(ir_first_tap(ir_real_arg(frame, inst, 0), inst->attr.i)); return true;
  default: return false; /* no op on taps */
  }
}

/* Is the type of its file the one that its global names? */
static bool is_native(const IrFrame *frame, const Inst *inst, const IrImage *image) {
  const Global *global = &frame->eval->m->globals.data[ir_int_arg(frame, inst, 0)];
  return sample_in_file(image->image->type, frame->eval->cx->is_double) == global->samples;
}

static bool eval_image_op(const IrFrame *frame, const Inst *inst, IrScalar *out) {
  const Attr attr = inst->attr;
  if (inst->n_args == 0 || !type_is(inst->args[0]->ty, TY_IMAGE)) return false;
  const IrImage *image = ir_image_of(frame, inst->args[0]);
  switch (inst->op) {
  case OP_IMAGE_AXIS_LEN: *out = ir_int(image->image->grid.size[attr.i]); return true;
  case OP_IMAGE_STRIDE: *out = ir_int(stride_of(image, attr.i)); return true;
  case OP_IMAGE_STEP: *out = ir_int(stride_of(image, attr.pair.i)); return true;
  case OP_IMAGE_ORIGIN: *out = ir_real(image->origin[attr.i]); return true;
  case OP_IMAGE_MATRIX: *out = ir_real(image->to_index[attr.pair.i][attr.pair.j]); return true;
  case OP_IMAGE_IS_NATIVE: *out = ir_bool(is_native(frame, inst, image)); return true;
  case OP_SAMPLE_ADDR: *out = ir_int(ir_int_arg(frame, inst, 1)); return true;
  default: return false; /* of no image */
  }
}

static bool eval_scalar(const IrFrame *frame, const Inst *inst, IrScalar *out) {
  switch (inst->op) {
  case OP_CONST_OFFSET: *out = ir_int(inst->attr.i); return true;
  case OP_OFFSET_ADD:
  case OP_ADDR_ADD:
    *out = ir_int(ir_int_arg(frame, inst, 0) + ir_int_arg(frame, inst, 1));
    return true;
  case OP_OFFSET_MUL:
    *out = ir_int(ir_int_arg(frame, inst, 0) * ir_int_arg(frame, inst, 1));
    return true;
  case OP_ROW_GET: *out = ir_arg(frame, inst, 0)->at[inst->attr.i]; return true;
  default: return eval_tap(frame, inst, out) || eval_image_op(frame, inst, out);
  }
}

/* --- rows ------------------------------------------------------------------------------------- */

static double lane(const IrFrame *frame, const Inst *inst, uint32_t arg, uint32_t k) {
  return ir_arg(frame, inst, arg)->at[k].value.real;
}

static bool is_row_op(OpId op) {
  switch (op) {
  case OP_CONST_ROW:
  case OP_ROW_LOAD:
  case OP_ROW_PACK:
  case OP_ROW_SCALE:
  case OP_ROW_FMA:
  case OP_ROW_DOT: return true;
  default: return false; /* no lanes */
  }
}

/* Lane k of the result; of ROW_DOT the product of that lane. */
static double row_lane(const IrFrame *frame, const Inst *inst, uint32_t k) {
  switch (inst->op) {
  case OP_CONST_ROW: return rational_to_double(inst->attr.row.lanes[k]);
  case OP_ROW_LOAD:
    return read_sample(frame, image_behind(frame, inst->args[0]), ir_int_arg(frame, inst, 0) + k)
        .value.real;
  case OP_ROW_PACK: return ir_real_arg(frame, inst, k);
  case OP_ROW_SCALE: return lane(frame, inst, 0, k) * ir_real_arg(frame, inst, 1);
  case OP_ROW_FMA:
    return fma(lane(frame, inst, 0, k), ir_real_arg(frame, inst, 1), lane(frame, inst, 2, k));
  default: return lane(frame, inst, 0, k) * lane(frame, inst, 1, k); /* ROW_DOT */
  }
}

static IrValue eval_row(const IrFrame *frame, const Inst *inst) {
  const bool is_dot = inst->op == OP_ROW_DOT;
  const uint32_t n = type_row_width((is_dot ? inst->args[0] : inst->results[0])->ty);
  const IrValue value = ir_new_value(frame, is_dot ? 1 : n);
  double sum = 0;
  for (uint32_t k = 0; k < n; k++) {
    const double x = row_lane(frame, inst, k);
    sum += x;
    if (!is_dot) value.at[k] = ir_real(x);
  }
  if (is_dot) *value.at = ir_real(sum);
  return value;
}

/* --- windows ---------------------------------------------------------------------------------- */

static Border rule_of(OpId op) {
  switch (op) {
  case OP_WINDOW_CLAMP: return BORDER_CLAMP;
  case OP_WINDOW_MIRROR: return BORDER_MIRROR;
  case OP_WINDOW_WRAP: return BORDER_WRAP;
  case OP_WINDOW_CONST: return BORDER_CONST;
  default: return BORDER_NONE; /* no window */
  }
}

/* Sample k of the window: its digits in base 2s are taps, x first. */
static IrScalar window_sample(const IrFrame *frame, const Inst *inst, uint32_t k) {
  const IrImage *image = ir_image_of(frame, inst->args[0]);
  const Border rule = rule_of(inst->op);
  const uint32_t n_taps = 2 * (uint32_t)inst->attr.i;
  int64_t at = ir_int_arg(frame, inst, 2);
  for (uint32_t axis = 0; axis < type_dim(inst->args[0]->ty); axis++, k /= n_taps) {
    const int64_t tap = ir_arg(frame, inst, 1)->at[axis].value.i + k % n_taps;
    const int64_t idx = ir_border_tap(rule, tap, image->image->grid.size[axis]);
    if (idx < 0) return *ir_arg(frame, inst, 3)->at;
    at += idx * stride_of(image, axis);
  }
  return read_sample(frame, image, at);
}

static double window_dot(const IrFrame *frame, const Inst *inst) {
  const IrValue *window = ir_arg(frame, inst, 0);
  const uint32_t n_taps = type_row_width(inst->args[1]->ty);
  double sum = 0;
  for (uint32_t k = 0; k < window->n; k++) {
    double product = window->at[k].value.real;
    for (uint32_t arg = 1, rest = k; arg < inst->n_args; arg++, rest /= n_taps)
      product *= lane(frame, inst, arg, rest % n_taps);
    sum += product;
  }
  return sum;
}

static bool eval_window_op(const IrFrame *frame, const Inst *inst, IrValue *out) {
  const bool is_dot = inst->op == OP_WINDOW_DOT;
  if (!is_dot && rule_of(inst->op) == BORDER_NONE) return false;
  *out = ir_new_value(frame, is_dot ? 1 : (uint32_t)type_seq_len(inst->results[0]->ty));
  if (is_dot) *out->at = ir_real(window_dot(frame, inst));
  for (uint32_t k = 0; !is_dot && k < out->n; k++) out->at[k] = window_sample(frame, inst, k);
  return true;
}

bool ir_eval_low_op(const IrFrame *frame, const Inst *inst) {
  IrScalar scalar;
  if (inst->n_results != 1) return false;
  IrValue *result = &frame->of[inst->results[0]->id];
  if (is_row_op(inst->op)) {
    *result = eval_row(frame, inst);
    return true;
  }
  if (eval_window_op(frame, inst, result)) return true;
  if (!eval_scalar(frame, inst, &scalar)) return false;
  *result = ir_new_value(frame, 1);
  *result->at = scalar;
  return true;
}

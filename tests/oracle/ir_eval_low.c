/* ir_eval_low.c: rows, taps and samples, from the meanings in ops.def and not from the pass that
 * makes them. A sample address is the number of the sample and, as its kind of scalar, an int.
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

/* --- results that are one scalar -----------------------------------------------------------------
 */

static bool eval_tap(const IrFrame *frame, const Inst *inst, IrScalar *out) {
  const int64_t n = inst->n_args > 1 ? ir_int_arg(frame, inst, 1) : 0;
  switch (inst->op) {
  case OP_CORNER: *out = ir_int(corner(ir_real_arg(frame, inst, 0), n, inst->attr.i)); return true;
  case OP_SUPPORT_WITHIN:
    *out = ir_bool(is_within(ir_real_arg(frame, inst, 0), n, inst->attr.i));
    return true;
  case OP_CORNER_WITHIN: *out = ir_int(corner_within(frame, inst, n)); return true;
  case OP_TAP: *out = ir_int(ir_first_tap(ir_real_arg(frame, inst, 0), inst->attr.i)); return true;
  case OP_TAP_CLAMP:
    *out = ir_int(ir_border_tap(BORDER_CLAMP, ir_int_arg(frame, inst, 0), n));
    return true;
  case OP_TAP_MIRROR:
    *out = ir_int(ir_border_tap(BORDER_MIRROR, ir_int_arg(frame, inst, 0), n));
    return true;
  case OP_TAP_WRAP:
    *out = ir_int(ir_border_tap(BORDER_WRAP, ir_int_arg(frame, inst, 0), n));
    return true;
  case OP_TAP_WITHIN:
    *out = ir_bool(ir_border_tap(BORDER_NONE, ir_int_arg(frame, inst, 0), n) >= 0);
    return true;
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
  case OP_IMAGE_ORIGIN: *out = ir_real(image->origin[attr.i]); return true;
  case OP_IMAGE_MATRIX: *out = ir_real(image->to_index[attr.pair.i][attr.pair.j]); return true;
  case OP_IMAGE_IS_NATIVE: *out = ir_bool(is_native(frame, inst, image)); return true;
  case OP_IMAGE_SAMPLE: *out = read_sample(frame, image, ir_int_arg(frame, inst, 1)); return true;
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
  case OP_SAMPLE_LOAD:
    *out = read_sample(frame, image_behind(frame, inst->args[0]), ir_int_arg(frame, inst, 0));
    return true;
  case OP_ROW_GET: *out = ir_arg(frame, inst, 0)->at[inst->attr.i]; return true;
  default: return eval_tap(frame, inst, out) || eval_image_op(frame, inst, out);
  }
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static double lane(const IrFrame *frame, const Inst *inst, uint32_t arg, uint32_t k) {
  return ir_arg(frame, inst, arg)->at[k].value.real;
}

static bool is_row_op(OpId op) {
  switch (op) {
  case OP_CONST_ROW:
  case OP_ROW_LOAD:
  case OP_ROW_PACK:
  case OP_ROW_SPLAT:
  case OP_ROW_ADD:
  case OP_ROW_MUL:
  case OP_ROW_SCALE:
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
  case OP_ROW_SPLAT: return ir_real_arg(frame, inst, 0);
  case OP_ROW_ADD: return lane(frame, inst, 0, k) + lane(frame, inst, 1, k);
  case OP_ROW_SCALE: return lane(frame, inst, 0, k) * ir_real_arg(frame, inst, 1);
  default: return lane(frame, inst, 0, k) * lane(frame, inst, 1, k); /* ROW_MUL, ROW_DOT */
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

bool ir_eval_low_op(const IrFrame *frame, const Inst *inst) {
  IrScalar scalar;
  if (inst->n_results != 1) return false;
  IrValue *result = &frame->of[inst->results[0]->id];
  if (is_row_op(inst->op)) {
    *result = eval_row(frame, inst);
    return true;
  }
  if (!eval_scalar(frame, inst, &scalar)) return false;
  *result = ir_new_value(frame, 1);
  *result->at = scalar;
  return true;
}

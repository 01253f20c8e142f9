/* Samples under a kernel: where they are and how a row of them is fetched.
 *
 * A block of samples has its first tap on each axis in the grid, where it is known to be or is
 * moved, so that every probe stays within the image (fields.md §1.7). A row is as many loads as
 * samples have components: 2s samples of n components are 2s n neighbours in memory, n chunks of
 * 2s. By a border rule each tap index is mapped on its own axis, 2s maps per axis and never (2s)^d,
 * and rows are packed from single loads.
 */
#include "ir/mid-to-low/local.h"

static Value *axis_len(Lower *lower, Voxels *vox, uint32_t axis) {
  Value **len = &vox->len[axis];
  if (*len == NULL)
    *len = build_op(&lower->b, OP_IMAGE_AXIS_LEN, (Attr){.i = axis}, &vox->image, 1);
  return *len;
}

static Value *axis_stride(Lower *lower, Voxels *vox, uint32_t axis) {
  Value **stride = &vox->stride[axis];
  if (*stride == NULL)
    *stride = build_op(&lower->b, OP_IMAGE_STRIDE, (Attr){.i = axis}, &vox->image, 1);
  return *stride;
}

static Value *const_offset(Lower *lower, int64_t offset) {
  return build_typed(&lower->b, OP_CONST_OFFSET, (Attr){.i = offset}, type_offset(lower->cx), NULL,
                     0);
}

static Value *times_stride(Lower *lower, Value *idx, Value *stride) {
  return build_op2(&lower->b, OP_OFFSET_MUL, idx, stride);
}

static Value *sum_offsets(Lower *lower, Value *a, Value *b) {
  return a == NULL ? b : build_op2(&lower->b, OP_OFFSET_ADD, a, b);
}

static Value *sample_addr(Lower *lower, const Voxels *vox, Value *offset) {
  Value *args[] = {vox->image, offset};
  return build_typed(&lower->b, OP_SAMPLE_ADDR, ATTR_EMPTY, type_addr(lower->cx, vox->samples),
                     args, 2);
}

/* An op on the half-support: does it fit, or where is its first tap? */
static Value *axis_op(Lower *lower, OpId op, Voxels *vox, uint32_t axis) {
  Value *args[] = {vox->floor_index[axis], axis_len(lower, vox, axis)};
  return build_op(&lower->b, op, (Attr){.i = vox->n_taps / 2}, args, 2);
}

Value *voxels_are_within(Lower *lower, Voxels *vox) {
  Value *within = NULL;
  for (uint32_t axis = 0; axis < vox->dim; axis++) {
    Value *fits = axis_op(lower, OP_SUPPORT_WITHIN, vox, axis);
    within = within == NULL ? fits : build_op2(&lower->b, OP_BAND, within, fits);
  }
  return part_hint(lower, within, "is_within");
}

void voxels_find_block(Lower *lower, Voxels *vox, Placing placing) {
  Builder *b = &lower->b;
  const OpId op = placing == PLACE_WITHIN ? OP_CORNER_WITHIN : OP_CORNER;
  Value *corner_offset = NULL;
  for (uint32_t axis = 0; axis < vox->dim; axis++) {
    Value *stride = axis_stride(lower, vox, axis);
    Value *corner = axis_op(lower, op, vox, axis);
    corner_offset = sum_offsets(lower, corner_offset, times_stride(lower, corner, stride));
    vox->offset[axis][1] = stride;
    for (uint32_t tap = 2; tap < vox->n_taps; tap++) {
      Value *offset = times_stride(lower, build_int(b, tap), stride);
      vox->offset[axis][tap] = part_hint(lower, offset, "step_%c%u", AXIS_LETTER(axis), tap);
    }
  }
  vox->corner_offset = part_hint(lower, corner_offset, "corner_offset");
}

/* One corner inside the grid, taps at fixed distances from it. */
static void place_block(Lower *lower, Voxels *vox) {
  if (vox->corner_offset == NULL) voxels_find_block(lower, vox, vox->placing);
  vox->addr = part_hint(lower, sample_addr(lower, vox, vox->corner_offset), "corner");
}

static OpId border_op(Border border) {
  switch (border) {
  case BORDER_MIRROR: return OP_TAP_MIRROR;
  case BORDER_WRAP: return OP_TAP_WRAP;
  case BORDER_NONE:
  case BORDER_CLAMP:
  case BORDER_CONST: return OP_TAP_CLAMP;
  }
  return OP_TAP_CLAMP;
}

static void place_taps(Lower *lower, Voxels *vox) {
  Builder *b = &lower->b;
  for (uint32_t axis = 0; axis < vox->dim; axis++) {
    Value *stride = axis_stride(lower, vox, axis);
    Value *len = axis_len(lower, vox, axis);
    Value *first = build_op(b, OP_TAP, (Attr){.i = vox->n_taps / 2}, &vox->floor_index[axis], 1);
    for (uint32_t tap = 0; tap < vox->n_taps; tap++) {
      Value *idx = tap == 0 ? first : build_op2(b, OP_IADD, first, build_int(b, tap));
      Value *mapped = build_op2(b, border_op(vox->border), idx, len);
      Value *offset = times_stride(lower, mapped, stride);
      vox->offset[axis][tap] = part_hint(lower, offset, "step_%c%u", AXIS_LETTER(axis), tap);
      if (vox->border == BORDER_CONST) {
        vox->within[axis][tap] = build_op2(b, OP_TAP_WITHIN, idx, len);
      }
    }
  }
  if (!vox->is_any) vox->addr = sample_addr(lower, vox, const_offset(lower, 0));
}

/* Images are globals: the front end expands what leads to them. */
static SampleType samples_of(const Lower *lower, const Value *image) {
  const Module *m = lower->b.fn->module;
  if (inst_is_op(image->def, OP_GLOBAL_LOAD))
    return m->globals.data[image->def->attr.var.index].samples;
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i].samples != SAMPLE_REAL) BUG(lower->cx, "a probe of an unknown image");
  return SAMPLE_REAL;
}

Voxels voxels_of(Lower *lower, const Inst *group, Value *const *floor_index) {
  const Type *image_ty = group->args[0]->ty;
  const ProbeGroup *probe = &group->attr.group;
  Voxels vox = {
      .image = parts_of(lower, group->args[0]).v[0],
      .dim = type_dim(image_ty),
      .n_taps = 2 * probe->kernel->support,
      .n_components = (uint32_t)shape_size(type_shape(image_ty)),
      .border = probe->border,
      .samples = samples_of(lower, group->args[0]),
  };
  for (uint32_t axis = 0; axis < vox.dim; axis++) vox.floor_index[axis] = floor_index[axis];
  if (vox.border == BORDER_CONST) vox.outside = parts_of(lower, group->args[2]).v;
  return vox;
}

void voxels_measure(Lower *lower, Voxels *vox) {
  for (uint32_t axis = 0; axis < vox->dim; axis++) {
    axis_len(lower, vox, axis);
    axis_stride(lower, vox, axis);
  }
}

Voxels voxels_placed(Lower *lower, const Voxels *vox, Placing placing, SampleType samples) {
  Voxels placed = *vox;
  placed.placing = placing;
  placed.samples = samples;
  placed.is_any = placing == PLACE_TAPS && samples != SAMPLE_REAL;
  if (placing == PLACE_TAPS) place_taps(lower, &placed);
  else place_block(lower, &placed);
  return placed;
}

static bool is_block(const Voxels *vox) { return vox->placing != PLACE_TAPS; }

static Value *addr_at(Lower *lower, const Voxels *vox, Value *offset) {
  return offset == NULL ? vox->addr : build_op2(&lower->b, OP_ADDR_ADD, vox->addr, offset);
}

/* Offset of taps (y, z) from addr; NULL for none. */
static Value *row_offset(Lower *lower, const Voxels *vox, uint32_t y, uint32_t z) {
  Value *offset = NULL;
  if (vox->dim > 1 && vox->offset[1][y] != NULL) offset = vox->offset[1][y];
  if (vox->dim > 2 && vox->offset[2][z] != NULL) {
    offset = sum_offsets(lower, offset, vox->offset[2][z]);
  }
  return offset;
}

static Value *sample(Lower *lower, const Voxels *vox, Value *offset, const uint32_t taps[MAX_DIM],
                     uint32_t component) {
  Builder *b = &lower->b;
  if (component > 0) offset = sum_offsets(lower, offset, const_offset(lower, component));
  Value *value = vox->is_any ? build_op2(b, OP_IMAGE_SAMPLE, vox->image, offset)
                             : build_op1(b, OP_SAMPLE_LOAD, addr_at(lower, vox, offset));
  if (vox->border != BORDER_CONST) return value;
  ASSERT(lower->cx, vox->dim <= MAX_DIM);
  Value *within = vox->within[0][taps[0]];
  for (uint32_t axis = 1; axis < vox->dim; axis++) {
    within = build_op2(b, OP_BAND, within, vox->within[axis][taps[axis]]);
  }
  Value *choice[] = {within, value, vox->outside[component]};
  return build_op(b, OP_SELECT, ATTR_EMPTY, choice, 3);
}

bool voxels_are_chunked(const Voxels *vox) { return is_block(vox) && vox->n_components > 1; }

Value *voxels_row(Lower *lower, const Voxels *vox, uint32_t y, uint32_t z, uint32_t part) {
  Value *offset = row_offset(lower, vox, y, z);
  if (is_block(vox)) {
    int64_t first = (int64_t)part * vox->n_taps;
    if (part > 0) offset = sum_offsets(lower, offset, const_offset(lower, first));
    Value *addr = addr_at(lower, vox, offset);
    return build_typed(&lower->b, OP_ROW_LOAD, ATTR_EMPTY, type_row(lower->cx, vox->n_taps), &addr,
                       1);
  }
  Value *samples[MAX_TAPS];
  for (uint32_t x = 0; x < vox->n_taps; x++) {
    Value *from_addr = sum_offsets(lower, offset, vox->offset[0][x]);
    samples[x] = sample(lower, vox, from_addr, (const uint32_t[MAX_DIM]){x, y, z}, part);
  }
  return build_op(&lower->b, OP_ROW_PACK, ATTR_EMPTY, samples, vox->n_taps);
}

Value *voxels_component(Lower *lower, const Voxels *vox, Value *const *chunks, uint32_t component) {
  Value *lanes[MAX_TAPS];
  for (uint32_t x = 0; x < vox->n_taps; x++) {
    const uint32_t at = x * vox->n_components + component;
    Value *chunk = chunks[at / vox->n_taps];
    lanes[x] = build_op(&lower->b, OP_ROW_GET, (Attr){.i = at % vox->n_taps}, &chunk, 1);
  }
  return build_op(&lower->b, OP_ROW_PACK, ATTR_EMPTY, lanes, vox->n_taps);
}

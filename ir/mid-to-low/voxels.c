/* Samples under a kernel: what has to be known to find them.
 *
 * A block of samples (stencil.c) has its first tap on each axis in the grid, where it is known to
 * be or is moved, so that every probe stays within the image. By a border rule the
 * samples of a component are copied to a window. See Note [Windows].
 */
#include <string.h>

#include "ddr/image.h"
#include "ir/mid-to-low/local.h"

static Value *axis_len(Lower *lower, Voxels *vox, uint32_t axis) {
  Value **len = &vox->len[axis];
  if (*len == NULL)
    *len = build_op(&lower->b, OP_IMAGE_AXIS_LEN, (Attr){.i = axis}, &vox->image, 1);
  return *len;
}

Value *voxels_stride(Lower *lower, Voxels *vox, uint32_t axis) {
  Value **stride = &vox->stride[axis];
  if (*stride == NULL)
    *stride = build_op(&lower->b, OP_IMAGE_STRIDE, (Attr){.i = axis}, &vox->image, 1);
  return *stride;
}

bool voxels_may_be_copied(const Voxels *vox) {
  const bool is_small = vox->dim > 1 && vox->n_components <= DDR_MOST_COPIED;
  return vox->samples == SAMPLE_REAL && is_small;
}

Value *voxels_next(Lower *lower, Voxels *vox, uint32_t axis) {
  if (!voxels_may_be_copied(vox)) return voxels_stride(lower, vox, axis);
  Value **next = &vox->next[axis];
  const Attr attr = {.pair = {.i = axis, .j = vox->n_taps / 2}};
  if (*next == NULL) *next = build_op(&lower->b, OP_IMAGE_STEP, attr, &vox->image, 1);
  return *next;
}

Value *voxels_axis_op(Lower *lower, OpId op, Voxels *vox, uint32_t axis) {
  Value *args[] = {vox->floor_index[axis], axis_len(lower, vox, axis)};
  return build_op(&lower->b, op, (Attr){.i = vox->n_taps / 2}, args, 2);
}

Value *voxels_are_within(Lower *lower, Voxels *vox) {
  Value *within = voxels_axis_op(lower, OP_SUPPORT_WITHIN, vox, 0);
  for (uint32_t axis = 1; axis < vox->dim; axis++) {
    Value *fits = voxels_axis_op(lower, OP_SUPPORT_WITHIN, vox, axis);
    within = build_op2(&lower->b, OP_BAND, within, fits);
  }
  return part_hint(lower, within, "is_within");
}

static void place_window(Lower *lower, Voxels *vox) {
  Value *taps[MAX_DIM];
  for (uint32_t axis = 0; axis < vox->dim; axis++) {
    Value *tap =
        build_op(&lower->b, OP_TAP, (Attr){.i = vox->n_taps / 2}, &vox->floor_index[axis], 1);
    taps[axis] = part_hint(lower, tap, "tap_%c", AXIS_LETTER(axis));
  }
  const Type *ty = type_seq(lower->cx, type_int(lower->cx), vox->dim);
  Value *first = build_typed(&lower->b, OP_SEQ, ATTR_EMPTY, ty, taps, vox->dim);
  vox->first_taps = part_hint(lower, first, "first_taps");
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
      .window = memory_window_of(lower->cx, memory_of_image_value(lower->cx, group->args[0]),
                                 type_dim(image_ty), 2 * probe->kernel->support),
  };
  for (uint32_t axis = 0; axis < vox.dim; axis++) vox.floor_index[axis] = floor_index[axis];
  if (vox.border == BORDER_CONST) vox.outside = parts_of(lower, group->args[2]).v;
  return vox;
}

void voxels_measure(Lower *lower, Voxels *vox) {
  for (uint32_t axis = 0; axis < vox->dim; axis++) {
    axis_len(lower, vox, axis);
    voxels_stride(lower, vox, axis);
  }
}

Voxels voxels_placed(Lower *lower, const Voxels *vox, Placing placing, SampleType samples) {
  Voxels placed = *vox;
  placed.placing = placing;
  placed.samples = samples;
  if (samples != vox->samples) memset(placed.step, 0, sizeof placed.step); /* other distances */
  if (placing == PLACE_WINDOW) place_window(lower, &placed);
  else block_place(lower, &placed);
  return placed;
}

/* ---- beyond the border ----------------------------------------------------------------------- */

static OpId window_op(const Lower *lower, Border border) {
  switch (border) {
  case BORDER_CLAMP: return OP_WINDOW_CLAMP;
  case BORDER_MIRROR: return OP_WINDOW_MIRROR;
  case BORDER_WRAP: return OP_WINDOW_WRAP;
  case BORDER_CONST: return OP_WINDOW_CONST;
  case BORDER_NONE: break;
  }
  BUG(lower->cx, "no rule for samples beyond the border");
}

Value *voxels_window(Lower *lower, const Voxels *vox, uint32_t component) {
  uint64_t n_samples = 1;
  for (uint32_t axis = 0; axis < vox->dim; axis++) n_samples *= vox->n_taps;
  const Type *ty = type_seq(lower->cx, type_real(lower->cx), n_samples);
  const bool has_outside = vox->border == BORDER_CONST;
  Value *args[] = {vox->image, vox->first_taps, block_component(lower, vox, component),
                   has_outside ? vox->outside[component] : NULL};
  Value *window = build_typed(&lower->b, window_op(lower, vox->border),
                              (Attr){.i = vox->n_taps / 2}, ty, args, has_outside ? 4 : 3);
  note_value(lower, "window", window);
  return part_hint(lower, window, "window");
}

/* Note [Windows]. Few probes reach beyond the border of an image, so their code must be small:
 * (2s)^d taps of each component, mapped and loaded one by one, were once most of a program and of
 * the compile time. So one op copies the samples of a component to a window, and one op per
 * derivative computes their weighted sum; both are loops in the runtime (ddr/host/window.h). The
 * code grows with components times derivatives, whatever the kernel.
 *
 * In lanes, a window stands in for the image instead, with strides of its own, so that rows within
 * the grid and beyond it are the same code (backend-c/lanes/borders.c): mostly some lanes are
 * beyond it while others are not. One strand is either, and would only load its rows later.
 *
 * A window holds one component, 216 reals for the widest kernel in three dimensions. Loading taps
 * again for each derivative would map and convert them up to ten times. Devices do that
 * nevertheless (ddr/device/window.h): a copy would be in slow memory, one for each thread, and
 * registers of the common path would be spilled around it.
 */

/* Note [Copies]. A mapped image keeps the samples of its file, of whatever type, and the program
 * may have been compiled without its proxy. Code for each type would be several times as long, and
 * so would be its compile time. Instead the samples under a kernel are converted to a copy on the
 * stack, from which rows are loaded as from an image of reals: only the first address and the
 * distances of rows differ, and those distances are the same for all strands. For reals that is one
 * test of the image, the same for all strands, and no copy. Images of one dimension are small, and
 * copies of large tensors would not fit the stack: their samples are converted when they are
 * loaded.
 */

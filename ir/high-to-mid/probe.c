/* Probes: of the derivatives of one convolution at a world position, to a probe group of that one
 * order at an index position. mid/share_probes.c makes groups of several orders.
 */
#include "ir/high-to-mid/local.h"

static const Inst *convolution_of(const Value *field, uint32_t *order) {
  for (*order = 0; inst_is_op(field->def, OP_DERIV); ++*order) field = field->def->args[0];
  return inst_is_op(field->def, OP_CONVOLVE) ? field->def : NULL;
}

static const Type *group_type(Cx *cx, const Type *image, uint32_t order) {
  Shape shape = *type_shape(image);
  for (uint32_t i = 0; i < order; i++) shape = shape_append(shape, type_dim(image));
  return type_tensor(cx, shape);
}

/* The support is a cube, as wide as the widest kernel of KRNS. If a narrower kernel is inside the
 * image, the cube may reach beyond it. Weights are 0 there, but taps must still be read from some
 * sample, and the other taps must not be moved. */
Value *convert_probe(Builder *b, const Inst *inst) {
  uint32_t order;
  const Inst *convolution = convolution_of(inst->args[0], &order);
  if (!convolution) LIMIT(b->cx, inst->span, "probes of field expressions without differentiate");
  if (order >= 32) LIMIT(b->cx, inst->span, "derivatives of order %u", order);
  BorderedImage from = bordered_image(convolution->args[0]);
  const Kernel *kernel = convolution->args[1]->def->attr.kernel;
  note_image_use(b, &from, kernel);
  Attr group = {.group = {.kernel = kernel, .orders = 1u << order, .border = from.border}};
  if (!supports_are_one(kernel) && from.border == BORDER_NONE) group.group.border = BORDER_CLAMP;

  Value *pos_index = pos_index_of(b, from.image, inst->args[1]);
  Value *args[] = {from.image, pos_index, from.outside};
  const Type *ty = group_type(b->cx, from.image->ty, order);
  Value *derivative = build_typed(b, OP_PROBE_GROUP, group, ty, args, from.outside ? 3 : 2);
  return world_derivative(b, from.image, derivative, order);
}

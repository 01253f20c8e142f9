/* Border control and inside tests: what happens at the edge of the grid (fields.md §1.7, §1.8).
 * Wrapped images exist only before this pass; afterwards the control is an attribute of the probe.
 */
#include "ir/high-to-mid/local.h"

static Border border_of(const Inst *def) {
  if (!def) return BORDER_NONE;
  switch (def->op) {
  case OP_BORDER_CLAMP: return BORDER_CLAMP;
  case OP_BORDER_MIRROR: return BORDER_MIRROR;
  case OP_BORDER_WRAP: return BORDER_WRAP;
  case OP_BORDER_CONST: return BORDER_CONST;
  default: return BORDER_NONE; /* a load */
  }
}

BorderedImage bordered_image(Value *image) {
  BorderedImage result = {.image = image, .border = border_of(image->def)};
  if (result.border == BORDER_CONST) result.outside = image->def->args[1];
  while (border_of(result.image->def) != BORDER_NONE) result.image = result.image->def->args[0];
  return result;
}

Value *convert_inside(Builder *b, const Inst *inst) {
  Value *image = bordered_image(inst->args[0]).image;
  Value *args[] = {image, pos_index_of(b, image, inst->args[1])};
  return build_op(b, OP_INSIDE_INDEX, inst->attr, args, 2);
}

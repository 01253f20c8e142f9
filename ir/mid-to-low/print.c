/* PRINT of tensors: brackets and commas become string arguments, so that only scalars and strings
 * are left. Format: execution.md §1.14, "[a,b]" nested, without spaces.
 */
#include "ir/mid-to-low/local.h"

static void push_text(Lower *lower, ValueVec *args, const char *text) {
  vec_push(
      lower->cx->arena, args,
      build_typed(&lower->b, OP_CONST_STRING, (Attr){.s = text}, type_string(lower->cx), NULL, 0));
}

static void push_tensor(Lower *lower, ValueVec *args, Parts parts, const Shape *shape,
                        uint32_t axis, uint32_t *next) {
  if (axis == shape->order) {
    vec_push(lower->cx->arena, args, parts.v[(*next)++]);
    return;
  }
  push_text(lower, args, "[");
  for (uint32_t i = 0; i < shape->dims[axis]; i++) {
    if (i > 0) push_text(lower, args, ",");
    push_tensor(lower, args, parts, shape, axis + 1, next);
  }
  push_text(lower, args, "]");
}

void lower_print(Lower *lower, const Inst *inst) {
  ValueVec args = {0};
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const Parts parts = parts_of(lower, inst->args[i]);
    if (type_is(inst->args[i]->ty, TY_TENSOR)) {
      uint32_t next = 0;
      push_tensor(lower, &args, parts, type_shape(inst->args[i]->ty), 0, &next);
    } else {
      vec_push(lower->cx->arena, &args, parts.v[0]);
    }
  }
  build_effect(&lower->b, OP_PRINT, ATTR_EMPTY, args.data, args.len);
}

/* PRINT of tensors and fixed sequences: brackets and commas become string arguments, so that only
 * scalars, strings and dynamic sequences are left. Format: execution.md §1.14, "[a,b]" and "{a,b}"
 * nested, without spaces.
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

static void push_value(Lower *lower, ValueVec *args, Parts parts, const Type *ty);

static void push_seq(Lower *lower, ValueVec *args, Value *seq) {
  push_text(lower, args, "{");
  for (uint64_t i = 0; i < type_seq_len(seq->ty); i++) {
    if (i > 0) push_text(lower, args, ",");
    Value *index = build_int(&lower->b, (int64_t)i);
    push_value(lower, args, lower_element(lower, seq, index), type_elem(seq->ty));
  }
  push_text(lower, args, "}");
}

static void push_value(Lower *lower, ValueVec *args, Parts parts, const Type *ty) {
  uint32_t next = 0;
  if (type_is(ty, TY_TENSOR)) push_tensor(lower, args, parts, type_shape(ty), 0, &next);
  else if (type_is(ty, TY_SEQ) && !type_is_dynamic_seq(ty)) push_seq(lower, args, parts.v[0]);
  else vec_push(lower->cx->arena, args, parts.v[0]);
}

void lower_print(Lower *lower, const Inst *inst) {
  ValueVec args = {0};
  for (uint32_t i = 0; i < inst->n_args; i++)
    push_value(lower, &args, parts_of(lower, inst->args[i]), inst->args[i]->ty);
  build_effect(&lower->b, OP_PRINT, ATTR_EMPTY, args.data, args.len);
}

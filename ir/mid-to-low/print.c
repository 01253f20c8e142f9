/* PRINT and TRACE of tensors and fixed sequences. In PRINT brackets and commas become string
 * arguments, so that only scalars, strings and dynamic sequences are left. Format (doc/language.md,
 * "Printing"):
 * "[a,b]" and "{a,b}" nested, without spaces.
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

static void push_parts(Lower *lower, ValueVec *args, Parts parts, const Type *ty) {
  uint32_t next = 0;
  if (type_is(ty, TY_TENSOR)) push_tensor(lower, args, parts, type_shape(ty), 0, &next);
  else vec_push(lower->cx->arena, args, parts.v[0]);
}

static void push_seq(Lower *lower, ValueVec *args, const SeqView *view) {
  const Type *ty = seq_view_type(view);
  if (!type_is_fixed_seq(ty)) {
    push_parts(lower, args, seq_view_parts(lower, view), ty);
    return;
  }
  push_text(lower, args, "{");
  for (uint64_t i = 0; i < type_seq_len(ty); i++) {
    if (i > 0) push_text(lower, args, ",");
    const SeqView elem = seq_view_at(lower, view, build_int(&lower->b, (int64_t)i));
    push_seq(lower, args, &elem);
  }
  push_text(lower, args, "}");
}

void lower_print(Lower *lower, const Inst *inst) {
  ValueVec args = {0};
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const Value *arg = inst->args[i];
    if (type_is_fixed_seq(arg->ty)) {
      const SeqView view = seq_view(lower, arg);
      push_seq(lower, &args, &view);
    } else {
      push_parts(lower, &args, parts_of(lower, arg), arg->ty);
    }
  }
  build_effect(&lower->b, OP_PRINT, ATTR_EMPTY, args.data, args.len);
}

/* Scalars without brackets: the reader of the trace knows the types. */
void lower_trace(Lower *lower, const Inst *inst) {
  ValueVec args = {0};
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const Value *arg = inst->args[i];
    if (type_is_fixed_seq(arg->ty)) {
      const SeqView view = seq_view(lower, arg);
      seq_view_scalars(lower, &view, &args);
      continue;
    }
    const Parts parts = parts_of(lower, arg);
    for (uint32_t k = 0; k < parts.n; k++) vec_push(lower->cx->arena, &args, parts.v[k]);
  }
  build_effect(&lower->b, OP_TRACE, inst->attr, args.data, args.len);
}

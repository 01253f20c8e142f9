/* Sequences stay whole; the tensors among their elements go in and come out as parts. Symmetric
 * matrices go to the eigensystem ops as their upper triangles.
 */
#include "ir/mid-to-low/local.h"

static void push_parts(Lower *lower, ValueVec *args, const Value *mid) {
  const Parts parts = parts_of(lower, mid);
  for (uint32_t k = 0; k < parts.n; k++) vec_push(lower->cx->arena, args, parts.v[k]);
}

static Parts one_part(Lower *lower, Value *value) {
  Parts parts = parts_new(lower->cx, 1);
  parts.v[0] = value;
  return parts;
}

Parts lower_element(Lower *lower, Value *seq, Value *index) {
  const Type *elem = type_elem(seq->ty);
  Parts parts = parts_new(lower->cx, parts_count(elem));
  Value *args[] = {seq, index};
  for (uint32_t k = 0; k < parts.n; k++)
    parts.v[k] =
        build_typed(&lower->b, OP_SEQ_INDEX, (Attr){.i = k}, part_type(lower->cx, elem), args, 2);
  return parts;
}

Parts lower_seq_index(Lower *lower, const Inst *inst) {
  return lower_element(lower, parts_of(lower, inst->args[0]).v[0],
                       parts_of(lower, inst->args[1]).v[0]);
}

/* The sequence comes first, so that its operand has a fixed place. */
Parts lower_prepend(Lower *lower, const Inst *inst) {
  ValueVec args = {0};
  push_parts(lower, &args, inst->args[1]);
  push_parts(lower, &args, inst->args[0]);
  return one_part(lower, build_typed(&lower->b, OP_SEQ_PREPEND, ATTR_EMPTY, inst->results[0]->ty,
                                     args.data, args.len));
}

Parts lower_eigen(Lower *lower, const Inst *inst) {
  const Parts matrix = parts_of(lower, inst->args[0]);
  const uint32_t dim = type_shape(inst->args[0]->ty)->dims[0];
  ValueVec triangle = {0};
  for (uint32_t i = 0; i < dim; i++)
    for (uint32_t j = i; j < dim; j++) vec_push(lower->cx->arena, &triangle, matrix.v[i * dim + j]);
  return one_part(lower, build_typed(&lower->b, inst->op, ATTR_EMPTY, inst->results[0]->ty,
                                     triangle.data, triangle.len));
}

Parts lower_image_size(Lower *lower, const Inst *inst) {
  Value *image = parts_of(lower, inst->args[0]).v[0];
  ValueVec lengths = {0};
  for (uint32_t axis = 0; axis < type_dim(inst->args[0]->ty); axis++)
    vec_push(lower->cx->arena, &lengths,
             build_op(&lower->b, OP_IMAGE_AXIS_LEN, (Attr){.i = axis}, &image, 1));
  return one_part(lower, build_typed(&lower->b, OP_SEQ, ATTR_EMPTY, inst->results[0]->ty,
                                     lengths.data, lengths.len));
}

/* Sequences stay whole; the tensors among their elements go in and come out as parts. Symmetric
 * matrices go to the eigensystem ops as their upper triangles.
 *
 * A sequence within another is a view of it: indices are deferred until a scalar is read, which is
 * then one load, and nothing is copied.
 *
 *   %a = seq_index %s, %i     %x = seq_index %a, %j     =>     %x = seq_index<0> %s, %i, %j
 *
 * It is copied only where the inner sequence itself is used: in a store to a global, a call or
 * another block.
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

/* ---- views ----------------------------------------------------------------------------------- */

SeqView seq_view(Lower *lower, const Value *mid) {
  const SeqView *view = map_get(lower->views, mid);
  if (view != NULL) return *view;
  return (SeqView){.seq = parts_of(lower, mid).v[0]};
}

const Type *seq_view_type(const SeqView *view) {
  const Type *ty = view->seq->ty;
  for (uint32_t i = 0; i < view->n_idx; i++) ty = type_elem(ty);
  return ty;
}

SeqView seq_view_at(Lower *lower, const SeqView *outer, Value *index) {
  SeqView view = {.seq = outer->seq, .n_idx = outer->n_idx + 1};
  view.idx = NEWN(lower->cx->arena, Value *, view.n_idx);
  for (uint32_t i = 0; i < outer->n_idx; i++) view.idx[i] = outer->idx[i];
  view.idx[outer->n_idx] = index;
  return view;
}

static Value *access(Lower *lower, const SeqView *view, OpId op, Attr attr, const Type *ty) {
  Value **args = NEWN(lower->cx->scratch, Value *, view->n_idx + 1);
  args[0] = view->seq;
  for (uint32_t i = 0; i < view->n_idx; i++) args[1 + i] = view->idx[i];
  return build_typed(&lower->b, op, attr, ty, args, view->n_idx + 1);
}

Parts seq_view_parts(Lower *lower, const SeqView *view) {
  const Type *ty = seq_view_type(view);
  if (view->n_idx == 0) return one_part(lower, view->seq);
  if (type_is_fixed_seq(ty))
    return one_part(lower, access(lower, view, OP_SEQ_COPY, ATTR_EMPTY, ty));
  Parts parts = parts_new(lower->cx, parts_count(ty));
  for (uint32_t k = 0; k < parts.n; k++)
    parts.v[k] = access(lower, view, OP_SEQ_INDEX, (Attr){.i = k}, part_type(lower->cx, ty));
  return parts;
}

void lower_seq_index(Lower *lower, const Inst *inst) {
  const SeqView outer = seq_view(lower, inst->args[0]);
  const SeqView view = seq_view_at(lower, &outer, parts_of(lower, inst->args[1]).v[0]);
  if (!type_is_fixed_seq(inst->results[0]->ty)) {
    parts_set(lower, inst->results[0], seq_view_parts(lower, &view));
    note_element(lower, inst);
    return;
  }
  SeqView *kept = NEW(lower->cx->arena, SeqView);
  *kept = view;
  map_put(lower->views, inst->results[0], kept);
}

/* ---- literals -------------------------------------------------------------------------------- */

void seq_view_scalars(Lower *lower, const SeqView *view, ValueVec *scalars) {
  const Type *ty = seq_view_type(view);
  for (uint64_t i = 0; type_is_fixed_seq(ty) && i < type_seq_len(ty); i++) {
    const SeqView elem = seq_view_at(lower, view, build_int(&lower->b, (int64_t)i));
    seq_view_scalars(lower, &elem, scalars);
  }
  if (type_is_fixed_seq(ty)) return;
  const Parts parts = seq_view_parts(lower, view);
  for (uint32_t k = 0; k < parts.n; k++) vec_push(lower->cx->arena, scalars, parts.v[k]);
}

/* A fixed sequence is put together from its scalars, where they are. */
Parts lower_seq_literal(Lower *lower, const Inst *inst) {
  const Type *ty = inst->results[0]->ty;
  ValueVec args = {0};
  for (uint32_t i = 0; i < inst->n_args; i++) {
    if (!type_is_fixed_seq(ty) || !type_is_fixed_seq(inst->args[i]->ty)) {
      push_parts(lower, &args, inst->args[i]);
      continue;
    }
    const SeqView elem = seq_view(lower, inst->args[i]);
    seq_view_scalars(lower, &elem, &args);
  }
  return one_part(lower, build_typed(&lower->b, OP_SEQ, ATTR_EMPTY, ty, args.data, args.len));
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
  const Tensor matrix = tensor_of(lower, inst->args[0]);
  const Access access = access_new(matrix.at);
  const uint32_t dim = type_shape(inst->args[0]->ty)->dims[0];
  ValueVec triangle = {0};
  for (uint32_t i = 0; i < dim; i++)
    for (uint32_t j = i; j < dim; j++) {
      const uint32_t entry = access_number(lower->cx, &access, (const uint32_t[]){i, j});
      vec_push(lower->cx->arena, &triangle, matrix.block[entry]);
    }
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

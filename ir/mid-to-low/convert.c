/* mid_to_low: tensors become scalars, probe groups become rows of samples.
 *
 *   %p = cons %x, %y, %z             %p_x = %x   %p_y = %y   %p_z = %z
 *   %s = ein<| sum(i:3) $0[i]*$0[i]> %p      =>  %s = radd(radd(rmul ..., rmul ...), rmul ...)
 *   jump b2(%p)                      jump b2(%p_x, %p_y, %p_z)
 *
 * Level MID to LOW. Each function is rebuilt block by block in an order in which definitions come
 * before uses; the old blocks go at the end. Cost linear in the result.
 * Needs dom. Next: components.c, access.c, einsum.c, seq.c, group.c, voxels.c, kernel_eval.c,
 * transform.c.
 */
#include "ir/analysis/dom.h"
#include "ir/mid-to-low/local.h"

static Block *low_block(const Lower *lower, const Block *mid) {
  return map_get(lower->blocks, mid);
}

static void convert_params(Lower *lower, const Block *mid, Block *low) {
  for (uint32_t i = 0; i < mid->params.len; i++) {
    const Value *param = mid->params.data[i];
    const Parts parts = parts_room(lower, param);
    for (uint32_t k = 0; k < parts.n; k++) {
      parts.v[k] = block_add_param(low, part_type(lower->cx, param->ty),
                                   part_name(lower->cx, param->name, param->ty, k));
    }
    parts_set(lower, param, parts);
  }
}

/* All parts of operands [first, first + n). */
static ValueVec expand_args(Lower *lower, const Inst *inst, uint32_t first, uint32_t n) {
  ValueVec args = {0};
  for (uint32_t i = first; i < first + n; i++) {
    const Parts parts = parts_of(lower, inst->args[i]);
    for (uint32_t k = 0; k < parts.n; k++) vec_push(lower->cx->arena, &args, parts.v[k]);
  }
  return args;
}

/* The attribute for ops on the parts of a tensor, from that of the op on the tensor. */
static Attr attr_of_parts(Lower *lower, const Inst *inst) {
  if (inst->op != OP_REDUCE) return inst->attr;
  VEC(Reduction) kinds = {0};
  const ValueVec *results = &inst->succs[1].block->params;
  for (uint32_t i = 0; i < results->len; i++)
    for (uint32_t k = 0; k < parts_count(results->data[i]->ty); k++)
      vec_push(lower->cx->arena, &kinds, inst->attr.reduce.kinds[i]);
  return (Attr){.reduce = {inst->attr.reduce.over, kinds.len, kinds.data}};
}

static void convert_terminator(Lower *lower, const Inst *inst) {
  const ValueVec own = expand_args(lower, inst, 0, inst_n_own_args(inst));
  Inst *low =
      inst_new(lower->b.fn, inst->op, attr_of_parts(lower, inst), inst->span, own.data, own.len);
  for (uint32_t s = 0; s < inst->n_succs; s++) {
    const Succ *succ = &inst->succs[s];
    const ValueVec args = expand_args(lower, inst, succ->first_arg, succ->n_args);
    inst_add_succ(low, low_block(lower, succ->block), args.data, args.len);
  }
  if (inst->merge != NULL) low->merge = low_block(lower, inst->merge);
  inst_append(lower->b.block, low);
}

/* An op whose result has one part: the same op over the parts of its operands. */
static void convert_scalar(Lower *lower, const Inst *inst) {
  const ValueVec args = expand_args(lower, inst, 0, inst->n_args);
  if (inst->n_results == 0) {
    build_effect(&lower->b, inst->op, inst->attr, args.data, args.len);
    return;
  }
  const Value *result = inst->results[0];
  if (parts_count(result->ty) != 1) BUG(lower->cx, "%s of a tensor in MID", op_text(inst->op));
  const Parts parts = parts_room(lower, result);
  parts.v[0] = build_typed(&lower->b, inst->op, inst->attr, result->ty, args.data, args.len);
  parts_set(lower, result, parts);
}

static uint32_t component_number(Parts parts, uint32_t k) { return parts.n == 1 ? WHOLE : k; }

static void convert_global_load(Lower *lower, const Inst *inst) {
  const Value *result = inst->results[0];
  const Parts parts = parts_room(lower, result);
  for (uint32_t k = 0; k < parts.n; k++) {
    const VarRef ref = {.index = inst->attr.var.index, .component = component_number(parts, k)};
    parts.v[k] = build_typed(&lower->b, OP_GLOBAL_LOAD, (Attr){.var = ref},
                             part_type(lower->cx, result->ty), NULL, 0);
  }
  if (type_is(result->ty, TY_IMAGE)) parts.v[0]->at = result->at;
  parts_set(lower, result, parts);
}

static void convert_global_store(Lower *lower, const Inst *inst) {
  const Parts parts = parts_of(lower, inst->args[0]);
  for (uint32_t k = 0; k < parts.n; k++) {
    const VarRef ref = {.index = inst->attr.var.index, .component = component_number(parts, k)};
    build_effect(&lower->b, OP_GLOBAL_STORE, (Attr){.var = ref}, &parts.v[k], 1);
  }
}

static void convert_strand_state(Lower *lower, const Inst *inst) {
  const Value *result = inst->results[0];
  Value *strand = parts_of(lower, inst->args[0]).v[0];
  const Parts parts = parts_room(lower, result);
  for (uint32_t k = 0; k < parts.n; k++) {
    const VarRef ref = {.index = inst->attr.var.index, .component = component_number(parts, k)};
    parts.v[k] = build_typed(&lower->b, OP_STRAND_STATE, (Attr){.var = ref},
                             part_type(lower->cx, result->ty), &strand, 1);
  }
  parts_set(lower, result, parts);
}

static void convert_select(Lower *lower, const Inst *inst) {
  Value *cond = parts_of(lower, inst->args[0]).v[0];
  const Parts yes = parts_of(lower, inst->args[1]), no = parts_of(lower, inst->args[2]);
  const Parts parts = parts_room(lower, inst->results[0]);
  for (uint32_t k = 0; k < yes.n; k++) {
    Value *choice[] = {cond, yes.v[k], no.v[k]};
    parts.v[k] = build_op(&lower->b, OP_SELECT, ATTR_EMPTY, choice, 3);
  }
  parts_set(lower, inst->results[0], parts);
}

/* A call returns each component of its result as a result of its own. */
static void convert_call(Lower *lower, const Inst *inst) {
  const Value *result = inst->results[0];
  const ValueVec args = expand_args(lower, inst, 0, inst->n_args);
  Inst *call = inst_new(lower->b.fn, OP_CALL, inst->attr, inst->span, args.data, args.len);
  const Parts parts = parts_room(lower, result);
  for (uint32_t k = 0; k < parts.n; k++) {
    parts.v[k] = inst_add_result(call, part_type(lower->cx, result->ty), NULL);
  }
  inst_append(lower->b.block, call);
  parts_set(lower, result, parts);
}

static void convert_inst(Lower *lower, const Inst *inst) {
  lower->b.span = inst->span;
  switch (inst->op) {
  case OP_EIN: lower_ein(lower, inst); return;
  case OP_CONS:
    tensor_set(lower, inst->results[0], tensor_cons(lower, inst));
    note_cons(lower, inst, tensor_of(lower, inst->results[0]));
    return;
  case OP_GLOBAL_LOAD: convert_global_load(lower, inst); return;
  case OP_GLOBAL_STORE: convert_global_store(lower, inst); return;
  case OP_STRAND_STATE: convert_strand_state(lower, inst); return;
  case OP_SELECT: convert_select(lower, inst); return;
  case OP_CALL: convert_call(lower, inst); return;
  case OP_SEQ: parts_set(lower, inst->results[0], lower_seq_literal(lower, inst)); return;
  case OP_SEQ_INDEX: lower_seq_index(lower, inst); return;
  case OP_SEQ_PREPEND: parts_set(lower, inst->results[0], lower_prepend(lower, inst)); return;
  case OP_IMAGE_SIZE: parts_set(lower, inst->results[0], lower_image_size(lower, inst)); return;
  case OP_EVALS2:
  case OP_EVALS3:
  case OP_EVECS2:
  case OP_EVECS3: parts_set(lower, inst->results[0], lower_eigen(lower, inst)); return;
  case OP_PRINT: lower_print(lower, inst); return;
  case OP_TRACE: lower_trace(lower, inst); return;
  case OP_PROBE_GROUP: lower_group(lower, inst); return;
  case OP_KERNEL_WEIGHTS:
    parts_set(lower, inst->results[0], lower_weight_table(lower, inst));
    return;
  case OP_TO_INDEX: parts_set(lower, inst->results[0], lower_to_index(lower, inst)); return;
  case OP_GRADIENT_MATRIX:
    tensor_set(lower, inst->results[0], lower_gradient_matrix(lower, inst));
    return;
  case OP_INSIDE_INDEX: parts_set(lower, inst->results[0], lower_inside_index(lower, inst)); return;
  default: /* every other MID op works on scalars, or takes the parts of elements */
    if (op_is_terminator(inst->op)) {
      convert_terminator(lower, inst);
    } else {
      convert_scalar(lower, inst);
    }
  }
}

static void convert_block(Lower *lower, const Block *mid) {
  lower->b.block = low_block(lower, mid);
  for (const Inst *inst = mid->first; inst != NULL; inst = inst->next) convert_inst(lower, inst);
}

bool pass_mid_to_low(Pass *px, Func *fn) {
  Arena *scratch = px->cx->scratch;
  Lower lower = {.cx = px->cx, .dom = px->dom};
  lower.tensors = map_new(scratch);
  lower.homes = map_new(scratch);
  lower.views = map_new(scratch);
  lower.blocks = map_new(scratch);
  BlockVec old = {0};
  for (uint32_t i = 0; i < fn->blocks.len; i++) vec_push(scratch, &old, fn->blocks.data[i]);
  ASSERT(px->cx, old.len > 0);
  for (uint32_t i = 0; i < old.len; i++) map_put(lower.blocks, old.data[i], block_new(fn));
  lower.b = build_at_end(px->cx, low_block(&lower, old.data[0]), fn->span);
  for (uint32_t i = 0; i < old.len; i++) {
    convert_params(&lower, old.data[i], low_block(&lower, old.data[i]));
  }
  const BlockVec *order = &px->dom->order; /* definitions before uses */
  for (uint32_t i = 0; i < order->len; i++) convert_block(&lower, order->data[i]);
  bool *dead = NEWN(scratch, bool, fn->blocks.len);
  for (uint32_t i = 0; i < old.len; i++) dead[i] = true;
  func_remove_blocks(fn, dead);
  return true;
}

/* Verifying one instruction: is the op legal at the level, do operands and results fit its
 * signature, is its attribute in range? Ops without a signature are checked by name. Part of
 * verify.c.
 */
#include "ir/core/local.h"

bool verify_type_is_legal(Level level, const Type *ty) {
  switch (type_kind(ty)) {
  case TY_ERROR: return false;
  case TY_BOOL:
  case TY_INT:
  case TY_STRING:
  case TY_STRAND:
  case TY_SEQ:
  case TY_IMAGE: return true;
  case TY_TENSOR: return level != LEVEL_LOW || type_is_real(ty);
  case TY_KERNEL:
  case TY_FIELD: return level == LEVEL_HIGH;
  case TY_ROW:
  case TY_OFFSET:
  case TY_ADDR: return level == LEVEL_LOW;
  }
  return false;
}

/* ---- signatures ------------------------------------------------------------------------------ */

static void check_signature(Verifier *v, const Inst *inst) {
  Cx *cx = v->cx;
  const Sig *sig = op_sig(cx, inst->op);
  const Type **types = NEWN(cx->scratch, const Type *, inst->n_args);
  for (uint32_t i = 0; i < inst->n_args; i++) types[i] = inst->args[i]->ty;
  Bindings bindings = {0};
  uint32_t failed;
  if (!sig_match(cx, sig, SIG_EXACT, types, inst->n_args, &bindings, &failed)) {
    verify_fail(v, "operand %u does not fit %s", failed, op_sig_text(inst->op));
    return;
  }
  if (inst->n_results != sig_result_count(sig)) {
    verify_fail(v, "%u results do not fit %s", inst->n_results, op_sig_text(inst->op));
    return;
  }
  for (uint32_t i = 0; i < inst->n_results; i++)
    if (!sig_match_result(cx, sig, &bindings, i, inst->results[i]->ty))
      verify_fail(v, "a result of type %s does not fit %s", type_text(cx, inst->results[i]->ty),
                  op_sig_text(inst->op));
}

static void check_has_result(Verifier *v, const Inst *inst, const Type *ty) {
  if (inst->n_results != 1 || inst->results[0]->ty != ty)
    verify_fail(v, "the result is not the one %s it must be", type_text(v->cx, ty));
}

/* Callees come before callers, so there is no recursion. */
static bool is_earlier(const Verifier *v, const Func *fn) {
  uint32_t i = 0;
  while (i < v->m->funcs.len && v->m->funcs.data[i] != fn && v->m->funcs.data[i] != v->fn) i++;
  return i < v->m->funcs.len && v->m->funcs.data[i] == fn && fn != v->fn;
}

static void check_call(Verifier *v, const Inst *inst) {
  const Func *callee = inst->attr.func;
  if (!callee || callee->kind != FN_USER || !is_earlier(v, callee)) {
    verify_fail(v, "calls no user function that stands before this one");
    return;
  }
  const ValueVec *params = &callee->blocks.data[0]->params;
  if (params->len != inst->n_args) verify_fail(v, "wrong number of operands");
  for (uint32_t i = 0; i < inst->n_args && !v->error; i++)
    if (inst->args[i]->ty != params->data[i]->ty) verify_fail(v, "operand %u has a wrong type", i);
  uint32_t pos = 0;
  verify_components(v, callee->result, inst->results, inst->n_results, &pos);
  if (pos != inst->n_results) verify_fail(v, "%u results instead of %u", inst->n_results, pos);
}

/* Tensors give a tensor; with a field among them, all fields have one domain and the result is one,
 * as smooth as the least. */
static void check_ein(Verifier *v, const Inst *inst) {
  Cx *cx = v->cx;
  const Ein *ein = inst->attr.ein;
  Shape *shapes = NEWN(cx->scratch, Shape, inst->n_args);
  uint32_t dim = 0, continuity = CONTINUITY_INF;
  if (!ein || ein->n_params != inst->n_args) {
    verify_fail(v, "the expression has not as many operands");
    return;
  }
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const Type *ty = inst->args[i]->ty;
    bool is_field = type_is(ty, TY_FIELD);
    if (!is_field && !type_is(ty, TY_TENSOR)) {
      verify_fail(v, "operand %u is neither tensor nor field", i);
      return;
    }
    shapes[i] = *type_shape(ty);
    if (!is_field) continue;
    if (dim != 0 && dim != type_dim(ty)) verify_fail(v, "fields of different domains");
    dim = type_dim(ty);
    if (type_continuity(ty) < continuity) continuity = type_continuity(ty);
  }
  const char *error = ein_check(cx, ein, shapes);
  if (error) {
    verify_fail(v, "%s: %s", ein_print(cx, ein), error);
    return;
  }
  Shape shape = ein_shape(ein);
  check_has_result(v, inst,
                   dim == 0 ? type_tensor(cx, shape) : type_field(cx, continuity, dim, shape));
}

static void check_gradient_matrix(Verifier *v, const Inst *inst) {
  uint32_t dim = type_dim(inst->args[0]->ty);
  check_has_result(v, inst, type_tensor(v->cx, shape_of(2, (uint32_t[]){dim, dim})));
}

/* Windows have as many samples on each axis as there are taps. */
static void check_window(Verifier *v, const Type *window, uint64_t n_taps, uint32_t dim) {
  uint64_t n_samples = 1;
  for (uint32_t axis = 0; axis < dim; axis++) n_samples *= n_taps;
  if (type_seq_len(window) != n_samples)
    verify_fail(v, "%s is no window of %u samples on %u axes", type_text(v->cx, window),
                (unsigned)n_taps, dim);
}

static void check_convolution(Verifier *v, const Inst *inst) {
  const Inst *kernel = inst->args[1]->def;
  if (!inst_is_op(kernel, OP_KERNEL) || !kernel->attr.kernel) return; /* that one says so */
  verify_kernel_axes(v, kernel->attr.kernel, type_dim(inst->args[0]->ty));
}

/* Rules that the variables of a signature cannot express. */
static void check_types(Verifier *v, const Inst *inst) {
  switch (inst->op) {
  case OP_CONVOLVE: check_convolution(v, inst); return;
  case OP_GRADIENT_MATRIX: check_gradient_matrix(v, inst); return;
  case OP_WINDOW_CLAMP:
  case OP_WINDOW_MIRROR:
  case OP_WINDOW_WRAP:
  case OP_WINDOW_CONST:
    check_window(v, inst->results[0]->ty, 2 * (uint64_t)inst->attr.i, type_dim(inst->args[0]->ty));
    return;
  case OP_WINDOW_DOT:
    check_window(v, inst->args[0]->ty, type_row_width(inst->args[1]->ty), inst->n_args - 1);
    return;
  default: return; /* the signature says it all */
  }
}

static void check_group_operands(Verifier *v, const Inst *inst) {
  const ProbeGroup *group = &inst->attr.group;
  uint32_t n_args = group->border == BORDER_CONST ? 3 : 2;
  if (inst->n_args != n_args || !type_is(inst->args[0]->ty, TY_IMAGE)) {
    verify_fail(v, "operands are an image, a position and the value outside, if any");
    return;
  }
  const Type *image = inst->args[0]->ty;
  if (inst->args[1]->ty != type_vec(v->cx, type_dim(image)))
    verify_fail(v, "the position does not fit the image");
  verify_kernel_axes(v, group->kernel, type_dim(image));
  verify_group_border(v, group);
  if (n_args == 3 && inst->args[2]->ty != type_tensor(v->cx, *type_shape(image)))
    verify_fail(v, "the value outside does not fit the image");
}

static void check_group(Verifier *v, const Inst *inst) {
  const ProbeGroup *group = &inst->attr.group;
  if (!group->kernel || group->orders == 0 || (uint32_t)group->border >= N_BORDERS) {
    verify_fail(v, "no kernel, no orders or a bad border");
    return;
  }
  check_group_operands(v, inst);
  if (v->error) return;
  uint32_t n_results = 0;
  const Type *image = inst->args[0]->ty;
  Shape shape = *type_shape(image);
  for (uint32_t order = 0; order < 32; order++, shape = shape_append(shape, type_dim(image))) {
    if (!(group->orders >> order & 1)) continue;
    if (n_results >= inst->n_results || inst->results[n_results]->ty != type_tensor(v->cx, shape))
      verify_fail(v, "result %u is not the derivative of order %u", n_results, order);
    n_results++;
  }
  if (n_results != inst->n_results) verify_fail(v, "more results than orders");
}

/* ---- attributes ------------------------------------------------------------------------------ */

static void check_var(Verifier *v, const Inst *inst) {
  VarRef var = inst->attr.var;
  if (var.index >= v->m->globals.len) {
    verify_fail(v, "global %u of %u", var.index, v->m->globals.len);
    return;
  }
  const Type *ty = v->m->globals.data[var.index].ty;
  bool is_split = v->m->level == LEVEL_LOW && type_is(ty, TY_TENSOR) && !type_is_real(ty);
  bool is_whole = var.component == WHOLE || (type_is_real(ty) && var.component == 0);
  if (is_split ? var.component >= level_n_components(v->m->level, ty) : !is_whole)
    verify_fail(v, "component %u of a global of type %s", var.component, type_text(v->cx, ty));
  const Type *want = level_component(v->cx, v->m->level, ty);
  const Type *found = inst->n_args > 0 ? inst->args[0]->ty : inst->results[0]->ty;
  if (found != want)
    verify_fail(v, "a global of type %s is not %s", type_text(v->cx, ty), type_text(v->cx, found));
}

/* The meaning of an int attribute, by op. */
static void check_int(Verifier *v, const Inst *inst) {
  int64_t i = inst->attr.i;
  switch (inst->op) {
  case OP_IMAGE_AXIS_LEN:
  case OP_IMAGE_STRIDE:
  case OP_IMAGE_ORIGIN:
    if (i < 0 || i >= type_dim(inst->args[0]->ty))
      verify_fail(v, "the image has no axis %d", (int)i);
    return;
  case OP_CORNER:
  case OP_CORNER_WITHIN:
  case OP_SUPPORT_WITHIN:
  case OP_TAP:
  case OP_WINDOW_CLAMP:
  case OP_WINDOW_MIRROR:
  case OP_WINDOW_WRAP:
  case OP_WINDOW_CONST:
    if (i < 1 || i > KERNEL_MAX_SUPPORT) verify_fail(v, "%d is no half-support", (int)i);
    return;
  case OP_SAMPLE_ADDR:
    if (i < 0 || i > KERNEL_MAX_SUPPORT) verify_fail(v, "%d is no half-support", (int)i);
    return;
  case OP_IMAGE_IS_NATIVE:
    if (i <= SAMPLE_REAL || i >= SAMPLE_COUNT) verify_fail(v, "%d is no type to keep", (int)i);
    return;
  case OP_ROW_GET:
    if (i < 0 || i >= type_row_width(inst->args[0]->ty)) verify_fail(v, "no lane %d", (int)i);
    return;
  default: return; /* any value will do */
  }
}

static void check_row(Verifier *v, const Inst *inst) {
  ConstRow row = inst->attr.row;
  if (row.width != type_row_width(inst->results[0]->ty) || !row.lanes)
    verify_fail(v, "%u lanes for a row of another width", row.width);
}

static void check_step(Verifier *v, uint32_t axis, uint32_t half_support, uint32_t dim) {
  if (axis < 1 || axis >= dim) verify_fail(v, "no step along axis %u", axis);
  if (half_support < 1 || half_support > KERNEL_MAX_SUPPORT)
    verify_fail(v, "%u is no half-support", half_support);
}

static void check_pair(Verifier *v, const Inst *inst) {
  if (inst->op == OP_SAMPLING_VALUE) return; /* verify_sampling.c */
  uint32_t dim = type_dim(inst->args[0]->ty);
  if (inst->op == OP_IMAGE_STEP) {
    check_step(v, inst->attr.pair.i, inst->attr.pair.j, dim);
    return;
  }
  if (inst->attr.pair.i >= dim || inst->attr.pair.j >= dim)
    verify_fail(v, "entry %u,%u of a matrix of %u rows", inst->attr.pair.i, inst->attr.pair.j, dim);
}

static void check_supports(Verifier *v, Supports supports) {
  for (uint32_t axis = 0; axis < KERNEL_MAX_AXES; axis++)
    if (supports.along[axis] < 1 || supports.along[axis] > KERNEL_MAX_SUPPORT)
      verify_fail(v, "%u is no half-support", supports.along[axis]);
}

static void check_attr(Verifier *v, const Inst *inst) {
  switch (op_attr_kind(inst->op)) {
  case ATTR_NONE:
  case ATTR_BOOL:
  case ATTR_REAL: return;
  case ATTR_INT: check_int(v, inst); return;
  case ATTR_STRING:
    if (!inst->attr.s) verify_fail(v, "no string");
    return;
  case ATTR_ROW: check_row(v, inst); return;
  case ATTR_PAIR: check_pair(v, inst); return;
  case ATTR_SUPPORTS: check_supports(v, inst->attr.supports); return;
  case ATTR_KERNEL:
    if (!inst->attr.kernel) verify_fail(v, "no kernel");
    return;
  case ATTR_VAR: check_var(v, inst); return;
  case ATTR_EXIT:
    if ((uint32_t)inst->attr.exit >= N_EXIT_KINDS) verify_fail(v, "no such exit");
    return;
  case ATTR_STATE:
  case ATTR_FUNC:
  case ATTR_EIN:
  case ATTR_GROUP:
  case ATTR_REDUCE: return; /* checked with the operands */
  }
}

/* ---- one instruction ------------------------------------------------------------------------- */

/* Also no values at all. */
static void check_trace(Verifier *v, const Inst *inst) {
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const TypeKind kind = type_kind(inst->args[i]->ty);
    if (kind == TY_FIELD || kind == TY_KERNEL || kind == TY_IMAGE || kind == TY_STRAND)
      verify_fail(v, "operand %u cannot be shown", i);
  }
}

static void check_special(Verifier *v, const Inst *inst) {
  if (verify_seq_op(v, inst) || verify_strand_op(v, inst) || verify_sampling_op(v, inst)) return;
  switch (inst->op) {
  case OP_CALL: check_call(v, inst); return;
  case OP_EIN: check_ein(v, inst); return;
  case OP_PROBE_GROUP: check_group(v, inst); return;
  case OP_TRACE: check_trace(v, inst); return;
  default: /* terminators: verify.c */
    if (inst->n_results > 0) verify_fail(v, "control flow has no results");
    return;
  }
}

void verify_inst(Verifier *v, const Inst *inst) {
  if (!(op_levels(inst->op) & (uint32_t)v->m->level))
    verify_fail(v, "the op is not of level %s", level_text(v->m->level));
  if (span_is_none(inst->span)) verify_fail(v, "has no span");
  if (v->error) return;
  if (op_is_special(inst->op)) check_special(v, inst);
  else check_signature(v, inst);
  if (!v->error) check_attr(v, inst);
  if (!v->error) verify_strand_place(v, inst);
  if (!v->error) verify_sampling_use(v, inst);
  if (!v->error) check_types(v, inst);
}

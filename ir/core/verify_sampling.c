/* Verifying samplings: functions that compute where the strands of a grid probe an image, and the
 * instructions that refer to them. Part of verify.c.
 */
#include "ir/core/local.h"

void verify_kernel_axes(Verifier *v, const Kernel *kernel, uint32_t dim) {
  if (!kernel_has_axes(kernel, dim))
    verify_fail(v, "%s is no kernel for an image of %u axes", kernel->name, dim);
}

/* The support is a cube, as wide as the widest kernel: it may reach beyond the image even if a
 * narrower kernel is inside. */
void verify_group_border(Verifier *v, const ProbeGroup *group) {
  if (group->border == BORDER_NONE && !supports_are_one(group->kernel))
    verify_fail(v, "%s needs a border: its kernels are not as wide as each other",
                group->kernel->name);
}

/* At one position: weights of each axis, derivative and tap. */
static void check_weights(Verifier *v, const Inst *inst) {
  const ProbeGroup *group = &inst->attr.group;
  const Type *pos = inst->n_args == 1 ? inst->args[0]->ty : NULL;
  uint32_t dim = 2;
  while (dim <= 3 && pos != type_vec(v->cx, dim)) dim++;
  if (!group->kernel || group->sampling > 0 || dim > 3) {
    verify_fail(v, "a kernel is weighted at one position in two or three dimensions");
    return;
  }
  verify_kernel_axes(v, group->kernel, dim);
  const Type *want = group_weights_type(v->cx, group, dim);
  if (inst->n_results != 1 || inst->results[0]->ty != want)
    verify_fail(v, "the result is not the one %s it must be", type_text(v->cx, want));
}

/* The same image, kernel and derivatives. */
static void check_user(Verifier *v, const Inst *inst) {
  const ProbeGroup *group = &inst->attr.group;
  const Func *fn = module_find_sampling(v->m, group->sampling - 1);
  const Inst *image = inst->args[0]->def;
  if (!fn) verify_fail(v, "there is no sampling %u", group->sampling - 1);
  else if (fn->group.kernel != group->kernel || fn->group.orders != group->orders ||
           fn->group.border != group->border || !inst_is_op(image, OP_GLOBAL_LOAD) ||
           image->attr.var.index != fn->image.index)
    verify_fail(v, "sampling %u is another one", group->sampling - 1);
}

static void check_value(Verifier *v, const Inst *inst) {
  const Func *fn = module_find_sampling(v->m, inst->attr.pair.i);
  if (!fn) {
    verify_fail(v, "there is no sampling %u", inst->attr.pair.i);
    return;
  }
  const Type *image = v->m->globals.data[fn->image.index].ty;
  const uint64_t n_partials = group_partials(v->cx->scratch, &fn->group, type_dim(image)).len;
  if (inst->attr.pair.j >= n_partials * shape_size(type_shape(image)))
    verify_fail(v, "the sampling has no value %u", inst->attr.pair.j);
}

bool verify_sampling_op(Verifier *v, const Inst *inst) {
  if (inst->op != OP_KERNEL_WEIGHTS) return false;
  check_weights(v, inst);
  return true;
}

void verify_sampling_use(Verifier *v, const Inst *inst) {
  bool is_in_strand =
      v->fn->kind == FN_CREATE || v->fn->kind == FN_START || v->fn->kind == FN_UPDATE;
  switch (inst->op) {
  case OP_PROBE_GROUP:
    if (inst->attr.group.sampling == 0) return;
    check_user(v, inst);
    break;
  case OP_SAMPLING_VALUE: check_value(v, inst); break;
  case OP_SAMPLING_IS_MADE:
    if (inst->attr.i < 0 || !module_find_sampling(v->m, (uint32_t)inst->attr.i))
      verify_fail(v, "there is no sampling %lld", (long long)inst->attr.i);
    break;
  default: return; /* has nothing to do with one */
  }
  if (!is_in_strand || v->m->is_collection) verify_fail(v, "does not belong in this function");
}

static bool check_group(Verifier *v, const ProbeGroup *group) {
  if (group->kernel && group->orders != 0 && group->sampling == 0 &&
      (uint32_t)group->border < N_BORDERS)
    return true;
  verify_fail(v, "no kernel, no orders, a bad border or a sampling");
  return false;
}

void verify_sampling_func(Verifier *v) {
  const Func *fn = v->fn;
  if (!fn->name) verify_fail(v, "has no name");
  if (fn->image.index >= v->m->globals.len ||
      !type_is(v->m->globals.data[fn->image.index].ty, TY_IMAGE) ||
      type_dim(v->m->globals.data[fn->image.index].ty) < 2)
    verify_fail(v, "is not about an image of two or three dimensions");
  if (v->m->is_collection) verify_fail(v, "strands of a collection have no places");
  if (!check_group(v, &fn->group) || v->error) return;
  verify_kernel_axes(v, fn->group.kernel, type_dim(v->m->globals.data[fn->image.index].ty));
  verify_group_border(v, &fn->group);
}

void verify_sampling_leave(Verifier *v, const Inst *leave) {
  const uint32_t dim = type_dim(v->m->globals.data[v->fn->image.index].ty);
  uint32_t pos = 0;
  verify_components(v, type_vec(v->cx, dim), leave->args, leave->n_args, &pos);
  verify_components(v, group_weights_type(v->cx, &v->fn->group, dim), leave->args, leave->n_args,
                    &pos);
  if (pos != leave->n_args) verify_fail(v, "%u values instead of %u", leave->n_args, pos);
}

/* Probe groups: the derivatives of a group, and their order. */
#include "ir/core/ir.h"

uint32_t group_max_order(const ProbeGroup *group) {
  uint32_t max_order = 0;
  for (uint32_t order = 0; order < 32; order++)
    if (group->orders >> order & 1) max_order = order;
  return max_order;
}

Supports supports_of(const Kernel *kernel) {
  Supports supports;
  for (uint32_t axis = 0; axis < KERNEL_MAX_AXES; axis++) {
    const bool is_last = kernel->n_axes > 0 && axis >= kernel->n_axes;
    const Kernel *one = kernel_along(kernel, is_last ? kernel->n_axes - 1 : axis);
    supports.along[axis] = (uint8_t)one->support;
  }
  return supports;
}

bool supports_are_one(const Kernel *kernel) {
  for (uint32_t axis = 1; axis < kernel->n_axes; axis++)
    if (kernel->along[axis]->support != kernel->along[0]->support) return false;
  return true;
}

Supports supports_join(Supports a, Supports b) {
  for (uint32_t axis = 0; axis < KERNEL_MAX_AXES; axis++)
    if (b.along[axis] > a.along[axis]) a.along[axis] = b.along[axis];
  return a;
}

static bool is_listed(const PartialVec *list, Partial partial) {
  for (uint32_t i = 0; i < list->len; i++) {
    const uint8_t *other = list->data[i].along;
    if (other[0] == partial.along[0] && other[1] == partial.along[1] &&
        other[2] == partial.along[2])
      return true;
  }
  return false;
}

/* Adds the entries of the tensor of an order; symmetric entries are listed once. */
static void list_order(Arena *a, PartialVec *list, uint32_t order, uint32_t dim) {
  uint64_t n_entries = 1;
  for (uint32_t k = 0; k < order; k++) n_entries *= dim;
  for (uint64_t entry = 0; entry < n_entries; entry++) {
    Partial partial = {{0}};
    uint64_t digits = entry;
    for (uint32_t k = 0; k < order; k++, digits /= dim) partial.along[digits % dim]++;
    if (!is_listed(list, partial)) vec_push(a, list, partial);
  }
}

PartialVec group_partials(Arena *a, const ProbeGroup *group, uint32_t dim) {
  PartialVec list = {0};
  for (uint32_t order = 0; order < 32; order++)
    if (group->orders >> order & 1) list_order(a, &list, order, dim);
  return list;
}

const Type *group_weights_type(Cx *cx, const ProbeGroup *group, uint32_t dim) {
  const uint32_t n_taps = 2 * group->kernel->support;
  return type_tensor(cx, shape_of(3, (uint32_t[]){dim, group_max_order(group) + 1, n_taps}));
}

Func *module_find_sampling(const Module *m, uint32_t number) {
  for (uint32_t i = 0; i < m->funcs.len; i++) {
    if (m->funcs.data[i]->kind != FN_SAMPLING) continue;
    if (number-- == 0) return m->funcs.data[i];
  }
  return NULL;
}

/* elements.cu: arrays of one shape, with the fewest axes that are possible for all of them. */
#include "runtime/cuda/array/elements.h"

void ddr_elements_begin(ddr_elements *elements, int rank, const int64_t *len) {
  memset(elements, 0, sizeof *elements);
  elements->rank = rank;
  elements->n = 1;
  for (int k = 0; k < rank; k++) {
    elements->len[k] = len[k];
    elements->n *= len[k];
  }
}

void ddr_elements_add(ddr_elements *elements, void *first, const int64_t *strides) {
  const int k = elements->n_arrays++;
  elements->arrays[k].data = (char *)first;
  memcpy(elements->arrays[k].stride, strides, (size_t)elements->rank * sizeof *strides);
}

void ddr_elements_add_view(ddr_elements *elements, const ddr_ndview *view) {
  const int64_t size = (int64_t)ddr_element_size(view->type);
  ddr_elements_add(elements, (char *)view->data + view->layout.offset * size, view->layout.stride);
}

void ddr_elements_add_number(ddr_elements *elements, ddr_number number) {
  ddr_number_store(number, &elements->arrays[elements->n_arrays++].number);
}

/* --- fewer axes ------------------------------------------------------------------------------- */

static void keep_axis(ddr_elements *elements, int axis, int kept) {
  elements->len[kept] = elements->len[axis];
  for (int k = 0; k < DDR_MOST_ARRAYS; k++)
    elements->arrays[k].stride[kept] = elements->arrays[k].stride[axis];
}

/* Whether, for each array, a step on the previous axis is as long as this whole axis. */
static bool can_merge(const ddr_elements *elements, int before, int axis) {
  for (int k = 0; k < elements->n_arrays; k++) {
    const int64_t *stride = elements->arrays[k].stride;
    if (stride[before] != stride[axis] * elements->len[axis]) return false;
  }
  return true;
}

void ddr_elements_collapse(ddr_elements *elements) {
  int n_kept = 0;
  for (int axis = 0; axis < elements->rank; axis++) {
    const int64_t len = elements->len[axis];
    if (len == 1) continue;
    if (n_kept > 0 && can_merge(elements, n_kept - 1, axis)) {
      const int64_t merged = elements->len[n_kept - 1] * len;
      keep_axis(elements, axis, n_kept - 1);
      elements->len[n_kept - 1] = merged;
    } else {
      keep_axis(elements, axis, n_kept++);
    }
  }
  if (n_kept == 0) elements->len[0] = 1;
  elements->rank = n_kept > 0 ? n_kept : 1;
}

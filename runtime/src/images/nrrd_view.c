/* nrrd_view.c: checks that a client's view is an array of numbers that can be read.
 *
 * Axes are counted from the slowest one on. Read next: nrrd_given.c, nrrd_given_sequence.c.
 */
#include "local.h"

static bool is_number(int type) { return type > nrrdTypeUnknown && type < nrrdTypeBlock; }

/* The number of scalars of a view, or -1 if no memory holds that many. */
static int64_t count_scalars(const diderot_view_t *view) {
  int64_t n = 1;
  const int64_t most = PTRDIFF_MAX / (int64_t)nrrdTypeSize[view->type];
  for (uint32_t k = 0; k < view->rank; k++) {
    if (view->shape[k] == 0) return 0;
  }
  for (uint32_t k = 0; k < view->rank; k++) {
    if (view->shape[k] > (size_t)(most / n)) return -1;
    n *= (int64_t)view->shape[k];
  }
  return n;
}

ddr_status ddr_view_check(const diderot_view_t *view, ddr_reason *reason) {
  const uint32_t most = sizeof view->shape / sizeof *view->shape;
  if (view->rank > most) {
    return ddr_refuse(reason, "the view has rank %u, expected at most %u", (unsigned)view->rank,
                      (unsigned)most);
  }
  if (!is_number(view->type)) {
    return ddr_refuse(reason, "the view has samples of type %d, which are not numbers", view->type);
  }
  if (count_scalars(view) < 0) return ddr_refuse(reason, "the view has more samples than memory");
  if (!view->data && count_scalars(view) > 0) return ddr_refuse(reason, "the view has no data");
  return DDR_OK;
}

ddr_status ddr_view_check_components(const diderot_view_t *view, uint32_t first,
                                     size_t n_components, ddr_reason *reason) {
  size_t n = 1;
  if (view->rank < first || (view->rank == first && n_components > 1)) {
    return ddr_refuse(reason, "the view has rank %u, expected %u", (unsigned)view->rank,
                      (unsigned)(first + (n_components > 1)));
  }
  for (uint32_t k = first; k < view->rank && n <= n_components; k++) n *= view->shape[k];
  if (n == n_components) return DDR_OK;
  return ddr_refuse(reason, "the view has %zu values per element, expected %zu", n, n_components);
}

size_t ddr_view_count(const diderot_view_t *view) { return (size_t)count_scalars(view); }

bool ddr_view_is_packed(const diderot_view_t *view, uint32_t first) {
  ptrdiff_t stride = (ptrdiff_t)nrrdTypeSize[view->type];
  for (uint32_t k = view->rank; k-- > first;) {
    if (view->shape[k] != 1 && view->strides[k] != stride) return false;
    stride *= (ptrdiff_t)view->shape[k];
  }
  return true;
}

/* layout.c: makes, checks and describes layouts.
 *
 * Read next: layout_part.c (parts and other orders), layout_overlap.c (elements at the same
 * offset). */
#include "runtime/layout/layout.h"

#include "runtime/layout/checked.h"

/* --- making one ------------------------------------------------------------------------------- */

static ddr_array_status check_shape(int rank, const int64_t *len) {
  if (rank < 0 || rank > DDR_MAX_RANK) return DDR_ARRAY_ERANK;
  if (!len && rank > 0) return DDR_ARRAY_ENULL;
  for (int k = 0; k < rank; k++)
    if (len[k] < 0) return DDR_ARRAY_EDIM;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_layout_packed(int rank, const int64_t *len, ddr_layout *layout) {
  const ddr_array_status status = check_shape(rank, len);
  if (status != DDR_ARRAY_OK) return status;
  DDR_NEED(layout);
  ddr_layout packed = {.rank = rank};
  int64_t n = 1;
  for (int k = rank - 1; k >= 0; k--) {
    packed.len[k] = len[k];
    packed.stride[k] = n;
    if (!checked_mul(n, len[k], &n) || n > PTRDIFF_MAX) return DDR_ARRAY_EOVERFLOW;
  }
  *layout = packed;
  return DDR_ARRAY_OK;
}

static bool size_fits(const ddr_layout *layout) {
  int64_t n = 1;
  for (int k = 0; k < layout->rank; k++)
    if (!checked_mul(n, layout->len[k], &n) || n > PTRDIFF_MAX) return false;
  return true;
}

/* Offsets of elements, and the distances between them. */
static bool span_fits(const ddr_layout *layout) {
  int64_t least = layout->offset, greatest = least, distance = 0;
  for (int k = 0; k < layout->rank; k++) {
    int64_t *const end = layout->stride[k] < 0 ? &least : &greatest;
    int64_t reach;
    if (!checked_mul(layout->stride[k], layout->len[k] - 1, &reach)) return false;
    if (!checked_add(*end, reach, end)) return false;
    if (reach == INT64_MIN || !checked_add(distance, reach < 0 ? -reach : reach, &distance))
      return false;
  }
  return distance < PTRDIFF_MAX;
}

ddr_array_status ddr_layout_check(const ddr_layout *layout) {
  DDR_NEED(layout);
  const ddr_array_status status = check_shape(layout->rank, layout->len);
  if (status != DDR_ARRAY_OK) return status;
  if (ddr_layout_is_empty(layout)) return DDR_ARRAY_OK;
  return size_fits(layout) && span_fits(layout) ? DDR_ARRAY_OK : DDR_ARRAY_EOVERFLOW;
}

/* --- what it is like -------------------------------------------------------------------------- */

bool ddr_layout_is_empty(const ddr_layout *layout) {
  if (!layout) return true;
  for (int k = 0; k < layout->rank; k++)
    if (layout->len[k] == 0) return true;
  return false;
}

int64_t ddr_layout_size(const ddr_layout *layout) {
  if (ddr_layout_is_empty(layout)) return 0;
  int64_t n = 1;
  for (int k = 0; k < layout->rank; k++) n *= layout->len[k];
  return n;
}

bool ddr_layout_same_shape(const ddr_layout *a, const ddr_layout *b) {
  if (!a || !b) return false;
  if (a->rank != b->rank) return false;
  for (int k = 0; k < a->rank; k++)
    if (a->len[k] != b->len[k]) return false;
  return true;
}

bool ddr_layout_span(const ddr_layout *layout, int64_t *least, int64_t *greatest) {
  if (ddr_layout_is_empty(layout) || !least || !greatest) return false;
  *least = *greatest = layout->offset;
  for (int k = 0; k < layout->rank; k++) {
    if (layout->len[k] == 1) continue;
    const int64_t reach = layout->stride[k] * (layout->len[k] - 1);
    *(reach < 0 ? least : greatest) += reach;
  }
  return true;
}

/* Finds the axes from the fastest on: the stride of each must be the number of elements along those
 * before it. At most one axis has that stride, as two such axes, of more than one index each, would
 * overlap. */
bool ddr_layout_is_contiguous(const ddr_layout *layout) {
  if (ddr_layout_is_empty(layout)) return true;
  const int64_t size = ddr_layout_size(layout);
  int64_t n = 1;
  while (n < size) {
    int next = -1;
    for (int k = 0; k < layout->rank && next < 0; k++)
      if (layout->len[k] > 1 && magnitude(layout->stride[k]) == (uint64_t)n) next = k;
    if (next < 0) return false;
    n *= layout->len[next];
  }
  return true;
}

bool ddr_layout_is_canonical(const ddr_layout *layout) {
  if (ddr_layout_is_empty(layout)) return true;
  int64_t n = 1;
  for (int k = layout->rank - 1; k >= 0; k--) {
    if (layout->len[k] == 1) continue;
    if (layout->stride[k] != n) return false;
    n *= layout->len[k];
  }
  return true;
}

/* --- fewer axes ------------------------------------------------------------------------------- */

static ddr_layout one_axis(int64_t offset, int64_t n) {
  const ddr_layout layout = {.rank = 1, .offset = offset, .len = {n}, .stride = {1}};
  return layout;
}

ddr_layout ddr_layout_collapse(const ddr_layout *layout) {
  if (ddr_layout_is_empty(layout)) return one_axis(layout ? layout->offset : 0, 0);
  ddr_layout few = {.offset = layout->offset};
  for (int k = 0; k < layout->rank; k++) {
    const int64_t len = layout->len[k], stride = layout->stride[k];
    const int last = few.rank - 1;
    int64_t step; /* what the axis before must have */
    if (len == 1) continue;
    if (last >= 0 && checked_mul(len, stride, &step) && few.stride[last] == step) {
      few.len[last] *= len;
      few.stride[last] = stride;
    } else {
      few.len[few.rank] = len;
      few.stride[few.rank++] = stride;
    }
  }
  return few.rank > 0 ? few : one_axis(layout->offset, 1);
}

/* layout_overlap.c: which indices of layouts have the same offset.
 *
 * Only the set of offsets matters, so a layout is first put in normal form: its least offset, and
 * axes of more than one index, with positive strides in descending order. */
#include <stdlib.h>

#include "runtime/layout/checked.h"
#include "runtime/layout/layout.h"

/* --- normal form ------------------------------------------------------------------------------ */

static void insert_axis(ddr_layout *normal, int64_t len, int64_t stride) {
  int k = normal->rank++;
  for (; k > 0 && normal->stride[k - 1] < stride; k--) {
    normal->len[k] = normal->len[k - 1];
    normal->stride[k] = normal->stride[k - 1];
  }
  normal->len[k] = len;
  normal->stride[k] = stride;
}

/* The layout has elements.  Repetitions are left out: they add no offset. */
static ddr_layout normal_form(const ddr_layout *layout) {
  int64_t greatest;
  ddr_layout normal = {.rank = 0};
  ddr_layout_span(layout, &normal.offset, &greatest);
  for (int k = 0; k < layout->rank; k++)
    if (layout->len[k] > 1 && layout->stride[k] != 0)
      insert_axis(&normal, layout->len[k], (int64_t)magnitude(layout->stride[k]));
  return normal;
}

static int64_t gcd(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int64_t gcd_of_strides(const ddr_layout *normal, int64_t divisor) {
  for (int k = 0; k < normal->rank; k++) divisor = gcd(divisor, normal->stride[k]);
  return divisor;
}

/* Distance of its last offset from its first, counting axes from `first` on. */
static int64_t reach(const ddr_layout *normal, int first) {
  int64_t sum = 0;
  for (int k = first; k < normal->rank; k++) sum += normal->stride[k] * (normal->len[k] - 1);
  return sum;
}

/* --- within one layout ------------------------------------------------------------------------ */

static bool has_repetitions(const ddr_layout *layout) {
  for (int k = 0; k < layout->rank; k++)
    if (layout->len[k] > 1 && layout->stride[k] == 0) return true;
  return false;
}

/* The first axis from which on offsets may coincide: the stride of each axis before it is larger
 * than the reach of all axes behind that one. The rank if there is none. */
static int first_in_doubt(const ddr_layout *normal) {
  int first = 0;
  while (first < normal->rank && normal->stride[first] > reach(normal, first + 1)) first++;
  return first;
}

/* The least solution of i s = j t other than 0 must be within i < m, j < n. */
static bool two_axes_meet(const ddr_layout *normal, int first) {
  const int64_t s = normal->stride[first], t = normal->stride[first + 1], g = gcd(s, t);
  return t / g < normal->len[first] && s / g < normal->len[first + 1];
}

/* Axes from `first` on, in units of `unit`. */
static ddr_layout core_of(const ddr_layout *normal, int first, int64_t unit) {
  ddr_layout core = {.rank = normal->rank - first};
  for (int k = 0; k < core.rank; k++) {
    core.len[k] = normal->len[first + k];
    core.stride[k] = normal->stride[first + k] / unit;
  }
  return core;
}

/* Offsets are marked in bits, one for each that could be. */
static ddr_array_status mark_all(const ddr_layout *core, int64_t n_places, bool *is_injective) {
  const int64_t size = ddr_layout_size(core);
  unsigned char *bits = calloc((size_t)(n_places / 8) + 1, 1);
  if (!bits) return DDR_ARRAY_ENOMEM;
  *is_injective = true;
  for (int64_t p = 0; p < size && *is_injective; p++) {
    const int64_t at = ddr_layout_at_position(core, p);
    const unsigned char bit = (unsigned char)(1u << (at & 7));
    *is_injective = !(bits[at >> 3] & bit);
    bits[at >> 3] |= bit;
  }
  free(bits);
  return DDR_ARRAY_OK;
}

static int compare(const void *a, const void *b) {
  const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

/* Ascending; NULL: memory is short. */
static int64_t *sorted_offsets(const ddr_layout *normal, int64_t size) {
  int64_t *offsets = malloc((size_t)size * sizeof *offsets);
  if (!offsets) return NULL;
  for (int64_t p = 0; p < size; p++) offsets[p] = ddr_layout_at_position(normal, p);
  qsort(offsets, (size_t)size, sizeof *offsets, compare);
  return offsets;
}

static ddr_array_status sort_all(const ddr_layout *core, bool *is_injective) {
  const int64_t size = ddr_layout_size(core);
  int64_t *offsets = sorted_offsets(core, size);
  if (!offsets) return DDR_ARRAY_ENOMEM;
  *is_injective = true;
  for (int64_t p = 1; p < size; p++)
    if (offsets[p] == offsets[p - 1]) *is_injective = false;
  free(offsets);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_layout_is_injective(const ddr_layout *layout, bool *is_injective) {
  DDR_NEED(is_injective);
  DDR_TRY(ddr_layout_check(layout));
  const bool is_contiguous = ddr_layout_is_contiguous(layout); /* layouts without elements are */
  if (is_contiguous || has_repetitions(layout)) {
    *is_injective = is_contiguous;
    return DDR_ARRAY_OK;
  }
  const ddr_layout normal = normal_form(layout);
  const int first = first_in_doubt(&normal), n_axes = normal.rank - first;
  if (n_axes <= 2) {
    *is_injective = n_axes == 0 || !two_axes_meet(&normal, first);
    return DDR_ARRAY_OK;
  }
  ddr_layout core = core_of(&normal, first, 1);
  core = core_of(&core, 0, gcd_of_strides(&core, 0));
  const int64_t size = ddr_layout_size(&core), n_places = reach(&core, 0) + 1;
  if (size > n_places) {
    *is_injective = false;
    return DDR_ARRAY_OK;
  }
  if (size < n_places / 64) return sort_all(&core, is_injective);
  return mark_all(&core, n_places, is_injective);
}

/* --- of two layouts --------------------------------------------------------------------------- */

enum { MOST_COMPARED = 65536 };

static bool lists_meet(const int64_t *a, int64_t n_a, const int64_t *b, int64_t n_b) {
  for (int64_t i = 0, j = 0; i < n_a && j < n_b;) {
    if (a[i] == b[j]) return true;
    if (a[i] < b[j]) i++;
    else j++;
  }
  return false;
}

static bool sets_meet(const ddr_layout *a, const ddr_layout *b) {
  const int64_t n_a = ddr_layout_size(a), n_b = ddr_layout_size(b);
  if (n_a > MOST_COMPARED || n_b > MOST_COMPARED) return true;
  int64_t *of_a = sorted_offsets(a, n_a), *of_b = sorted_offsets(b, n_b);
  const bool meet = !of_a || !of_b || lists_meet(of_a, n_a, of_b, n_b);
  free(of_a);
  free(of_b);
  return meet;
}

bool ddr_layout_overlap(const ddr_layout *a, const ddr_layout *b) {
  if (ddr_layout_is_empty(a) || ddr_layout_is_empty(b)) return false;
  const ddr_layout left = normal_form(a), right = normal_form(b);
  if (left.offset == right.offset) return true;
  const uint64_t distance = left.offset < right.offset
                                ? (uint64_t)right.offset - (uint64_t)left.offset
                                : (uint64_t)left.offset - (uint64_t)right.offset;
  const ddr_layout *const lower = left.offset < right.offset ? &left : &right;
  if (distance > (uint64_t)reach(lower, 0)) return false;
  const int64_t unit = gcd_of_strides(&right, gcd_of_strides(&left, 0));
  if (unit > 0 && distance % (uint64_t)unit != 0) return false;
  if (ddr_layout_is_contiguous(&left) && ddr_layout_is_contiguous(&right)) return true;
  return sets_meet(&left, &right);
}

/* Access: the places of the components that an Einstein expression reads, as functions of its
 * indices.
 *
 *   $0[i,1]                 slice [whole, 1] of the place of $0
 *   $0[j,i]                 permute [1, 0]
 *   $0[i,i]                 reshape [n*n], then slice [0 : n : n+1]
 *   $0[i] * $1[j]           repeat [[]; [m]] and repeat [[n]; []]: strides [1, 0] and [0, 1]
 *
 * An expression that is just an access is a view: its value shares the block of its operand, and
 * needs no instruction.
 */
#include "ir/mid-to-low/local.h"

typedef struct Path {
  Arena *a;
  const Ixfun *at;
  EinIdx axis[MAX_ORDER]; /* which index runs along each axis of `at` */
  uint32_t n;
} Path;

static Poly axis_len(const Path *p, uint32_t axis) { return ixfun_shape(p->a, p->at).len[axis]; }

static void fix_constants(Path *p) {
  IxSlice spec[MAX_ORDER];
  uint32_t n_left = 0;
  for (uint32_t k = 0; k < p->n; k++) {
    const EinIdx idx = p->axis[k];
    spec[k] = idx.is_const ? ix_fix(poly_const(idx.value)) : ix_whole(axis_len(p, k));
    if (!idx.is_const) p->axis[n_left++] = idx;
  }
  p->at = ixfun_slice(p->a, p->at, spec, p->n);
  p->n = n_left;
}

/* Axis k of the result is axis order[k]. */
static void reorder(Path *p, const uint32_t *order) {
  EinIdx axis[MAX_ORDER];
  for (uint32_t k = 0; k < p->n; k++) axis[k] = p->axis[order[k]];
  for (uint32_t k = 0; k < p->n; k++) p->axis[k] = axis[k];
  p->at = ixfun_permute(p->a, p->at, order, p->n);
}

/* Axes `first` and `second` of one index become axis 0. */
static void take_diagonal(Path *p, uint32_t first, uint32_t second) {
  uint32_t order[MAX_ORDER] = {first, second}, n_placed = 2;
  for (uint32_t k = 0; k < p->n; k++)
    if (k != first && k != second) order[n_placed++] = k;
  reorder(p, order);
  const Poly n = axis_len(p, 0);
  IxAxis axes[MAX_ORDER];
  IxSlice spec[MAX_ORDER];
  axes[0] = ix_new(poly_mul(p->a, n, n));
  spec[0] = ix_range(poly_const(0), n, poly_add(p->a, n, poly_const(1)));
  for (uint32_t k = 2; k < p->n; k++) {
    axes[k - 1] = ix_coerce(axis_len(p, k));
    spec[k - 1] = ix_whole(axis_len(p, k));
    p->axis[k - 1] = p->axis[k];
  }
  p->n--;
  p->at = ixfun_slice(p->a, ixfun_reshape(p->a, p->at, axes, p->n), spec, p->n);
}

static bool find_diagonal(const Path *p, uint32_t *first, uint32_t *second) {
  for (*first = 0; *first < p->n; ++*first)
    for (*second = *first + 1; *second < p->n; ++*second)
      if (p->axis[*first].value == p->axis[*second].value) return true;
  return false;
}

static void sort_axes(Path *p) {
  uint32_t order[MAX_ORDER];
  for (uint32_t k = 0; k < p->n; k++) {
    uint32_t place = 0;
    for (uint32_t j = 0; j < p->n; j++) place += p->axis[j].value < p->axis[k].value;
    order[place] = k;
  }
  reorder(p, order);
}

/* Axes for the indices that the component does not depend on. */
static void repeat_others(Path *p, const uint32_t *ranges, uint32_t n_indices) {
  Poly *len = NEWN(p->a, Poly, n_indices);
  Extents outer[MAX_ORDER], inner = {0};
  uint32_t next = 0;
  for (uint32_t k = 0; k <= p->n; k++) {
    Extents *gap = k < p->n ? &outer[k] : &inner;
    const uint32_t end = k < p->n ? p->axis[k].value : n_indices;
    *gap = (Extents){.rank = end - next, .len = len + next};
    for (; next < end; next++) len[next] = poly_const(ranges[next]);
    next = end + 1;
  }
  p->at = ixfun_repeat(p->a, p->at, outer, p->n, inner);
}

const Ixfun *access_path(Lower *lower, const Ixfun *operand, const EinExpr *param,
                         const uint32_t *ranges, uint32_t n_indices) {
  Path p = {.a = lower->cx->arena, .at = operand, .n = param->n_idx};
  uint32_t first, second;
  for (uint32_t k = 0; k < p.n; k++) p.axis[k] = param->idx[k];
  fix_constants(&p);
  while (find_diagonal(&p, &first, &second)) take_diagonal(&p, first, second);
  sort_axes(&p);
  repeat_others(&p, ranges, n_indices);
  if (p.at == NULL) BUG(lower->cx, "a component is read outside its tensor");
  return p.at;
}

/* ---- numbers --------------------------------------------------------------------------------- */

Access access_new(const Ixfun *at) {
  Access access = {.at = at};
  access.is_layout = ixfun_to_layout(at, &access.layout) == DDR_ARRAY_OK;
  return access;
}

/* For index functions of several descriptors, or with more axes than a layout has. */
static uint32_t number_by_steps(Cx *cx, const Access *access, const uint32_t *idx) {
  const uint32_t rank = ixfun_rank(access->at);
  Poly *coordinates = NEWN(cx->scratch, Poly, rank), at;
  int64_t number = 0;
  for (uint32_t k = 0; k < rank; k++) coordinates[k] = poly_const(idx[k]);
  const bool is_inside =
      ixfun_index(cx->scratch, access->at, coordinates, rank, 1, &at) && poly_is_const(at, &number);
  ASSERT(cx, is_inside);
  return (uint32_t)number;
}

uint32_t access_number(Cx *cx, const Access *access, const uint32_t *idx) {
  int64_t number = access->layout.offset;
  if (!access->is_layout) return number_by_steps(cx, access, idx);
  for (int k = 0; k < access->layout.rank; k++) number += idx[k] * access->layout.stride[k];
  return (uint32_t)number;
}

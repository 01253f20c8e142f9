/* Index functions: other extents without another descriptor, contiguous or not.
 *
 *   strides 4 2, lengths 3 2  =>  stride 2, length 6        neighbours merge: 4 = 2 * 2
 *   stride 2, length 6        =>  strides 6 2, lengths 2 3  one axis is split
 *
 * Old and new axes that are not of length 1 are matched in groups of equal products, from the
 * slowest on. New stored dims stand where the fastest of their group stood; axes of length 1 go and
 * come beside a neighbour.
 */
#include "ir/index/ixfun_local.h"

typedef struct Axes { /* the axes of length other than 1 */
  uint32_t n;
  uint32_t *axis;
  Poly *len;
} Axes;

static Axes axes_of(Arena *a, Extents shape) {
  Axes axes = {.axis = NEWN(a, uint32_t, shape.rank), .len = NEWN(a, Poly, shape.rank)};
  for (uint32_t k = 0; k < shape.rank; k++) {
    if (poly_is(shape.len[k], 1)) continue;
    axes.axis[axes.n] = k;
    axes.len[axes.n++] = shape.len[k];
  }
  return axes;
}

typedef struct Group { /* axes first..end-1 of each list, of equal products */
  uint32_t old_first, old_end, new_first, new_end;
} Group;

typedef enum { SAME, OLD_IS_SMALLER, NEW_IS_SMALLER, UNKNOWN } Order;

static Order order_of(Arena *a, Poly old, Poly new) {
  if (poly_eq(old, new)) return SAME;
  if (poly_is_less(a, old, new)) return OLD_IS_SMALLER;
  if (poly_is_less(a, new, old)) return NEW_IS_SMALLER;
  if (poly_is(poly_mod(a, new, old), 0)) return OLD_IS_SMALLER;
  return poly_is(poly_mod(a, old, new), 0) ? NEW_IS_SMALLER : UNKNOWN;
}

/* The group that starts at the ends of g; false: no equal products are found. */
static bool next_group(Arena *a, const Axes *old, const Axes *new, Group *g) {
  g->old_first = g->old_end;
  g->new_first = g->new_end;
  if (g->old_end == old->n || g->new_end == new->n) return false;
  Poly size_old = old->len[g->old_end++], size_new = new->len[g->new_end++];
  for (;;) {
    Order order = order_of(a, size_old, size_new);
    if (order == SAME) return true;
    if (order == OLD_IS_SMALLER && g->old_end < old->n)
      size_old = poly_mul(a, size_old, old->len[g->old_end++]);
    else if (order == NEW_IS_SMALLER && g->new_end < new->n)
      size_new = poly_mul(a, size_new, new->len[g->new_end++]);
    else return false;
  }
}

/* The old axes of a group are one run of equal steps. */
static bool is_run(Arena *a, const Lmad *l, const Axes *old, const Group *g) {
  for (uint32_t i = g->old_first; i < g->old_end; i++) {
    const LmadDim *dim = &l->dims[l->perm[old->axis[i]]];
    if (lmad_is_rotated(dim)) return false;
    if (i + 1 == g->old_end) break;
    const LmadDim *faster = &l->dims[l->perm[old->axis[i + 1]]];
    if (!poly_eq(dim->stride, poly_mul(a, faster->len, faster->stride))) return false;
  }
  return true;
}

typedef struct Piece { /* a new axis: its dim, and the old stored dim beside which it stands */
  LmadDim dim;
  uint32_t place;
  bool is_set;
} Piece;

static bool fill_group(Arena *a, const Lmad *l, const Axes *old, const Axes *new, const Group *g,
                       Piece *pieces) {
  uint32_t place = l->perm[old->axis[g->old_end - 1]];
  bool is_one = g->old_end - g->old_first == 1 && g->new_end - g->new_first == 1;
  if (!is_one && !is_run(a, l, old, g)) return false;
  Poly stride = l->dims[place].stride;
  for (uint32_t j = g->new_end; j-- > g->new_first;) {
    Piece *piece = &pieces[new->axis[j]];
    *piece = (Piece){.dim = l->dims[place], .place = place, .is_set = true};
    piece->dim.stride = stride;
    piece->dim.len = new->len[j];
    stride = poly_mul(a, stride, new->len[j]);
  }
  return true;
}

/* Axes of length 1 step over the faster neighbour, the last ones as it does. */
static void fill_units(Arena *a, Piece *pieces, uint32_t rank) {
  for (uint32_t k = rank; k-- > 0;) {
    Piece *piece = &pieces[k];
    if (piece->is_set) continue;
    if (k + 1 < rank && pieces[k + 1].is_set) {
      *piece = pieces[k + 1];
      piece->dim.stride = poly_mul(a, piece->dim.stride, piece->dim.len);
    }
    piece->dim.len = poly_const(1);
  }
  for (uint32_t k = 0; k < rank; k++) {
    Piece *piece = &pieces[k];
    if (piece->is_set) continue;
    if (k > 0) *piece = pieces[k - 1];
    else piece->dim.stride = poly_const(1);
    piece->dim.len = poly_const(1);
    piece->is_set = true;
  }
}

static Lmad in_stored_order(Arena *a, const Lmad *l, const Piece *pieces, uint32_t rank) {
  LmadDim *dims = NEWN(a, LmadDim, rank);
  uint32_t *perm = NEWN(a, uint32_t, rank);
  for (uint32_t k = 0; k < rank; k++) {
    for (uint32_t j = 0; j < rank; j++)
      perm[k] += pieces[j].place < pieces[k].place || (j < k && pieces[j].place == pieces[k].place);
    dims[perm[k]] = pieces[k].dim;
  }
  return lmad_new(a, l->offset, dims, perm, rank);
}

bool lmad_regroup(Arena *a, const Lmad *l, Extents shape, Lmad *regrouped) {
  if (lmad_is_empty(l)) return false;
  Axes old = axes_of(a, lmad_shape(a, l)), new = axes_of(a, shape);
  Piece *pieces = NEWN(a, Piece, shape.rank);
  Group g = {0};
  while (next_group(a, &old, &new, &g))
    if (!fill_group(a, l, &old, &new, &g, pieces)) return false;
  if (g.old_first < old.n || g.new_first < new.n) return false;
  fill_units(a, pieces, shape.rank);
  *regrouped = in_stored_order(a, l, pieces, shape.rank);
  return true;
}

/* Index functions: making them and the operations that rewrite one descriptor in place; what the
 * flag of contiguity says of a list; walks over the coefficients.
 *
 * Invariant: is_contiguous is what ixfun_list_is_contiguous gives; every descriptor was made by
 * lmad_new. Next: ixfun_slice.c, ixfun_reshape.c, ixfun_rebase.c, ixfun_simplify.c, ixfun_query.c.
 */
#include "ir/index/ixfun.h"

#include "ir/index/ixfun_local.h"

/* ---- making ---------------------------------------------------------------------------------- */

static Extents copy_extents(Arena *a, Extents e) {
  Poly *len = NEWN(a, Poly, e.rank);
  for (uint32_t k = 0; k < e.rank; k++) len[k] = e.len[k];
  return (Extents){.rank = e.rank, .len = len};
}

/* Whether its index space covers every position of b. */
static bool covers(Arena *a, const Lmad *front, const Lmad *b) {
  Poly reached = poly_const(1);
  for (uint32_t d = 0; d < front->rank; d++)
    if (!lmad_is_repeated(&front->dims[d])) reached = poly_mul(a, reached, front->dims[d].len);
  return poly_eq(reached, extents_size(a, lmad_shape(a, b)));
}

/* Positions that form an interval become offsets that do. */
static bool keeps_intervals(const Lmad *b) {
  return lmad_is_identity(b) && !lmad_has_repeats(b) && !lmad_has_rotations(b) &&
         lmad_stride_signs(b) != MONO_UNKNOWN;
}

bool ixfun_list_is_contiguous(Arena *a, const Lmad *lmads, uint32_t n_lmads) {
  bool is_covered = true; /* all of the index space of lmads[i] is met */
  if (lmad_is_empty(&lmads[0])) return true;
  for (uint32_t i = 0; i < n_lmads; i++) {
    if (!lmad_is_contiguous(a, &lmads[i])) return false;
    is_covered = is_covered && (i == 0 || covers(a, &lmads[i - 1], &lmads[i]));
    if (!is_covered && !keeps_intervals(&lmads[i])) return false;
  }
  return true;
}

const Ixfun *ixfun_new(Arena *a, const Lmad *lmads, uint32_t n_lmads, Extents base) {
  Lmad *copy = NEWN(a, Lmad, n_lmads);
  for (uint32_t i = 0; i < n_lmads; i++) copy[i] = lmads[i];
  Ixfun *f = NEW(a, Ixfun);
  *f = (Ixfun){.n_lmads = n_lmads, .lmads = copy, .base = copy_extents(a, base)};
  f->is_contiguous = ixfun_list_is_contiguous(a, copy, n_lmads);
  return f;
}

const Ixfun *ixfun_iota(Arena *a, Extents shape) {
  for (uint32_t k = 0; k < shape.rank; k++)
    if (ix_is_negative(a, shape.len[k])) return NULL;
  Lmad iota = lmad_iota(a, shape);
  return ixfun_new(a, &iota, 1, shape);
}

const Ixfun *ixfun_iota_const(Arena *a, const int64_t *len, uint32_t rank) {
  Poly *extents = NEWN(a, Poly, rank);
  for (uint32_t k = 0; k < rank; k++) extents[k] = poly_const(len[k]);
  return ixfun_iota(a, (Extents){.rank = rank, .len = extents});
}

const Ixfun *ixfun_with_first(Arena *a, const Ixfun *f, Lmad first) {
  Lmad *lmads = NEWN(a, Lmad, f->n_lmads);
  for (uint32_t i = 0; i < f->n_lmads; i++) lmads[i] = i == 0 ? first : f->lmads[i];
  return ixfun_new(a, lmads, f->n_lmads, f->base);
}

const Ixfun *ixfun_in_front(Arena *a, Lmad front, const Ixfun *f) {
  Lmad *lmads = NEWN(a, Lmad, (size_t)f->n_lmads + 1);
  lmads[0] = front;
  for (uint32_t i = 0; i < f->n_lmads; i++) lmads[i + 1] = f->lmads[i];
  return ixfun_new(a, lmads, f->n_lmads + 1, f->base);
}

bool ix_is_negative(Arena *a, Poly x) { return poly_is_positive(a, poly_neg(a, x)); }

bool ix_differ(Arena *a, Poly x, Poly y) { return poly_is_less(a, x, y) || poly_is_less(a, y, x); }

bool ix_is_permutation(Arena *a, const uint32_t *perm, uint32_t rank) {
  bool *is_met = NEWN(a, bool, rank);
  for (uint32_t k = 0; k < rank; k++) {
    if (perm[k] >= rank || is_met[perm[k]]) return false;
    is_met[perm[k]] = true;
  }
  return true;
}

/* ---- operations on the first descriptor ------------------------------------------------------ */

const Ixfun *ixfun_permute(Arena *a, const Ixfun *f, const uint32_t *order, uint32_t rank) {
  if (!f || rank != ixfun_rank(f) || !ix_is_permutation(a, order, rank)) return NULL;
  const Lmad *l = &f->lmads[0];
  uint32_t *perm = NEWN(a, uint32_t, rank);
  for (uint32_t k = 0; k < rank; k++) perm[k] = l->perm[order[k]];
  return ixfun_with_first(a, f, lmad_new(a, l->offset, l->dims, perm, rank));
}

const Ixfun *ixfun_rotate(Arena *a, const Ixfun *f, const Poly *by, uint32_t rank) {
  if (!f || rank != ixfun_rank(f)) return NULL;
  const Lmad *l = &f->lmads[0];
  LmadDim *dims = NEWN(a, LmadDim, rank);
  for (uint32_t k = 0; k < rank; k++) {
    LmadDim *dim = &dims[l->perm[k]];
    *dim = l->dims[l->perm[k]];
    dim->rotate = poly_add(a, dim->rotate, by[k]);
  }
  return ixfun_with_first(a, f, lmad_new(a, l->offset, dims, l->perm, rank));
}

/* New stored dims come before the one of their axis, the inner ones last. */
static Lmad with_repeats(Arena *a, const Lmad *l, const Extents *outer, Extents inner) {
  uint32_t rank = l->rank + inner.rank, n = 0;
  uint32_t *axis_of = NEWN(a, uint32_t, l->rank); /* of a stored dim */
  uint32_t *moved = NEWN(a, uint32_t, l->rank);   /* first new place of a stored dim's group */
  for (uint32_t k = 0; k < l->rank; k++) {
    axis_of[l->perm[k]] = k;
    rank += outer[k].rank;
  }
  LmadDim *dims = NEWN(a, LmadDim, rank);
  uint32_t *perm = NEWN(a, uint32_t, rank);
  for (uint32_t d = 0; d < l->rank; d++) {
    Extents repeats = outer[axis_of[d]];
    moved[d] = n;
    for (uint32_t i = 0; i < repeats.rank; i++) dims[n++] = (LmadDim){.len = repeats.len[i]};
    dims[n++] = l->dims[d];
  }
  for (uint32_t i = 0; i < inner.rank; i++) dims[n + i] = (LmadDim){.len = inner.len[i]};
  uint32_t axis = 0;
  for (uint32_t k = 0; k < l->rank; k++)
    for (uint32_t i = 0; i <= outer[k].rank; i++) perm[axis++] = moved[l->perm[k]] + i;
  for (uint32_t i = 0; i < inner.rank; i++) perm[axis++] = n + i;
  return lmad_new(a, l->offset, dims, perm, rank);
}

static bool has_negative(Arena *a, Extents e) {
  for (uint32_t k = 0; k < e.rank; k++)
    if (ix_is_negative(a, e.len[k])) return true;
  return false;
}

const Ixfun *ixfun_repeat(Arena *a, const Ixfun *f, const Extents *outer, uint32_t n_outer,
                          Extents inner) {
  if (!f || n_outer != ixfun_rank(f) || has_negative(a, inner)) return NULL;
  for (uint32_t k = 0; k < n_outer; k++)
    if (has_negative(a, outer[k])) return NULL;
  return ixfun_with_first(a, f, with_repeats(a, &f->lmads[0], outer, inner));
}

const Ixfun *ixfun_expand(Arena *a, const Ixfun *f, Poly offset, Poly n_copies) {
  if (!f) return NULL;
  Lmad *lmads = NEWN(a, Lmad, f->n_lmads);
  for (uint32_t i = 0; i < f->n_lmads; i++) lmads[i] = f->lmads[i];
  Lmad *last = &lmads[f->n_lmads - 1];
  LmadDim *dims = NEWN(a, LmadDim, last->rank);
  for (uint32_t d = 0; d < last->rank; d++) {
    dims[d] = last->dims[d];
    dims[d].stride = poly_mul(a, dims[d].stride, n_copies);
  }
  offset = poly_add(a, offset, poly_mul(a, n_copies, last->offset));
  *last = lmad_new(a, offset, dims, last->perm, last->rank);
  return ixfun_new(a, lmads, f->n_lmads, f->base);
}

/* Index functions: reshape, by four rules. The first one that applies is taken.
 *
 * 1. Extents under new names: the lengths are relabelled.
 * 2. One descriptor whose strides are row-major over its stored dims: the axes between coerced ones
 *    are replaced and the strides computed anew.
 * 3. Axes split, merged, added and dropped one by one (ixfun_regroup.c).
 * 4. A second descriptor in front.
 */
#include "ir/index/ixfun_local.h"

IxAxis ix_new(Poly len) { return (IxAxis){.len = len}; }
IxAxis ix_coerce(Poly len) { return (IxAxis){.is_coerced = true, .len = len}; }

/* Coerced axes at both ends; the others are between. */
typedef struct Pattern {
  uint32_t head, tail, n_new;
  bool is_plain; /* none of the axes between is coerced, and the source has the coerced ones */
} Pattern;

static Pattern pattern_of(const IxAxis *axes, uint32_t rank, uint32_t source_rank) {
  Pattern p = {.is_plain = true};
  while (p.head < rank && axes[p.head].is_coerced) p.head++;
  while (p.head + p.tail < rank && axes[rank - 1 - p.tail].is_coerced) p.tail++;
  p.n_new = rank - p.head - p.tail;
  for (uint32_t k = p.head; k < rank - p.tail; k++) p.is_plain = p.is_plain && !axes[k].is_coerced;
  if (p.head + p.tail > source_rank || (p.n_new == 0 && rank != source_rank)) p.is_plain = false;
  return p;
}

/* ---- rule 1 ---------------------------------------------------------------------------------- */

static Lmad relabelled(Arena *a, const Lmad *l, const IxAxis *axes) {
  LmadDim *dims = NEWN(a, LmadDim, l->rank);
  for (uint32_t k = 0; k < l->rank; k++) {
    dims[l->perm[k]] = l->dims[l->perm[k]];
    dims[l->perm[k]].len = axes[k].len;
  }
  return lmad_new(a, l->offset, dims, l->perm, l->rank);
}

static bool keeps_extents(const Lmad *l, const IxAxis *axes, uint32_t rank) {
  if (rank != l->rank) return false;
  for (uint32_t k = 0; k < rank; k++)
    if (!axes[k].is_coerced && !poly_eq(axes[k].len, l->dims[l->perm[k]].len)) return false;
  return true;
}

/* ---- rule 2 ---------------------------------------------------------------------------------- */

/* The middle is left alone by the order of the axes, not repeated, not rotated, and all strides are
 * row-major up to their common sign. */
static bool is_row_major(Arena *a, const Lmad *l, Pattern p) {
  for (uint32_t k = p.head; k < l->rank - p.tail; k++)
    if (l->perm[k] != k || lmad_is_repeated(&l->dims[k]) || lmad_is_rotated(&l->dims[k]))
      return false;
  return lmad_is_contiguous(a, l) && lmad_stride_signs(l) != MONO_UNKNOWN;
}

static uint32_t shifted(const Lmad *l, Pattern p, uint32_t dim) {
  return dim < p.head ? dim : dim + p.n_new + p.head + p.tail - l->rank;
}

static Lmad recomputed(Arena *a, const Lmad *l, const IxAxis *axes, uint32_t rank, Pattern p) {
  LmadDim *dims = NEWN(a, LmadDim, rank);
  uint32_t *perm = NEWN(a, uint32_t, rank);
  bool *is_kept = NEWN(a, bool, rank);
  for (uint32_t k = 0; k < rank; k++) {
    bool is_middle = k >= p.head && k < rank - p.tail;
    uint32_t axis = k < p.head ? k : k + l->rank - rank, d = is_middle ? 0 : l->perm[axis];
    perm[k] = is_middle ? k : shifted(l, p, d);
    if (!is_middle) dims[perm[k]] = l->dims[d];
    dims[perm[k]].len = axes[k].len;
    is_kept[perm[k]] = !is_middle && lmad_is_repeated(&l->dims[d]);
  }
  Poly stride = poly_const(lmad_stride_signs(l) == MONO_DEC ? -1 : 1);
  for (uint32_t d = rank; d-- > 0;) {
    if (is_kept[d]) continue;
    dims[d].stride = stride;
    stride = poly_mul(a, stride, dims[d].len);
  }
  return lmad_new(a, l->offset, dims, perm, rank);
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool is_allowed(Arena *a, const Ixfun *f, const IxAxis *axes, Extents shape, Pattern p) {
  Extents source = ixfun_shape(a, f);
  for (uint32_t k = 0; k < shape.rank; k++)
    if (ix_is_negative(a, shape.len[k])) return false;
  if (ix_differ(a, extents_size(a, source), extents_size(a, shape))) return false;
  if (p.n_new == 0 && shape.rank > 0 && shape.rank != source.rank) return false;
  for (uint32_t k = 0; k < p.head && k < source.rank; k++)
    if (ix_differ(a, axes[k].len, source.len[k])) return false;
  for (uint32_t k = 1; k <= p.tail && k <= source.rank; k++)
    if (ix_differ(a, axes[shape.rank - k].len, source.len[source.rank - k])) return false;
  return true;
}

const Ixfun *ixfun_reshape(Arena *a, const Ixfun *f, const IxAxis *axes, uint32_t rank) {
  if (!f) return NULL;
  const Lmad *l = &f->lmads[0];
  Pattern p = pattern_of(axes, rank, l->rank);
  Poly *len = NEWN(a, Poly, rank);
  for (uint32_t k = 0; k < rank; k++) len[k] = axes[k].len;
  Extents shape = {.rank = rank, .len = len};
  if (!is_allowed(a, f, axes, shape, p)) return NULL;

  bool is_relabelling = rank == l->rank && p.is_plain && p.n_new <= 1;
  if (is_relabelling || keeps_extents(l, axes, rank))
    return ixfun_with_first(a, f, relabelled(a, l, axes));
  if (p.is_plain && is_row_major(a, l, p))
    return ixfun_with_first(a, f, recomputed(a, l, axes, rank, p));
  Lmad regrouped;
  if (lmad_regroup(a, l, shape, &regrouped)) return ixfun_with_first(a, f, regrouped);
  return ixfun_in_front(a, lmad_iota(a, shape), f);
}

/* Index functions: onto another base.
 *
 * Where the last descriptor of a function goes over all of its base, each stored dim along one axis
 * of the base up or down, it and the first descriptor of the new base make one: dim by dim, the
 * strides are those of the new base and the rotations add up. Otherwise the lists are joined.
 */
#include "ir/index/ixfun_local.h"

/* The dims that are not repeated, in stored order. */
static uint32_t moving_dims(Arena *a, const Lmad *l, const uint32_t **dims) {
  uint32_t *moving = NEWN(a, uint32_t, l->rank), n = 0;
  for (uint32_t d = 0; d < l->rank; d++)
    if (!lmad_is_repeated(&l->dims[d])) moving[n++] = d;
  *dims = moving;
  return n;
}

/* Whether it stays inside the base; then its offset is that of the corner where it starts. */
static bool covers_base(Arena *a, const Lmad *l, Extents base, const uint32_t *moving, uint32_t n) {
  if (n != base.rank || lmad_is_empty(l) || !lmad_is_contiguous(a, l)) return false;
  for (uint32_t j = 0; j < n; j++) {
    const LmadDim *dim = &l->dims[moving[j]];
    if (dim->mono == MONO_UNKNOWN || !poly_eq(dim->len, base.len[j])) return false;
  }
  return true;
}

/* Stored dim `inner` of the function along `outer` of the new base. */
static LmadDim composed_dim(Arena *a, const LmadDim *outer, const LmadDim *inner, Poly *offset) {
  LmadDim dim = *outer;
  dim.len = inner->len;
  if (lmad_is_repeated(outer)) return dim;
  if (inner->mono == MONO_INC) {
    dim.rotate = poly_add(a, outer->rotate, inner->rotate);
    return dim;
  }
  Poly reach = poly_mul(a, outer->stride, poly_sub(a, inner->len, poly_const(1)));
  dim.stride = poly_neg(a, outer->stride);
  dim.rotate = poly_sub(a, inner->rotate, outer->rotate);
  *offset = poly_add(a, *offset, reach);
  return dim;
}

/* Stored order is that of the new base, then the repeats of the function. */
static Lmad composed(Arena *a, const Lmad *outer, const Lmad *inner, const uint32_t *moving,
                     uint32_t n) {
  LmadDim *dims = NEWN(a, LmadDim, inner->rank);
  uint32_t *moved = NEWN(a, uint32_t, inner->rank), *perm = NEWN(a, uint32_t, inner->rank);
  Poly offset = outer->offset;
  for (uint32_t j = 0; j < n; j++) {
    uint32_t d = outer->perm[j];
    moved[moving[j]] = d;
    dims[d] = composed_dim(a, &outer->dims[d], &inner->dims[moving[j]], &offset);
  }
  uint32_t end = n;
  for (uint32_t d = 0; d < inner->rank; d++) {
    if (!lmad_is_repeated(&inner->dims[d])) continue;
    moved[d] = end;
    dims[end++] = inner->dims[d];
  }
  for (uint32_t k = 0; k < inner->rank; k++) perm[k] = moved[inner->perm[k]];
  return lmad_new(a, offset, dims, perm, inner->rank);
}

const Ixfun *ixfun_rebase(Arena *a, const Ixfun *onto, const Ixfun *f) {
  if (!onto || !f) return NULL;
  Extents shape = ixfun_shape(a, onto);
  if (shape.rank != f->base.rank) return NULL;
  for (uint32_t k = 0; k < shape.rank; k++)
    if (ix_differ(a, shape.len[k], f->base.len[k])) return NULL;
  IxAxis *axes = NEWN(a, IxAxis, shape.rank);
  for (uint32_t k = 0; k < shape.rank; k++) axes[k] = ix_coerce(f->base.len[k]);
  if (!extents_eq(shape, f->base)) onto = ixfun_reshape(a, onto, axes, shape.rank);

  const uint32_t *moving;
  const Lmad *last = &f->lmads[f->n_lmads - 1];
  uint32_t n = moving_dims(a, last, &moving), n_lmads = 0;
  bool is_one = covers_base(a, last, f->base, moving, n);
  Lmad *lmads = NEWN(a, Lmad, (size_t)f->n_lmads + onto->n_lmads);
  for (uint32_t i = 0; i < f->n_lmads; i++) lmads[n_lmads++] = f->lmads[i];
  if (is_one) lmads[n_lmads - 1] = composed(a, &onto->lmads[0], last, moving, n);
  for (uint32_t i = is_one; i < onto->n_lmads; i++) lmads[n_lmads++] = onto->lmads[i];
  return ixfun_new(a, lmads, n_lmads, onto->base);
}

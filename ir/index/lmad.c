/* Descriptors: making, evaluating, contiguity. */
#include "ir/index/lmad.h"

/* ---- extents --------------------------------------------------------------------------------- */

const Poly *extents_suffix(Arena *a, Extents e) {
  Poly *suffix = NEWN(a, Poly, e.rank);
  Poly product = poly_const(1);
  for (uint32_t k = e.rank; k-- > 0; product = poly_mul(a, product, e.len[k])) suffix[k] = product;
  return suffix;
}

Poly extents_size(Arena *a, Extents e) {
  Poly product = poly_const(1);
  for (uint32_t k = 0; k < e.rank; k++) product = poly_mul(a, product, e.len[k]);
  return product;
}

bool extents_eq(Extents x, Extents y) {
  if (x.rank != y.rank) return false;
  for (uint32_t k = 0; k < x.rank; k++)
    if (!poly_eq(x.len[k], y.len[k])) return false;
  return true;
}

const Poly *extents_unflat(Arena *a, Extents e, Poly flat) {
  Poly *idx = NEWN(a, Poly, e.rank);
  for (uint32_t k = e.rank; k-- > 0;) {
    idx[k] = k > 0 ? poly_mod(a, flat, e.len[k]) : flat;
    flat = k > 0 ? poly_floordiv(a, flat, e.len[k]) : flat;
  }
  return idx;
}

/* ---- making ---------------------------------------------------------------------------------- */

static Monotonicity sign_of(Arena *a, Poly stride) {
  if (stride.n_terms == 0 && stride.constant == 0) return MONO_UNKNOWN;
  if (poly_is_positive(a, stride)) return MONO_INC;
  return poly_is_positive(a, poly_neg(a, stride)) ? MONO_DEC : MONO_UNKNOWN;
}

static LmadDim normal_dim(Arena *a, LmadDim dim) {
  bool is_fixed = poly_is(dim.stride, 0) || poly_is(dim.len, 1) || poly_is(dim.len, 0);
  if (is_fixed) dim.rotate = poly_const(0);
  else if (!poly_is(dim.rotate, 0)) dim.rotate = poly_mod(a, dim.rotate, dim.len);
  dim.mono = sign_of(a, dim.stride);
  return dim;
}

Lmad lmad_new(Arena *a, Poly offset, const LmadDim *dims, const uint32_t *perm, uint32_t rank) {
  LmadDim *dim_copy = NEWN(a, LmadDim, rank);
  uint32_t *perm_copy = NEWN(a, uint32_t, rank);
  for (uint32_t k = 0; k < rank; k++) {
    dim_copy[k] = normal_dim(a, dims[k]);
    perm_copy[k] = perm[k];
  }
  return (Lmad){.offset = offset, .rank = rank, .dims = dim_copy, .perm = perm_copy};
}

Lmad lmad_iota(Arena *a, Extents shape) {
  const Poly *suffix = extents_suffix(a, shape);
  LmadDim *dims = NEWN(a, LmadDim, shape.rank);
  uint32_t *perm = NEWN(a, uint32_t, shape.rank);
  for (uint32_t k = 0; k < shape.rank; k++) {
    dims[k] = (LmadDim){.stride = suffix[k], .len = shape.len[k]};
    perm[k] = k;
  }
  return lmad_new(a, poly_const(0), dims, perm, shape.rank);
}

/* ---- asking ---------------------------------------------------------------------------------- */

Extents lmad_shape(Arena *a, const Lmad *l) {
  Poly *len = NEWN(a, Poly, l->rank);
  for (uint32_t k = 0; k < l->rank; k++) len[k] = l->dims[l->perm[k]].len;
  return (Extents){.rank = l->rank, .len = len};
}

bool lmad_is_repeated(const LmadDim *dim) { return poly_is(dim->stride, 0); }

bool lmad_is_rotated(const LmadDim *dim) { return !poly_is(dim->rotate, 0); }

typedef Poly Reduce(Arena *a, Poly x, Poly len);

static Poly sum_of_axes(Arena *a, const Lmad *l, const Poly *idx, Reduce *reduce) {
  Poly offset = l->offset;
  for (uint32_t k = 0; k < l->rank; k++) {
    const LmadDim *dim = &l->dims[l->perm[k]];
    if (lmad_is_repeated(dim)) continue;
    Poly at = idx[k];
    if (lmad_is_rotated(dim)) at = reduce(a, poly_add(a, at, dim->rotate), dim->len);
    offset = poly_add(a, offset, poly_mul(a, at, dim->stride));
  }
  return offset;
}

Poly lmad_at(Arena *a, const Lmad *l, const Poly *idx) { return sum_of_axes(a, l, idx, poly_mod); }

Poly lmad_address(Arena *a, const Lmad *l, const Poly *idx) {
  return sum_of_axes(a, l, idx, poly_wrap);
}

bool lmad_is_identity(const Lmad *l) {
  for (uint32_t k = 0; k < l->rank; k++)
    if (l->perm[k] != k) return false;
  return true;
}

bool lmad_has_repeats(const Lmad *l) {
  for (uint32_t d = 0; d < l->rank; d++)
    if (lmad_is_repeated(&l->dims[d])) return true;
  return false;
}

bool lmad_has_rotations(const Lmad *l) {
  for (uint32_t d = 0; d < l->rank; d++)
    if (lmad_is_rotated(&l->dims[d])) return true;
  return false;
}

bool lmad_is_empty(const Lmad *l) {
  for (uint32_t d = 0; d < l->rank; d++)
    if (poly_is(l->dims[d].len, 0)) return true;
  return false;
}

bool lmad_is_iota(Arena *a, const Lmad *l) {
  Lmad iota = lmad_iota(a, lmad_shape(a, l));
  return lmad_is_identity(l) && lmad_eq(l, &iota);
}

bool lmad_is_contiguous(Arena *a, const Lmad *l) {
  if (lmad_is_empty(l)) return true;
  Poly passed = poly_const(1);
  for (uint32_t d = l->rank; d-- > 0;) {
    const LmadDim *dim = &l->dims[d];
    if (poly_is(dim->len, 1) || lmad_is_repeated(dim)) continue;
    if (!poly_eq(dim->stride, passed) && !poly_eq(dim->stride, poly_neg(a, passed))) return false;
    passed = poly_mul(a, passed, dim->len);
  }
  return true;
}

Monotonicity lmad_stride_signs(const Lmad *l) {
  bool is_inc = true, is_dec = true;
  for (uint32_t d = 0; d < l->rank; d++) {
    if (lmad_is_repeated(&l->dims[d])) continue;
    is_inc = is_inc && l->dims[d].mono == MONO_INC;
    is_dec = is_dec && l->dims[d].mono == MONO_DEC;
  }
  return is_inc ? MONO_INC : is_dec ? MONO_DEC : MONO_UNKNOWN;
}

bool lmad_eq(const Lmad *x, const Lmad *y) {
  if (x->rank != y->rank || !poly_eq(x->offset, y->offset)) return false;
  for (uint32_t k = 0; k < x->rank; k++) {
    const LmadDim *p = &x->dims[k], *q = &y->dims[k];
    if (x->perm[k] != y->perm[k] || !poly_eq(p->stride, q->stride)) return false;
    if (!poly_eq(p->rotate, q->rotate) || !poly_eq(p->len, q->len)) return false;
  }
  return true;
}

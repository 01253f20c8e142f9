/* Index functions: slices.
 *
 * An axis is harmless when its part is again one stored dim: fixed, repeated, not rotated, whole or
 * exactly reversed, or one index of it. A proper part of a rotated axis is not; then the slice of
 * the first descriptor's index space stands in front of it.
 */
#include "ir/index/ixfun_local.h"

IxSlice ix_fix(Poly at) { return (IxSlice){.is_fixed = true, .begin = at}; }

IxSlice ix_range(Poly begin, Poly count, Poly step) {
  return (IxSlice){.begin = begin, .count = count, .step = step};
}

IxSlice ix_whole(Poly len) { return ix_range(poly_const(0), len, poly_const(1)); }

/* ---- kinds of parts -------------------------------------------------------------------------- */

static bool is_whole(const IxSlice *part, Poly len) {
  return !part->is_fixed && poly_is(part->begin, 0) && poly_eq(part->count, len) &&
         poly_is(part->step, 1);
}

static bool is_reversal(Arena *a, const IxSlice *part, Poly len) {
  return !part->is_fixed && poly_is(part->step, -1) && poly_eq(part->count, len) &&
         poly_eq(part->begin, poly_sub(a, len, poly_const(1)));
}

static bool is_single(const IxSlice *part) {
  return part->is_fixed || poly_is(part->step, 0) || poly_is(part->count, 1);
}

static bool is_harmless(Arena *a, const IxSlice *part, const LmadDim *dim) {
  return is_single(part) || lmad_is_repeated(dim) || !lmad_is_rotated(dim) ||
         is_whole(part, dim->len) || is_reversal(a, part, dim->len);
}

/* ---- one stored dim -------------------------------------------------------------------------- */

/* The offset of index `at` of the dim alone. */
static Poly place_in_dim(Arena *a, const LmadDim *dim, Poly at) {
  if (lmad_is_rotated(dim)) at = poly_mod(a, poly_add(a, at, dim->rotate), dim->len);
  return poly_mul(a, at, dim->stride);
}

/* The dim cut to its part; adds what that moves to the offset. */
static LmadDim cut(Arena *a, LmadDim dim, const IxSlice *part, Poly *offset) {
  Poly moved = poly_const(0), last = poly_sub(a, dim.len, poly_const(1));
  if (is_whole(part, dim.len)) return dim;
  if (lmad_is_repeated(&dim)) {
    dim.len = part->count;
  } else if (!is_single(part) && is_reversal(a, part, dim.len)) {
    moved = poly_mul(a, dim.stride, last);
    dim.stride = poly_neg(a, dim.stride);
    dim.rotate = poly_neg(a, dim.rotate);
  } else {
    moved =
        is_single(part) ? place_in_dim(a, &dim, part->begin) : poly_mul(a, dim.stride, part->begin);
    dim.stride = poly_mul(a, dim.stride, part->step);
    dim.rotate = poly_const(0);
    dim.len = part->count;
  }
  *offset = poly_add(a, *offset, moved);
  return dim;
}

static Lmad cut_all(Arena *a, const Lmad *l, const IxSlice *spec) {
  uint32_t *axis_of = NEWN(a, uint32_t, l->rank), *moved = NEWN(a, uint32_t, l->rank);
  uint32_t *perm = NEWN(a, uint32_t, l->rank), n = 0, rank = 0;
  LmadDim *dims = NEWN(a, LmadDim, l->rank);
  Poly offset = l->offset;
  for (uint32_t k = 0; k < l->rank; k++) axis_of[l->perm[k]] = k;
  for (uint32_t d = 0; d < l->rank; d++) {
    const IxSlice *part = &spec[axis_of[d]];
    moved[d] = n;
    if (!part->is_fixed) dims[n++] = cut(a, l->dims[d], part, &offset);
    else if (!lmad_is_repeated(&l->dims[d]))
      offset = poly_add(a, offset, place_in_dim(a, &l->dims[d], part->begin));
  }
  for (uint32_t k = 0; k < l->rank; k++)
    if (!spec[k].is_fixed) perm[rank++] = moved[l->perm[k]];
  return lmad_new(a, offset, dims, perm, rank);
}

/* ---- the operations -------------------------------------------------------------------------- */

const Ixfun *ixfun_slice_unchecked(Arena *a, const Ixfun *f, const IxSlice *spec) {
  const Lmad *l = &f->lmads[0];
  bool all_harmless = true, all_whole = true;
  for (uint32_t k = 0; k < l->rank; k++) {
    const LmadDim *dim = &l->dims[l->perm[k]];
    all_harmless = all_harmless && is_harmless(a, &spec[k], dim);
    all_whole = all_whole && is_whole(&spec[k], dim->len);
  }
  if (all_whole) return f;
  if (all_harmless) return ixfun_with_first(a, f, cut_all(a, l, spec));
  Lmad iota = lmad_iota(a, lmad_shape(a, l));
  return ixfun_in_front(a, cut_all(a, &iota, spec), f);
}

static bool is_outside(Arena *a, Poly at, Poly len) {
  return ix_is_negative(a, at) || poly_is_less(a, poly_sub(a, len, poly_const(1)), at);
}

static bool is_bad(Arena *a, const IxSlice *part, Poly len) {
  if (part->is_fixed) return is_outside(a, part->begin, len);
  if (ix_is_negative(a, part->count)) return true;
  if (!poly_is_positive(a, part->count)) return false; /* none, or none is possible */
  Poly steps = poly_mul(a, poly_sub(a, part->count, poly_const(1)), part->step);
  return is_outside(a, part->begin, len) || is_outside(a, poly_add(a, part->begin, steps), len);
}

const Ixfun *ixfun_slice(Arena *a, const Ixfun *f, const IxSlice *spec, uint32_t rank) {
  if (!f || rank != ixfun_rank(f)) return NULL;
  const Lmad *l = &f->lmads[0];
  for (uint32_t k = 0; k < rank; k++)
    if (is_bad(a, &spec[k], l->dims[l->perm[k]].len)) return NULL;
  return ixfun_slice_unchecked(a, f, spec);
}

/* The part of the slowest axis, all of the others. */
static IxSlice *slowest_part(Arena *a, const Ixfun *f, IxSlice part) {
  Extents shape = ixfun_shape(a, f);
  IxSlice *spec = NEWN(a, IxSlice, shape.rank);
  for (uint32_t k = 0; k < shape.rank; k++) spec[k] = ix_whole(shape.len[k]);
  spec[0] = part;
  return spec;
}

static Poly slowest_len(const Ixfun *f) { return f->lmads[0].dims[f->lmads[0].perm[0]].len; }

const Ixfun *ixfun_offset_index(Arena *a, const Ixfun *f, Poly first) {
  if (!f || ixfun_rank(f) == 0) return NULL;
  Poly len = slowest_len(f);
  if (ix_is_negative(a, first) || poly_is_less(a, len, first)) return NULL;
  IxSlice rest = ix_range(first, poly_sub(a, len, first), poly_const(1));
  return ixfun_slice_unchecked(a, f, slowest_part(a, f, rest));
}

const Ixfun *ixfun_stride_index_n(Arena *a, const Ixfun *f, Poly step, Poly count) {
  if (!f || ixfun_rank(f) == 0 || ix_is_negative(a, count)) return NULL;
  bool is_backward = ix_is_negative(a, step);
  if (!is_backward && !poly_is_nonnegative(a, step)) return NULL;
  Poly begin = is_backward ? poly_sub(a, slowest_len(f), poly_const(1)) : poly_const(0);
  return ixfun_slice_unchecked(a, f, slowest_part(a, f, ix_range(begin, count, step)));
}

const Ixfun *ixfun_stride_index(Arena *a, const Ixfun *f, Poly step) {
  if (!f || ixfun_rank(f) == 0) return NULL;
  Poly len = slowest_len(f), size = ix_is_negative(a, step) ? poly_neg(a, step) : step;
  if (poly_is(step, 0)) return ixfun_stride_index_n(a, f, step, len);
  if (!poly_is_positive(a, size)) return NULL;
  Poly reach = poly_add(a, len, poly_sub(a, size, poly_const(1)));
  return ixfun_stride_index_n(a, f, step, poly_floordiv(a, reach, size));
}

/* Index functions: questions. */
#include "ir/index/ixfun_local.h"

Extents ixfun_shape(Arena *a, const Ixfun *f) { return lmad_shape(a, &f->lmads[0]); }
uint32_t ixfun_rank(const Ixfun *f) { return f->lmads[0].rank; }
bool ixfun_is_contiguous(const Ixfun *f) { return f->is_contiguous; }

/* A descriptor of repeats alone goes with either direction. */
Monotonicity ixfun_monotonicity(const Ixfun *f) {
  bool is_inc = true, is_dec = true;
  for (uint32_t i = 0; i < f->n_lmads; i++) {
    const Lmad *l = &f->lmads[i];
    if (lmad_has_rotations(l)) return MONO_UNKNOWN;
    for (uint32_t d = 0; d < l->rank; d++) {
      if (lmad_is_repeated(&l->dims[d])) continue;
      is_inc = is_inc && l->dims[d].mono == MONO_INC;
      is_dec = is_dec && l->dims[d].mono == MONO_DEC;
    }
  }
  return is_inc ? MONO_INC : is_dec ? MONO_DEC : MONO_UNKNOWN;
}

typedef Poly PlaceOf(Arena *a, const Lmad *l, const Poly *idx);

static bool offset_of(Arena *a, const Ixfun *f, const Poly *idx, uint32_t rank, PlaceOf *place_of,
                      Poly *offset) {
  if (!f || rank != ixfun_rank(f)) return false;
  Extents shape = ixfun_shape(a, f);
  for (uint32_t k = 0; k < rank; k++) {
    Poly last = poly_sub(a, shape.len[k], poly_const(1));
    if (ix_is_negative(a, idx[k]) || poly_is_less(a, last, idx[k])) return false;
  }
  *offset = place_of(a, &f->lmads[0], idx);
  for (uint32_t i = 1; i < f->n_lmads; i++) {
    const Poly *at = extents_unflat(a, lmad_shape(a, &f->lmads[i]), *offset);
    *offset = place_of(a, &f->lmads[i], at);
  }
  return true;
}

bool ixfun_index(Arena *a, const Ixfun *f, const Poly *idx, uint32_t rank, int64_t elem_size,
                 Poly *offset) {
  if (!offset_of(a, f, idx, rank, lmad_at, offset)) return false;
  *offset = poly_mul(a, *offset, poly_const(elem_size));
  return true;
}

/* An unknown without a range is in that of its axis: so the caller says. */
static Poly ranged_index(Arena *a, Poly idx, Poly len) {
  const PolyAtom *atom = idx.n_terms == 1 ? idx.terms[0].powers[0].atom : NULL;
  bool is_bare = atom && atom->kind == POLY_UNKNOWN && !atom->has_least &&
                 poly_eq(idx, poly_from_atom(a, atom));
  return is_bare ? poly_index(a, atom->name, len) : idx;
}

bool ixfun_address(Arena *a, const Ixfun *f, const Poly *idx, uint32_t rank, Poly *offset) {
  if (!f || rank != ixfun_rank(f)) return false;
  Extents shape = ixfun_shape(a, f);
  Poly *ranged = NEWN(a, Poly, rank);
  for (uint32_t k = 0; k < rank; k++) ranged[k] = ranged_index(a, idx[k], shape.len[k]);
  idx = ranged;
  return offset_of(a, f, idx, rank, lmad_address, offset);
}

/* ---- order of memory ------------------------------------------------------------------------- */

/* Whether it is row-major over the stored dims, in any order of the axes. */
static bool is_packed(const Ixfun *f) {
  return f->n_lmads == 1 && f->is_contiguous && !lmad_has_repeats(&f->lmads[0]) &&
         ixfun_monotonicity(f) == MONO_INC;
}

bool ixfun_linear_with_offset(Arena *a, const Ixfun *f, int64_t elem_size, Poly *offset) {
  if (!is_packed(f) || !lmad_is_identity(&f->lmads[0])) return false;
  *offset = poly_mul(a, f->lmads[0].offset, poly_const(elem_size));
  return true;
}

bool ixfun_rearrange_with_offset(Arena *a, const Ixfun *f, int64_t elem_size, Poly *offset,
                                 const IxPlace **place) {
  if (!is_packed(f)) return false;
  const Lmad *l = &f->lmads[0];
  IxPlace *places = NEWN(a, IxPlace, l->rank);
  for (uint32_t k = 0; k < l->rank; k++)
    places[k] = (IxPlace){.dim = l->perm[k], .len = l->dims[l->perm[k]].len};
  *offset = poly_mul(a, l->offset, poly_const(elem_size));
  *place = places;
  return true;
}

bool ixfun_is_linear(Arena *a, const Ixfun *f) {
  Poly offset;
  return ixfun_linear_with_offset(a, f, 1, &offset) && poly_is(offset, 0);
}

bool ixfun_is_direct(Arena *a, const Ixfun *f) {
  return ixfun_is_linear(a, f) &&
         poly_eq(extents_size(a, ixfun_shape(a, f)), extents_size(a, f->base));
}

bool ixfun_span(Arena *a, const Ixfun *f, Poly *least, Poly *greatest) {
  const Lmad *last = &f->lmads[f->n_lmads - 1];
  if (lmad_is_empty(&f->lmads[0])) return false;
  *least = *greatest = last->offset;
  for (uint32_t d = 0; d < last->rank; d++) {
    const LmadDim *dim = &last->dims[d];
    Poly reach = poly_mul(a, dim->stride, poly_sub(a, dim->len, poly_const(1)));
    if (poly_is(reach, 0)) continue;
    if (dim->mono == MONO_UNKNOWN) return false;
    Poly *end = dim->mono == MONO_INC ? greatest : least;
    *end = poly_add(a, *end, reach);
  }
  return true;
}

/* ---- layouts of the runtime ------------------------------------------------------------------ */

ddr_array_status ixfun_to_layout(const Ixfun *f, ddr_layout *layout) {
  const Lmad *l = &f->lmads[0];
  ddr_layout made = {.rank = (int)l->rank};
  if (f->n_lmads != 1 || lmad_has_rotations(l)) return DDR_ARRAY_ETYPE;
  if (l->rank > DDR_MAX_RANK) return DDR_ARRAY_ERANK;
  if (!poly_is_const(l->offset, &made.offset)) return DDR_ARRAY_ETYPE;
  for (uint32_t k = 0; k < l->rank; k++) {
    const LmadDim *dim = &l->dims[l->perm[k]];
    if (!poly_is_const(dim->len, &made.len[k])) return DDR_ARRAY_ETYPE;
    if (!poly_is_const(dim->stride, &made.stride[k])) return DDR_ARRAY_ETYPE;
  }
  *layout = made;
  return DDR_ARRAY_OK;
}

/* Index functions: the invariants. */
#include "ir/index/ixfun_local.h"

static const char *check_dim(Arena *a, const LmadDim *dim) {
  if (ix_is_negative(a, dim->len)) return "a length is negative";
  bool is_repeated = lmad_is_repeated(dim), is_rotated = lmad_is_rotated(dim);
  if (is_repeated && is_rotated) return "a repeated dim is rotated";
  if (poly_is(dim->len, 1) && is_rotated) return "a dim of length 1 is rotated";
  if (ix_is_negative(a, dim->rotate)) return "a rotation is negative";
  if (is_rotated &&
      ix_is_negative(a, poly_sub(a, poly_sub(a, dim->len, dim->rotate), poly_const(1))))
    return "a rotation is not below its length";
  bool is_positive = poly_is_positive(a, dim->stride), is_negative = ix_is_negative(a, dim->stride);
  Monotonicity mono = is_positive ? MONO_INC : is_negative ? MONO_DEC : MONO_UNKNOWN;
  return dim->mono == mono ? NULL : "a monotonicity is not that of its stride";
}

/* A name that occurs with two ranges is two unknowns that print alike. */
typedef struct Ranges {
  Arena *arena;
  IxUnknowns unknowns;
  bool has_conflict;
} Ranges;

static void compare_ranges(void *context, const PolyAtom *unknown) {
  Ranges *r = context;
  for (uint32_t i = 0; i < r->unknowns.n; i++) {
    const PolyAtom *other = r->unknowns.atoms[i];
    if (other->name == unknown->name &&
        !poly_eq(poly_from_atom(r->arena, other), poly_from_atom(r->arena, unknown)))
      r->has_conflict = true;
  }
}

static void compare_coefficient(void *context, Poly coefficient) {
  poly_visit_unknowns(coefficient, compare_ranges, context);
}

const char *ixfun_check(Arena *a, const Ixfun *f) {
  if (!f || f->n_lmads == 0) return "there is no descriptor";
  for (uint32_t i = 0; i < f->n_lmads; i++) {
    const Lmad *l = &f->lmads[i];
    if (!ix_is_permutation(a, l->perm, l->rank)) return "the order of the axes is no permutation";
    for (uint32_t d = 0; d < l->rank; d++) {
      const char *error = check_dim(a, &l->dims[d]);
      if (error) return error;
    }
  }
  for (uint32_t k = 0; k < f->base.rank; k++)
    if (ix_is_negative(a, f->base.len[k])) return "an extent of the base is negative";
  if (f->is_contiguous != ixfun_list_is_contiguous(a, f->lmads, f->n_lmads))
    return "the flag of contiguity is not that of the descriptors";
  Ranges ranges = {.arena = a, .unknowns = ixfun_free_vars(a, f)};
  ixfun_fold(f, compare_coefficient, &ranges);
  return ranges.has_conflict ? "a name has two ranges" : NULL;
}

/* Index functions: walks over the coefficients, substitution and the unknowns of a function. */
#include "frontend/base/vec.h"
#include "ir/index/ixfun_local.h"

const Ixfun *ixfun_map(Arena *a, const Ixfun *f, IxMap *map, void *context) {
  if (!f) return NULL;
  Lmad *lmads = NEWN(a, Lmad, f->n_lmads);
  for (uint32_t i = 0; i < f->n_lmads; i++) {
    const Lmad *l = &f->lmads[i];
    LmadDim *dims = NEWN(a, LmadDim, l->rank);
    Poly offset = map(context, a, l->offset);
    for (uint32_t d = 0; d < l->rank; d++) {
      dims[d].stride = map(context, a, l->dims[d].stride);
      dims[d].rotate = map(context, a, l->dims[d].rotate);
      dims[d].len = map(context, a, l->dims[d].len);
    }
    lmads[i] = lmad_new(a, offset, dims, l->perm, l->rank);
  }
  Poly *base = NEWN(a, Poly, f->base.rank);
  for (uint32_t k = 0; k < f->base.rank; k++) base[k] = map(context, a, f->base.len[k]);
  return ixfun_new(a, lmads, f->n_lmads, (Extents){.rank = f->base.rank, .len = base});
}

void ixfun_fold(const Ixfun *f, IxFold *fold, void *context) {
  for (uint32_t i = 0; i < f->n_lmads; i++) {
    const Lmad *l = &f->lmads[i];
    fold(context, l->offset);
    for (uint32_t d = 0; d < l->rank; d++) {
      fold(context, l->dims[d].stride);
      fold(context, l->dims[d].rotate);
      fold(context, l->dims[d].len);
    }
  }
  for (uint32_t k = 0; k < f->base.rank; k++) fold(context, f->base.len[k]);
}

/* ---- substituting ---------------------------------------------------------------------------- */

typedef struct Substitution {
  const PolySubst *map;
  uint32_t n_map;
} Substitution;

static Poly substitute(void *context, Arena *a, Poly coefficient) {
  const Substitution *s = context;
  return poly_substitute(a, coefficient, s->map, s->n_map);
}

const Ixfun *ixfun_substitute(Arena *a, const Ixfun *f, const PolySubst *map, uint32_t n_map) {
  Substitution s = {.map = map, .n_map = n_map};
  return ixfun_map(a, f, substitute, &s);
}

typedef struct Renaming {
  const Name *const *from, *const *to;
  uint32_t n;
} Renaming;

static Poly rename_unknowns(void *context, Arena *a, Poly coefficient) {
  const Renaming *r = context;
  return poly_rename(a, coefficient, r->from, r->to, r->n);
}

const Ixfun *ixfun_rename(Arena *a, const Ixfun *f, const Name *const *from, const Name *const *to,
                          uint32_t n) {
  Renaming r = {.from = from, .to = to, .n = n};
  return ixfun_map(a, f, rename_unknowns, &r);
}

/* ---- unknowns -------------------------------------------------------------------------------- */

typedef struct Found {
  Arena *arena;
  VEC(const PolyAtom *) atoms;
} Found;

static void note_unknown(void *context, const PolyAtom *unknown) {
  Found *found = context;
  for (uint32_t i = 0; i < found->atoms.len; i++)
    if (found->atoms.data[i]->name == unknown->name) return;
  vec_push(found->arena, &found->atoms, unknown);
}

static void note_coefficient(void *context, Poly coefficient) {
  poly_visit_unknowns(coefficient, note_unknown, context);
}

IxUnknowns ixfun_free_vars(Arena *a, const Ixfun *f) {
  Found found = {.arena = a};
  ixfun_fold(f, note_coefficient, &found);
  return (IxUnknowns){.n = found.atoms.len, .atoms = found.atoms.data};
}

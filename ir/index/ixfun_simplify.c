/* Index functions: fewer descriptors, and equality.
 *
 * A neighbouring pair becomes one descriptor where the second goes through memory in equal steps,
 * or where the first is row-major and the second can be regrouped to its extents.
 */
#include "ir/index/ixfun_local.h"

/* b maps position v to b.offset + step * v. */
static bool has_equal_steps(Arena *a, const Lmad *b, Poly *step) {
  if (!lmad_is_identity(b) || lmad_has_rotations(b) || lmad_has_repeats(b)) return false;
  const Poly *suffix = extents_suffix(a, lmad_shape(a, b));
  bool is_found = false;
  *step = poly_const(1);
  for (uint32_t d = b->rank; d-- > 0;) {
    if (poly_is(b->dims[d].len, 1)) continue;
    if (!is_found) *step = b->dims[d].stride;
    is_found = true;
    if (!poly_eq(b->dims[d].stride, poly_mul(a, *step, suffix[d]))) return false;
  }
  return true;
}

static Lmad scaled(Arena *a, const Lmad *front, const Lmad *b, Poly step) {
  LmadDim *dims = NEWN(a, LmadDim, front->rank);
  for (uint32_t d = 0; d < front->rank; d++) {
    dims[d] = front->dims[d];
    dims[d].stride = poly_mul(a, front->dims[d].stride, step);
  }
  Poly offset = poly_add(a, b->offset, poly_mul(a, step, front->offset));
  return lmad_new(a, offset, dims, front->perm, front->rank);
}

static bool collapse(Arena *a, const Lmad *front, const Lmad *b, Lmad *one) {
  Poly step;
  if (has_equal_steps(a, b, &step)) {
    *one = scaled(a, front, b, step);
    return true;
  }
  Extents shape = lmad_shape(a, front);
  if (!lmad_is_iota(a, front)) return false;
  if (!poly_eq(extents_size(a, shape), extents_size(a, lmad_shape(a, b)))) return false;
  return lmad_regroup(a, b, shape, one);
}

const Ixfun *ixfun_simplify(Arena *a, const Ixfun *f) {
  if (!f || f->n_lmads == 1) return f;
  Lmad *lmads = NEWN(a, Lmad, f->n_lmads);
  uint32_t n = 0; /* lmads[0..n-1] do not collapse any more */
  for (uint32_t i = 0; i < f->n_lmads; i++) {
    lmads[n++] = f->lmads[i];
    while (n > 1 && collapse(a, &lmads[n - 2], &lmads[n - 1], &lmads[n - 2])) n--;
  }
  return n == f->n_lmads ? f : ixfun_new(a, lmads, n, f->base);
}

bool ixfun_eq(Arena *a, const Ixfun *x, const Ixfun *y) {
  x = ixfun_simplify(a, x);
  y = ixfun_simplify(a, y);
  if (x->n_lmads != y->n_lmads || !extents_eq(x->base, y->base)) return false;
  for (uint32_t i = 0; i < x->n_lmads; i++)
    if (!lmad_eq(&x->lmads[i], &y->lmads[i])) return false;
  return true;
}

/* Polynomials: what can be proved about signs.
 *
 * A lower bound: first, an atom with an upper bound that is subtracted is replaced by the most that
 * it can be; then every atom is written as its least value and something non-negative. Where all
 * factors of the result are non-negative, its constant is the bound.
 */
#include "ir/index/poly_local.h"

enum { MAX_REPLACED = 16 };

static bool is_nonnegative_atom(const PolyAtom *atom) {
  return atom->has_least && atom->least >= 0;
}

/* The factor of a negative term that may grow to below - 1, when the others are non-negative. */
static uint32_t bounded_power(const PolyTerm *term) {
  uint32_t found = term->n_powers;
  for (uint32_t i = 0; i < term->n_powers; i++) {
    if (!is_nonnegative_atom(term->powers[i].atom)) return term->n_powers;
    if (term->powers[i].atom->below && term->powers[i].power == 1) found = i;
  }
  return found;
}

/* x with one subtracted atom replaced by its upper bound; false: there is no such atom. */
static bool replace_bounded(Arena *a, Poly *x) {
  for (uint32_t i = 0; i < x->n_terms; i++) {
    const PolyTerm *term = &x->terms[i];
    uint32_t at = term->factor < 0 ? bounded_power(term) : term->n_powers;
    if (at == term->n_powers) continue;
    Poly most = poly_sub(a, *term->powers[at].atom->below, poly_const(1));
    PolyPower *powers = NEWN(a, PolyPower, term->n_powers);
    uint32_t n = 0;
    for (uint32_t j = 0; j < term->n_powers; j++)
      if (j != at) powers[n++] = term->powers[j];
    PolyTerm rest = {.factor = term->factor, .n_powers = n, .powers = powers};
    Poly product, others = *x;
    if (!poly_scale(a, most, &rest, &product)) return false;
    PolyTerm *kept = NEWN(a, PolyTerm, x->n_terms);
    for (uint32_t j = 0, m = 0; j < x->n_terms; j++)
      if (j != i) kept[m++] = x->terms[j];
    others.terms = kept;
    others.n_terms--;
    *x = poly_add(a, others, product);
    return true;
  }
  return false;
}

/* Replaces every atom by the atom plus its least value, so that atoms are never negative. */
static bool shift(Arena *a, Poly x, Poly *shifted) {
  *shifted = poly_const(x.constant);
  for (uint32_t i = 0; i < x.n_terms; i++) {
    const PolyTerm *term = &x.terms[i];
    Poly product = poly_const(term->factor);
    for (uint32_t j = 0; j < term->n_powers; j++) {
      const PolyAtom *atom = term->powers[j].atom;
      if (!atom->has_least) return false;
      Poly factor = poly_add(a, poly_from_atom(a, atom), poly_const(atom->least));
      for (uint32_t k = 0; k < term->powers[j].power; k++) product = poly_mul(a, product, factor);
    }
    *shifted = poly_add(a, *shifted, product);
  }
  return true;
}

/* An operation that overflowed while shifting left an atom of unshifted meaning. */
static bool is_plain(Poly shifted, Poly x) {
  for (uint32_t i = 0; i < shifted.n_terms; i++)
    for (uint32_t j = 0; j < shifted.terms[i].n_powers; j++) {
      const PolyAtom *atom = shifted.terms[i].powers[j].atom;
      bool is_known = atom->kind != POLY_SUM && atom->kind != POLY_PRODUCT;
      for (uint32_t k = 0; k < x.n_terms && !is_known; k++)
        for (uint32_t m = 0; m < x.terms[k].n_powers; m++)
          is_known = is_known || x.terms[k].powers[m].atom == atom;
      if (!is_known) return false;
    }
  return true;
}

bool poly_least(Arena *a, Poly x, int64_t *least) {
  *least = x.constant;
  if (x.n_terms == 0) return true;
  for (uint32_t i = 0; i < MAX_REPLACED && replace_bounded(a, &x); i++) continue;
  Poly shifted;
  if (!shift(a, x, &shifted) || !is_plain(shifted, x)) return false;
  for (uint32_t i = 0; i < shifted.n_terms; i++)
    if (shifted.terms[i].factor < 0) return false;
  *least = shifted.constant;
  return true;
}

bool poly_is_positive(Arena *a, Poly x) {
  int64_t least;
  return poly_least(a, x, &least) && least > 0;
}

bool poly_is_nonnegative(Arena *a, Poly x) {
  int64_t least;
  return poly_least(a, x, &least) && least >= 0;
}

bool poly_is_less(Arena *a, Poly x, Poly y) {
  if (x.n_terms == 0 && y.n_terms == 0) return x.constant < y.constant;
  return poly_is_positive(a, poly_sub(a, y, x));
}

void poly_bound_atom(Arena *a, PolyAtom *atom) {
  int64_t least, least_other;
  bool has_least = poly_least(a, atom->args[0], &least);
  bool has_other = poly_least(a, atom->args[1], &least_other);
  switch (atom->kind) {
  case POLY_UNKNOWN: return;
  case POLY_FLOORDIV:
    if (!has_least || !has_other || least_other <= 0) return;
    if (least < 0 && atom->args[1].n_terms > 0) return;
    atom->has_least = true;
    atom->least = atom->args[1].n_terms > 0 ? 0 : least / least_other - (least % least_other < 0);
    return;
  case POLY_MOD:
  case POLY_WRAP:
    if (!has_other || least_other <= 0) return;
    atom->has_least = true;
    atom->below = &atom->args[1];
    return;
  case POLY_SUM:
    atom->has_least = has_least && has_other && poly_add_ints(least, least_other, &atom->least);
    return;
  case POLY_PRODUCT:
    atom->has_least = has_least && has_other && least >= 0 && least_other >= 0;
    if (atom->has_least && !poly_mul_ints(least, least_other, &atom->least)) atom->least = 0;
    return;
  }
}

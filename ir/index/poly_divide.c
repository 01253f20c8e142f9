/* Polynomials: quotients and remainders, both rounded down.
 *
 * Long division by the leading term takes out what is a multiple of the divisor:
 * x = y * q + rest gives floordiv(x, y) = q + floordiv(rest, y) and mod(x, y) = mod(rest, y)
 * for every divisor but 0. What then is not provably in 0..y-1 stays as an atom.
 */
#include "ir/index/poly_local.h"

enum { MAX_STEPS = 64 }; /* of one long division: only atoms of overflows could make it longer */

static int64_t floor_quotient(int64_t x, int64_t y) {
  int64_t q = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}

static int64_t floor_rest(int64_t x, int64_t y) {
  int64_t rest = x % y;
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/* x / y for monomials, when that is one with an integer factor. */
static bool divide_terms(Arena *a, const PolyTerm *x, const PolyTerm *y, PolyTerm *quotient) {
  if ((x->factor == INT64_MIN && y->factor == -1) || x->factor % y->factor != 0) return false;
  PolyPower *powers = NEWN(a, PolyPower, x->n_powers);
  uint32_t n = 0, j = 0;
  for (uint32_t i = 0; i < x->n_powers; i++) {
    PolyPower left = x->powers[i];
    if (j < y->n_powers && poly_compare_atoms(left.atom, y->powers[j].atom) == 0) {
      if (left.power < y->powers[j].power) return false;
      left.power -= y->powers[j++].power;
    }
    if (left.power > 0) powers[n++] = left;
  }
  *quotient = (PolyTerm){.factor = x->factor / y->factor, .n_powers = n, .powers = powers};
  return j == y->n_powers;
}

static Poly from_term(Arena *a, PolyTerm term) {
  if (term.n_powers == 0) return poly_const(term.factor);
  PolyTerm *copy = NEW(a, PolyTerm);
  *copy = term;
  return (Poly){.n_terms = 1, .terms = copy};
}

/* Divides by a positive constant, factor by factor. */
static void split_const(Arena *a, Poly x, int64_t y, Poly *q, Poly *rest) {
  *q = poly_const(floor_quotient(x.constant, y));
  *rest = poly_const(floor_rest(x.constant, y));
  for (uint32_t i = 0; i < x.n_terms; i++) {
    PolyTerm whole = x.terms[i], part = x.terms[i];
    whole.factor = floor_quotient(x.terms[i].factor, y);
    part.factor = floor_rest(x.terms[i].factor, y);
    if (whole.factor != 0) *q = poly_add(a, *q, from_term(a, whole));
    if (part.factor != 0) *rest = poly_add(a, *rest, from_term(a, part));
  }
}

/* x = y * q + rest, as far as that comes out; y is not 0. */
static void split(Arena *a, Poly x, Poly y, Poly *q, Poly *rest) {
  *q = poly_const(0);
  *rest = x;
  if (y.n_terms == 0) {
    if (y.constant > 0) split_const(a, x, y.constant, q, rest);
    return;
  }
  uint32_t passed = 0; /* terms of rest that are no multiples */
  for (uint32_t step = 0; passed < rest->n_terms && step < MAX_STEPS; step++) {
    PolyTerm term;
    Poly product;
    if (!divide_terms(a, &rest->terms[passed], &y.terms[0], &term)) {
      passed++;
      continue;
    }
    if (!poly_scale(a, y, &term, &product)) return;
    *q = poly_add(a, *q, from_term(a, term));
    *rest = poly_sub(a, *rest, product);
  }
}

static bool is_reduced(Arena *a, Poly rest, Poly y) {
  return poly_is(rest, 0) || (poly_is_nonnegative(a, rest) && poly_is_less(a, rest, y));
}

static Poly opaque(Arena *a, PolyAtomKind kind, Poly x, Poly y) {
  PolyAtom *atom = NEW(a, PolyAtom);
  *atom = (PolyAtom){.kind = kind, .args = {x, y}};
  poly_bound_atom(a, atom);
  return poly_from_atom(a, atom);
}

Poly poly_floordiv(Arena *a, Poly x, Poly y) {
  if (poly_is(y, 0)) return opaque(a, POLY_FLOORDIV, x, y);
  if (x.n_terms == 0 && y.n_terms == 0 && !(x.constant == INT64_MIN && y.constant == -1))
    return poly_const(floor_quotient(x.constant, y.constant));
  Poly q, rest;
  split(a, x, y, &q, &rest);
  if (is_reduced(a, rest, y)) return q;
  return poly_add(a, q, opaque(a, POLY_FLOORDIV, rest, y));
}

/* Replaces remainders inside a remainder of the same divisor by their dividends. */
static Poly without_inner_mod(Arena *a, Poly x, Poly y) {
  Poly sum = poly_const(x.constant);
  for (uint32_t i = 0; i < x.n_terms; i++) {
    Poly product = poly_const(x.terms[i].factor);
    for (uint32_t j = 0; j < x.terms[i].n_powers; j++) {
      const PolyAtom *atom = x.terms[i].powers[j].atom;
      bool is_inner = atom->kind == POLY_MOD && poly_eq(atom->args[1], y);
      Poly factor = is_inner ? atom->args[0] : poly_from_atom(a, atom);
      for (uint32_t k = 0; k < x.terms[i].powers[j].power; k++)
        product = poly_mul(a, product, factor);
    }
    sum = poly_add(a, sum, product);
  }
  return sum;
}

Poly poly_wrap(Arena *a, Poly x, Poly y) {
  Poly less = poly_sub(a, x, y);
  if (poly_is_less(a, x, y)) return x;
  return poly_is_nonnegative(a, less) ? less : opaque(a, POLY_WRAP, x, y);
}

Poly poly_mod(Arena *a, Poly x, Poly y) {
  if (poly_is(y, 0)) return opaque(a, POLY_MOD, x, y);
  if (x.n_terms == 0 && y.n_terms == 0 && y.constant != -1)
    return poly_const(floor_rest(x.constant, y.constant));
  if (poly_is(y, -1)) return poly_const(0);
  Poly q, rest;
  split(a, x, y, &q, &rest);
  if (is_reduced(a, rest, y)) return rest;
  split(a, without_inner_mod(a, rest, y), y, &q, &rest);
  if (is_reduced(a, rest, y)) return rest;
  return opaque(a, POLY_MOD, rest, y);
}

/* Polynomials: normal form, order, sum and product.
 *
 * Invariant: terms are sorted by degree and then by their atoms, no two alike, no factor is 0. The
 * order is one of monomials, so that a multiple of a sorted polynomial is sorted. Overflow is
 * checked before anything is formed. Next: poly_divide.c, poly_range.c, poly_walk.c, poly_text.c.
 */
#include "ir/index/poly.h"

#include <string.h>

#include "ir/index/poly_local.h"

/* ---- leaves ---------------------------------------------------------------------------------- */

Poly poly_const(int64_t value) { return (Poly){.constant = value}; }

Poly poly_from_atom(Arena *a, const PolyAtom *atom) {
  PolyPower *power = NEW(a, PolyPower);
  PolyTerm *term = NEW(a, PolyTerm);
  *power = (PolyPower){.atom = atom, .power = 1};
  *term = (PolyTerm){.factor = 1, .n_powers = 1, .powers = power};
  return (Poly){.n_terms = 1, .terms = term};
}

static PolyAtom *new_unknown(Arena *a, const Name *name) {
  PolyAtom *atom = NEW(a, PolyAtom);
  *atom = (PolyAtom){.kind = POLY_UNKNOWN, .name = name};
  return atom;
}

Poly poly_unknown(Arena *a, const Name *name) { return poly_from_atom(a, new_unknown(a, name)); }

Poly poly_ranged(Arena *a, const Name *name, int64_t least, const Poly *below) {
  PolyAtom *atom = new_unknown(a, name);
  atom->has_least = true;
  atom->least = least;
  if (below) {
    Poly *copy = NEW(a, Poly);
    *copy = *below;
    atom->below = copy;
  }
  return poly_from_atom(a, atom);
}

Poly poly_extent(Arena *a, const Name *name) { return poly_ranged(a, name, 1, NULL); }

Poly poly_index(Arena *a, const Name *name, Poly below) { return poly_ranged(a, name, 0, &below); }

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_ints(int64_t x, int64_t y) { return x < y ? -1 : x > y; }

static int compare_bounds(const Poly *x, const Poly *y) {
  if (!x || !y) return (x != NULL) - (y != NULL);
  return poly_compare(*x, *y);
}

int poly_compare_atoms(const PolyAtom *x, const PolyAtom *y) {
  if (x == y) return 0;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->kind != POLY_UNKNOWN) {
    int first = poly_compare(x->args[0], y->args[0]);
    return first != 0 ? first : poly_compare(x->args[1], y->args[1]);
  }
  if (x->name != y->name) {
    int by_text = strcmp(x->name->text, y->name->text);
    if (by_text != 0) return by_text;
  }
  if (x->has_least != y->has_least) return x->has_least - y->has_least;
  int by_least = compare_ints(x->least, y->least);
  return by_least != 0 ? by_least : compare_bounds(x->below, y->below);
}

static uint32_t degree(const PolyTerm *t) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < t->n_powers; i++) sum += t->powers[i].power;
  return sum;
}

/* The order in which monomials are printed, whatever their factors: highest degree first, then the
 * one with a higher power of the first atom in which they differ. */
static int compare_monomials(const PolyTerm *x, const PolyTerm *y) {
  uint32_t degree_x = degree(x), degree_y = degree(y);
  if (degree_x != degree_y) return degree_x > degree_y ? -1 : 1;
  for (uint32_t i = 0; i < x->n_powers && i < y->n_powers; i++) {
    int by_atom = poly_compare_atoms(x->powers[i].atom, y->powers[i].atom);
    if (by_atom != 0) return by_atom;
    if (x->powers[i].power != y->powers[i].power)
      return x->powers[i].power > y->powers[i].power ? -1 : 1;
  }
  return 0;
}

int poly_compare(Poly x, Poly y) {
  for (uint32_t i = 0; i < x.n_terms && i < y.n_terms; i++) {
    if (x.terms == y.terms) break;
    int by_monomial = compare_monomials(&x.terms[i], &y.terms[i]);
    if (by_monomial != 0) return by_monomial;
    int by_factor = compare_ints(x.terms[i].factor, y.terms[i].factor);
    if (by_factor != 0) return by_factor;
  }
  if (x.n_terms != y.n_terms) return x.n_terms > y.n_terms ? -1 : 1;
  return compare_ints(x.constant, y.constant);
}

bool poly_eq(Poly x, Poly y) {
  return x.constant == y.constant && x.n_terms == y.n_terms && poly_compare(x, y) == 0;
}

bool poly_is_const(Poly x, int64_t *value) {
  if (value && x.n_terms == 0) *value = x.constant;
  return x.n_terms == 0;
}

bool poly_is(Poly x, int64_t value) { return x.n_terms == 0 && x.constant == value; }

/* ---- integers -------------------------------------------------------------------------------- */

bool poly_add_ints(int64_t x, int64_t y, int64_t *sum) {
  if (y >= 0 ? x > INT64_MAX - y : x < INT64_MIN - y) return false;
  *sum = x + y;
  return true;
}

bool poly_mul_ints(int64_t x, int64_t y, int64_t *product) {
  if (x != 0 && y != 0) {
    if ((x == -1 && y == INT64_MIN) || (y == -1 && x == INT64_MIN)) return false;
    bool is_negative = (x < 0) != (y < 0);
    int64_t limit = is_negative ? INT64_MIN : INT64_MAX;
    if (y != -1 && (y > 0 ? (is_negative ? x < limit / y : x > limit / y)
                          : (is_negative ? x > limit / y : x < limit / y)))
      return false;
  }
  *product = x * y;
  return true;
}

/* ---- sum ------------------------------------------------------------------------------------- */

/* The terms of both, merged; false on overflow. */
static bool add_terms(Arena *a, Poly x, Poly y, Poly *sum) {
  if (!poly_add_ints(x.constant, y.constant, &sum->constant)) return false;
  PolyTerm *terms = NEWN(a, PolyTerm, (size_t)x.n_terms + y.n_terms);
  uint32_t n = 0, i = 0, j = 0;
  while (i < x.n_terms || j < y.n_terms) {
    int which = i == x.n_terms   ? 1
                : j == y.n_terms ? -1
                                 : compare_monomials(&x.terms[i], &y.terms[j]);
    PolyTerm term = which <= 0 ? x.terms[i++] : y.terms[j++];
    if (which == 0 && !poly_add_ints(term.factor, y.terms[j++].factor, &term.factor)) return false;
    if (term.factor != 0) terms[n++] = term;
  }
  sum->n_terms = n;
  sum->terms = terms;
  return true;
}

/* An operation that is not carried out; both are commutative. */
static Poly unfolded(Arena *a, PolyAtomKind kind, Poly x, Poly y) {
  PolyAtom *atom = NEW(a, PolyAtom);
  bool is_swapped = poly_compare(x, y) > 0;
  *atom = (PolyAtom){.kind = kind, .args = {is_swapped ? y : x, is_swapped ? x : y}};
  poly_bound_atom(a, atom);
  return poly_from_atom(a, atom);
}

Poly poly_add(Arena *a, Poly x, Poly y) {
  Poly sum = {0};
  if (poly_is(x, 0)) return y;
  if (poly_is(y, 0)) return x;
  if (x.n_terms == 0 || y.n_terms == 0) {
    sum = x.n_terms == 0 ? y : x;
    if (poly_add_ints(x.constant, y.constant, &sum.constant)) return sum;
  } else if (add_terms(a, x, y, &sum)) return sum;
  return unfolded(a, POLY_SUM, x, y);
}

Poly poly_neg(Arena *a, Poly x) { return poly_mul(a, poly_const(-1), x); }

Poly poly_sub(Arena *a, Poly x, Poly y) { return poly_add(a, x, poly_neg(a, y)); }

/* ---- product --------------------------------------------------------------------------------- */

static void merge_powers(Arena *a, const PolyTerm *x, const PolyTerm *y, PolyTerm *product) {
  PolyPower *powers = NEWN(a, PolyPower, (size_t)x->n_powers + y->n_powers);
  uint32_t n = 0, i = 0, j = 0;
  while (i < x->n_powers || j < y->n_powers) {
    int which = i == x->n_powers   ? 1
                : j == y->n_powers ? -1
                                   : poly_compare_atoms(x->powers[i].atom, y->powers[j].atom);
    powers[n] = which <= 0 ? x->powers[i++] : y->powers[j++];
    if (which == 0) powers[n].power += y->powers[j++].power;
    n++;
  }
  product->powers = powers;
  product->n_powers = n;
}

bool poly_scale(Arena *a, Poly x, const PolyTerm *by, Poly *product) {
  *product = (Poly){0};
  PolyTerm *terms = NEWN(a, PolyTerm, (size_t)x.n_terms + 1);
  for (uint32_t i = 0; i < x.n_terms; i++) {
    if (!poly_mul_ints(x.terms[i].factor, by->factor, &terms[i].factor)) return false;
    if (by->n_powers > 0) {
      merge_powers(a, &x.terms[i], by, &terms[i]);
    } else {
      terms[i].powers = x.terms[i].powers;
      terms[i].n_powers = x.terms[i].n_powers;
    }
  }
  product->n_terms = x.n_terms;
  product->terms = terms;
  if (by->n_powers == 0) return poly_mul_ints(x.constant, by->factor, &product->constant);
  if (x.constant == 0) return true;
  PolyTerm *last = &terms[product->n_terms++];
  *last = *by;
  return poly_mul_ints(x.constant, by->factor, &last->factor);
}

static bool mul_terms(Arena *a, Poly x, Poly y, Poly *product) {
  PolyTerm constant = {.factor = y.constant};
  *product = (Poly){0};
  if (y.constant != 0 && !poly_scale(a, x, &constant, product)) return false;
  for (uint32_t i = 0; i < y.n_terms; i++) {
    Poly row, sum;
    if (!poly_scale(a, x, &y.terms[i], &row) || !add_terms(a, *product, row, &sum)) return false;
    *product = sum;
  }
  return true;
}

Poly poly_mul(Arena *a, Poly x, Poly y) {
  Poly product = {0};
  if (poly_is(x, 0) || poly_is(y, 1)) return x;
  if (poly_is(y, 0) || poly_is(x, 1)) return y;
  if (x.n_terms == 0 && y.n_terms == 0) {
    if (poly_mul_ints(x.constant, y.constant, &product.constant)) return product;
  } else if (x.n_terms == 0 ? mul_terms(a, y, x, &product) : mul_terms(a, x, y, &product)) {
    return product;
  }
  return unfolded(a, POLY_PRODUCT, x, y);
}

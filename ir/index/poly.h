/* Poly: 64-bit integer polynomials over named unknowns, the coefficients of index functions.
 *
 *   2*N1*j0 + 2*i0 - 3        N1 an image size, j0 and i0 indices
 *
 * A polynomial is kept in normal form, as a sorted sum of monomials, so that equal ones print the
 * same; quotients and remainders that do not come out are atoms in it like unknowns.  Equality is
 * equality of normal forms: what is not provably equal counts as different.
 *
 * Arithmetic is exact and never fails: where a coefficient would leave 64 bits, the operation is
 * not carried out but kept as an atom, add(a, b) or mul(a, b).
 *
 * Values are passed by value and share their terms, which live in the arena.  Next: lmad.h.
 */
#pragma once

#include "frontend/base/cx.h"
#include "frontend/base/text.h"

typedef struct PolyAtom PolyAtom;

typedef struct PolyPower {
  const PolyAtom *atom;
  uint32_t power; /* >= 1 */
} PolyPower;

typedef struct PolyTerm {
  int64_t factor; /* not 0 */
  uint32_t n_powers;
  const PolyPower *powers; /* by atom, ascending */
} PolyTerm;

typedef struct Poly {
  int64_t constant;
  uint32_t n_terms;
  const PolyTerm *terms; /* highest degree first, then by their atoms */
} Poly;

typedef enum {
  POLY_UNKNOWN,  /* name */
  POLY_FLOORDIV, /* args: rounded down */
  POLY_MOD,      /* args: what floordiv leaves; in 0..args[1]-1 for a positive divisor */
  POLY_WRAP,     /* args: mod where 0 <= args[0] < 2 * args[1], one conditional subtraction */
  POLY_SUM,      /* args: a sum that overflows when it is formed */
  POLY_PRODUCT,  /* args: a product that overflows */
} PolyAtomKind;

struct PolyAtom {
  PolyAtomKind kind;
  const Name *name;
  Poly args[2];
  bool has_least;
  int64_t least;     /* it is never smaller */
  const Poly *below; /* it is always smaller; NULL: no bound is known */
};

/* ---- making ---------------------------------------------------------------------------------- */

Poly poly_const(int64_t value);
/* Something known only when the program runs.  The range is a promise.  Within one expression a
 * name has one range. */
Poly poly_extent(Arena *a, const Name *name);            /* a length, pitch or count: >= 1 */
Poly poly_index(Arena *a, const Name *name, Poly below); /* 0 <= name < below */
Poly poly_unknown(Arena *a, const Name *name);           /* any integer */
Poly poly_ranged(Arena *a, const Name *name, int64_t least, const Poly *below);
/* The unknown alone, or a quotient or remainder alone, as a polynomial. */
Poly poly_from_atom(Arena *a, const PolyAtom *atom);

Poly poly_add(Arena *a, Poly x, Poly y);
Poly poly_sub(Arena *a, Poly x, Poly y);
Poly poly_neg(Arena *a, Poly x);
Poly poly_mul(Arena *a, Poly x, Poly y);
/* Rounded towards minus infinity, and what that leaves: x = y * floordiv(x, y) + mod(x, y).
 * Multiples of y in x come out; so does a rest that provably is in 0..y-1.  A divisor of 0 stays in
 * the expression, which then has no value. */
Poly poly_floordiv(Arena *a, Poly x, Poly y);
Poly poly_mod(Arena *a, Poly x, Poly y);
/* mod(x, y) where the caller promises 0 <= x < 2 * y. */
Poly poly_wrap(Arena *a, Poly x, Poly y);

/* ---- asking ---------------------------------------------------------------------------------- */

bool poly_is_const(Poly x, int64_t *value); /* value may be NULL */
bool poly_is(Poly x, int64_t value);
bool poly_eq(Poly x, Poly y);
/* A total order that does not depend on addresses: by degree, then by names, then factors. */
int poly_compare(Poly x, Poly y);

/* A lower bound that holds for all values in the ranges of the unknowns; false: none is found.
 * Sums of monomials of non-negative factors are non-negative; each unknown counts from its least
 * value, and one with an upper bound is replaced by that where it is subtracted. */
bool poly_least(Arena *a, Poly x, int64_t *least);
/* Provable for all values; false says nothing. */
bool poly_is_positive(Arena *a, Poly x);
bool poly_is_nonnegative(Arena *a, Poly x);
bool poly_is_less(Arena *a, Poly x, Poly y);

/* ---- walking --------------------------------------------------------------------------------- */

typedef struct PolySubst {
  const Name *name;
  Poly value;
} PolySubst;

/* Puts values in for names, also in the ranges of the unknowns that stay, and folds anew. */
Poly poly_substitute(Arena *a, Poly x, const PolySubst *map, uint32_t n_map);

/* from[k] becomes to[k], all at once, also in ranges, which stay otherwise. */
Poly poly_rename(Arena *a, Poly x, const Name *const *from, const Name *const *to, uint32_t n);

/* The value; value_of gives that of an unknown.  False: value_of says so, something is divided by
 * 0, or an intermediate value leaves 64 bits. */
typedef bool PolyValueOf(void *context, const PolyAtom *unknown, int64_t *value);
bool poly_eval(Poly x, PolyValueOf *value_of, void *context, int64_t *value);

/* Calls visit for every unknown of x and of its atoms' operands, in the order of the text; repeated
 * unknowns are visited again.  Ranges are not entered. */
typedef void PolyVisit(void *context, const PolyAtom *unknown);
void poly_visit_unknowns(Poly x, PolyVisit *visit, void *context);

/* ---- text ------------------------------------------------------------------------------------ */

/* As above, with N^2 for powers and floordiv(x, y), mod(x, y), wrap(x, y), add(x, y), mul(x, y) for
 * atoms. */
void poly_print(Text *t, Poly x);
const char *poly_text(Arena *a, Poly x);

/* Reads what poly_print writes, and + - * ^ ( ) of it in any order.  unknown_of gives the unknown
 * of a name: letters, digits and _ . % $ ', not starting with a digit.  Advances *text; false and
 * *error on bad syntax. */
typedef struct PolyReader {
  Cx *cx;
  const char *pos;
  const char *error; /* the first one; reading stops there */
  bool (*unknown_of)(void *context, const Name *name, Poly *value); /* false: there is none */
  void *context;
  uint32_t depth; /* of parentheses, while reading */
} PolyReader;

Poly poly_read(PolyReader *r);

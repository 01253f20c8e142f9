/* What the files of the polynomials share. Private to ir/index. */
#pragma once

#include "ir/index/poly.h"

int poly_compare_atoms(const PolyAtom *x, const PolyAtom *y);
/* False instead of an overflow. */
bool poly_add_ints(int64_t x, int64_t y, int64_t *sum);
bool poly_mul_ints(int64_t x, int64_t y, int64_t *product);
/* x times one monomial; false on overflow. */
bool poly_scale(Arena *a, Poly x, const PolyTerm *by, Poly *product);
/* The quotient, remainder, sum or product that an atom of the kind is. */
Poly poly_call(Arena *a, PolyAtomKind kind, Poly x, Poly y);
/* Fills in the range of a quotient, remainder, sum or product. */
void poly_bound_atom(Arena *a, PolyAtom *atom);

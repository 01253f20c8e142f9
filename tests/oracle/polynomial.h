/* polynomial.h: dense polynomials in up to three variables, the oracle of field probes.
 *
 * Sampled on any affine grid, a polynomial that a kernel reproduces must come back exactly, with
 * its derivatives; its own derivatives are computed here on the coefficients, never by differences.
 * Read next: fields.h.
 */
#pragma once

enum { POLY_TERMS = 9 }; /* exponents 0 .. 8 of each variable */

typedef struct Polynomial {
  int dim;
  long double coef[POLY_TERMS][POLY_TERMS][POLY_TERMS]; /* [power of x][of y][of z] */
} Polynomial;

/* Every term of total degree <= degree gets a coefficient from {-1, -7/8, ..., 1} without 0, chosen
 * by the seed: dense, and exact in binary. */
void polynomial_random(Polynomial *p, int dim, int degree, unsigned seed);

void polynomial_zero(Polynomial *p, int dim);
long double polynomial_eval(const Polynomial *p, const long double x[3]);

/* The partial derivative along a variable. `out` is another polynomial than `p`. */
void polynomial_partial(const Polynomial *p, int axis, Polynomial *out);

/* The derivative along a vector. `out` is another polynomial than `p`. */
void polynomial_along(const Polynomial *p, const long double dir[3], Polynomial *out);

/* sum += factor * term */
void polynomial_add(Polynomial *sum, const Polynomial *term, long double factor);

/* polynomial.h: dense polynomials in up to three variables, the oracle of field probes.
 *
 * Sampled on any affine grid, a polynomial that a kernel reproduces must come back exactly, with
 * its derivatives; its own derivatives are computed here on the coefficients, never by differences.
 * Read next: fields.h.
 */
#pragma once

enum { POLY_TERMS = 9 }; /* exponents 0 .. 8 of each variable */

typedef struct Poly {
  int dim;
  long double coef[POLY_TERMS][POLY_TERMS][POLY_TERMS]; /* [power of x][of y][of z] */
} Poly;

/* Every term of total degree <= degree gets a coefficient from {-1, -7/8, ..., 1} without 0, chosen
 * by the seed: dense, and exact in binary. */
void poly_random(Poly *p, int dim, int degree, unsigned seed);

void poly_zero(Poly *p, int dim);
long double poly_eval(const Poly *p, const long double x[3]);

/* The partial derivative along a variable. `out` is another polynomial than `p`. */
void poly_partial(const Poly *p, int axis, Poly *out);

/* The derivative along a vector. `out` is another polynomial than `p`. */
void poly_along(const Poly *p, const long double dir[3], Poly *out);

/* sum += factor * term */
void poly_add(Poly *sum, const Poly *term, long double factor);

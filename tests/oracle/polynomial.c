/* polynomial.c: arithmetic on coefficients. Read next: polynomial.h. */
#include "tests/oracle/polynomial.h"

#include <string.h>

typedef long double Real;

/* Visits the exponents that a polynomial of this dimension has. */
#define EACH_TERM(p, a, b, c)                                                                      \
  for (int a = 0; a < POLY_TERMS; a++)                                                             \
    for (int b = 0; b < ((p)->dim > 1 ? POLY_TERMS : 1); b++)                                      \
      for (int c = 0; c < ((p)->dim > 2 ? POLY_TERMS : 1); c++)

void polynomial_zero(Polynomial *p, int dim) {
  memset(p, 0, sizeof *p);
  p->dim = dim;
}

void polynomial_random(Polynomial *p, int dim, int degree, unsigned seed) {
  unsigned state = seed * 2654435761u + 12345u;
  polynomial_zero(p, dim);
  EACH_TERM(p, a, b, c) {
    if (a + b + c > degree) continue;
    state = state * 1664525u + 1013904223u;
    const int eighths = (int)(state >> 16) % 8 + 1;
    p->coef[a][b][c] = (Real)((state >> 8) & 1 ? eighths : -eighths) / 8;
  }
}

Real polynomial_eval(const Polynomial *p, const Real x[3]) {
  Real power[3][POLY_TERMS];
  for (int axis = 0; axis < 3; axis++) {
    power[axis][0] = 1;
    for (int k = 1; k < POLY_TERMS; k++)
      power[axis][k] = power[axis][k - 1] * (axis < p->dim ? x[axis] : 0);
  }
  Real sum = 0;
  EACH_TERM(p, a, b, c) {
    if (p->coef[a][b][c] != 0) sum += p->coef[a][b][c] * power[0][a] * power[1][b] * power[2][c];
  }
  return sum;
}

void polynomial_partial(const Polynomial *p, int axis, Polynomial *out) {
  polynomial_zero(out, p->dim);
  EACH_TERM(p, a, b, c) {
    const int exponent[3] = {a, b, c};
    if (exponent[axis] == 0) continue;
    out->coef[a - (axis == 0)][b - (axis == 1)][c - (axis == 2)] =
        p->coef[a][b][c] * exponent[axis];
  }
}

void polynomial_along(const Polynomial *p, const Real dir[3], Polynomial *out) {
  polynomial_zero(out, p->dim);
  for (int axis = 0; axis < p->dim; axis++) {
    Polynomial partial;
    polynomial_partial(p, axis, &partial);
    polynomial_add(out, &partial, dir[axis]);
  }
}

void polynomial_add(Polynomial *sum, const Polynomial *term, Real factor) {
  EACH_TERM(term, a, b, c) sum->coef[a][b][c] += factor * term->coef[a][b][c];
}

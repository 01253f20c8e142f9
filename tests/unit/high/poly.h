/* Polynomials in x, y, z: the oracle for derivatives of field expressions. Closed under all
 * operations but division, so the exact derivative of any order is known. */
#pragma once

#include <stdint.h>

enum { POLY_N = 10, POLY_DIM = 3 }; /* powers 0 .. POLY_N-1 of each variable */

typedef struct Poly {
  double c[POLY_N][POLY_N][POLY_N];
} Poly;

#define POLY_EACH(i, j, k)                                                                         \
  for (uint32_t i = 0; i < POLY_N; i++)                                                            \
    for (uint32_t j = 0; j < POLY_N; j++)                                                          \
      for (uint32_t k = 0; k < POLY_N; k++)

static inline Poly poly_term(double c, uint32_t x, uint32_t y, uint32_t z) {
  Poly p = {{{{0}}}};
  p.c[x][y][z] = c;
  return p;
}

static inline Poly poly_add(Poly a, Poly b, double factor) {
  POLY_EACH(i, j, k) a.c[i][j][k] += factor * b.c[i][j][k];
  return a;
}

static inline Poly poly_mul(Poly a, Poly b) {
  Poly p = {{{{0}}}};
  POLY_EACH(i, j, k) {
    if (a.c[i][j][k] == 0) continue;
    POLY_EACH(l, m, n) {
      if (b.c[l][m][n] != 0) p.c[i + l][j + m][k + n] += a.c[i][j][k] * b.c[l][m][n];
    }
  }
  return p;
}

static inline Poly poly_derive(Poly a, uint32_t axis) {
  Poly p = {{{{0}}}};
  POLY_EACH(i, j, k) {
    const uint32_t power[] = {i, j, k};
    uint32_t low[] = {i, j, k};
    if (power[axis] == 0) continue;
    low[axis]--;
    p.c[low[0]][low[1]][low[2]] = power[axis] * a.c[i][j][k];
  }
  return p;
}

static inline double poly_eval(Poly a, const double *x) {
  double sum = 0;
  POLY_EACH(i, j, k) {
    double term = a.c[i][j][k];
    if (term == 0) continue;
    for (uint32_t n = 0; n < i; n++) term *= x[0];
    for (uint32_t n = 0; n < j; n++) term *= x[1];
    for (uint32_t n = 0; n < k; n++) term *= x[2];
    sum += term;
  }
  return sum;
}

/* a at (x, y, z) = inner */
static inline Poly poly_compose(Poly a, const Poly *inner) {
  Poly p = {{{{0}}}};
  POLY_EACH(i, j, k) {
    if (a.c[i][j][k] == 0) continue;
    Poly term = poly_term(a.c[i][j][k], 0, 0, 0);
    for (uint32_t n = 0; n < i; n++) term = poly_mul(term, inner[0]);
    for (uint32_t n = 0; n < j; n++) term = poly_mul(term, inner[1]);
    for (uint32_t n = 0; n < k; n++) term = poly_mul(term, inner[2]);
    p = poly_add(p, term, 1);
  }
  return p;
}

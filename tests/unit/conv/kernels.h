/* Kernels of the language, for tests: pieces in |x|, and their conversion to ddr_kernel. */
#pragma once

#include "runtime/conv/filters/sample_grid.h"
#include "tests/unit/test.h"

enum { KERNEL_SUPPORT = 3, KERNEL_DEGREE = 6 };

typedef struct Pieces {
  int support, degree;
  double piece[KERNEL_SUPPORT][KERNEL_DEGREE + 1]; /* of 1, x, ... on p <= x < p+1, x = |t| */
} Pieces;

static const Pieces tent = {1, 1, {{1, -1}}};
static const Pieces ctmr = {2, 3, {{1, 0, -2.5, 1.5}, {2, -4, 2.5, -.5}}};
static const Pieces bspln3 = {2, 3, {{2. / 3, 0, -1, .5}, {4. / 3, -2, 1, -1. / 6}}};
static const Pieces bspln5 = {3,
                              5,
                              {{11. / 20, 0, -.5, 0, .25, -1. / 12},
                               {17. / 40, 5. / 8, -7. / 4, 5. / 4, -3. / 8, 1. / 24},
                               {81. / 40, -27. / 8, 9. / 4, -3. / 4, 1. / 8, -1. / 120}}};

/* The derivative of the given order of h at t, from its pieces. */
static inline double kernel_at(const Pieces *kernel, int order, double t) {
  const double x = fabs(t), sign = t < 0 && order % 2 == 1 ? -1 : 1;
  if (x >= kernel->support) return 0;
  double sum = 0;
  for (int i = order; i <= kernel->degree; i++) {
    double term = kernel->piece[(int)x][i] * pow(x, i - order);
    for (int k = 0; k < order; k++) term *= i - k;
    sum += term;
  }
  return sign * sum;
}

/* Weights of tap j in f: h(f - j), expanded by binomials. */
static inline ddr_kernel kernel_of(const Pieces *kernel, double *coeff) {
  const int s = kernel->support, n = kernel->degree + 1;
  for (int k = 0; k < 2 * s * n; k++) coeff[k] = 0;
  for (int j = 1 - s; j <= s; j++) {
    const double *piece = kernel->piece[j <= 0 ? -j : j - 1];
    const double slope = j <= 0 ? 1 : -1, offset = j <= 0 ? -j : j; /* |f - j| = offset + slope f */
    for (int i = 0; i < n; i++) {
      double binomial = 1;
      for (int k = 0; k <= i; k++) { /* (offset + slope f)^i */
        coeff[(j + s - 1) * n + k] += piece[i] * binomial * pow(offset, i - k) * pow(slope, k);
        binomial = binomial * (i - k) / (k + 1);
      }
    }
  }
  return (ddr_kernel){s, kernel->degree, coeff};
}

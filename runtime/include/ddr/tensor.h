/* tensor.h: the few tensor functions that are worth a call: norms, determinants, inverses.
 *
 * Tensors are arrays of components, row-major.  Sums run in increasing index order.  A singular
 * matrix or a zero vector gives infinities or NaN, never a trap.
 *
 * Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include "ddr/scalar.h"

/* Sum of a[k] b[k], k from 0 to n - 1; n >= 1. */
DDR_FN ddr_real ddr_dot(int n, const ddr_real *a, const ddr_real *b) {
  ddr_real sum = a[0] * b[0];
  for (int k = 1; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* Frobenius norm. */
DDR_FN ddr_real ddr_norm(int n, const ddr_real *a) { return ddr_sqrt(ddr_dot(n, a, a)); }

/* a / |a|; NaN in every component for a = 0. */
DDR_FN void ddr_normalize(int n, const ddr_real *a, ddr_real *dst) {
  const ddr_real scale = 1 / ddr_norm(n, a);
  for (int k = 0; k < n; k++) dst[k] = a[k] * scale;
}

/* Determinants of 2x2 and 3x3 matrices, by cofactors of the first row. */
DDR_FN ddr_real ddr_det2(const ddr_real m[4]) { return m[0] * m[3] - m[1] * m[2]; }

DDR_FN ddr_real ddr_det3(const ddr_real m[9]) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* Adjugate over determinant; `dst` may not overlap `m`. */
DDR_FN void ddr_inv2(const ddr_real m[4], ddr_real dst[4]) {
  const ddr_real det = ddr_det2(m);
  dst[0] = m[3] / det;
  dst[1] = -m[1] / det;
  dst[2] = -m[2] / det;
  dst[3] = m[0] / det;
}

/* Adjugate over determinant; `dst` may not overlap `m`.  The cyclic indices give the signs. */
DDR_FN void ddr_inv3(const ddr_real m[9], ddr_real dst[9]) {
  const ddr_real det = ddr_det3(m);
  for (int row = 0; row < 3; row++) {
    const int row1 = (row + 1) % 3, row2 = (row + 2) % 3;
    for (int col = 0; col < 3; col++) {
      const int col1 = (col + 1) % 3, col2 = (col + 2) % 3;
      const ddr_real minor =
          m[3 * col1 + row1] * m[3 * col2 + row2] - m[3 * col1 + row2] * m[3 * col2 + row1];
      dst[3 * row + col] = minor / det;
    }
  }
}

/* eigen.h: eigenvalues and eigenvectors of symmetric 2x2 and 3x3 matrices.
 *
 * Values descend; vectors are unit, in the order of the values, and right-handed.  A matrix is its
 * upper triangle, row by row.  Everything is computed in double on a scaled matrix, so that neither
 * tiny nor huge matrices lose digits: residuals are a few roundings of |m|.  Equal eigenvalues get
 * some orthonormal basis of their space.  A NaN or an infinity makes everything NaN.  Programs in
 * single precision have it easier, see eigen_single.h; on devices they do without doubles, see
 * eigen_float.h.
 *
 * No array has an index that is known at run time only: all of them are in registers of devices.
 *
 * The signs of vectors follow from the null-space construction of fields.md 5.4 and mean nothing.
 * Compiles as C17, C++17 and CUDA.  Source: spec, fields.md 5.4; 3x3: the best separated eigenvalue
 * in closed form, then the 2x2 problem in the plane across its vector.
 */
#pragma once

#include "ddr/scalar.h"

/* Below this, relative to a matrix of size 1, a difference is rounding. */
#define DDR_EIGEN_EPSILON (4 * 2.220446049250313e-16)

/* --- vectors of three doubles ----------------------------------------------------------------- */

DDR_FN double ddr_eigen_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

DDR_FN void ddr_eigen_cross(const double a[3], const double b[3], double dst[3]) {
  dst[0] = a[1] * b[2] - a[2] * b[1];
  dst[1] = a[2] * b[0] - a[0] * b[2];
  dst[2] = a[0] * b[1] - a[1] * b[0];
}

DDR_FN void ddr_eigen_normalize(double a[3]) {
  const double length = sqrt(ddr_eigen_dot(a, a));
  for (int k = 0; k < 3; k++) a[k] /= length;
}

/* Adds b with the sign that does not shorten the sum. */
DDR_FN void ddr_eigen_add(double sum[3], const double b[3]) {
  const double sign = ddr_eigen_dot(sum, b) > 0 ? 1 : -1;
  for (int k = 0; k < 3; k++) sum[k] += sign * b[k];
}

/* Largest magnitude; NaN when there is one. */
DDR_FN double ddr_eigen_scale(const double *m, int n) {
  double scale = 0;
  for (int k = 0; k < n; k++) {
    const double size = fabs(m[k]);
    if (scale == scale && !(size <= scale)) scale = size;
  }
  return scale;
}

DDR_FN void ddr_eigen_fill(double value, int n, double *lambda, double *vectors) {
  for (int k = 0; k < n; k++) lambda[k] = value;
  for (int k = 0; k < n * n; k++) vectors[k] = value != value ? value : k % (n + 1) == 0;
}

/* --- 2x2 -------------------------------------------------------------------------------------- */

/* Eigensystem of mean + [half, off; off, -half]. */
DDR_FN void ddr_eigen2_split(double mean, double half, double off, double lambda[2],
                             double vectors[4]) {
  const double size = fmax(fabs(mean), fmax(fabs(half), fabs(off)));
  const double gap = sqrt(half * half + off * off); /* half of it */
  ddr_eigen_fill(mean, 2, lambda, vectors);
  if (!(2 * gap > DDR_EIGEN_EPSILON * size)) return;
  lambda[0] = mean + gap;
  lambda[1] = mean - gap;
  /* The rows of the matrix less its first eigenvalue span the second eigenvector. */
  const double sign = (half - gap) * off - off * (half + gap) > 0 ? 1 : -1;
  const double x = half - gap + sign * off, y = off - sign * (half + gap);
  const double length = sqrt(x * x + y * y);
  vectors[2] = x / length;
  vectors[3] = y / length;
  vectors[0] = vectors[3];
  vectors[1] = -vectors[2];
}

/* m: m00 m01 m11; vectors[2 i + k] is component k of vector i. */
DDR_FN void ddr_eigen2(const double m[3], double lambda[2], double vectors[4]) {
  const double scale = ddr_eigen_scale(m, 3);
  ddr_eigen_fill(scale - scale, 2, lambda, vectors);
  if (!(scale > 0 && scale - scale == 0)) return; /* zero, infinite or NaN */
  const double a = m[0] / scale, b = m[1] / scale, c = m[2] / scale;
  ddr_eigen2_split((a + c) / 2, (a - c) / 2, b, lambda, vectors);
  for (int k = 0; k < 2; k++) lambda[k] *= scale;
}

/* --- 3x3 -------------------------------------------------------------------------------------- */

/* Rows of the matrix less an eigenvalue. */
DDR_FN void ddr_eigen3_rows(const double m[6], double lambda, double rows[3][3]) {
  const double full[9] = {m[0] - lambda, m[1], m[2], m[1],         m[3] - lambda,
                          m[4],          m[2], m[4], m[5] - lambda};
  for (int k = 0; k < 9; k++) rows[k / 3][k % 3] = full[k];
}

/* A vector across the rows; zero when there is a whole plane of them. */
DDR_FN void ddr_eigen3_null(const double m[6], double lambda, double dst[3]) {
  double rows[3][3], product[3];
  ddr_eigen3_rows(m, lambda, rows);
  ddr_eigen_cross(rows[0], rows[1], dst);
  ddr_eigen_cross(rows[1], rows[2], product);
  ddr_eigen_add(dst, product);
  ddr_eigen_cross(rows[0], rows[2], product);
  ddr_eigen_add(dst, product);
}

/* m times v. */
DDR_FN void ddr_eigen3_apply(const double m[6], const double v[3], double dst[3]) {
  double rows[3][3];
  ddr_eigen3_rows(m, 0, rows);
  for (int k = 0; k < 3; k++) dst[k] = ddr_eigen_dot(rows[k], v);
}

/* The eigenvalue that lies alone, of a matrix without trace and with norm 1; the other two are at
 * least 0.6 away.  Its sign is that of the determinant; a cubic in trigonometric form. */
DDR_FN double ddr_eigen3_outlier(const double m[6]) {
  const double det = m[0] * (m[3] * m[5] - m[4] * m[4]) - m[1] * (m[1] * m[5] - m[4] * m[2]) +
                     m[2] * (m[1] * m[4] - m[3] * m[2]);
  const double cosine = fmin(fabs(det) * 7.348469228349534, 1.0); /* det / 2 / sqrt(1/6)^3 */
  const double size = 0.8164965809277260 * cos(acos(cosine) / 3); /* 2 sqrt(1/6) */
  return det < 0 ? -size : size;
}

/* An orthonormal basis u, v of the plane across the unit vector e, right-handed with it.  `side`
 * decides the signs where m has only one eigenvalue in the plane. */
DDR_FN void ddr_eigen3_plane(const double e[3], const double side[3], double u[3], double v[3]) {
  const double sign = ddr_eigen_dot(e, side) < 0 ? -1 : 1;
  const double t[3] = {sign * e[0], sign * e[1], sign * e[2]};
  const bool is_y = fabs(t[1]) > fabs(t[0]); /* what is largest, of x and y and of all */
  const bool is_z = fabs(t[2]) > (is_y ? fabs(t[1]) : fabs(t[0]));
  const double across[3][3] = {
      {t[1] - t[2], -t[0], t[0]}, {-t[1], t[0] - t[2], t[1]}, {-t[2], t[2], t[0] - t[1]}};
  for (int k = 0; k < 3; k++) u[k] = is_z ? across[2][k] : is_y ? across[1][k] : across[0][k];
  ddr_eigen_normalize(u);
  ddr_eigen_cross(e, u, v);
}

/* The two eigenvectors in the plane across e, larger eigenvalue first. */
DDR_FN void ddr_eigen3_deflate(const double m[6], const double e[3], double lambda[2],
                               double dst[2][3]) {
  double rows[3][3], u[3], v[3], mu[3], mv[3], turn[4];
  ddr_eigen3_apply(m, e, mu);
  ddr_eigen3_rows(m, -ddr_eigen_dot(mu, e) / 2, rows); /* the mean of the other two */
  ddr_eigen_add(rows[0], rows[1]);
  ddr_eigen_add(rows[0], rows[2]);
  ddr_eigen3_plane(e, rows[0], u, v);
  ddr_eigen3_apply(m, u, mu);
  ddr_eigen3_apply(m, v, mv);
  const double a = ddr_eigen_dot(u, mu), c = ddr_eigen_dot(v, mv);
  ddr_eigen2_split((a + c) / 2, (a - c) / 2, ddr_eigen_dot(u, mv), lambda, turn);
  for (int k = 0; k < 3; k++) {
    dst[0][k] = turn[0] * u[k] + turn[1] * v[k];
    dst[1][k] = turn[2] * u[k] + turn[3] * v[k];
  }
}

/* Turns v to the side where the null-space construction would put it. */
DDR_FN void ddr_eigen3_orient(const double m[6], double lambda, double v[3]) {
  double null[3];
  ddr_eigen3_null(m, lambda, null);
  if (ddr_eigen_dot(null, v) >= 0) return;
  for (int k = 0; k < 3; k++) v[k] = -v[k];
}

/* Of a matrix without trace and with norm 1. */
DDR_FN void ddr_eigen3_unit(const double m[6], double lambda[3], double vectors[3][3]) {
  double e[3], pair[2][3], image[3], other[2], middle[3], left[3], right[3], across[3];
  const double alone = ddr_eigen3_outlier(m);
  const bool is_first = !(alone < 0); /* else it is the last */
  ddr_eigen3_null(m, alone, e);
  ddr_eigen_normalize(e);
  ddr_eigen3_deflate(m, e, other, pair);
  ddr_eigen3_apply(m, e, image);
  lambda[0] = is_first ? ddr_eigen_dot(e, image) : other[0];
  lambda[1] = is_first ? other[0] : other[1];
  lambda[2] = is_first ? other[1] : ddr_eigen_dot(e, image);
  for (int k = 0; k < 3; k++) middle[k] = is_first ? pair[0][k] : pair[1][k];
  ddr_eigen3_orient(m, lambda[1], middle);
  for (int k = 0; k < 3; k++) left[k] = is_first ? e[k] : middle[k];
  for (int k = 0; k < 3; k++) right[k] = is_first ? middle[k] : e[k];
  ddr_eigen_cross(left, right, across);
  for (int k = 0; k < 3; k++) {
    vectors[0][k] = is_first ? e[k] : across[k];
    vectors[1][k] = middle[k];
    vectors[2][k] = is_first ? across[k] : e[k];
  }
}

/* m: m00 m01 m02 m11 m12 m22; vectors[i] is vector i. */
DDR_FN void ddr_eigen3(const double m[6], double lambda[3], double vectors[3][3]) {
  const double scale = ddr_eigen_scale(m, 6);
  ddr_eigen_fill(scale - scale, 3, lambda, vectors[0]);
  if (!(scale > 0 && scale - scale == 0)) return; /* zero, infinite or NaN */
  double rest[6];
  for (int k = 0; k < 6; k++) rest[k] = m[k] / scale;
  const double mean = (rest[0] + rest[3] + rest[5]) / 3;
  rest[0] -= mean;
  rest[3] -= mean;
  rest[5] -= mean;
  const double norm = sqrt(rest[0] * rest[0] + rest[3] * rest[3] + rest[5] * rest[5] +
                           2 * (rest[1] * rest[1] + rest[2] * rest[2] + rest[4] * rest[4]));
  ddr_eigen_fill(mean * scale, 3, lambda, vectors[0]);
  if (!(norm > DDR_EIGEN_EPSILON)) return;
  for (int k = 0; k < 6; k++) rest[k] /= norm;
  ddr_eigen3_unit(rest, lambda, vectors);
  for (int k = 0; k < 3; k++) lambda[k] = (lambda[k] * norm + mean) * scale;
}

/* --- for generated code: results as reals at dst, which is returned --------------------------- */

#if defined(DDR_DEVICE_FLOAT)
#include "ddr/eigen_float.h"
#else
DDR_FN void *ddr_eigen_store(int n, const double *src, void *dst) {
  for (int k = 0; k < n; k++) ((ddr_real *)dst)[k] = (ddr_real)src[k];
  return dst;
}

DDR_FN void *ddr_evals2(void *dst, ddr_real m00, ddr_real m01, ddr_real m11) {
  const double m[3] = {(double)m00, (double)m01, (double)m11};
  double lambda[2], vectors[4];
  ddr_eigen2(m, lambda, vectors);
  return ddr_eigen_store(2, lambda, dst);
}

DDR_FN void *ddr_evecs2(void *dst, ddr_real m00, ddr_real m01, ddr_real m11) {
  const double m[3] = {(double)m00, (double)m01, (double)m11};
  double lambda[2], vectors[4];
  ddr_eigen2(m, lambda, vectors);
  return ddr_eigen_store(4, vectors, dst);
}

#if defined(DDR_DOUBLE)
DDR_FN void *ddr_evals3(void *dst, double m00, double m01, double m02, double m11, double m12,
                        double m22) {
  const double m[6] = {m00, m01, m02, m11, m12, m22};
  double lambda[3], vectors[3][3];
  ddr_eigen3(m, lambda, vectors);
  return ddr_eigen_store(3, lambda, dst);
}

DDR_FN void *ddr_evecs3(void *dst, double m00, double m01, double m02, double m11, double m12,
                        double m22) {
  const double m[6] = {m00, m01, m02, m11, m12, m22};
  double lambda[3], vectors[3][3];
  ddr_eigen3(m, lambda, vectors);
  return ddr_eigen_store(9, vectors[0], dst);
}
#else
#include "ddr/eigen_single.h"
#endif
#endif

/* As structs of one array of reals. */
#define DDR_EIGEN(type, fn, ...)                                                                   \
  __extension__({                                                                                  \
    type ddr_result = {{0}};                                                                       \
    fn(&ddr_result, __VA_ARGS__);                                                                  \
    ddr_result;                                                                                    \
  })
#define DDR_EVALS2(type, ...) DDR_EIGEN(type, ddr_evals2, __VA_ARGS__)
#define DDR_EVALS3(type, ...) DDR_EIGEN(type, ddr_evals3, __VA_ARGS__)
#define DDR_EVECS2(type, ...) DDR_EIGEN(type, ddr_evecs2, __VA_ARGS__)
#define DDR_EVECS3(type, ...) DDR_EIGEN(type, ddr_evecs3, __VA_ARGS__)

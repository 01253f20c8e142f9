/* eigen_single.h: the 3x3 eigensystem of programs whose reals are floats, on hosts, whose doubles
 * are as fast; included by eigen.h.
 *
 * The closed form in double.  Near equal eigenvalues it loses half its digits, which leaves what a
 * float can hold; the vectors of eigenvalues nearer than that, and of infinities and NaN, come from
 * ddr_eigen3.  Squares and cubes of floats neither overflow nor vanish in double: no scaling.
 *
 * Values and vectors of one matrix begin alike, without branches or memory, and are always inlined,
 * so that the C compiler does what they share once.
 */
#pragma once

#include "ddr/eigen.h"

#define DDR_EIGEN_INLINE DDR_FN __attribute__((always_inline))

typedef struct ddr_vec3d {
  double x, y, z;
} ddr_vec3d;

/* Upper triangle. */
typedef struct ddr_sym3 {
  double xx, xy, xz, yy, yz, zz;
} ddr_sym3;

/* m = mean + rest; rest has no trace. One eigenvalue of it, `alone`, has the sign of the
 * determinant and is at least 0.6 norms away from the others, middle and far, of which far has the
 * other sign. `gap` is between those two, in norms, halved. */
typedef struct ddr_cubic3 {
  ddr_sym3 rest;
  double mean, alone, middle, far, gap;
} ddr_cubic3;

/* The largest root of t^3 - t/2 = x / 3 sqrt(6) for x from 0 to 1, which is sqrt(2/3)
 * cos(acos(x)/3): a Chebyshev interpolation good to 1e-8, then one step of Newton. */
DDR_EIGEN_INLINE double ddr_eigen_root(double x) {
  const double x2 = x * x, x4 = x2 * x2;
  const double low = (0.7071067914796323 + 0.1360814378213239 * x) +
                     (-0.03925499217691042 + 0.019916297999807764 * x) * x2;
  const double high = (-0.011667380823986662 + 0.006257876177876653 * x) +
                      (-0.00238648111090356 + 0.00044303734193817945 * x) * x2;
  const double t = low + high * x4;
  return (2 * t * (t * t) + 0.13608276348795434 * x) / (3 * (t * t) - 0.5);
}

/* The characteristic polynomial in trigonometric form: Cardano's cubic with three real roots. */
DDR_EIGEN_INLINE ddr_cubic3 ddr_eigen_cubic(ddr_sym3 m) {
  const double mean = (m.xx + m.yy + m.zz) / 3;
  const ddr_sym3 r = {m.xx - mean, m.xy, m.xz, m.yy - mean, m.yz, m.zz - mean};
  const double square =
      r.xx * r.xx + r.yy * r.yy + r.zz * r.zz + 2 * (r.xy * r.xy + r.xz * r.xz + r.yz * r.yz);
  const double det = r.xx * (r.yy * r.zz - r.yz * r.yz) - r.xy * (r.xy * r.zz - r.yz * r.xz) +
                     r.xz * (r.xy * r.yz - r.yy * r.xz);
  const double norm = sqrt(square), inverse = 1 / square;
  const double ratio = 7.348469228349534 * fabs(det) * norm * inverse * inverse; /* 3 sqrt(6) */
  /* Nothing but rounding is left of a multiple of the identity; NaN stays NaN. */
  const double alone = ddr_eigen_root(square <= mean * mean * 1e-30 || ratio > 1 ? 1 : ratio);
  const double left = 0.5 - 0.75 * (alone * alone), gap = left <= 0 ? 0 : sqrt(left);
  const double sign = det < 0 ? -norm : norm;
  return (ddr_cubic3){r,  mean, sign * alone, sign * (gap - alone / 2), sign * (-gap - alone / 2),
                      gap};
}

DDR_EIGEN_INLINE double ddr_dot3d(ddr_vec3d a, ddr_vec3d b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

DDR_EIGEN_INLINE ddr_vec3d ddr_cross3d(ddr_vec3d a, ddr_vec3d b) {
  return (ddr_vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a or -a, whichever has positive dot product with `sum`, plus that. */
DDR_EIGEN_INLINE ddr_vec3d ddr_add3d(ddr_vec3d sum, ddr_vec3d a) {
  const double sign = ddr_dot3d(sum, a) > 0 ? 1 : -1;
  return (ddr_vec3d){sum.x + sign * a.x, sum.y + sign * a.y, sum.z + sign * a.z};
}

/* The unit vector of a simple eigenvalue: every column of the adjugate of m - lambda is along it.
 */
DDR_EIGEN_INLINE ddr_vec3d ddr_eigen_null(ddr_sym3 m, double lambda) {
  const double a = m.xx - lambda, b = m.yy - lambda, c = m.zz - lambda;
  const double xy = m.xz * m.yz - m.xy * c, xz = m.xy * m.yz - m.xz * b;
  const double yz = m.xy * m.xz - m.yz * a;
  const ddr_vec3d x = {b * c - m.yz * m.yz, xy, xz}, y = {xy, a * c - m.xz * m.xz, yz};
  const ddr_vec3d z = {xz, yz, a * b - m.xy * m.xy};
  const ddr_vec3d sum = ddr_add3d(ddr_add3d(z, x), (ddr_vec3d){-y.x, -y.y, -y.z});
  const double factor = 1 / sqrt(ddr_dot3d(sum, sum));
  return (ddr_vec3d){sum.x * factor, sum.y * factor, sum.z * factor};
}

DDR_EIGEN_INLINE void *ddr_evals3(void *dst, float m00, float m01, float m02, float m11, float m12,
                                  float m22) {
  const ddr_cubic3 roots = ddr_eigen_cubic(
      (ddr_sym3){(double)m00, (double)m01, (double)m02, (double)m11, (double)m12, (double)m22});
  const bool is_first = roots.alone > roots.far;
  const float middle = (float)(roots.mean + roots.middle), far = (float)(roots.mean + roots.far);
  const float alone = (float)(roots.mean + roots.alone);
  float *values = (float *)dst;
  /* Equal ones may have been rounded apart, where only one of them was fused with a product. */
  values[0] = is_first ? alone : far < middle ? middle : far;
  values[1] = middle;
  values[2] = !is_first ? alone : far > middle ? middle : far;
  return dst;
}

/* The way of eigen.h; rare, and kept out of the way of the other. */
DDR_FN_RARE void ddr_evecs3_careful(ddr_sym3 m, float *dst) {
  const double whole[6] = {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz};
  double lambda[3], vectors[3][3];
  ddr_eigen3(whole, lambda, vectors);
  (void)ddr_eigen_store(9, vectors[0], dst);
}

DDR_EIGEN_INLINE void ddr_store3d(ddr_vec3d a, float dst[3]) {
  dst[0] = (float)a.x;
  dst[1] = (float)a.y;
  dst[2] = (float)a.z;
}

DDR_EIGEN_INLINE void *ddr_evecs3(void *dst, float m00, float m01, float m02, float m11, float m12,
                                  float m22) {
  const ddr_sym3 m = {(double)m00, (double)m01, (double)m02, (double)m11, (double)m12, (double)m22};
  const ddr_cubic3 roots = ddr_eigen_cubic(m);
  float *vectors = (float *)dst;
  if (!(roots.gap > 1e-7)) {
    ddr_evecs3_careful(m, vectors);
    return dst;
  }
  const ddr_vec3d alone = ddr_eigen_null(roots.rest, roots.alone);
  const ddr_vec3d middle = ddr_eigen_null(roots.rest, roots.middle);
  const bool is_first = roots.alone > roots.far;
  const ddr_vec3d left = is_first ? alone : middle, right = is_first ? middle : alone;
  const ddr_vec3d other = ddr_cross3d(left, right);
  ddr_store3d(is_first ? left : other, vectors);
  ddr_store3d(middle, vectors + 3);
  ddr_store3d(is_first ? other : right, vectors + 6);
  return dst;
}

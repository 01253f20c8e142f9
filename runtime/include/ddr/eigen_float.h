/* eigen_float.h: eigensystems in single precision throughout, for devices, where doubles are slow;
 * included by eigen.h.
 *
 * As in eigen.h: the best separated eigenvalue has a closed form, and the other two are found in
 * the plane orthogonal to its vector, so that no digits are lost where two are nearly equal. Scales
 * are powers of two, and differences of products are nearly exact (Kahan): residuals and angles are
 * a few roundings of |m|.  Scalars only, no branches: everything stays in registers, and the
 * compiler shares what eigenvalues and eigenvectors of a matrix have in common.  Infinities and NaN
 * make everything NaN.
 */
#pragma once

#include <string.h>

#include "ddr/scalar.h"

#define DDR_EIGEN_SINGLE DDR_FN DDR_INLINED

typedef struct ddr_vec3f {
  float x, y, z;
} ddr_vec3f;

/* Upper triangle. */
typedef struct ddr_sym3f {
  float xx, xy, xz, yy, yz, zz;
} ddr_sym3f;

/* --- scalars and vectors ---------------------------------------------------------------------- */

/* a b - c d with an error of at most 1.5 units in the last place [Jeannerod, Louvet and Muller
 * 2013, alg. 1]. */
DDR_EIGEN_SINGLE float ddr_minor1f(float a, float b, float c, float d) {
  const float minus_cd = -(c * d);
  return fmaf(a, b, minus_cd) - fmaf(c, d, minus_cd);
}

/* The largest power of two not above x >= 0, but at least the smallest normal one; infinity for
 * infinity. */
DDR_EIGEN_SINGLE float ddr_binade(float x) {
  uint32_t bits;
  const float normal = fmaxf(x, 1.17549435e-38f);
  memcpy(&bits, &normal, sizeof bits);
  bits &= 0x7f800000u;
  float power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

DDR_EIGEN_SINGLE float ddr_dot3f(ddr_vec3f a, ddr_vec3f b) {
  return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

DDR_EIGEN_SINGLE ddr_vec3f ddr_cross3f(ddr_vec3f a, ddr_vec3f b) {
  return (ddr_vec3f){ddr_minor1f(a.y, b.z, a.z, b.y), ddr_minor1f(a.z, b.x, a.x, b.z),
                     ddr_minor1f(a.x, b.y, a.y, b.x)};
}

DDR_EIGEN_SINGLE ddr_vec3f ddr_unit3f(ddr_vec3f a) {
  const float inverse = 1 / sqrtf(ddr_dot3f(a, a));
  return (ddr_vec3f){a.x * inverse, a.y * inverse, a.z * inverse};
}

/* The dot product, nearly as exact as in double: the rounding errors of the products are added. */
DDR_EIGEN_SINGLE float ddr_exact_dot3f(ddr_vec3f a, ddr_vec3f b) {
  const float x = a.x * b.x, y = a.y * b.y, z = a.z * b.z;
  const float error = fmaf(a.x, b.x, -x) + fmaf(a.y, b.y, -y) + fmaf(a.z, b.z, -z);
  const float xy = x + y, shift = xy - x, low = (x - (xy - shift)) + (y - shift);
  return (xy + z) + (low + error);
}

/* Corrects the length of a unit vector for rounding errors; the next function, its angle with
 * another vector. */
DDR_EIGEN_SINGLE ddr_vec3f ddr_polished3f(ddr_vec3f a) {
  const float missing = fmaf(a.x, a.x, fmaf(a.y, a.y, fmaf(a.z, a.z, -1.0f))) * -0.5f;
  return (ddr_vec3f){fmaf(a.x, missing, a.x), fmaf(a.y, missing, a.y), fmaf(a.z, missing, a.z)};
}

DDR_EIGEN_SINGLE ddr_vec3f ddr_square3f(ddr_vec3f e, ddr_vec3f a) {
  const float dot = ddr_exact_dot3f(e, a);
  return (ddr_vec3f){fmaf(-dot, e.x, a.x), fmaf(-dot, e.y, a.y), fmaf(-dot, e.z, a.z)};
}

/* sum + a or sum - a, whichever is longer. */
DDR_EIGEN_SINGLE ddr_vec3f ddr_add3f(ddr_vec3f sum, ddr_vec3f a) {
  const float sign = ddr_dot3f(sum, a) > 0 ? 1.0f : -1.0f;
  return (ddr_vec3f){fmaf(sign, a.x, sum.x), fmaf(sign, a.y, sum.y), fmaf(sign, a.z, sum.z)};
}

/* s a + t b */
DDR_EIGEN_SINGLE ddr_vec3f ddr_blend3f(float s, ddr_vec3f a, float t, ddr_vec3f b) {
  return (ddr_vec3f){fmaf(s, a.x, t * b.x), fmaf(s, a.y, t * b.y), fmaf(s, a.z, t * b.z)};
}

DDR_EIGEN_SINGLE ddr_vec3f ddr_choose3f(bool is_first, ddr_vec3f a, ddr_vec3f b) {
  return (ddr_vec3f){is_first ? a.x : b.x, is_first ? a.y : b.y, is_first ? a.z : b.z};
}

DDR_EIGEN_SINGLE float ddr_largest3f(float a, float b, float c) {
  return fmaxf(fmaxf(fabsf(a), fabsf(b)), fabsf(c));
}

/* --- 2x2 -------------------------------------------------------------------------------------- */

/* The eigensystem of [half, off; off, -half]: eigenvalues gap and -gap; (x, y) is the unit vector
 * of the second one, (y, -x) that of the first. If the matrix is not larger than `noise`, the
 * vectors are the coordinate axes. */
typedef struct ddr_turn2f {
  float gap, x, y;
} ddr_turn2f;

DDR_EIGEN_SINGLE ddr_turn2f ddr_eigen_turn(float half, float off, float noise) {
  const float gap = sqrtf(fmaf(half, half, off * off));
  const float sign = off > 0 ? -1.0f : 1.0f; /* the sum of the rows less gap, or their difference */
  const float x = (half - gap) - fabsf(off), y = off - sign * (half + gap);
  const float inverse = 1 / sqrtf(fmaf(x, x, y * y));
  const bool is_round = gap <= noise;
  return (ddr_turn2f){gap, is_round ? 0 : x * inverse, is_round ? 1 : y * inverse};
}

/* Eigenvalues mean + gap and mean - gap of the matrix divided by `scale`, a power of two. */
typedef struct ddr_system2f {
  float scale, mean;
  ddr_turn2f turn;
} ddr_system2f;

DDR_EIGEN_SINGLE ddr_system2f ddr_eigen_system2(float m00, float m01, float m11) {
  const float scale = ddr_binade(ddr_largest3f(m00, m01, m11)), inverse = 1 / scale;
  const float a = m00 * inverse, b = m01 * inverse, c = m11 * inverse;
  return (ddr_system2f){scale, (a + c) * 0.5f, ddr_eigen_turn((a - c) * 0.5f, b, 1e-12f)};
}

/* --- 3x3 -------------------------------------------------------------------------------------- */

/* The eigensystem of (m - mean I) / scale, by descending eigenvalues. */
typedef struct ddr_system3f {
  float scale, mean, first, middle, last;
  ddr_vec3f e_first, e_middle, e_last;
} ddr_system3f;

/* The largest root of t^3 - t/2 = x / 3 sqrt(6) for x from 0 to 1, which is sqrt(2/3)
 * cos(acos(x)/3): a Chebyshev interpolation good to 1e-8. */
DDR_EIGEN_SINGLE float ddr_eigen_rootf(float x) {
  float t = fmaf(0.00044303734f, x, -0.0023864811f);
  t = fmaf(t, x, 0.0062578762f);
  t = fmaf(t, x, -0.011667381f);
  t = fmaf(t, x, 0.019916298f);
  t = fmaf(t, x, -0.039254992f);
  t = fmaf(t, x, 0.13608144f);
  return fmaf(t, x, 0.70710679f);
}

/* Columns of the adjugate of m - lambda, all along the eigenvector of a simple eigenvalue; added so
 * that none takes away from the sum. */
DDR_EIGEN_SINGLE ddr_vec3f ddr_eigen_nullf(ddr_sym3f m, float lambda) {
  const float a = m.xx - lambda, b = m.yy - lambda, c = m.zz - lambda;
  const float xy = ddr_minor1f(m.xz, m.yz, m.xy, c), xz = ddr_minor1f(m.xy, m.yz, m.xz, b);
  const float yz = ddr_minor1f(m.xy, m.xz, m.yz, a);
  const ddr_vec3f x = {ddr_minor1f(b, c, m.yz, m.yz), xy, xz};
  const ddr_vec3f y = {-xy, ddr_minor1f(m.xz, m.xz, a, c), -yz};
  const ddr_vec3f z = {xz, yz, ddr_minor1f(a, b, m.xy, m.xy)};
  return ddr_add3f(ddr_add3f(z, x), y);
}

DDR_EIGEN_SINGLE ddr_vec3f ddr_apply3f(ddr_sym3f m, ddr_vec3f v) {
  const ddr_vec3f x = {m.xx, m.xy, m.xz}, y = {m.xy, m.yy, m.yz}, z = {m.xz, m.yz, m.zz};
  return (ddr_vec3f){ddr_dot3f(x, v), ddr_dot3f(y, v), ddr_dot3f(z, v)};
}

/* The sign that gives e, which is along the eigenvector of `middle`, the direction of
 * ddr_eigen_nullf; `gap` is half the distance to the nearer eigenvalue.  The columns of the
 * adjugate are the vector times one of its components, times a factor, which is negative, because
 * one of the other eigenvalues is larger and one less.  So the sum, which begins with the last
 * column, has a negative last component.  Near the plane, rounding may decide the sign of that one:
 * it changes e by some 1e-7 / gap. */
DDR_EIGEN_SINGLE float ddr_middle_sign(ddr_sym3f m, float middle, float gap, ddr_vec3f e) {
  if (fabsf(e.z) * gap > 1e-5f) return e.z > 0 ? -1.0f : 1.0f;
  return ddr_dot3f(ddr_eigen_nullf(m, middle), e) < 0 ? -1.0f : 1.0f;
}

/* A unit vector across the unit vector e; `side` decides its sign. */
DDR_EIGEN_SINGLE ddr_vec3f ddr_across3f(ddr_vec3f e, ddr_vec3f side) {
  const float sign = ddr_dot3f(e, side) < 0 ? -1.0f : 1.0f;
  const ddr_vec3f t = {sign * e.x, sign * e.y, sign * e.z};
  const bool is_y = fabsf(t.y) > fabsf(t.x);
  const bool is_z = fabsf(t.z) > (is_y ? fabsf(t.y) : fabsf(t.x));
  const ddr_vec3f x = {t.y - t.z, -t.x, t.x}, y = {-t.y, t.x - t.z, t.y};
  const ddr_vec3f z = {-t.z, t.z, t.x - t.y};
  return ddr_unit3f(ddr_choose3f(is_z, z, ddr_choose3f(is_y, y, x)));
}

/* The sum of the rows of m - mean I, for the mean of the eigenvalues other than `alone`. */
DDR_EIGEN_SINGLE ddr_vec3f ddr_eigen_side(ddr_sym3f m, float alone) {
  const float mean = -0.5f * alone;
  const ddr_vec3f x = {m.xx - mean, m.xy, m.xz}, y = {m.xy, m.yy - mean, m.yz};
  const ddr_vec3f z = {m.xz, m.yz, m.zz - mean};
  return ddr_add3f(ddr_add3f(x, y), z);
}

/* The best separated eigenvalue of a matrix of trace 0; `square` is the square of its norm. */
DDR_EIGEN_SINGLE float ddr_eigen_alone(ddr_sym3f m, float square) {
  const float det = fmaf(
      m.xx, ddr_minor1f(m.yy, m.zz, m.yz, m.yz),
      fmaf(m.xz, ddr_minor1f(m.xy, m.yz, m.yy, m.xz), -m.xy * ddr_minor1f(m.xy, m.zz, m.yz, m.xz)));
  const float norm = sqrtf(square),
              ratio = 7.3484692f * fabsf(det) / (square * norm); /* 3 sqrt 6 */
  const float root = norm * ddr_eigen_rootf(ratio > 1 ? 1 : ratio);
  return det < 0 ? -root : root;
}

/* The eigensystem of a matrix of trace 0 whose largest entry is near 1. */
DDR_EIGEN_SINGLE ddr_system3f ddr_eigen_unit3(ddr_sym3f m) {
  const float square = fmaf(m.xx, m.xx, fmaf(m.yy, m.yy, m.zz * m.zz)) +
                       2 * fmaf(m.xy, m.xy, fmaf(m.xz, m.xz, m.yz * m.yz));
  const float alone = ddr_eigen_alone(m, square);
  const ddr_vec3f e = ddr_polished3f(ddr_unit3f(ddr_eigen_nullf(m, alone)));
  const ddr_vec3f u = ddr_across3f(e, ddr_eigen_side(m, alone)), v = ddr_cross3f(e, u);
  const ddr_vec3f mu = ddr_apply3f(m, u), mv = ddr_apply3f(m, v);
  const float a = ddr_dot3f(u, mu), c = ddr_dot3f(v, mv), mean = -0.5f * alone;
  const ddr_turn2f turn = ddr_eigen_turn((a - c) * 0.5f, ddr_dot3f(u, mv), 1e-7f);
  const bool is_first = !(alone < 0);
  const float middle = is_first ? mean + turn.gap : mean - turn.gap;
  const float other = is_first ? mean - turn.gap : mean + turn.gap;
  const ddr_vec3f inner =
      is_first ? ddr_blend3f(turn.y, u, -turn.x, v) : ddr_blend3f(turn.x, u, turn.y, v);
  const float sign = ddr_middle_sign(m, middle, turn.gap, inner);
  const ddr_vec3f turned = {sign * inner.x, sign * inner.y, sign * inner.z};
  const ddr_vec3f e_middle = ddr_polished3f(ddr_square3f(e, turned));
  const ddr_vec3f across = is_first ? ddr_cross3f(e, e_middle) : ddr_cross3f(e_middle, e);
  if (square == 0) /* a multiple of the identity */
    return (ddr_system3f){1, 0, 0, 0, 0, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return (ddr_system3f){1,
                        0,
                        is_first ? alone : other,
                        middle,
                        is_first ? other : alone,
                        ddr_choose3f(is_first, e, across),
                        e_middle,
                        ddr_choose3f(is_first, across, e)};
}

DDR_EIGEN_SINGLE ddr_sym3f ddr_scaled3f(ddr_sym3f m, float factor) {
  return (ddr_sym3f){m.xx * factor, m.xy * factor, m.xz * factor,
                     m.yy * factor, m.yz * factor, m.zz * factor};
}

DDR_EIGEN_SINGLE float ddr_size3f(ddr_sym3f m) {
  return fmaxf(ddr_largest3f(m.xx, m.yy, m.zz), ddr_largest3f(m.xy, m.xz, m.yz));
}

DDR_EIGEN_SINGLE ddr_system3f ddr_eigen_system3(ddr_sym3f given) {
  const float scale = ddr_binade(ddr_size3f(given));
  ddr_sym3f m = ddr_scaled3f(given, 1 / scale);
  /* Twice: the first mean is rounded, and the trace that it leaves may be as large as the rest. */
  const float third = 0.33333334f, near = (m.xx + m.yy + m.zz) * third;
  m.xx -= near;
  m.yy -= near;
  m.zz -= near;
  const float rest = (m.xx + m.yy + m.zz) * third;
  m.xx -= rest;
  m.yy -= rest;
  m.zz -= rest;
  const float inner_scale = ddr_binade(ddr_size3f(m));
  ddr_system3f found = ddr_eigen_unit3(ddr_scaled3f(m, 1 / inner_scale));
  found.scale = scale;
  found.mean = near;
  found.first = fmaf(found.first, inner_scale, rest);
  found.middle = fmaf(found.middle, inner_scale, rest);
  found.last = fmaf(found.last, inner_scale, rest);
  return found;
}

/* --- for generated code, as in eigen.h: results as floats at dst, which is returned ----------- */

DDR_EIGEN_SINGLE void *ddr_evals2(void *dst, float m00, float m01, float m11) {
  const ddr_system2f found = ddr_eigen_system2(m00, m01, m11);
  float *values = (float *)dst;
  values[0] = (found.mean + found.turn.gap) * found.scale;
  values[1] = (found.mean - found.turn.gap) * found.scale;
  return dst;
}

DDR_EIGEN_SINGLE void *ddr_evecs2(void *dst, float m00, float m01, float m11) {
  const ddr_turn2f turn = ddr_eigen_system2(m00, m01, m11).turn;
  float *vectors = (float *)dst;
  vectors[0] = turn.y;
  vectors[1] = -turn.x;
  vectors[2] = turn.x;
  vectors[3] = turn.y;
  return dst;
}

DDR_EIGEN_SINGLE void *ddr_evals3(void *dst, float m00, float m01, float m02, float m11, float m12,
                                  float m22) {
  const ddr_system3f found = ddr_eigen_system3((ddr_sym3f){m00, m01, m02, m11, m12, m22});
  float *values = (float *)dst;
  values[0] = (found.first + found.mean) * found.scale;
  values[1] = (found.middle + found.mean) * found.scale;
  values[2] = (found.last + found.mean) * found.scale;
  return dst;
}

DDR_EIGEN_SINGLE void ddr_store3f(ddr_vec3f a, float *dst) {
  dst[0] = a.x;
  dst[1] = a.y;
  dst[2] = a.z;
}

DDR_EIGEN_SINGLE void *ddr_evecs3(void *dst, float m00, float m01, float m02, float m11, float m12,
                                  float m22) {
  const ddr_system3f found = ddr_eigen_system3((ddr_sym3f){m00, m01, m02, m11, m12, m22});
  float *vectors = (float *)dst;
  ddr_store3f(found.e_first, vectors);
  ddr_store3f(found.e_middle, vectors + 3);
  ddr_store3f(found.e_last, vectors + 6);
  return dst;
}

/* eigen.h: eigensystems in double, for one matrix and for one in every lane (base.h); the contract
 * is in ddr/eigen.h.
 *
 * A matrix is scaled by its largest entry. The best separated of three eigenvalues has a closed
 * form; the others are those of the 2x2 matrix in the plane orthogonal to its vector. Both cases of
 * a choice are computed and one is selected; the only branch skips work that no lane needs. Structs
 * instead of arrays, so that everything stays in registers.
 */
#include "ddr/base/real.h"
#if defined(DDR_X)

/* Inlined, so that the C compiler shares what eigenvalues and eigenvectors of a matrix have
 * in common. */
#define DDR_XEIGEN DDR_XFN DDR_INLINED

typedef struct DDR_X(vec3d) {
  DDR_XWIDE x, y, z;
} DDR_X(vec3d);

/* Upper triangles. */
typedef struct DDR_X(sym2d) {
  DDR_XWIDE xx, xy, yy;
} DDR_X(sym2d);

typedef struct DDR_X(sym3d) {
  DDR_XWIDE xx, xy, xz, yy, yz, zz;
} DDR_X(sym3d);

/* Eigenvalues, the larger one first, and the vector (x, y) of the second; that of the first is
 * (y, -x). */
typedef struct DDR_X(eigen2d) {
  DDR_XWIDE first, second, x, y;
} DDR_X(eigen2d);

typedef struct DDR_X(frame3d) {
  DDR_X(vec3d) first, second, third;
} DDR_X(frame3d);

typedef struct DDR_X(eigen3d) {
  DDR_X(vec3d) values;
  DDR_X(frame3d) vectors;
} DDR_X(eigen3d);

/* --- vectors ---------------------------------------------------------------------------------- */

DDR_XEIGEN DDR_XWIDE DDR_X(dot3d)(DDR_X(vec3d) a, DDR_X(vec3d) b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

DDR_XEIGEN DDR_X(vec3d) DDR_X(cross3d)(DDR_X(vec3d) a, DDR_X(vec3d) b) {
  return (DDR_X(vec3d)){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

DDR_XEIGEN DDR_X(vec3d) DDR_X(scaled3d)(DDR_X(vec3d) a, DDR_XWIDE factor) {
  return (DDR_X(vec3d)){a.x * factor, a.y * factor, a.z * factor};
}

DDR_XEIGEN DDR_X(vec3d) DDR_X(unit3d)(DDR_X(vec3d) a) {
  return DDR_X(scaled3d)(a, 1 / DDR_X(sqrt_wide)(DDR_X(dot3d)(a, a)));
}

DDR_XEIGEN DDR_X(vec3d) DDR_X(select3d)(DDR_XWIDE_MASK mask, DDR_X(vec3d) a, DDR_X(vec3d) b) {
  return (DDR_X(vec3d)){DDR_X(select_wide)(mask, a.x, b.x), DDR_X(select_wide)(mask, a.y, b.y),
                        DDR_X(select_wide)(mask, a.z, b.z)};
}

DDR_XEIGEN DDR_X(frame3d)
    DDR_X(select_frame)(DDR_XWIDE_MASK mask, DDR_X(frame3d) a, DDR_X(frame3d) b) {
  return (DDR_X(frame3d)){DDR_X(select3d)(mask, a.first, b.first),
                          DDR_X(select3d)(mask, a.second, b.second),
                          DDR_X(select3d)(mask, a.third, b.third)};
}

/* -1 in the lanes of the mask, else 1. */
DDR_XEIGEN DDR_XWIDE DDR_X(minus_one)(DDR_XWIDE_MASK mask) {
  return DDR_X(select_wide)(mask, DDR_X(all_wide)(-1), DDR_X(all_wide)(1));
}

DDR_XEIGEN DDR_X(vec3d) DDR_X(turned3d)(DDR_XWIDE_MASK mask, DDR_X(vec3d) a) {
  return DDR_X(scaled3d)(a, DDR_X(minus_one)(mask));
}

/* sum + a or sum - a, whichever is longer. */
DDR_XEIGEN DDR_X(vec3d) DDR_X(add3d)(DDR_X(vec3d) sum, DDR_X(vec3d) a) {
  const DDR_XWIDE sign = -DDR_X(minus_one)(DDR_X(dot3d)(sum, a) > 0);
  return (DDR_X(vec3d)){sum.x + sign * a.x, sum.y + sign * a.y, sum.z + sign * a.z};
}

DDR_XEIGEN DDR_X(vec3d) DDR_X(times3d)(DDR_X(sym3d) m, DDR_X(vec3d) v) {
  return (DDR_X(vec3d)){m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                        m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

/* The larger of two; NaN if either is. */
DDR_XEIGEN DDR_XWIDE DDR_X(larger_wide)(DDR_XWIDE a, DDR_XWIDE b) {
  return DDR_X(select_wide)((a >= b) | (a != a), a, b);
}

/* The largest magnitude of three. */
DDR_XEIGEN DDR_XWIDE DDR_X(largest_size)(DDR_XWIDE a, DDR_XWIDE b, DDR_XWIDE c) {
  const DDR_XWIDE first = DDR_X(larger_wide)(DDR_X(magnitude_wide)(a), DDR_X(magnitude_wide)(b));
  return DDR_X(larger_wide)(first, DDR_X(magnitude_wide)(c));
}

/* --- 2x2 -------------------------------------------------------------------------------------- */

/* The eigensystem of mean I + [half, off; off, -half]. */
DDR_XEIGEN DDR_X(eigen2d) DDR_X(eigen_split)(DDR_XWIDE mean, DDR_XWIDE half, DDR_XWIDE off) {
  const DDR_XWIDE gap = DDR_X(sqrt_wide)(half * half + off * off); /* half the difference */
  const DDR_XWIDE_MASK is_apart =
      2 * gap > DDR_EIGEN_EPSILON * DDR_X(largest_size)(mean, half, off);
  /* The rows of the matrix minus its first eigenvalue are multiples of the second vector: take
   * their sum or difference, whichever is longer. */
  const DDR_XWIDE size = DDR_X(magnitude_wide)(off), side = size + (half + gap);
  const DDR_XWIDE x = half - gap - size, y = DDR_X(select_wide)(off < 0, -side, side);
  const DDR_XWIDE factor = 1 / DDR_X(sqrt_wide)(x * x + y * y), none = mean - mean;
  return (DDR_X(eigen2d)){DDR_X(select_wide)(is_apart, mean + gap, mean),
                          DDR_X(select_wide)(is_apart, mean - gap, mean),
                          DDR_X(select_wide)(is_apart, x * factor, none),
                          DDR_X(select_wide)(is_apart, y * factor, 1 + none)};
}

DDR_XEIGEN DDR_X(eigen2d) DDR_X(eigen2)(DDR_X(sym2d) m) {
  const DDR_XWIDE scale = DDR_X(largest_size)(m.xx, m.xy, m.yy), none = scale - scale;
  const DDR_XWIDE divisor = DDR_X(select_wide)(scale > 0, scale, DDR_X(all_wide)(1));
  const DDR_XWIDE a = m.xx / divisor, b = m.xy / divisor, c = m.yy / divisor;
  DDR_X(eigen2d) both = DDR_X(eigen_split)((a + c) / 2 + none, (a - c) / 2, b);
  both.first *= scale;
  both.second *= scale;
  return both;
}

/* --- 3x3 -------------------------------------------------------------------------------------- */

/* The largest root of t^3 - t/2 = x / 3 sqrt(6) for x from 0 to 1, which is sqrt(2/3)
 * cos(acos(x)/3): a Chebyshev interpolation good to 1e-8, then one step of Newton. */
DDR_XEIGEN DDR_XWIDE DDR_X(eigen_root)(DDR_XWIDE x) {
  const DDR_XWIDE x2 = x * x, x4 = x2 * x2;
  const DDR_XWIDE low = (0.7071067914796323 + 0.1360814378213239 * x) +
                        (-0.03925499217691042 + 0.019916297999807764 * x) * x2;
  const DDR_XWIDE high = (-0.011667380823986662 + 0.006257876177876653 * x) +
                         (-0.00238648111090356 + 0.00044303734193817945 * x) * x2;
  const DDR_XWIDE t = low + high * x4;
  return (2 * t * (t * t) + 0.13608276348795434 * x) / (3 * (t * t) - 0.5);
}

DDR_XEIGEN DDR_XWIDE DDR_X(determinant)(DDR_X(sym3d) m) {
  return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) +
         m.xz * (m.xy * m.yz - m.yy * m.xz);
}

/* The square of the norm. */
DDR_XEIGEN DDR_XWIDE DDR_X(square_of)(DDR_X(sym3d) m) {
  return m.xx * m.xx + m.yy * m.yy + m.zz * m.zz + 2 * (m.xy * m.xy + m.xz * m.xz + m.yz * m.yz);
}

/* Every column of the adjugate of m - lambda is a multiple of the vector of a simple eigenvalue
 * lambda; zero if the eigenvalue is double. */
DDR_XEIGEN DDR_X(vec3d) DDR_X(eigen_null)(DDR_X(sym3d) m, DDR_XWIDE lambda) {
  const DDR_XWIDE a = m.xx - lambda, b = m.yy - lambda, c = m.zz - lambda;
  const DDR_XWIDE xy = m.xz * m.yz - m.xy * c, xz = m.xy * m.yz - m.xz * b;
  const DDR_XWIDE yz = m.xy * m.xz - m.yz * a;
  const DDR_X(vec3d) x = {b * c - m.yz * m.yz, xy, xz}, z = {xz, yz, a * b - m.xy * m.xy};
  const DDR_X(vec3d) y = {-xy, m.xz * m.xz - a * c, -yz};
  return DDR_X(add3d)(DDR_X(add3d)(z, x), y);
}

/* A unit vector orthogonal to the unit vector e; `side` decides its sign if m has a double
 * eigenvalue in that plane. */
DDR_XEIGEN DDR_X(vec3d) DDR_X(eigen_across)(DDR_X(vec3d) e, DDR_X(vec3d) side) {
  const DDR_X(vec3d) t = DDR_X(turned3d)(DDR_X(dot3d)(e, side) < 0, e);
  const DDR_XWIDE x = DDR_X(magnitude_wide)(t.x), y = DDR_X(magnitude_wide)(t.y),
                  z = DDR_X(magnitude_wide)(t.z);
  const DDR_XWIDE_MASK is_y = y > x, is_z = z > DDR_X(select_wide)(is_y, y, x);
  const DDR_X(vec3d) of_x = {t.y - t.z, -t.x, t.x}, of_y = {-t.y, t.x - t.z, t.y};
  const DDR_X(vec3d) of_z = {-t.z, t.z, t.x - t.y};
  return DDR_X(unit3d)(DDR_X(select3d)(is_z, of_z, DDR_X(select3d)(is_y, of_y, of_x)));
}

/* The eigensystem of m, whose eigenvector e is known, from the plane orthogonal to it: two values
 * and the third, that of e; two vectors and `third`, which is e. */
DDR_XEIGEN DDR_X(eigen3d) DDR_X(eigen_deflate)(DDR_X(sym3d) m, DDR_X(vec3d) e) {
  const DDR_XWIDE own = DDR_X(dot3d)(DDR_X(times3d)(m, e), e), other = own / -2; /* mean of both */
  const DDR_X(vec3d) row_x = {m.xx - other, m.xy, m.xz}, row_y = {m.xy, m.yy - other, m.yz};
  const DDR_X(vec3d) row_z = {m.xz, m.yz, m.zz - other};
  const DDR_X(vec3d) side = DDR_X(add3d)(DDR_X(add3d)(row_x, row_y), row_z);
  const DDR_X(vec3d) u = DDR_X(eigen_across)(e, side), v = DDR_X(cross3d)(e, u);
  const DDR_X(vec3d) mu = DDR_X(times3d)(m, u), mv = DDR_X(times3d)(m, v);
  const DDR_XWIDE a = DDR_X(dot3d)(u, mu), c = DDR_X(dot3d)(v, mv);
  const DDR_X(eigen2d) turn = DDR_X(eigen_split)((a + c) / 2, (a - c) / 2, DDR_X(dot3d)(u, mv));
  const DDR_X(vec3d) first = {turn.y * u.x - turn.x * v.x, turn.y * u.y - turn.x * v.y,
                              turn.y * u.z - turn.x * v.z};
  const DDR_X(vec3d) second = {turn.x * u.x + turn.y * v.x, turn.x * u.y + turn.y * v.y,
                               turn.x * u.z + turn.y * v.z};
  return (DDR_X(eigen3d)){{turn.first, turn.second, own}, {first, second, e}};
}

/* The eigensystem of a matrix with trace 0 and norm 1. The best separated eigenvalue, at least 0.6
 * away from the others, has the sign of the determinant: it is the first or the last. */
DDR_XEIGEN DDR_X(eigen3d) DDR_X(eigen_unit)(DDR_X(sym3d) m) {
  const DDR_XWIDE det = DDR_X(determinant)(m), one = DDR_X(all_wide)(1);
  const DDR_XWIDE ratio = DDR_X(magnitude_wide)(det) * 7.348469228349534; /* 3 sqrt(6) */
  const DDR_XWIDE size = DDR_X(eigen_root)(DDR_X(select_wide)(ratio > 1, one, ratio));
  const DDR_XWIDE_MASK is_last = det < 0;
  const DDR_XWIDE alone = size * DDR_X(minus_one)(is_last);
  const DDR_X(eigen3d) s = DDR_X(eigen_deflate)(m, DDR_X(unit3d)(DDR_X(eigen_null)(m, alone)));
  const DDR_X(vec3d) values = {DDR_X(select_wide)(is_last, s.values.x, s.values.z),
                               DDR_X(select_wide)(is_last, s.values.y, s.values.x),
                               DDR_X(select_wide)(is_last, s.values.z, s.values.y)};
  const DDR_X(vec3d) e = s.vectors.third, null = DDR_X(eigen_null)(m, values.y);
  const DDR_X(vec3d) middle = DDR_X(select3d)(is_last, s.vectors.second, s.vectors.first);
  const DDR_X(vec3d) second = DDR_X(turned3d)(DDR_X(dot3d)(null, middle) < 0, middle);
  const DDR_X(vec3d) other = DDR_X(turned3d)(is_last, DDR_X(cross3d)(e, second));
  return (DDR_X(eigen3d)){
      values, {DDR_X(select3d)(is_last, other, e), second, DDR_X(select3d)(is_last, e, other)}};
}

/* The eigensystem of a multiple of the identity; all NaN if the value is NaN. */
DDR_XEIGEN DDR_X(eigen3d) DDR_X(eigen_round)(DDR_XWIDE value) {
  const DDR_XWIDE zero = value - value, one = 1 + zero;
  return (DDR_X(eigen3d)){{value, value, value},
                          {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
}

DDR_XEIGEN DDR_X(eigen3d) DDR_X(eigen3)(DDR_X(sym3d) m) {
  const DDR_XWIDE scale = DDR_X(larger_wide)(DDR_X(largest_size)(m.xx, m.xy, m.xz),
                                             DDR_X(largest_size)(m.yy, m.yz, m.zz));
  const DDR_XWIDE one = DDR_X(all_wide)(1), none = scale - scale; /* NaN, or 0 */
  const DDR_XWIDE divisor = DDR_X(select_wide)(scale > 0, scale, one);
  const DDR_X(sym3d) s = {m.xx / divisor, m.xy / divisor, m.xz / divisor,
                          m.yy / divisor, m.yz / divisor, m.zz / divisor};
  const DDR_XWIDE mean = (s.xx + s.yy + s.zz) / 3 + none;
  const DDR_X(sym3d) r = {s.xx - mean, s.xy, s.xz, s.yy - mean, s.yz, s.zz - mean};
  const DDR_XWIDE norm = DDR_X(sqrt_wide)(DDR_X(square_of)(r));
  const DDR_XWIDE_MASK is_apart = norm > DDR_EIGEN_EPSILON;
  DDR_X(eigen3d) whole = DDR_X(eigen_round)(mean * scale);
  if (!DDR_X(any_wide)(is_apart)) return whole;
  const DDR_XWIDE by = 1 / DDR_X(select_wide)(is_apart, norm, one);
  const DDR_X(eigen3d) unit = DDR_X(eigen_unit)(
      (DDR_X(sym3d)){r.xx * by, r.xy * by, r.xz * by, r.yy * by, r.yz * by, r.zz * by});
  const DDR_X(vec3d)
      values = {(unit.values.x * norm + mean) * scale, (unit.values.y * norm + mean) * scale,
                (unit.values.z * norm + mean) * scale};
  whole.values = DDR_X(select3d)(is_apart, values, whole.values);
  whole.vectors = DDR_X(select_frame)(is_apart, unit.vectors, whole.vectors);
  return whole;
}

/* --- at the precision of the program ---------------------------------------------------------- */

#if defined(DDR_DOUBLE)
DDR_XEIGEN DDR_X(eigen2d) DDR_X(eigen_of_2)(DDR_X(sym2d) m) { return DDR_X(eigen2)(m); }
DDR_XEIGEN DDR_X(vec3d) DDR_X(eigen_values)(DDR_X(sym3d) m) { return DDR_X(eigen3)(m).values; }
DDR_XEIGEN DDR_X(frame3d) DDR_X(eigen_vectors)(DDR_X(sym3d) m) { return DDR_X(eigen3)(m).vectors; }
#elif !defined(DDR_DEVICE_FLOAT)
#include "ddr/functions/eigen_single.h"
#endif
#undef DDR_XEIGEN
#endif

/* eigen_single.h: eigensystems of programs whose reals are floats, on hosts, where doubles are as
 * fast; included by functions/eigen.h.
 *
 * The closed form in double.  For nearly equal eigenvalues it loses half its digits, and as many as
 * a float has remain.  The vectors of eigenvalues that are even closer, and of infinities and NaN,
 * come from eigen.h.  Squares and cubes of floats neither overflow nor vanish in double, so there
 * is no scaling.
 */
#include "ddr/base/real.h"
#if defined(DDR_X) && !defined(DDR_DOUBLE)

DDR_XEIGEN DDR_X(eigen2d) DDR_X(eigen_of_2)(DDR_X(sym2d) m) {
  const DDR_XWIDE none = (m.xx - m.xx) + (m.xy - m.xy) + (m.yy - m.yy); /* NaN, or 0 */
  return DDR_X(eigen_split)((m.xx + m.yy) / 2 + none, (m.xx - m.yy) / 2, m.xy);
}

/* m = mean I + rest, where rest has trace 0. One eigenvalue of rest, `alone`, has the sign of its
 * determinant, and is at least 0.6 norms away from the others, middle and far, of which far has the
 * opposite sign. `gap` is half the difference of those two, in norms. If m is a multiple of the
 * identity, rest is nothing but rounding errors. */
typedef struct DDR_X(cubic3d) {
  DDR_X(sym3d) rest;
  DDR_XWIDE mean, alone, middle, far, gap;
  DDR_XWIDE_MASK is_round;
} DDR_X(cubic3d);

/* The characteristic polynomial in trigonometric form: Cardano's cubic with three real roots. */
DDR_XEIGEN DDR_X(cubic3d) DDR_X(eigen_cubic)(DDR_X(sym3d) m) {
  const DDR_XWIDE mean = (m.xx + m.yy + m.zz) / 3;
  const DDR_X(sym3d) r = {m.xx - mean, m.xy, m.xz, m.yy - mean, m.yz, m.zz - mean};
  const DDR_XWIDE square = DDR_X(square_of)(r), det = DDR_X(determinant)(r);
  const DDR_XWIDE norm = DDR_X(sqrt_wide)(square), inverse = 1 / square;
  const DDR_XWIDE ratio =
      7.348469228349534 * DDR_X(magnitude_wide)(det) * norm * inverse * inverse; /* 3 sqrt(6) */
  const DDR_XWIDE_MASK is_round = square <= mean * mean * 1e-30, is_one = is_round | (ratio > 1);
  const DDR_XWIDE alone = DDR_X(eigen_root)(DDR_X(select_wide)(is_one, DDR_X(all_wide)(1), ratio));
  const DDR_XWIDE left = 0.5 - 0.75 * (alone * alone);
  const DDR_XWIDE gap = DDR_X(select_wide)(left <= 0, DDR_X(all_wide)(0), DDR_X(sqrt_wide)(left));
  const DDR_XWIDE sign = DDR_X(select_wide)(det < 0, -norm, norm);
  return (DDR_X(cubic3d)){
      r, mean, sign * alone, sign * (gap - alone / 2), sign * (-gap - alone / 2), gap, is_round};
}

DDR_XEIGEN DDR_X(vec3d) DDR_X(eigen_values)(DDR_X(sym3d) m) {
  const DDR_X(cubic3d) roots = DDR_X(eigen_cubic)(m);
  const DDR_XWIDE_MASK is_first = roots.alone > roots.far;
  const DDR_XWIDE alone = roots.mean + roots.alone, far = roots.mean + roots.far;
  const DDR_XWIDE middle = roots.mean + roots.middle;
  const DDR_XWIDE first = DDR_X(select_wide)(is_first, alone, far);
  const DDR_XWIDE third = DDR_X(select_wide)(is_first, far, alone);
  /* Rounding may have reversed nearly equal eigenvalues. */
  return (DDR_X(vec3d)){DDR_X(select_wide)(first < middle, middle, first), middle,
                        DDR_X(select_wide)(third > middle, middle, third)};
}

/* Computes the vectors that are not known yet by eigen.h. Rare, and not inlined: see ddr/eigen.h
 * and lanes/eigen.h. */
DDR_FN_RARE void DDR_X(eigen_careful)(const DDR_X(sym3d) * m, const DDR_XWIDE_MASK *is_known,
                                      DDR_X(frame3d) * vectors);

/* The case of eigenvalues that are too close. In flat data all matrices are multiples of the
 * identity. */
DDR_XEIGEN DDR_X(frame3d) DDR_X(eigen_close)(DDR_X(sym3d) m, DDR_XWIDE_MASK is_round) {
  const DDR_X(frame3d) round = DDR_X(eigen_round)(DDR_X(all_wide)(0)).vectors;
  if (!DDR_X(any_wide)(is_round == 0)) return round;
  const DDR_X(sym3d) here = m;
  const DDR_XWIDE_MASK is_known = is_round;
  DDR_X(frame3d) careful = round;
  DDR_X(eigen_careful)(&here, &is_known, &careful);
  return careful;
}

DDR_XEIGEN DDR_X(frame3d) DDR_X(eigen_vectors)(DDR_X(sym3d) m) {
  const DDR_X(cubic3d) roots = DDR_X(eigen_cubic)(m);
  const DDR_XWIDE_MASK is_apart = roots.gap > 1e-7, is_first = roots.alone > roots.far;
  const DDR_X(vec3d) alone = DDR_X(unit3d)(DDR_X(eigen_null)(roots.rest, roots.alone));
  const DDR_X(vec3d) middle = DDR_X(unit3d)(DDR_X(eigen_null)(roots.rest, roots.middle));
  const DDR_X(vec3d) other = DDR_X(turned3d)(is_first == 0, DDR_X(cross3d)(alone, middle));
  const DDR_X(frame3d) vectors = {DDR_X(select3d)(is_first, alone, other), middle,
                                  DDR_X(select3d)(is_first, other, alone)};
  if (!DDR_X(any_wide)(is_apart == 0)) return vectors;
  return DDR_X(select_frame)(is_apart, vectors, DDR_X(eigen_close)(m, roots.is_round | is_apart));
}
#endif

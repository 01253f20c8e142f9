/* moduli.h: moduli of many complex numbers, with the bits that complex.h gives each; for one set
 * of instructions (sets.h).
 *
 * Doubles need no scale where each part is 0 or from 2^-255 to 2^255: then no square overflows or
 * loses digits, scaled or not.  That is so for nearly every block of numbers.
 */
#pragma once

#include "runtime/element/complex.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#endif

/* --- doubles ---------------------------------------------------------------------------------- */

/* Whether this is so for all n parts. */
static inline bool ddr_need_no_scale(const double *parts, int64_t n) {
  const uint64_t least = ddr_bits_of_double(0x1p-255), most = ddr_bits_of_double(0x1p255);
  uint64_t least_beyond = UINT64_MAX, greatest = 0; /* of 0, one less wraps */
  for (int64_t k = 0; k < n; k++) {
    const uint64_t size = ddr_bits_of_double(fabs(parts[k]));
    greatest = size > greatest ? size : greatest;
    least_beyond = size - 1 < least_beyond ? size - 1 : least_beyond;
  }
  return greatest <= most && least_beyond >= least - 1;
}

/* The square of a modulus that needs no scale, of which it is the root. */
static inline double ddr_unscaled_square(ddr_complex_double z) {
  const double re = fabs(z.re), im = fabs(z.im);
  const double larger = re < im ? im : re, smaller = re < im ? re : im;
  return fma(larger, larger, smaller * smaller);
}

/* Moduli are computed in blocks of this size: all numbers of a block are scaled, or none. */
enum { DDR_MODULI_AT_ONCE = 256 };

static inline void ddr_moduli_of_CDOUBLE(const ddr_complex_double *z, double *moduli, int64_t n) {
  for (int64_t at = 0; at < n; at += DDR_MODULI_AT_ONCE) {
    const int64_t end = n - at < DDR_MODULI_AT_ONCE ? n : at + DDR_MODULI_AT_ONCE;
    if (ddr_need_no_scale(&z[at].re, 2 * (end - at))) {
      for (int64_t k = at; k < end; k++) moduli[k] = sqrt(ddr_unscaled_square(z[k]));
    } else {
      for (int64_t k = at; k < end; k++) moduli[k] = ddr_modulus(z[k]);
    }
  }
}

/* --- floats ----------------------------------------------------------------------------------- */

#if defined(__AVX512F__) && defined(__AVX512DQ__)
enum { DDR_FLOATS_AT_ONCE = 16 };

typedef struct {
  __m512 re, im;
} ddr_sixteen;

static inline ddr_sixteen ddr_sixteen_of(const ddr_complex_float *z) {
  const __m512i two = _mm512_set1_epi32(2);
  const __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i evens = _mm512_mullo_epi32(order, two);
  const __m512i odds = _mm512_add_epi32(evens, _mm512_set1_epi32(1));
  const __m512 first = _mm512_loadu_ps(z), second = _mm512_loadu_ps(z + DDR_FLOATS_AT_ONCE / 2);
  return (ddr_sixteen){_mm512_permutex2var_ps(first, evens, second),
                       _mm512_permutex2var_ps(first, odds, second)};
}

/* In double, as ddr_modulus. */
static inline __m256 ddr_eight_moduli(__m256 re, __m256 im) {
  const __m512d x = _mm512_cvtps_pd(re), y = _mm512_cvtps_pd(im);
  const __m512d square = _mm512_add_pd(_mm512_mul_pd(x, x), _mm512_mul_pd(y, y));
  return _mm512_cvtpd_ps(_mm512_sqrt_pd(square));
}

static inline __m512 ddr_sixteen_slowly(ddr_sixteen z) {
  const __m256 low = ddr_eight_moduli(_mm512_castps512_ps256(z.re), _mm512_castps512_ps256(z.im));
  const __m256 high =
      ddr_eight_moduli(_mm512_extractf32x8_ps(z.re, 1), _mm512_extractf32x8_ps(z.im, 1));
  return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* Roots of doubles take twice as long as these: y is a root in float, nearly; what its square
 * y^2 = large^2 + (y - large) (y + large) lacks is found from products with their rounding errors,
 * and the root is y + c with a c off by less than 2^-13 of it.  Where c (1 + 2^-13) and
 * c (1 - 2^-13) lead to one float, this is the root rounded: also of the root in double, which is
 * 2^-27 of half a unit of floats away at most.  Else, and where squares are not ordinary, slowly.
 */
static inline __m512 ddr_sixteen_moduli(ddr_sixteen z) {
  const __m512 more = _mm512_set1_ps(0.5F + 0x1p-14F), less = _mm512_set1_ps(0.5F - 0x1p-14F);
  const __m512 re_size = _mm512_abs_ps(z.re), im_size = _mm512_abs_ps(z.im);
  const __m512 large = _mm512_max_ps(re_size, im_size), small = _mm512_min_ps(re_size, im_size);
  const __m512 y = _mm512_sqrt_ps(_mm512_fmadd_ps(z.re, z.re, _mm512_mul_ps(z.im, z.im)));
  const __m512 u = _mm512_sub_ps(y, large), v = _mm512_add_ps(y, large);
  const __m512 lost_of_v = _mm512_sub_ps(large, _mm512_sub_ps(v, y));
  const __m512 w = _mm512_mul_ps(u, v), lost_of_w = _mm512_fmsub_ps(u, v, w);
  const __m512 lost = _mm512_fmadd_ps(u, lost_of_v, lost_of_w);
  const __m512 lacking = _mm512_sub_ps(_mm512_fmsub_ps(small, small, w), lost);
  const __m512 twice_c = _mm512_mul_ps(lacking, _mm512_rcp14_ps(y));
  const __m512 one = _mm512_fmadd_ps(twice_c, more, y), other = _mm512_fmadd_ps(twice_c, less, y);
  const __mmask16 is_large = _mm512_cmp_ps_mask(y, _mm512_set1_ps(0x1p-40F), _CMP_GE_OQ);
  const __mmask16 is_sure = _mm512_mask_cmp_ps_mask(is_large, one, other, _CMP_EQ_OQ);
  return __builtin_expect(is_sure == 0xffff, 1) ? one : ddr_sixteen_slowly(z);
}
#endif

static inline void ddr_moduli_of_CFLOAT(const ddr_complex_float *z, float *moduli, int64_t n) {
  int64_t k = 0;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  for (; k + DDR_FLOATS_AT_ONCE <= n; k += DDR_FLOATS_AT_ONCE)
    _mm512_storeu_ps(moduli + k, ddr_sixteen_moduli(ddr_sixteen_of(z + k)));
#endif
  for (; k < n; k++) moduli[k] = ddr_modulus(z[k]);
}

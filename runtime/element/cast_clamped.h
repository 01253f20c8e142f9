/* cast_clamped.h: reals to ints of at most 32 bits, a vector at a time; for one set of instructions
 * (sets.h).  The results are those of ddr_small_of_real (cast_rules.h).  Compilers do not turn its
 * comparisons into instructions for minimum and maximum, which return the second operand if one is
 * NaN; here they are called directly. */
#pragma once

#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>

typedef __m512 Floats;
typedef __m512d Doubles;
typedef int32_t IntsOfFloats __attribute__((vector_size(64)));
typedef int32_t IntsOfDoubles __attribute__((vector_size(32)));

static inline IntsOfFloats clamped_floats(Floats x, float least, float most) {
  const __mmask16 is_number = least == 0 ? 0xffff : _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
  const Floats above = _mm512_maskz_max_ps(is_number, x, _mm512_set1_ps(least));
  return (IntsOfFloats)_mm512_cvttps_epi32(_mm512_min_ps(above, _mm512_set1_ps(most)));
}

static inline IntsOfDoubles clamped_doubles(Doubles x, double least, double most) {
  const __mmask8 is_number = least == 0 ? 0xff : _mm512_cmp_pd_mask(x, x, _CMP_ORD_Q);
  const Doubles above = _mm512_maskz_max_pd(is_number, x, _mm512_set1_pd(least));
  return (IntsOfDoubles)_mm512_cvttpd_epi32(_mm512_min_pd(above, _mm512_set1_pd(most)));
}

/* 2^31 is the first float beyond the ints. */
static inline IntsOfFloats nearest_to_floats(Floats x, float least, float most) {
  (void)least;
  (void)most;
  const __mmask16 is_number = _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
  const __mmask16 is_beyond = _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p31F), _CMP_GE_OQ);
  const __m512i ints = _mm512_maskz_cvttps_epi32(is_number, x);
  return (IntsOfFloats)_mm512_mask_mov_epi32(ints, is_beyond, _mm512_set1_epi32(INT32_MAX));
}
#elif defined(__AVX2__)
#include <immintrin.h>

typedef __m256 Floats;
typedef __m256d Doubles;
typedef int32_t IntsOfFloats __attribute__((vector_size(32)));
typedef int32_t IntsOfDoubles __attribute__((vector_size(16)));

static inline IntsOfDoubles clamped_doubles(Doubles x, double least, double most) {
  if (least != 0) x = _mm256_and_pd(x, _mm256_cmp_pd(x, x, _CMP_ORD_Q));
  const Doubles above = _mm256_max_pd(x, _mm256_set1_pd(least));
  return (IntsOfDoubles)_mm256_cvttpd_epi32(_mm256_min_pd(above, _mm256_set1_pd(most)));
}

/* The instruction turns reals beyond the ints into the least int, whose bits are the complement of
 * those of the greatest. */
static inline IntsOfFloats nearest_to_floats(Floats x, float least, float most) {
  (void)least;
  (void)most;
  const __m256 is_number = _mm256_cmp_ps(x, x, _CMP_ORD_Q);
  const __m256 is_beyond = _mm256_cmp_ps(x, _mm256_set1_ps(0x1p31F), _CMP_GE_OQ);
  const IntsOfFloats ints = (IntsOfFloats)_mm256_cvttps_epi32(_mm256_and_ps(x, is_number));
  return ints ^ (IntsOfFloats)is_beyond;
}
#endif

/* `value` is the same for a single number x. */
#define CLAMPED(from, from_type, to, to_type, vector, clamp, least, most, value)                   \
  static void from##_to_##to(const void *elements, void *cast, int64_t n) {                        \
    enum { LANES = sizeof(vector) / sizeof(from_type) };                                           \
    typedef to_type Results __attribute__((vector_size(LANES * sizeof(to_type))));                 \
    const from_type *its = elements;                                                               \
    to_type *z = cast;                                                                             \
    int64_t k = 0;                                                                                 \
    for (; k + LANES <= n; k += LANES) {                                                           \
      vector some;                                                                                 \
      memcpy(&some, its + k, sizeof some);                                                         \
      const Results results = __builtin_convertvector(clamp(some, least, most), Results);          \
      memcpy(z + k, &results, sizeof results);                                                     \
    }                                                                                              \
    for (; k < n; k++) {                                                                           \
      const from_type x = its[k];                                                                  \
      z[k] = value;                                                                                \
    }                                                                                              \
  }
#define NOT_CLAMPED(from, from_type, to, to_type, vector, clamp, least, most, value)               \
  CAST(from, from_type, to, to_type, value)

/* AVX2 has no instruction that makes ints shorter. */
#if defined(__AVX512F__)
#define TO_SHORT CLAMPED
#define TO_INT32 CLAMPED
#elif defined(__AVX2__)
#define TO_SHORT NOT_CLAMPED
#define TO_INT32 CLAMPED
#else
#define TO_SHORT NOT_CLAMPED
#define TO_INT32 NOT_CLAMPED
#endif

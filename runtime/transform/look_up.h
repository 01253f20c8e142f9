/* look_up.h: vectors of doubles that look up tables of 16 entries; for one set of instructions
 * (sets.h).
 */
#pragma once

#include <string.h>

#include "ddr/fma.h"
#if defined(DDR_SET) && defined(DDR_DOUBLE)

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
typedef ddr_reals64 Reals;
typedef uint64_t Words __attribute__((vector_size(64)));
#define FUSED(a, b, c) DDR_FMA64(a, b, c)
#elif defined(__AVX2__)
typedef ddr_reals32 Reals;
typedef uint64_t Words __attribute__((vector_size(32)));
#define FUSED(a, b, c) DDR_FMA32(a, b, c)
#else
typedef ddr_reals16 Reals;
typedef uint64_t Words __attribute__((vector_size(16)));
#define FUSED(a, b, c) DDR_FMA16(a, b, c)
#endif
enum { LANES = sizeof(Reals) / sizeof(double) };

#if !defined(DDR_HAS_FMA) /* products are exact here */
#undef FUSED
#define FUSED(a, b, c) ((a) * (b) + (c))
#endif

/* For each lane, the table entry given by its last four bits. */
static inline Words look_up(const void *table, Words at) {
#if defined(__AVX512F__)
  const __m512i first = _mm512_loadu_si512(table);
  const __m512i second = _mm512_loadu_si512((const char *)table + sizeof first);
  return (Words)_mm512_permutex2var_epi64(first, (__m512i)at, second);
#elif defined(__AVX2__)
  return (Words)_mm256_i64gather_epi64(table, (__m256i)(at & 15), sizeof(uint64_t));
#else
  for (size_t lane = 0; lane < LANES; lane++)
    memcpy((char *)&at + lane * sizeof(uint64_t), (const char *)table + (at[lane] & 15) * 8, 8);
  return at;
#endif
}

static inline Reals loaded(const double *x, size_t n_bytes) {
  Reals vector = {0};
  memcpy(&vector, x, n_bytes);
  return vector;
}

/* Applies NAME_of_vector to n numbers; the results may overwrite x. */
#define ORDINARY_FN(name)                                                                          \
  static void name##_of_ordinary(const double *x, double *results, int64_t n) {                    \
    int64_t k = 0;                                                                                 \
    for (; k + LANES <= n; k += LANES) {                                                           \
      const Reals vector = name##_of_vector(loaded(x + k, sizeof(Reals)));                         \
      memcpy(results + k, &vector, sizeof vector);                                                 \
    }                                                                                              \
    if (k == n) return;                                                                            \
    const size_t n_bytes = (size_t)(n - k) * sizeof(double);                                       \
    const Reals vector = name##_of_vector(loaded(x + k, n_bytes));                                 \
    memcpy(results + k, &vector, n_bytes);                                                         \
  }
#endif

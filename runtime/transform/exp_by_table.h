/* exp_by_table.h: exp of doubles whose results are normal numbers, in vectors; for one instruction
 * set (sets.h), with the same bits in each.
 *
 *   x = (16 k + j) ln 2 / 16 + r,  |r| <= ln 2 / 32,  exp x = 2^k 2^(j/16) exp r
 *
 * For such a small r the polynomial has half the length of the one in ddr/functions, and the error
 * of r does not matter.  The error is less than 0.7 ulp.
 */
#pragma once

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

#define PARTS_OF_LN_2 23.083120654223414 /* 16 / ln 2 */
#define LN_2_PART_HIGH 0x1.62e42fefap-5  /* ln 2 / 16, whose product with 16 k + j is exact */
#define LN_2_PART_LOW 0x1.cf79abc9e3b3ap-44

/* (exp r - 1 - r) / r^2, accurate to 2^-56 of exp r */
#define EXP_SMALL_POLY(r)                                                                          \
  DDR_POLY5(r, 0.49999999999999606, 0.1666666666441707, 0.041666666693259455,                      \
            0.008333471948511046, 0.0013888594020624078)

/* The bits of 2^(j/16) minus j << 48: adding (16 k + j) << 48 adds k to the exponent and restores
 * them. */
static const uint64_t powers[16] = {
    0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b, 0x3fef387a6e756238,
    0x3fef06fe0a31b715, 0x3feedea64c123422, 0x3feebfdad5362a27, 0x3feeab07dd485429,
    0x3feea09e667f3bcd, 0x3feea11473eb0187, 0x3feeace5422aa0db, 0x3feec49182a3f090,
    0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487, 0x3fefa4afa2a490da,
};

/* The relative error of those powers. */
static const double lacking[16] = {
    0x0p+0,
    0x1.79aa65d837b6cp-54,
    -0x1.01b15eaa59348p-55,
    0x1.68efde3a8a893p-54,
    0x1.34d754db0abb6p-55,
    0x1.59f48a72a4c6cp-55,
    0x1.690cebb7aafbp-56,
    0x1.063e1e21c5409p-54,
    -0x1.3b3efbf5e2229p-54,
    -0x1.b32dcb94da51dp-56,
    0x1.db72fc1f0eab4p-55,
    0x1.1affc2b91ce27p-56,
    0x1.c1a7792cb3386p-55,
    0x1.36eae30af0cb3p-56,
    0x1.4a385a63d07a7p-56,
    -0x1.ff7128fd391f1p-55,
};

/* For each lane, the table entry given by its last four bits. */
static inline Words look_up(const void *table, Words at) {
#if defined(__AVX512F__)
  const __m512i first = _mm512_loadu_si512(table);
  const __m512i second = _mm512_loadu_si512((const char *)table + sizeof first);
  return (Words)_mm512_permutex2var_epi64(first, (__m512i)at, second);
#elif defined(__AVX2__)
  return (Words)_mm256_i64gather_epi64(table, (__m256i)(at & 15), sizeof(uint64_t));
#else
  for (int lane = 0; lane < LANES; lane++)
    memcpy((char *)&at + lane * 8, (const char *)table + (at[lane] & 15) * 8, 8);
  return at;
#endif
}

/* |x| is at most 703: below -703, what is added to a power of 2 is subnormal and loses digits. */
static inline Reals exp_of_vector(Reals x) {
  const Reals with_parts = x * PARTS_OF_LN_2 + DDR_ROUNDER, n = with_parts - DDR_ROUNDER;
  const Words parts = (Words)with_parts;
  const Reals none = {0};
  const Reals r = FUSED(-n, none + LN_2_PART_HIGH, x) - n * LN_2_PART_LOW;
  const Reals of_r = r + r * r * EXP_SMALL_POLY(r); /* exp r - 1 */
  const Reals power = (Reals)(look_up(powers, parts) + (parts << 48));
  return power + power * ((Reals)look_up(lacking, parts) + of_r);
}

static inline Reals loaded(const double *x, size_t n_bytes) {
  Reals vector = {0};
  memcpy(&vector, x, n_bytes);
  return vector;
}

/* The results may overwrite x. */
static void exp_of_ordinary(const double *x, double *results, int64_t n) {
  int64_t k = 0;
  for (; k + LANES <= n; k += LANES) {
    const Reals vector = exp_of_vector(loaded(x + k, sizeof(Reals)));
    memcpy(results + k, &vector, sizeof vector);
  }
  if (k == n) return;
  const size_t n_bytes = (size_t)(n - k) * sizeof(double);
  const Reals vector = exp_of_vector(loaded(x + k, n_bytes));
  memcpy(results + k, &vector, n_bytes);
}
#endif

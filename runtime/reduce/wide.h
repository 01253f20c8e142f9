/* wide.h: exact sums of 64-bit integers, and of their squares, for any number of them.
 *
 * Words of 64 bits, the least significant first.  The sum of 2^63 numbers fits 128 bits, that of
 * their squares 192.  Elements are split into halves of 32 bits; sums of 2^30 halves need no carry,
 * so loops can be vectorised.  Compiles as C17, C++17 and CUDA.  Read next: wide.c (the quotients).
 */
#pragma once

#include "runtime/element/truth.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ddr_wide {
  uint64_t sum[2]; /* two's complement */
  uint64_t squares[3];
} ddr_wide;

#define DDR_NO_WIDE                                                                                \
  {                                                                                                \
    {0, 0}, { 0, 0, 0 }                                                                            \
  }

/* Sums of the halves to be multiplied by 2^0, 2^32, 2^64, 2^96. */
typedef struct ddr_wide_halves {
  uint64_t sums[2], squares[4], n_negative;
} ddr_wide_halves;

/* Adds an integer, given by its two's complement and its absolute value; the latter is 0 to omit
 * squares. */
DDR_FN void ddr_wide_take(ddr_wide_halves *halves, uint64_t bits, bool is_negative, uint64_t size) {
  const uint64_t half = UINT32_MAX, low = size & half, high = size >> 32;
  const uint64_t lows = low * low, mixed = low * high, highs = high * high;
  halves->sums[0] += bits & half;
  halves->sums[1] += bits >> 32;
  halves->n_negative += is_negative;
  halves->squares[0] += lows & half;
  halves->squares[1] += (lows >> 32) + 2 * (mixed & half);
  halves->squares[2] += 2 * (mixed >> 32) + (highs & half);
  halves->squares[3] += highs >> 32;
}

DDR_FN void ddr_words_add(uint64_t *words, const uint64_t *others, int n) {
  uint64_t carry = 0;
  for (int k = 0; k < n; k++) {
    const uint64_t carried = words[k] + carry;
    carry = carried < carry;
    words[k] = carried + others[k];
    carry += words[k] < carried;
  }
}

DDR_FN void ddr_words_add_halves(uint64_t *words, int n, const uint64_t *halves, int n_halves) {
  for (int k = 0; k < n_halves; k++) {
    uint64_t next[3] = {0, 0, 0};
    next[k / 2] = k % 2 == 0 ? halves[k] : halves[k] << 32;
    if (k % 2 == 1) next[k / 2 + 1] = halves[k] >> 32;
    ddr_words_add(words, next, n);
  }
}

DDR_FN ddr_wide ddr_wide_of(const ddr_wide_halves *halves) {
  ddr_wide wide = DDR_NO_WIDE;
  ddr_words_add_halves(wide.sum, 2, halves->sums, 2);
  wide.sum[1] -= halves->n_negative; /* each negative number counted 2^64 too much */
  ddr_words_add_halves(wide.squares, 3, halves->squares, 4);
  return wide;
}

DDR_FN ddr_wide ddr_wide_add(ddr_wide a, ddr_wide b) {
  ddr_words_add(a.sum, b.sum, 2);
  ddr_words_add(a.squares, b.squares, 3);
  return a;
}

/* Sums one block, like DDR_INTEGER_FN. */
#define DDR_WIDE_FN(name, element, is_negative, size)                                              \
  DDR_FN ddr_wide name(const element *x, int64_t n) {                                              \
    ddr_wide_halves halves = {{0, 0}, {0, 0, 0, 0}, 0};                                            \
    for (int64_t k = 0; k < n; k++)                                                                \
      ddr_wide_take(&halves, (uint64_t)DDR_VALUE(x[k]), is_negative, size);                        \
    return ddr_wide_of(&halves);                                                                   \
  }

#ifdef __cplusplus
extern "C" {
#endif

/* The mean of n >= 1 integers; the exact number rounded once.  The variance is that of the
 * population. */
double ddr_wide_mean(const ddr_wide *wide, int64_t n);
double ddr_wide_variance(const ddr_wide *wide, int64_t n);

#ifdef __cplusplus
}
#endif

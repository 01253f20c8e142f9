/* Exact mean and variance of ints: sums of powers of 10^9, long division to more digits than a
 * double has, converted by the C library. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef __int128 Exact;

enum {
  EXACT_BASE = 1000000000,
  EXACT_MOST = 14, /* powers of the base */
  EXACT_PLACES = 5 /* of the base, after the point */
};

/* The sum of at[k] * 10^(9k). */
typedef struct ExactSum {
  Exact at[EXACT_MOST];
} ExactSum;

static inline void exact_split(Exact x, Exact parts[3]) {
  for (int k = 0; k < 3; k++) {
    parts[k] = x % EXACT_BASE;
    x /= EXACT_BASE;
  }
}

static inline void exact_add_product(ExactSum *sum, const Exact *a, const Exact *b, int n,
                                     Exact times) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) sum->at[i + k] += a[i] * b[k] * times;
}

/* Normalises digits to 0 .. 10^9 - 1, except the first, which has the sign. */
static inline void exact_carry(ExactSum *sum) {
  for (int k = 0; k + 1 < EXACT_MOST; k++) {
    Exact digit = sum->at[k] % EXACT_BASE;
    if (digit < 0) digit += EXACT_BASE;
    sum->at[k + 1] += (sum->at[k] - digit) / EXACT_BASE;
    sum->at[k] = digit;
  }
}

/* The quotient as the nearest double. */
static inline double exact_quotient(ExactSum sum, int64_t divisor) {
  char text[9 * (EXACT_MOST + EXACT_PLACES) + 4], *end = text;
  Exact rest = 0;
  exact_carry(&sum);
  const int is_negative = sum.at[EXACT_MOST - 1] < 0;
  for (int k = 0; k < EXACT_MOST && is_negative; k++) sum.at[k] = -sum.at[k];
  if (is_negative) exact_carry(&sum);
  for (int k = EXACT_MOST - 1; k >= -EXACT_PLACES; k--) {
    if (k == -1) *end++ = '.';
    rest = rest * EXACT_BASE + (k < 0 ? 0 : sum.at[k]);
    end += sprintf(end, "%09lld", (long long)(rest / divisor));
    rest %= divisor;
  }
  *end++ = rest != 0 ? '1' : '0';
  *end = '\0';
  const double size = strtod(text, NULL);
  return is_negative ? -size : size;
}

static inline double exact_mean(const Exact *x, int64_t n) {
  ExactSum sum = {{0}};
  for (int64_t k = 0; k < n; k++) sum.at[0] += x[k];
  return exact_quotient(sum, n);
}

/* (n * sum of squares - square of the sum) / n^2, n below 2^31 */
static inline double exact_variance(const Exact *x, int64_t n) {
  ExactSum sum = {{0}};
  Exact total[3] = {0, 0, 0};
  for (int64_t k = 0; k < n; k++) {
    Exact parts[3];
    exact_split(x[k], parts);
    exact_add_product(&sum, parts, parts, 3, n);
    for (int i = 0; i < 3; i++) total[i] += parts[i];
  }
  exact_add_product(&sum, total, total, 3, -1);
  return exact_quotient(sum, n * n);
}

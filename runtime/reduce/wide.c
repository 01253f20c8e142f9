/* wide.c: quotients of exact sums, rounded once. */
#include "runtime/reduce/wide.h"

#include <math.h>

enum { LIMBS = 8, BITS = 32 * LIMBS };

/* Limbs of 32 bits, the least first. */
typedef struct {
  uint32_t limbs[LIMBS];
} Natural;

static Natural natural_of(const uint64_t *words, int n) {
  Natural natural = {{0}};
  for (size_t k = 0; k < (size_t)n; k++) {
    natural.limbs[2 * k] = (uint32_t)words[k];
    natural.limbs[2 * k + 1] = (uint32_t)(words[k] >> 32);
  }
  return natural;
}

/* The product, if it and both factors are less than 2^256. */
static Natural product(const Natural *a, const Natural *b) {
  Natural made = {{0}};
  for (int i = 0; i < LIMBS; i++) {
    uint64_t carry = 0;
    for (int k = 0; i + k < LIMBS; k++) {
      const uint64_t sum = (uint64_t)a->limbs[i] * b->limbs[k] + made.limbs[i + k] + carry;
      made.limbs[i + k] = (uint32_t)sum;
      carry = sum >> 32;
    }
  }
  return made;
}

/* The difference, for a >= b. */
static Natural difference(const Natural *a, const Natural *b) {
  Natural made;
  uint64_t borrow = 0;
  for (int k = 0; k < LIMBS; k++) {
    const uint64_t rest = (uint64_t)a->limbs[k] - b->limbs[k] - borrow;
    made.limbs[k] = (uint32_t)rest;
    borrow = rest >> 63;
  }
  return made;
}

static bool bit_of(const Natural *a, int at) { return a->limbs[at / 32] >> (at % 32) & 1u; }

/* Whether a bit below `at` is set. */
static bool has_bits_below(const Natural *a, int at) {
  for (int k = 0; k < at; k++)
    if (bit_of(a, k)) return true;
  return false;
}

static int n_bits(const Natural *a) {
  int n = BITS;
  while (n > 0 && !bit_of(a, n - 1)) n--;
  return n;
}

static uint64_t word_of(const Natural *a, size_t k) {
  return a->limbs[2 * k] | (uint64_t)a->limbs[2 * k + 1] << 32;
}

/* a / b rounded to the nearest double, ties to even; 0 < b < 2^127.  64 bits of the quotient are
 * computed, the last of which is set if any later bit is; then these are rounded. */
static double quotient(const Natural *a, const Natural *b) {
  const uint64_t b_low = word_of(b, 0), b_high = word_of(b, 1);
  uint64_t low = 0, high = 0, digits = 0; /* the remainder, the quotient */
  int at = n_bits(a);
  if (at <= 53 && b_high == 0 && b_low >> 53 == 0) return (double)word_of(a, 0) / (double)b_low;
  while (digits >> 63 == 0 && (at > 0 || low != 0 || high != 0)) {
    at--;
    high = high << 1 | low >> 63;
    low = low << 1 | (at >= 0 && bit_of(a, at));
    const bool fits = high > b_high || (high == b_high && low >= b_low);
    digits = digits << 1 | fits;
    if (!fits) continue;
    high -= b_high + (low < b_low);
    low -= b_low;
  }
  const bool is_inexact = low != 0 || high != 0 || has_bits_below(a, at);
  return ldexp((double)(digits | is_inexact), at);
}

/* The absolute value of the sum. */
static Natural size_of_sum(const ddr_wide *wide) {
  uint64_t words[2] = {wide->sum[0], wide->sum[1]};
  if (words[1] >> 63 != 0) {
    words[0] = 0 - words[0];
    words[1] = ~words[1] + (words[0] == 0);
  }
  return natural_of(words, 2);
}

double ddr_wide_mean(const ddr_wide *wide, int64_t n) {
  const uint64_t count = (uint64_t)n;
  const Natural size = size_of_sum(wide), divisor = natural_of(&count, 1);
  const double mean = quotient(&size, &divisor);
  return wide->sum[1] >> 63 != 0 ? -mean : mean;
}

/* (n * sum of squares - square of the sum) / n^2 */
double ddr_wide_variance(const ddr_wide *wide, int64_t n) {
  const uint64_t count = (uint64_t)n;
  const Natural of_n = natural_of(&count, 1), sum = size_of_sum(wide);
  const Natural squares = natural_of(wide->squares, 3);
  const Natural scaled = product(&of_n, &squares), square = product(&sum, &sum);
  const Natural dividend = difference(&scaled, &square), divisor = product(&of_n, &of_n);
  return quotient(&dividend, &divisor);
}

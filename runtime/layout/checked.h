/* checked.h: 64-bit arithmetic that reports overflow, and arithmetic modulo 2^64.
 *
 * A layout without elements may have any strides and offsets, as nothing reads them; sums with them
 * wrap around instead of being undefined. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* *sum is written where the result fits. */
static inline bool checked_add(int64_t a, int64_t b, int64_t *sum) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return false;
  *sum = a + b;
  return true;
}

static inline uint64_t magnitude(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

static inline bool checked_mul(int64_t a, int64_t b, int64_t *product) {
  const uint64_t limit = (uint64_t)INT64_MAX + ((a < 0) != (b < 0));
  if (a != 0 && magnitude(b) > limit / magnitude(a)) return false;
  *product = (int64_t)((uint64_t)a * (uint64_t)b);
  return true;
}

static inline int64_t wrapping_add(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrapping_mul(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

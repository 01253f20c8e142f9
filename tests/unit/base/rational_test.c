/* Rational: the laws of a field on all small fractions, and single rounding to double. */
#include "frontend/base/rational.h"

#include "tests/unit/test.h"

enum { SMALL = 6 };

static bool is_reduced(Rational r) {
  if (r.den <= 0) return false;
  int64_t a = r.num < 0 ? -r.num : r.num, b = r.den;
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a == 1;
}

static void reduces(void) {
  for (int64_t num = -20; num <= 20; num++)
    for (int64_t den = -20; den <= 20; den++) {
      if (den == 0) continue;
      Rational r = rational(num, den);
      CHECK(is_reduced(r));
      CHECK_EQ(r.num * den, r.den * num);
    }
  CHECK(rational_eq(rational(INT64_MIN, INT64_MIN), RATIONAL(1, 1)));
  CHECK(rational_eq(rational(INT64_MIN, 2), RATIONAL(INT64_MIN / 2, 1)));
}

/* Sum and product against their definition by cross multiplication. */
static void operations_match_their_definition(void) {
  for (int64_t p = -SMALL; p <= SMALL; p++)
    for (int64_t q = 1; q <= SMALL; q++)
      for (int64_t r = -SMALL; r <= SMALL; r++)
        for (int64_t s = 1; s <= SMALL; s++) {
          Rational a = rational(p, q), b = rational(r, s);
          CHECK(rational_eq(rational_add(a, b), rational(p * s + r * q, q * s)));
          CHECK(rational_eq(rational_sub(a, b), rational(p * s - r * q, q * s)));
          CHECK(rational_eq(rational_mul(a, b), rational(p * r, q * s)));
          if (r != 0) CHECK(rational_eq(rational_div(a, b), rational(p * s, q * r)));
        }
}

static void laws_hold(void) {
  for (int64_t n = -SMALL; n <= SMALL; n++)
    for (int64_t d = 1; d <= SMALL; d++) {
      Rational a = rational(n, d), b = rational(d, SMALL + 1), c = rational(n + 1, d + 2);
      CHECK(rational_is_zero(rational_add(a, rational_neg(a))));
      CHECK(rational_eq(rational_mul(a, rational_add(b, c)),
                        rational_add(rational_mul(a, b), rational_mul(a, c))));
      if (n != 0) CHECK(rational_eq(rational_div(a, a), RATIONAL(1, 1)));
    }
}

/* Intermediate products far beyond 64 bits, results that fit. */
static void cancels_before_multiplying(void) {
  const int64_t big = INT64_C(4000000000000000000);
  CHECK(rational_eq(rational_mul(rational(big, 3), rational(9, big)), RATIONAL(3, 1)));
  CHECK(rational_eq(rational_add(rational(1, big), rational(1, big)), rational(2, big)));
  CHECK(rational_eq(rational_mul(RATIONAL(INT64_MIN, 1), RATIONAL(1, 1)), RATIONAL(INT64_MIN, 1)));
}

static void converts_with_one_rounding(void) {
  for (int64_t n = -50; n <= 50; n++)
    for (int64_t d = 1; d <= 50; d++) /* both exact in a double: IEEE division rounds once */
      CHECK(rational_to_double(rational(n, d)) == (double)n / (double)d);
  CHECK(rational_to_double(RATIONAL(INT64_MAX, 1)) == 0x1p63);
  CHECK(rational_to_double(RATIONAL(INT64_MIN, 1)) == -0x1p63);
  /* Ties to even, and just off a tie: 2^53 + 1 over 1, then over 3 with a remainder. */
  CHECK(rational_to_double(RATIONAL((INT64_C(1) << 53) + 1, 1)) == 0x1p53);
  CHECK(rational_to_double(RATIONAL((INT64_C(1) << 53) + 3, 1)) == 0x1p53 + 4);
  CHECK(rational_to_double(RATIONAL((INT64_C(1) << 54) * 3 / 2 + 1, INT64_C(1) << 54)) == 1.5);
  /* (3 (2^53 + 1) + 1) / 3 lies above the tie at 2^53 + 1; rounding both parts first misses it. */
  CHECK(rational_to_double(rational(3 * ((INT64_C(1) << 53) + 1) + 1, 3)) == 0x1p53 + 2);
  CHECK(rational_to_double(RATIONAL(1, INT64_MAX)) == 0x1p-63);
}

int main(void) {
  RUN(reduces);
  RUN(operations_match_their_definition);
  RUN(laws_hold);
  RUN(cancels_before_multiplying);
  RUN(converts_with_one_rounding);
  return test_result();
}

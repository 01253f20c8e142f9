/* Rational: every product and sum is checked before it is formed; operands are reduced against each
 * other first, so that an overflow means the result itself is large.
 */
#include "frontend/base/rational.h"

#include <math.h>

#include "frontend/base/panic.h"

static uint64_t magnitude(int64_t v) { return v < 0 ? UINT64_C(0) - (uint64_t)v : (uint64_t)v; }

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The greatest common divisor of two numbers, one of which is neither zero nor INT64_MIN. */
static int64_t gcd_signed(int64_t a, int64_t b) { return (int64_t)gcd(magnitude(a), magnitude(b)); }

static int64_t negate(int64_t a) {
  if (a == INT64_MIN) BUG(NULL, "rational overflow in negation");
  return -a;
}

static int64_t multiply(int64_t a, int64_t b) {
  uint64_t size_a = magnitude(a), size_b = magnitude(b);
  bool is_negative = (a < 0) != (b < 0);
  uint64_t limit = (uint64_t)INT64_MAX + is_negative;
  if (size_a != 0 && size_b > limit / size_a) BUG(NULL, "rational overflow in multiplication");
  uint64_t size = size_a * size_b;
  if (!is_negative) return (int64_t)size;
  return size == 0 ? 0 : -(int64_t)(size - 1) - 1;
}

static int64_t add(int64_t a, int64_t b) {
  bool fits = b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b;
  if (!fits) BUG(NULL, "rational overflow in addition");
  return a + b;
}

Rational rational(int64_t num, int64_t den) {
  if (den == 0) BUG(NULL, "rational with denominator 0");
  if (num == 0) return (Rational){0, 1};
  uint64_t common = gcd(magnitude(num), magnitude(den));
  if (common > INT64_MAX) return (Rational){1, 1}; /* both INT64_MIN */
  num /= (int64_t)common;
  den /= (int64_t)common;
  return den < 0 ? (Rational){negate(num), negate(den)} : (Rational){num, den};
}

Rational rational_add(Rational a, Rational b) {
  int64_t common = gcd_signed(a.den, b.den);
  int64_t num = add(multiply(a.num, b.den / common), multiply(b.num, a.den / common));
  if (num == 0) return (Rational){0, 1};
  int64_t rest = gcd_signed(num, common); /* what is left to cancel divides common */
  return (Rational){num / rest, multiply(a.den / common, b.den / rest)};
}

Rational rational_sub(Rational a, Rational b) { return rational_add(a, rational_neg(b)); }

Rational rational_mul(Rational a, Rational b) {
  int64_t cross_ab = gcd_signed(a.num, b.den), cross_ba = gcd_signed(b.num, a.den);
  return (Rational){multiply(a.num / cross_ab, b.num / cross_ba),
                    multiply(a.den / cross_ba, b.den / cross_ab)};
}

Rational rational_div(Rational a, Rational b) {
  if (b.num == 0) BUG(NULL, "rational division by 0");
  Rational inverse = b.num < 0 ? (Rational){-b.den, negate(b.num)} : (Rational){b.den, b.num};
  return rational_mul(a, inverse);
}

Rational rational_neg(Rational a) { return (Rational){negate(a.num), a.den}; }

bool rational_eq(Rational a, Rational b) { return a.num == b.num && a.den == b.den; }

bool rational_is_zero(Rational a) { return a.num == 0; }

/* Long division in binary until the quotient has 56 bits. The remainder only decides ties, so it
 * becomes one sticky bit below the 53 bits of a double. The conversion is the only rounding. */
double rational_to_double(Rational a) {
  uint64_t den = (uint64_t)a.den;
  uint64_t quotient = magnitude(a.num) / den, rest = magnitude(a.num) % den;
  int exponent = 0;
  if (a.num == 0) return 0.0;
  for (; quotient >> 55 == 0; exponent--) {
    rest *= 2;
    bool bit = rest >= den;
    if (bit) rest -= den;
    quotient = quotient << 1 | bit;
  }
  double size = ldexp((double)(quotient | (rest != 0)), exponent);
  return a.num < 0 ? -size : size;
}

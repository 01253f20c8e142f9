/* Rational: exact fractions of 64-bit integers, always reduced, den > 0.
 * An operation whose exact result does not fit (for sums: over the common denominator) is a panic:
 * kernel tables are small and known.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Rational {
  int64_t num, den;
} Rational;

#define RATIONAL(n, d) ((Rational){(n), (d)}) /* for tables: n/d already reduced, d > 0 */

Rational rational(int64_t num, int64_t den); /* reduced; den != 0 */
Rational rational_add(Rational a, Rational b);
Rational rational_sub(Rational a, Rational b);
Rational rational_mul(Rational a, Rational b);
Rational rational_div(Rational a, Rational b); /* b != 0 */
Rational rational_neg(Rational a);
bool rational_eq(Rational a, Rational b);
bool rational_is_zero(Rational a);
double rational_to_double(Rational a); /* the double nearest to num/den */

/* Bounds of columns: those of a plain loop over the finite numbers, for any length and any places
 * of infinite numbers and NaN. */
#include "runtime/src/strands/survey.h"

#include <math.h>

#include "tests/unit/test.h"

enum { MOST = 40 };

static uint32_t random_state = 1;
static uint32_t random_bits(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 16;
}

/* -9 .. 9, now and then halved. */
static double small_number(void) {
  return (double)((int)(random_bits() % 19) - 9) / (1 + random_bits() % 2);
}

static double any_number(int round) {
  static const double odd[] = {INFINITY, -(double)INFINITY, NAN, 1e30};
  return random_bits() % 5 < (unsigned)(round % 4) ? odd[random_bits() % 4] : small_number();
}

static void check_bounds(const double *x, int n) {
  float narrow[MOST];
  double want_lo = INFINITY, want_hi = -(double)INFINITY, lo, hi;
  for (int k = 0; k < n; k++) {
    narrow[k] = (float)x[k];
    if (isfinite(x[k])) want_lo = fmin(want_lo, x[k]), want_hi = fmax(want_hi, x[k]);
  }
  ddr_bounds_double(x, n, &lo, &hi);
  CHECK(lo == want_lo && hi == want_hi);
  ddr_bounds_float(narrow, n, &lo, &hi);
  CHECK(lo == (double)(float)want_lo && hi == (double)(float)want_hi);
}

static void bounds_are_those_of_finite_numbers(void) {
  double x[MOST];
  for (int round = 0; round < 400; round++) {
    for (int k = 0; k < MOST; k++) x[k] = any_number(round);
    check_bounds(x, round % (MOST + 1));
  }
}

static void columns_without_finite_numbers_have_no_bounds(void) {
  const double none[] = {NAN, INFINITY, -(double)INFINITY, NAN, INFINITY};
  for (int n = 0; n <= 5; n++) check_bounds(none, n);
}

int main(void) {
  RUN(bounds_are_those_of_finite_numbers);
  RUN(columns_without_finite_numbers_have_no_bounds);
  return test_result();
}

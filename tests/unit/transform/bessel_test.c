/* Bessel transforms against a table of nearest doubles and, over the whole line, against sums in
 * long double by other formulas: up to 200 by the series of I0 and I1, then by their integrals over
 * the circle,
 *
 *   e^-x I0(x) = 1/(2 pi) integral of exp(-2 x sin^2(t/2)) dt,   I1: times cos t,
 *
 * for which the trapezoidal rule converges faster than any power, then by the leading terms for
 * large x; all others are below the precision of a long double.
 */
#include <float.h>

#include "runtime/transform/bessel.h"
#include "tests/unit/vectors.h"

static double error_in_ulp(double found, long double want) {
  const double near = fabs((double)want);
  return (double)(fabsl((long double)found - want) /
                  (long double)(nextafter(near, (double)INFINITY) - near));
}

static double error_in_float_ulp(float found, long double want) {
  const float near = fabsf((float)want);
  return (double)(fabsl((long double)found - want) /
                  (long double)(nextafterf(near, INFINITY) - near));
}

/* --- the table -------------------------------------------------------------------------------- */

static void nearest_doubles(void) {
  Vector v;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/transform/bessel.txt");
  for (; vectors_next(file, &v); n_rows++) {
    const double x = strtod(v.field[1], NULL), log_0 = strtod(v.field[2], NULL);
    const double ratio = strtod(v.field[3], NULL);
    CHECK(error_in_ulp(ddr_bessel_log_0(x), (long double)log_0) <= 4);
    CHECK(error_in_ulp(ddr_bessel_1_0(x), (long double)ratio) <= 4);
    CHECK(error_in_ulp(ddr_bessel_log_0(-x), (long double)log_0) <= 4);
    CHECK(error_in_ulp(ddr_bessel_1_0(-x), -(long double)ratio) <= 4);
    if ((double)(float)x != x) continue;
    CHECK(error_in_float_ulp((float)ddr_bessel_log_0(x), (long double)log_0) <= 1);
    CHECK(error_in_float_ulp((float)ddr_bessel_1_0(x), (long double)ratio) <= 1);
  }
  vectors_close(file);
  CHECK_EQ(n_rows, 17);
}

/* --- the whole line --------------------------------------------------------------------------- */

typedef struct {
  long double log_0, ratio;
} Wanted;

/* log1p of all terms but the first; they are positive. */
static Wanted by_series(long double x) {
  const long double q = x * x / 4;
  long double term = 1, tail = 0, term_1 = x / 2, sum_1 = 0;
  for (int k = 1; k < 1000; k++) {
    sum_1 += term_1;
    term *= q / ((long double)k * k);
    tail += term;
    term_1 *= q / ((long double)k * (k + 1));
    if ((long double)k > x && term < tail * 1e-25L) break;
  }
  return (Wanted){log1pl(tail), sum_1 / (1 + tail)};
}

static const long double two_pi = 6.28318530717958647692528676655900577L;

static Wanted by_integral(long double x) {
  const long double step = 0.5L / sqrtl(x);
  long double sum = 0, below_1 = 0;
  for (int j = -30; j <= 30; j++) {
    const long double sine = sinl((long double)j * step / 2), weight = expl(-2 * x * sine * sine);
    sum += weight;
    below_1 += 2 * sine * sine * weight;
  }
  return (Wanted){x + logl(step * sum / two_pi), 1 - below_1 / sum};
}

static Wanted wanted(double at) {
  const long double x = fabsl((long double)at);
  Wanted result = {x - (logl(x) + logl(two_pi)) / 2, 1 - 1 / (2 * x)};
  if (x < 1e15L) result = by_integral(x);
  if (x <= 200) result = by_series(x);
  if (at < 0) result.ratio = -result.ratio;
  return result;
}

/* Both formulas where both are valid. */
static void oracles_agree(void) {
  for (int k = 0; k < 270; k++) {
    const long double x = 100 + 0.37L * k;
    const Wanted a = by_series(x), b = by_integral(x);
    CHECK(fabsl(a.log_0 - b.log_0) <= 1e-17L * a.log_0);
    CHECK(fabsl(a.ratio - b.ratio) <= 1e-17L);
  }
}

static uint64_t state = 20;

static double chance(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

static void check_at(double x) {
  const Wanted want = wanted(x);
  const double log_0 = ddr_bessel_log_0(x), ratio = ddr_bessel_1_0(x);
  const bool is_good = error_in_ulp(log_0, want.log_0) <= 4 &&
                       error_in_ulp(ratio, want.ratio) <= 4 && fabs(ratio) <= 1;
  if (!CHECK(is_good)) fprintf(stderr, "  at %a: %a, %a\n", x, log_0, ratio);
  const float single = (float)x;
  if (isinf(single)) return;
  const Wanted float_want = wanted((double)single);
  CHECK(error_in_float_ulp((float)ddr_bessel_log_0((double)single), float_want.log_0) <= 1);
  CHECK(error_in_float_ulp((float)ddr_bessel_1_0((double)single), float_want.ratio) <= 1);
}

static void whole_line(void) {
  for (int k = 0; k < (int)test_rounds(12000); k++) {
    const double sign = k % 2 == 0 ? 1 : -1;
    check_at(sign * pow(10, 600 * chance() - 300)); /* all magnitudes */
    check_at(sign * pow(10, 10 * chance() - 5));
    check_at(sign * 60 * chance());
  }
  for (int k = -50; k <= 50; k++) check_at(24 + k * 0x1p-40); /* around the change of formula */
}

static void special_values(void) {
  const double inf = (double)INFINITY, nan = (double)NAN;
  CHECK(ddr_bessel_log_0(0) == 0 && ddr_bessel_log_0(-0.0) == 0);
  CHECK(ddr_bessel_1_0(0) == 0 && !signbit(ddr_bessel_1_0(0.0)) && signbit(ddr_bessel_1_0(-0.0)));
  CHECK(ddr_bessel_log_0(inf) == inf && ddr_bessel_log_0(-inf) == inf);
  CHECK(ddr_bessel_1_0(inf) == 1 && ddr_bessel_1_0(-inf) == -1);
  CHECK(isnan(ddr_bessel_log_0(nan)) && isnan(ddr_bessel_1_0(nan)));
  CHECK(ddr_bessel_log_0(1e-300) == 0);
  CHECK(ddr_bessel_1_0(1e-300) == 0.5e-300 && ddr_bessel_1_0(-1e300) == -1);
  CHECK(ddr_bessel_log_0(DBL_MAX) == DBL_MAX);
  CHECK(ddr_bessel_1_0(0x1p-1073) == 0x1p-1074);
}

int main(void) {
  if (LDBL_MANT_DIG < 64) return 77; /* without more digits than a double, there is no oracle */
  RUN(nearest_doubles);
  RUN(oracles_agree);
  RUN(whole_line);
  RUN(special_values);
  return test_result();
}

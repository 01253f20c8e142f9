/* Moduli and quotients of complex numbers have the bits of their definitions in
 * runtime/element/complex.h, expressed with frexp and ldexp: for arbitrary bits, and numbers from
 * the smallest to the largest. */
#include "runtime/element/complex.h"
#include "tests/unit/test.h"

/* --- what is meant ---------------------------------------------------------------------------- */

static double modulus_by_steps(ddr_complex_double z) {
  double a = fabs(z.re), b = fabs(z.im);
  int exponent;
  if (isnan(a) || isnan(b)) return (double)NAN;
  if (isinf(a) || isinf(b)) return (double)INFINITY;
  if (a < b) {
    const double larger = b;
    b = a;
    a = larger;
  }
  if (a == 0) return 0;
  a = frexp(a, &exponent);
  b = ldexp(b, -exponent);
  return ldexp(sqrt(fma(a, a, b * b)), exponent);
}

#define QUOTIENT(part, frexp_fn, ldexp_fn, fabs_fn)                                                \
  static ddr_complex_##part part##_quotient(ddr_complex_##part x, ddr_complex_##part y) {          \
    int exponent = 0;                                                                              \
    const part larger = fabs_fn(y.re) < fabs_fn(y.im) ? y.im : y.re;                               \
    if (isfinite(larger)) (void)frexp_fn(larger, &exponent);                                       \
    const part c = ldexp_fn(y.re, -exponent), d = ldexp_fn(y.im, -exponent);                       \
    const part square = c * c + d * d;                                                             \
    const part re = (x.re * c + x.im * d) / square, im = (x.im * c - x.re * d) / square;           \
    return (ddr_complex_##part){ldexp_fn(re, -exponent), ldexp_fn(im, -exponent)};                 \
  }
QUOTIENT(float, frexpf, ldexpf, fabsf)
QUOTIENT(double, frexp, ldexp, fabs)

/* --- numbers ---------------------------------------------------------------------------------- */

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static const double special[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 (double)INFINITY,
                                 0x1p-1074,
                                 0x1p-1022,
                                 0x1p1023,
                                 0x1p-149,
                                 0x1p-126,
                                 0x1p127,
                                 3,
                                 0x1p-900,
                                 0x1p900,
                                 (double)NAN,
                                 0x1p-1000,
                                 0x1p-100,
                                 0x1p-1073,
                                 0x1.fffffffffffffp1023};
enum { N_SPECIAL = sizeof special / sizeof *special };

/* A special number, or arbitrary bits, or a number near 1. */
static double random_double(void) {
  const uint64_t kind = random_bits() % 8;
  if (kind == 0) return special[random_bits() % N_SPECIAL];
  if (kind < 5) return ddr_double_of_bits(random_bits());
  return ldexp((double)(int64_t)random_bits(), (int)(random_bits() % 40) - 82);
}

static float random_float(void) {
  const uint64_t kind = random_bits() % 8;
  if (kind < 5 && kind > 0) return ddr_float_of_bits((uint32_t)random_bits());
  const double x = random_double();
  return fabs(x) < 0x1p127 ? (float)x : (float)INFINITY;
}

static bool same_double(double a, double b) {
  return (isnan(a) && isnan(b)) || ddr_bits_of_double(a) == ddr_bits_of_double(b);
}

static bool same_float(float a, float b) {
  return (isnan(a) && isnan(b)) || ddr_bits_of_float(a) == ddr_bits_of_float(b);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void doubles(void) {
  for (uint32_t round = 0; round < test_rounds(2000000); round++) {
    const ddr_complex_double x = {random_double(), random_double()};
    ddr_complex_double y = {random_double(), random_double()};
    if (random_bits() % 4 == 0) y.im = ldexp(y.re, (int)(random_bits() % 2200) - 1100);
    const ddr_complex_double found = ddr_div_double(x, y), want = double_quotient(x, y);
    const bool is_good = same_double(found.re, want.re) && same_double(found.im, want.im);
    if (!CHECK(is_good)) fprintf(stderr, "  (%a, %a) / (%a, %a)\n", x.re, x.im, y.re, y.im);
    if (!CHECK(same_double(ddr_modulus_double(y), modulus_by_steps(y))))
      fprintf(stderr, "  |(%a, %a)|\n", y.re, y.im);
  }
}

static void floats(void) {
  for (uint32_t round = 0; round < test_rounds(2000000); round++) {
    const ddr_complex_float x = {random_float(), random_float()};
    ddr_complex_float y = {random_float(), random_float()};
    const ddr_complex_float found = ddr_div_float(x, y), want = float_quotient(x, y);
    const bool is_good = same_float(found.re, want.re) && same_float(found.im, want.im);
    if (!CHECK(is_good))
      fprintf(stderr, "  (%a, %a) / (%a, %a)\n", (double)x.re, (double)x.im, (double)y.re,
              (double)y.im);
    const double re = (double)y.re, im = (double)y.im;
    const float modulus = (float)sqrt(re * re + im * im);
    CHECK(same_float(ddr_modulus_float(y), isnan(re) || isnan(im) ? NAN : modulus));
  }
}

int main(void) {
  RUN(doubles);
  RUN(floats);
  return test_result();
}

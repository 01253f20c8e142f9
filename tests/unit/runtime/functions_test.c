/* The math.h functions that are implemented in ddr/functions/ against MPFR, and the rules of C99
 * Annex F for zeros, infinities, NaN and subnormal numbers. Every 8209th float is an argument, or,
 * where the test may be slow, every float; results that are not near by libm's doubles are compared
 * with MPFR. */
#include "ddr/scalar.h"
#include "tests/unit/test.h"

#if defined(DDR_HAS_MPFR)
#include <mpfr.h>
#endif

typedef ddr_real Fn1(ddr_real);
typedef ddr_real Fn2(ddr_real, ddr_real);

static ddr_real next(ddr_real x, ddr_real to) { return DDR_LIBM(nextafter)(x, to); }

/* --- Annex F ---------------------------------------------------------------------------------- */

#define INF ((ddr_real)INFINITY)
#define NONE ((ddr_real)NAN)
#define TINY DDR_BY_PRECISION(0x1p-149, 0x1p-1074)
#define LARGEST DDR_BY_PRECISION(0x1.fffffep127, 0x1.fffffffffffffp1023)

/* The same number with the same sign, or both NaN. */
static bool is_same(ddr_real a, ddr_real b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return a == b && signbit(a) == signbit(b);
}

typedef struct Row1 {
  ddr_real x, want;
} Row1;

static void check_rows1(const char *name, Fn1 *fn, const Row1 *rows, size_t n_rows) {
  for (size_t i = 0; i < n_rows; i++)
    if (!CHECK(is_same(fn(rows[i].x), rows[i].want)))
      fprintf(stderr, "%s(%a) is %a, expected %a\n", name, (double)rows[i].x, (double)fn(rows[i].x),
              (double)rows[i].want);
}
#define CHECK_ROWS1(name, ...)                                                                     \
  check_rows1(#name, ddr_##name, (const Row1[]){__VA_ARGS__},                                      \
              sizeof((const Row1[]){__VA_ARGS__}) / sizeof(Row1))

/* Odd functions whose derivative at 0 is 1. */
static void check_odd(const char *name, Fn1 *fn) {
  const Row1 rows[] = {{0, 0},         {DDR_R(-0.0), DDR_R(-0.0)}, {TINY, TINY},
                       {-TINY, -TINY}, {3 * TINY, 3 * TINY},       {NONE, NONE}};
  check_rows1(name, fn, rows, sizeof rows / sizeof *rows);
}

static void ends_of_exp_and_logarithms(void) {
  CHECK_ROWS1(exp, {0, 1}, {DDR_R(-0.0), 1}, {INF, INF}, {-INF, 0}, {NONE, NONE}, {TINY, 1},
              {-TINY, 1}, {LARGEST, INF}, {-LARGEST, 0});
  Fn1 *const logarithms[] = {ddr_log, ddr_log2, ddr_log10};
  const Row1 rows[] = {{0, -INF},  {DDR_R(-0.0), -INF}, {1, 0},       {-1, NONE},
                       {INF, INF}, {-INF, NONE},        {NONE, NONE}, {-TINY, NONE}};
  for (int i = 0; i < 3; i++) check_rows1("logarithm", logarithms[i], rows, 8);
  CHECK_ROWS1(log2, {2, 1}, {DDR_R(0.125), -3}, {TINY, DDR_BY_PRECISION(-149.0, -1074.0)},
              {DDR_BY_PRECISION(0x1p127, 0x1p1023), DDR_BY_PRECISION(127.0, 1023.0)});
  CHECK_ROWS1(log10, {10, 1}, {100, 2}, {1000, 3}, {DDR_R(1e10), 10});
}

static void ends_of_trigonometry(void) {
  check_odd("sin", ddr_sin);
  check_odd("tan", ddr_tan);
  CHECK_ROWS1(sin, {INF, NONE}, {-INF, NONE});
  CHECK_ROWS1(tan, {INF, NONE}, {-INF, NONE});
  CHECK_ROWS1(cos, {INF, NONE}, {-INF, NONE}, {0, 1}, {DDR_R(-0.0), 1}, {TINY, 1}, {NONE, NONE});
}

static void ends_of_arcs(void) {
  check_odd("asin", ddr_asin);
  check_odd("atan", ddr_atan);
  CHECK_ROWS1(asin, {1, DDR_HALF_PI}, {-1, -DDR_HALF_PI}, {next(1, 2), NONE}, {-2, NONE},
              {INF, NONE}, {-INF, NONE});
  CHECK_ROWS1(acos, {1, 0}, {-1, DDR_PI}, {0, DDR_HALF_PI}, {DDR_R(-0.0), DDR_HALF_PI},
              {next(1, 2), NONE}, {-2, NONE}, {INF, NONE}, {-INF, NONE}, {NONE, NONE});
  CHECK_ROWS1(atan, {INF, DDR_HALF_PI}, {-INF, -DDR_HALF_PI}, {LARGEST, DDR_HALF_PI},
              {1, DDR_QUARTER_PI});
}

/* Every pair of these: where no rule of Annex F applies, results are those of libm. */
static const ddr_real ends[] = {0,
                                DDR_R(-0.0),
                                1,
                                -1,
                                DDR_R(0.5),
                                DDR_R(-0.5),
                                2,
                                -2,
                                3,
                                -3,
                                TINY,
                                -TINY,
                                INF,
                                -INF,
                                NONE,
                                LARGEST,
                                -LARGEST,
                                DDR_R(-2.5),
                                DDR_DIGIT_LIMIT,
                                DDR_DIGIT_LIMIT + 1,
                                2 * DDR_DIGIT_LIMIT,
                                DDR_DIGIT_LIMIT - 1,
                                DDR_DIGIT_LIMIT / 2 + DDR_R(0.5),
                                DDR_R(64.0),
                                DDR_R(-63.0),
                                DDR_R(65.0),
                                DDR_BY_PRECISION(1e-20, 1e-200),
                                DDR_BY_PRECISION(1e20, 1e200)};
enum { N_ENDS = sizeof ends / sizeof *ends };

/* Exact, with signs, if either is 0, infinite or NaN; otherwise within one unit. */
static bool is_near(ddr_real found, ddr_real want) {
  if (is_same(found, want)) return true;
  return isfinite(want) && want != 0 && (next(want, INF) == found || next(want, -INF) == found);
}

static void check_ends2(const char *name, Fn2 *found, Fn2 *want) {
  for (int i = 0; i < N_ENDS; i++)
    for (int j = 0; j < N_ENDS; j++)
      if (!CHECK(is_near(found(ends[i], ends[j]), want(ends[i], ends[j]))))
        fprintf(stderr, "%s(%a, %a) is %a, expected %a\n", name, (double)ends[i], (double)ends[j],
                (double)found(ends[i], ends[j]), (double)want(ends[i], ends[j]));
}

static void ends_of_pairs(void) {
  check_ends2("pow", ddr_pow, DDR_LIBM(pow));
  check_ends2("atan2", ddr_atan2, DDR_LIBM(atan2));
}

/* --- accuracy --------------------------------------------------------------------------------- */

#if defined(DDR_HAS_MPFR)
typedef int MpfrFn1(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int MpfrFn2(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
#define ROW1(name)                                                                                 \
  { #name, ddr_##name, name, mpfr_##name }
#else
typedef int MpfrFn1(void);
#define ROW1(name)                                                                                 \
  { #name, ddr_##name, name, NULL }
#endif

#if defined(DDR_HAS_MPFR) || !defined(DDR_DOUBLE)
typedef struct Function {
  const char *name;
  Fn1 *fn;
  double (*libm)(double);
  MpfrFn1 *mpfr;
} Function;

static const Function functions[] = {ROW1(exp), ROW1(log), ROW1(log2), ROW1(log10), ROW1(sin),
                                     ROW1(cos), ROW1(tan), ROW1(asin), ROW1(acos),  ROW1(atan)};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };
#endif

#if defined(DDR_HAS_MPFR)
static mpfr_t mp_x, mp_y, mp_want;

/* One unit in the last place of the nearest number. */
static double unit_of(double x) {
  int exponent = 0;
  frexp(x, &exponent);
  const int least = sizeof(ddr_real) == 4 ? -149 : -1074;
  const int last = exponent - (DDR_MANTISSA_BITS + 1);
  return ldexp(1, last < least ? least : last);
}

/* The distance of `found` from mp_want in units; if that rounds to infinity, found must be
 * infinite. */
static double units_off(ddr_real found) {
  const double want = mpfr_get_d(mp_want, MPFR_RNDN);
  const ddr_real rounded = (ddr_real)want;
  if (!isfinite(rounded) || !isfinite(found)) return is_same(found, rounded) ? 0 : INFINITY;
  mpfr_sub_d(mp_want, mp_want, (double)found, MPFR_RNDN);
  mpfr_div_d(mp_want, mp_want, unit_of(want), MPFR_RNDN);
  return fabs(mpfr_get_d(mp_want, MPFR_RNDN));
}

static double units_off1(const Function *function, ddr_real x) {
  mpfr_set_d(mp_x, (double)x, MPFR_RNDN);
  function->mpfr(mp_want, mp_x, MPFR_RNDN);
  return units_off(function->fn(x));
}

static double units_off2(Fn2 *fn, MpfrFn2 *mpfr, ddr_real x, ddr_real y) {
  mpfr_set_d(mp_x, (double)x, MPFR_RNDN);
  mpfr_set_d(mp_y, (double)y, MPFR_RNDN);
  mpfr(mp_want, mp_x, mp_y, MPFR_RNDN);
  return units_off(fn(x, y));
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

/* Uniform from -1 to 1. */
static ddr_real uniform(void) {
  return (ddr_real)((double)(random_bits() >> 40) * 0x1p-23 - 1 +
                    (double)(random_bits() >> 40) * 0x1p-47);
}

static ddr_real ldexp_of(ddr_real x, int exponent) { return DDR_LIBM(ldexp)(x, exponent); }

/* Arbitrary bits; numbers near 0, near 1, near multiples of pi/2, and where functions vary most. */
static ddr_real argument(void) {
  const uint64_t bits = random_bits();
  switch (random_bits() % 6) {
  case 0: return ddr_real_of_bits((ddr_bits)bits);
  case 1: return uniform();
  case 2: return 750 * uniform();
  case 3: return ldexp_of(uniform(), (int)(bits % 50) - 10);
  case 4: return 1 + ldexp_of(uniform(), -(int)(bits % 53));
  default:
    return DDR_HALF_PI * (ddr_real)(bits % 100000) *
           (1 + uniform() * DDR_BY_PRECISION(0x1p-22, 0x1p-51));
  }
}

static uint32_t n_arguments(void) { return test_is_slow() ? 1000000 : 20000; }

static void functions_of_one_argument(void) {
  for (int k = 0; k < N_FUNCTIONS; k++) {
    double worst = 0;
    ddr_real at = 0;
    for (uint32_t n = n_arguments(); n > 0; n--) {
      const ddr_real x = argument();
      const double off = units_off1(&functions[k], x);
      if (off > worst) worst = off, at = x;
    }
    CHECK(worst <= 1);
    printf("%s: up to %.3f units, at %a\n", functions[k].name, worst, (double)at);
  }
}

/* The doubles nearest to multiples of pi/2, by continued fractions [Muller et al. 2018, table
 * 11.1], and other difficult angles. */
static void hard_angles(void) {
  const ddr_real hard[] = {DDR_BY_PRECISION(16367173.0 * 0x1p72, 6381956970095103.0 * 0x1p797),
                           DDR_BY_PRECISION(0x1.921fb6p0, 0x1.921fb54442d18p0),
                           LARGEST,
                           DDR_R(0x1p20),
                           next(DDR_R(0x1p20), INF),
                           DDR_BY_PRECISION(1e22, 1e22),
                           DDR_BY_PRECISION(0x1p127, 0x1p1023)};
  for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
    for (int k = 4; k < 7; k++) CHECK(units_off1(&functions[k], hard[i]) <= 1);
}

/* Exponents for which the power is finite, small integers, and any. */
static ddr_real exponent_for(ddr_real x) {
  const uint64_t bits = random_bits();
  const ddr_real most = DDR_BY_PRECISION(104.0, 746.0);
  if (bits % 4 == 0) return (ddr_real)(int)(bits / 4 % 150) - 70;
  if (bits % 4 == 1) return argument();
  return uniform() * most / DDR_LIBM(fabs)(DDR_LIBM(log)(DDR_LIBM(fabs)(x)));
}

static void functions_of_two_arguments(void) {
  double worst_power = 0, worst_angle = 0;
  for (uint32_t n = n_arguments(); n > 0; n--) {
    const ddr_real x = argument(), y = exponent_for(x), z = n % 2 ? argument() : x * 4 * uniform();
    const double power = units_off2(ddr_pow, mpfr_pow, x, y);
    const double angle = units_off2(ddr_atan2, mpfr_atan2, x, z);
    if (power > worst_power) worst_power = power;
    if (angle > worst_angle) worst_angle = angle;
  }
  CHECK(worst_power <= 1 && worst_angle <= 1);
  printf("pow: up to %.3f units; atan2: %.3f\n", worst_power, worst_angle);
}
#endif

#if !defined(DDR_DOUBLE)
/* Uses libm's doubles, which are accurate to 2^-28 units of floats, and MPFR for what is not
 * clearly within a unit. */
static bool is_within_unit(const Function *function, float x) {
  const float found = function->fn(x);
  const double want = function->libm((double)x), size = fabs(want);
  if (size >= 0x1p-126 && size < 0x1p127) {
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    bits = (bits & UINT64_C(0x7ff0000000000000)) - ((uint64_t)23 << 52);
    double unit;
    memcpy(&unit, &bits, sizeof unit);
    if (fabs((double)found - want) <= 0.999999 * unit) return true;
  }
  if (isnan(want)) return isnan(found);
  if (size >= 0x1p128) return is_same(found, (float)want);
  if (size < 0x1p-151) return found == 0 && signbit(found) == signbit(want);
#if defined(DDR_HAS_MPFR)
  return units_off1(function, x) <= 1;
#else
  return fabs((double)found - want) <= 0x1p-149 || (double)found == want || found == (float)want;
#endif
}

static void every_float(void) {
  for (int k = 0; k < N_FUNCTIONS; k++)
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += test_is_slow() ? 1 : 8209) {
      const float x = ddr_real_of_bits((uint32_t)bits);
      if (is_within_unit(&functions[k], x)) continue;
      CHECK_STR("further", "within a unit of the last place");
      fprintf(stderr, "%s(%a) is %a, expected %a\n", functions[k].name, (double)x,
              (double)functions[k].fn(x), functions[k].libm((double)x));
    }
}
#endif

int main(void) {
  RUN(ends_of_exp_and_logarithms);
  RUN(ends_of_trigonometry);
  RUN(ends_of_arcs);
  RUN(ends_of_pairs);
#if defined(DDR_HAS_MPFR)
  mpfr_inits2(160, mp_x, mp_y, mp_want, (mpfr_ptr)0);
#endif
#if !defined(DDR_DOUBLE)
  RUN(every_float);
#endif
#if defined(DDR_HAS_MPFR)
  RUN(functions_of_one_argument);
  RUN(hard_angles);
  RUN(functions_of_two_arguments);
  mpfr_clears(mp_x, mp_y, mp_want, (mpfr_ptr)0);
  mpfr_free_cache();
#else
  const int result = test_result();
  if (result == 0) puts("skipped in part: there is no MPFR (libmpfr-dev) to compare with");
  return result == 0 ? 77 : result;
#endif
  return test_result();
}

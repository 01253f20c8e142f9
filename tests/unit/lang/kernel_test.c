/* Kernels, all in exact rationals: the defining properties are recomputed for every row of
 * kernels.def; known kernels are compared with tables derived elsewhere, by exact arithmetic. */
#include <stdlib.h>

#include "frontend/lang/kernel.h"
#include "tests/unit/test.h"

static const Rational zero = {0, 1}, one = {1, 1};

/* Reads "1 -5/2 0": missing coefficients are zero. Returns the number of coefficients given. */
static uint32_t read_coeffs(const char *text, Rational coeff[KERNEL_MAX_DEGREE + 1]) {
  uint32_t n = 0;
  for (uint32_t i = 0; i <= KERNEL_MAX_DEGREE; i++) coeff[i] = zero;
  while (*text && n <= KERNEL_MAX_DEGREE) {
    char *end;
    int64_t num = strtoll(text, &end, 10), den = 1;
    if (*end == '/') den = strtoll(end + 1, &end, 10);
    coeff[n++] = rational(num, den);
    text = *end == ' ' ? end + 1 : end;
  }
  return n;
}

static bool same_coeffs(const Rational *a, const Rational *b) {
  for (uint32_t i = 0; i <= KERNEL_MAX_DEGREE; i++)
    if (!rational_eq(a[i], b[i])) return false;
  return true;
}

static Rational power(Rational base, uint32_t exponent) {
  Rational result = one;
  for (uint32_t i = 0; i < exponent; i++) result = rational_mul(result, base);
  return result;
}

static Rational value_at(const Rational *coeff, Rational f) {
  Rational sum = zero;
  for (uint32_t i = 0; i <= KERNEL_MAX_DEGREE; i++)
    sum = rational_add(sum, rational_mul(coeff[i], power(f, i)));
  return sum;
}

static int32_t first_tap(const Kernel *kernel) { return 1 - (int32_t)kernel->support; }
static int32_t last_tap(const Kernel *kernel) { return (int32_t)kernel->support; }

/* Sum over the taps o of o^p w_o(f), for the order-th derivative: the result for samples i^p. */
static void filtered_monomial(const Kernel *kernel, uint32_t order, uint32_t p,
                              Rational sum[KERNEL_MAX_DEGREE + 1]) {
  for (uint32_t i = 0; i <= KERNEL_MAX_DEGREE; i++) sum[i] = zero;
  for (int32_t tap = first_tap(kernel); tap <= last_tap(kernel); tap++) {
    WeightPoly weight = kernel_weight(kernel, order, tap);
    Rational sample = power(rational(tap, 1), p);
    for (uint32_t i = 0; i <= KERNEL_MAX_DEGREE; i++)
      sum[i] = rational_add(sum[i], rational_mul(sample, weight.coeff[i]));
  }
}

/* The order-th derivative of f^p. */
static void derived_monomial(uint32_t order, uint32_t p, Rational coeff[KERNEL_MAX_DEGREE + 1]) {
  for (uint32_t i = 0; i <= KERNEL_MAX_DEGREE; i++) coeff[i] = zero;
  if (order > p) return;
  Rational factor = one;
  for (uint32_t i = 0; i < order; i++) factor = rational_mul(factor, rational(p - i, 1));
  coeff[p - order] = factor;
}

static bool reproduces(const Kernel *kernel, uint32_t order, uint32_t p) {
  Rational found[KERNEL_MAX_DEGREE + 1], want[KERNEL_MAX_DEGREE + 1];
  filtered_monomial(kernel, order, p, found);
  derived_monomial(order, p, want);
  return same_coeffs(found, want);
}

/* Whether an earlier row has the same curve; such a row may claim a continuity that is not true. */
static bool is_alias(uint32_t row) {
  const Kernel *kernel = kernel_at(row);
  for (uint32_t i = 0; i < row; i++) {
    const Kernel *other = kernel_at(i);
    if (other->support != kernel->support || other->degree != kernel->degree) continue;
    bool same = true;
    for (uint32_t p = 0; p < kernel->support; p++)
      for (uint32_t c = 0; c <= kernel->degree; c++)
        same &= rational_eq(kernel->pieces[p][c], other->pieces[p][c]);
    if (same) return true;
  }
  return false;
}

static void check_form(const Kernel *kernel) {
  CHECK(kernel->support >= 1 && kernel->support <= KERNEL_MAX_SUPPORT);
  CHECK(kernel->degree <= KERNEL_MAX_DEGREE);
  bool has_degree = false;
  for (uint32_t p = 0; p < kernel->support; p++) {
    has_degree |= !rational_is_zero(kernel->pieces[p][kernel->degree]);
    for (uint32_t i = 0; i <= kernel->degree; i++) {
      Rational coeff = kernel->pieces[p][i];
      CHECK(coeff.den > 0 && rational_eq(coeff, rational(coeff.num, coeff.den)));
    }
  }
  CHECK(has_degree);
}

/* A weight and its mirror image agree: w_{1-o}(f) = (-1)^m w_o(1-f). */
static void check_evenness(const Kernel *kernel, uint32_t order) {
  for (int32_t tap = first_tap(kernel); tap <= last_tap(kernel); tap++) {
    WeightPoly weight = kernel_weight(kernel, order, tap);
    WeightPoly mirrored = kernel_weight(kernel, order, 1 - tap);
    /* Enough points to determine the polynomial. */
    for (int64_t i = 0; i <= KERNEL_MAX_DEGREE; i++) {
      Rational f = rational(i, KERNEL_MAX_DEGREE);
      Rational left = value_at(mirrored.coeff, f);
      Rational right = value_at(weight.coeff, rational_sub(one, f));
      CHECK(rational_eq(left, order % 2 ? rational_neg(right) : right));
    }
  }
}

static void check_derivatives(const Kernel *kernel, uint32_t order) {
  for (int32_t tap = first_tap(kernel); tap <= last_tap(kernel); tap++) {
    WeightPoly weight = kernel_weight(kernel, order, tap);
    WeightPoly derivative = kernel_weight(kernel, order + 1, tap);
    for (uint32_t i = 0; i < KERNEL_MAX_DEGREE; i++) {
      Rational want = rational_mul(weight.coeff[i + 1], rational(i + 1, 1));
      CHECK(rational_eq(derivative.coeff[i], want));
    }
    CHECK(rational_is_zero(derivative.coeff[KERNEL_MAX_DEGREE]));
    for (uint32_t i = weight.degree + 1; i <= KERNEL_MAX_DEGREE; i++)
      CHECK(rational_is_zero(weight.coeff[i]));
  }
}

static void every_row_is_a_kernel(void) {
  for (uint32_t i = 0; i < kernel_count(); i++) {
    const Kernel *kernel = kernel_at(i);
    uint64_t n_failed = test_state.n_failed;
    CHECK(kernel_find(kernel->name) == kernel);
    check_form(kernel);
    int32_t claimed = (int32_t)kernel->continuity, found = kernel_true_continuity(kernel);
    CHECK(is_alias(i) ? claimed >= found : claimed == found);
    for (uint32_t order = 0; order <= kernel->degree + 1; order++) {
      CHECK(reproduces(kernel, order, 0)); /* partition of unity, and of its derivatives */
      check_evenness(kernel, order);
      check_derivatives(kernel, order);
    }
    if (test_state.n_failed > n_failed) fprintf(stderr, "  kernel %s\n", kernel->name);
  }
  CHECK(kernel_find("box") == NULL);
}

static void all_kernels_of_the_language_are_there(void) {
  static const struct {
    const char *name;
    uint32_t continuity, support, degree;
    int32_t true_continuity, spline_degree;
  } rows[] = {{"tent", 0, 1, 1, 0, 1},   {"c1tent", 1, 1, 1, 0, 1},  {"c2tent", 2, 1, 1, 0, 1},
              {"ctmr", 1, 2, 3, 1, -1},  {"c2ctmr", 2, 2, 3, 1, -1}, {"bspln3", 2, 2, 3, 2, 3},
              {"bspln5", 4, 3, 5, 4, 5}, {"c4hexic", 4, 3, 6, 4, -1}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const Kernel *kernel = kernel_find(rows[i].name);
    if (!CHECK(kernel != NULL)) continue;
    CHECK_EQ(kernel->continuity, rows[i].continuity);
    CHECK_EQ(kernel->support, rows[i].support);
    CHECK_EQ(kernel->degree, rows[i].degree);
    CHECK_EQ(kernel_true_continuity(kernel), rows[i].true_continuity);
    CHECK_EQ(kernel_spline_degree(kernel), rows[i].spline_degree);
  }
}

/* Degrees up to which derivatives of polynomials are exact; -1 if the derivative of every piece is
 * zero. */
static void polynomials_are_reproduced(void) {
  static const struct {
    const char *name;
    int32_t degrees[5]; /* by order of the derivative */
  } rows[] = {{"tent", {1, 1, -1, -1, -1}},
              {"ctmr", {2, 2, 2, 2, -1}},
              {"bspln3", {1, 2, 3, 3, -1}},
              {"bspln5", {1, 2, 3, 4, 5}},
              {"c4hexic", {3, 3, 3, 3, 3}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const Kernel *kernel = kernel_find(rows[i].name);
    CHECK_EQ(kernel_reproduced_degree(kernel), rows[i].degrees[0]);
    for (uint32_t order = 0; order < 5; order++) {
      if (rows[i].degrees[order] < 0) continue;
      uint32_t degree = 0;
      while (reproduces(kernel, order, degree)) degree++;
      CHECK_EQ(degree - 1, rows[i].degrees[order]);
    }
  }
}

/* B-splines smooth samples i^p, but the result is a polynomial: bspln3 makes V + V''/6 of V. */
static void splines_deviate_by_polynomials(void) {
  static const struct {
    const char *name;
    uint32_t p;
    const char *coeffs;
  } rows[] = {{"bspln3", 2, "1/3 0 1"},      {"bspln3", 3, "0 1 0 1"},
              {"bspln5", 2, "1/2 0 1"},      {"bspln5", 3, "0 3/2 0 1"},
              {"bspln5", 4, "7/10 0 3 0 1"}, {"bspln5", 5, "0 7/2 0 5 0 1"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    Rational found[KERNEL_MAX_DEGREE + 1], want[KERNEL_MAX_DEGREE + 1];
    filtered_monomial(kernel_find(rows[i].name), 0, rows[i].p, found);
    read_coeffs(rows[i].coeffs, want);
    CHECK(same_coeffs(found, want));
  }
}

static void weights_are_those_of_the_table(void) {
  static const struct {
    const char *name;
    uint32_t order;
    int32_t tap;
    const char *coeffs;
  } rows[] = {
#define WEIGHT(name, order, tap, coeffs) {#name, order, tap, coeffs},
#include "tests/unit/lang/kernel_weights.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    Rational want[KERNEL_MAX_DEGREE + 1];
    uint32_t n = read_coeffs(rows[i].coeffs, want);
    WeightPoly found = kernel_weight(kernel_find(rows[i].name), rows[i].order, rows[i].tap);
    if (!CHECK(same_coeffs(found.coeff, want)) || !CHECK_EQ(found.degree, n - 1))
      fprintf(stderr, "  %s, order %u, tap %d\n", rows[i].name, rows[i].order, rows[i].tap);
  }
}

/* The weights of taps 1-s .. s at one f. */
static void weights_at_points(void) {
  static const struct {
    const char *name;
    Rational f;
    const char *values;
  } rows[] = {
      {"tent", {1, 4}, "3/4 1/4"},
      {"ctmr", {1, 4}, "-9/128 111/128 29/128 -3/128"},
      {"bspln3", {1, 4}, "9/128 235/384 121/384 1/384"},
      {"bspln5", {1, 4}, "81/40960 15349/122880 31927/61440 6719/20480 3119/122880 1/122880"},
      {"c4hexic",
       {1, 4},
       "-4779/655360 -50261/1966080 763567/983040 99069/327680 -90781/1966080 -89/1966080"},
      {"tent", {0, 1}, "1 0"},
      {"ctmr", {0, 1}, "0 1 0 0"},
      {"bspln3", {0, 1}, "1/6 2/3 1/6 0"},
      {"bspln5", {0, 1}, "1/120 13/60 11/20 13/60 1/120 0"},
      {"c4hexic", {0, 1}, "-11/480 11/120 69/80 11/120 -11/480 0"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const Kernel *kernel = kernel_find(rows[i].name);
    Rational want[KERNEL_MAX_DEGREE + 1];
    CHECK_EQ(read_coeffs(rows[i].values, want), 2 * kernel->support);
    for (uint32_t t = 0; t < 2 * kernel->support; t++) {
      WeightPoly weight = kernel_weight(kernel, 0, first_tap(kernel) + (int32_t)t);
      CHECK(rational_eq(value_at(weight.coeff, rows[i].f), want[t]));
    }
  }
}

/* Twice the integral of x^p h(x) over x >= 0, piece by piece. */
static Rational moment(const Kernel *kernel, uint32_t p) {
  Rational sum = zero;
  for (uint32_t x = 0; x < kernel->support; x++)
    for (uint32_t i = 0; i <= kernel->degree; i++) {
      Rational upper = power(rational(x + 1, 1), i + p + 1);
      Rational lower = power(rational(x, 1), i + p + 1);
      Rational area = rational_div(rational_sub(upper, lower), rational(i + p + 1, 1));
      sum = rational_add(sum, rational_mul(kernel->pieces[x][i], area));
    }
  return rational_mul(rational(2, 1), sum);
}

/* Moments of order 0, 2, 4: integrals of the pieces, by hand. */
static void moments(void) {
  static const struct {
    const char *name, *values;
  } rows[] = {{"tent", "1 1/6 1/15"},
              {"ctmr", "1 0 -3/10"},
              {"bspln3", "1 1/3 3/10"},
              {"bspln5", "1 1/2 7/10"},
              {"c4hexic", "1 0 -41/70"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    Rational want[KERNEL_MAX_DEGREE + 1];
    read_coeffs(rows[i].values, want);
    for (uint32_t m = 0; m < 3; m++)
      CHECK(rational_eq(moment(kernel_find(rows[i].name), 2 * m), want[m]));
  }
}

/* Invalid kernels, to see that the check can fail. */
static void continuity_is_found_at_breakpoints(void) {
  Kernel box = {.name = "box", .support = 1, .pieces = {{{1, 1}}}};
  CHECK_EQ(kernel_true_continuity(&box), -1);
  Kernel spike = {
      .name = "spike", .support = 2, .degree = 1, .pieces = {{{1, 1}, {-1, 2}}, {{1, 1}, {-1, 3}}}};
  CHECK_EQ(kernel_true_continuity(&spike), -1);
  Kernel cosine = {
      .name = "cosine", .support = 1, .degree = 3, .pieces = {{{1, 1}, {0, 1}, {-3, 1}, {2, 1}}}};
  CHECK_EQ(kernel_true_continuity(&cosine), 1);
}

/* With a kernel for each axis, properties are those that all have, and the support is the
 * widest. */
static void kernels_per_axis(void) {
  Cx *cx = cx_new();
  const Kernel *tent = kernel_find("tent"), *c1tent = kernel_find("c1tent");
  const Kernel *hexic = kernel_find("c4hexic"), *three[] = {hexic, c1tent, hexic};
  const Kernel *mixed = kernel_per_axis(cx, three, 3);
  CHECK_STR(mixed->name, "KRNS(c4hexic,c1tent,c4hexic)");
  CHECK_EQ(mixed->continuity, 1);
  CHECK_EQ(kernel_true_continuity(mixed), 0);
  CHECK_EQ(mixed->support, 3);
  for (uint32_t axis = 0; axis < 3; axis++) {
    CHECK(kernel_along(mixed, axis) == three[axis]);
    CHECK(kernel_along(tent, axis) == tent);
  }
  CHECK(kernel_per_axis(cx, (const Kernel *[]){hexic, c1tent, hexic}, 3) == mixed);
  CHECK(kernel_per_axis(cx, three, 2) != mixed);
  const Kernel *same = kernel_per_axis(cx, (const Kernel *[]){tent, tent}, 2);
  CHECK_STR(same->name, "KRNS(tent,tent)");
  CHECK(kernel_simplest(same) == tent);
  CHECK(kernel_simplest(tent) == tent);
  CHECK(kernel_simplest(mixed) == mixed);
  CHECK(kernel_has_axes(same, 2));
  CHECK(!kernel_has_axes(same, 3));
  CHECK(kernel_has_axes(tent, 1));
  CHECK_EQ(kernel_weight(tent, 0, 2).degree, 0);
  CHECK(rational_is_zero(kernel_weight(tent, 0, 2).coeff[0]));
  cx_free(cx);
}

int main(void) {
  RUN(kernels_per_axis);
  RUN(every_row_is_a_kernel);
  RUN(all_kernels_of_the_language_are_there);
  RUN(polynomials_are_reproduced);
  RUN(splines_deviate_by_polynomials);
  RUN(weights_are_those_of_the_table);
  RUN(weights_at_points);
  RUN(moments);
  RUN(continuity_is_found_at_breakpoints);
  return test_result();
}
